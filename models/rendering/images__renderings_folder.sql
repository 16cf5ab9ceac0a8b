-- the folder as a path that holds from wherever an export runs, not only from where dbt ran
select gs_absolute_path({{ renderings_folder() }}) as folder
