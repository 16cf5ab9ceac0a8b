{{ renderings_of('conflict_suite') }}
