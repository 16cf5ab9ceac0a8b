{{ renderings_of('tiny') }}
