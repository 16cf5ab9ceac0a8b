{{ renderings_of('occlusions') }}
