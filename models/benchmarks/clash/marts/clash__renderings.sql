{{ renderings_of('clash') }}
