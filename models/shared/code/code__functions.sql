-- a table, so that a manifest can be read without the functions
select 'python_udfs' as package, gs_package_md5('gainsay.python_udfs') as package_md5
