"""Whose file it is, of those that annotations are often in, and how it becomes one of COCO's.

A tool is known by words that its files alone have, near their beginning. None of them is read:
what a converter makes of it is what its authors mean.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import opened_file

_HEAD_BYTES: Final = 256 * 2**10
_DATUM: Final = "convert its folder with Datumaro: `datum convert -if {} -i FOLDER -f coco -o OUT`"
_GLOBOX: Final = "convert it to COCO with globox (pip install globox), which reads {}"
# the numbers of a box, after its class
_YOLO: Final = re.compile(r"\s*\d+(?:\s+[01]?\.\d+(?:e-?\d+)?|\s+[01]){4,}\s*(?:\n|$)")


def _has(*words: str) -> Callable[[str], bool]:
    return lambda text: all(word in text for word in words)


def _has_any(*words: str) -> Callable[[str], bool]:
    return lambda text: any(word in text for word in words)


def _is_list_with(*keys: str) -> Callable[[str], bool]:
    return lambda text: text[:1] == "[" and all(f'"{key}"' in text for key in keys)


_MAKE_ONE: Final = (
    "write an object with the lists images (id, file_name), categories (id, name) and annotations,"
    " which this is"
)
# whose file it is, how it is known, and how it becomes one of COCO's; the first that fits
_TOOLS: Final[tuple[tuple[str, Callable[[str], bool], str], ...]] = (
    (
        "Label Studio",
        _has_any(
            '"rectanglelabels"',
            '"polygonlabels"',
            '"brushlabels"',
            '"completed_by"',
            '"keypointlabels"',
            '"from_name"',
        ),
        "export it there as COCO",
    ),
    (
        "VGG Image Annotator (VIA)",
        _has_any('"shape_attributes"', '"_via_img_metadata"', '"region_shape_attributes"'),
        "export it there: Annotation, Export Annotations (COCO format)",
    ),
    (
        "LabelMe",
        _has('"imagePath"', '"shapes"'),
        "convert its folder with labelme2coco: `labelme2coco FOLDER`",
    ),
    (
        "Supervisely",
        _has_any('"classTitle"', '"geometryType"'),
        "export the project there with the app Export to COCO",
    ),
    (
        "Labelbox",
        _has_any('"data_row"', '"Labeled Data"'),
        "convert it with its own library, or export it from there as COCO",
    ),
    (
        "Datumaro",
        _has('"items"', '"categories"', '"media_type"'),
        _DATUM.format("datumaro"),
    ),
    (
        "CreateML",
        _is_list_with("annotations", "coordinates", "label"),
        _GLOBOX.format("CreateML"),
    ),
    ("a detector (COCO results)", _is_list_with("image_id", "bbox"), _MAKE_ONE),
    ("a segmenter (COCO results)", _is_list_with("image_id", "segmentation"), _MAKE_ONE),
    ("a captioner (COCO results)", _is_list_with("image_id", "caption"), _MAKE_ONE),
    ("CVAT", _has("<annotations", "<image"), _DATUM.format("cvat")),
    ("Pascal VOC", _has("<annotation", "<object"), _DATUM.format("voc")),
    ("Pascal VOC", _has("<annotation", "<filename"), _DATUM.format("voc")),
    (
        "YOLO",
        lambda text: _YOLO.match(text) is not None,
        _DATUM.format("yolo"),
    ),
    (
        "YOLO (data.yaml)",
        lambda text: (
            re.search(r"(?m)^names:", text) is not None
            and re.search(r"(?m)^(train|val|nc):", text) is not None
        ),
        _DATUM.format("yolo"),
    ),
    (
        "Open Images",
        _has("ImageID,", "LabelName,", "XMin"),
        _GLOBOX.format("Open Images"),
    ),
    (
        "makesense.ai (CSV)",
        lambda text: re.match(r"[^,\n]+(,\d+){4},[^,\n]+\.\w+,\d+,\d+\s*(\n|$)", text) is not None,
        "export it there as COCO JSON",
    ),
    (
        "RectLabel",
        lambda text: re.search(r'"images"\s*:\s*\{', text) is not None,
        "its `images` is one object: make it a list with this one, or export one file for all"
        " pictures",
    ),
    (
        "a program that writes a record a line",
        lambda text: re.match(r'\{[^\n]*"image_id"[^\n]*\}\s*\n', text) is not None,
        _MAKE_ONE,
    ),
)


def tool_of(path: Path) -> str | None:
    """A sentence about whose file it is and how it becomes one of COCO's; None where that is open.

    Also what is wrong with a text that no JSON is read from.
    """
    try:
        with opened_file(path) as file:
            head = file.read(_HEAD_BYTES)
    except GainsayError:
        return None
    if not head.strip():
        return "the file is empty"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the file is UTF-16; save it as UTF-8"
    text = head.decode("utf-8-sig", "replace").lstrip()
    if re.match(r"[\[{]\s*(?:\{\s*)?'", text):
        return "its texts stand in single quotes, as Python shows them; write it with `json.dump`"
    for name, fits, way_on in _TOOLS:
        if fits(text):
            return f"it looks like a file of {name}: {way_on}"
    return None
