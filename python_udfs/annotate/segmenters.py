"""Segmentation networks in ONNX files that are asked about a box, as SAM and its kin are.

The layout is EfficientSAM's: three inputs, a picture, points and their labels, of which 2 and 3 are
the corners of a box; and two outputs, masks (a pixel is of the thing from 0 on) and how good the
network thinks each.
"""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np

from gainsay.python_udfs.annotate.network_files import check_numbers, check_size
from gainsay.python_udfs.annotate.networks import Network
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels.corruptions import Mask, Pixels

_CORNERS: Final = (2, 3)
# stands for no point
_NO_POINT: Final = -1


def outline(network: Network, pixels: Pixels, box: Sequence[float]) -> Mask | None:
    """The pixels of the thing in a box (left, top, width, height), none where nothing is seen.

    What lies outside the box is not of the thing. Errors: `SetupError` for another layout,
    `ValueError` for numbers that are none.
    """
    image, points, labels = _inputs(network)
    height, width = pixels.shape[:2]
    *_, rows, columns = image.shape
    if not (isinstance(rows, int) and isinstance(columns, int)):
        columns, rows = check_size(width, height)
    rgb = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    taken = cv2.resize(rgb, (columns, rows), interpolation=cv2.INTER_LINEAR)
    left, top, box_width, box_height = box
    corners = np.array([[left, top], [left + box_width, top + box_height]])
    corners *= (columns / width, rows / height)
    n_points = points.shape[2] if isinstance(points.shape[2], int) else len(_CORNERS)
    coordinates = np.zeros((n_points, 2), np.float32)
    coordinates[: len(_CORNERS)] = corners
    kinds = np.full(n_points, _NO_POINT, np.float32)
    kinds[: len(_CORNERS)] = _CORNERS
    # some exports have one more dimension behind
    kinds = kinds.reshape(1, 1, n_points, *(1,) * (len(labels.shape) - 3))
    given = {
        image.name: taken.astype(np.float32).transpose(2, 0, 1)[None] / 255,
        points.name: coordinates[None, None],
        labels.name: kinds,
    }
    names = [output.name for output in network.session.get_outputs()]
    said = dict(zip(names, network.session.run(names, given), strict=True))
    seen = _best(said)
    mask = cv2.resize(seen.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    inside = np.zeros_like(mask)
    start_x, start_y = max(0, int(left)), max(0, int(top))
    end_x, end_y = (int(np.ceil(edge)) for edge in (left + box_width, top + box_height))
    inside[start_y : max(0, end_y), start_x : max(0, end_x)] = 1
    mask &= inside
    return mask if mask.any() else None


def _inputs(network: Network) -> list[Any]:
    inputs = network.session.get_inputs()
    if [len(each.shape) for each in inputs[:2]] != [4, 4] or len(inputs) != 3:
        found = ", ".join(f"{each.name} {each.shape}" for each in inputs)
        raise SetupError(
            f"a segmentation network with inputs {found}; a picture, points (1 x 1 x points x 2)"
            " and their labels are needed"
        )
    return list(inputs)


def _best(said: dict[str, Any]) -> Any:
    """The mask that the network thinks best."""
    masks = next((one for one in said.values() if one.ndim == 5), None)
    qualities = next((one for one in said.values() if one.ndim == 3), None)
    if masks is None or qualities is None:
        found = ", ".join(f"{name} {one.shape}" for name, one in said.items())
        raise SetupError(
            f"a segmentation network with outputs {found}; masks (1 x 1 x masks x height x width)"
            " and how good each is (1 x 1 x masks) are needed"
        )
    check_numbers("qualities", qualities)
    best = masks[0, 0, int(qualities[0, 0].argmax())]
    check_numbers("masks", best)
    return best >= 0
