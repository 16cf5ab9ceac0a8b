{{ renderings_of('certainly_uncertain') }}
