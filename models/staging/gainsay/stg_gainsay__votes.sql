with

votes as (

    select * from {{ source('raw', 'votes') }}

),

-- of what one person said of a record, in several sheets, the latest counts
final as (

    select
        benchmark,
        queue,
        record_id,
        reader,
        record_md5,
        verdict,
        note,
        _source_file as source_file,
        _position as file_position,
        row_number() over (
            partition by benchmark, queue, record_id, reader
            order by _landed_at desc, _source_file desc, _position desc
        ) as occurrence
    from votes

)

select * from final
