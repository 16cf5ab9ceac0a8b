{{ renderings_of('conflict_suite_refined') }}
