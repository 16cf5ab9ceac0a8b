"""The floor of any landing: read a folder's files and decode them into the same Structs."""

import sys
from pathlib import Path

import msgspec

from gainsay.ingest import coco, vqa

_LAYOUTS = {
    "v2_OpenEnded_*_questions.json": vqa.QUESTIONS,
    "v2_mscoco_*_annotations.json": vqa.ANNOTATIONS,
    "captions_*.json": coco.CAPTIONS,
}


def main(folder: Path) -> None:
    """Decode every file whole, one after the other, and print the number of records."""
    n_records = 0
    for pattern, layout in _LAYOUTS.items():
        main_array = layout.main
        file = msgspec.defstruct("File", [(main_array.name, list[main_array.record])])
        decoder = msgspec.json.Decoder(file)
        for path in sorted(folder.glob(pattern)):
            n_records += len(getattr(decoder.decode(path.read_bytes()), main_array.name))
    print(n_records)


main(Path(sys.argv[1]))
