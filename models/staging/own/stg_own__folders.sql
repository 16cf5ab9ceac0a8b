select folder, _source_file as source_file
from {{ source('raw', 'own_folders') }}
