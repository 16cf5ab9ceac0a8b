"""DOCCI, paragraphs that describe pictures, as published at https://google.github.io/docci.

Onoe et al., DOCCI, ECCV 2024. The file holds one JSON object a line.
"""

from msgspec import Struct

from gainsay.ingest.records import Layout, RecordArray, varchar


class Description(Struct, gc=False):
    """A picture's paragraph."""

    example_id: str
    split: str
    image_file: str
    description: str


DESCRIPTIONS = Layout(
    kind="docci_descriptions",
    main=RecordArray(
        name="descriptions",
        table="docci_descriptions",
        record=Description,
        columns=(
            varchar("example_id"),
            varchar("split"),
            varchar("image_file"),
            varchar("description"),
        ),
    ),
    shape="lines",
)
