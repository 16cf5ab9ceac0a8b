-- a table: whoever reads a manifest later need not have the functions
select
    'python_udfs' as package,
    gs_package_md5('python_udfs') as package_md5
