"""Painting over a part of a picture: OpenCV's methods, or a network in an ONNX file."""

from typing import Final, cast

import cv2
import pyarrow as pa

from gainsay.python_udfs.annotate import networks
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels.corruptions import Mask, Pixels

_RADIUS: Final = 3
_METHODS: Final = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}
_WAY_OUT: Final = "{inpainter: telea}"


def inpainter_versions(inpainters: pa.Array) -> pa.Array:
    """The identity of an inpainter: OpenCV's name of it, or its file's hash.

    Shapes: texts to texts, null for null. Errors: `SetupError` for a name that is neither
    `telea` nor `ns` nor the path of a file.
    """
    return pa.array([name and _version(name) for name in inpainters.to_pylist()], pa.string())


def _version(name: str) -> str:
    if name in _METHODS:
        return name
    try:
        return networks.network_version(name)
    except SetupError as error:
        raise SetupError(
            f"inpainter {name}: it is telea, ns or the path of an ONNX file ({error})"
        ) from error


def paint_over(pixels: Pixels, mask: Mask, inpainter: str) -> Pixels:
    """The picture with the pixels of a mask (0 or 1) painted over from their surroundings.

    Shapes: height x width x 3, height x width. Errors: `ValueError` for a mask of another size,
    `SetupError` for an unknown inpainter, or without what its network needs. Source: Telea,
    "An Image Inpainting Technique Based on the Fast Marching Method", 2004, and the method by
    Navier and Stokes of Bertalmio et al., 2001, radius 3, as OpenCV has them.
    """
    if mask.shape != pixels.shape[:2]:
        raise ValueError(f"a mask of {mask.shape} for a picture of {pixels.shape[:2]}")
    if inpainter in _METHODS:
        return cast(Pixels, cv2.inpaint(pixels, mask, _RADIUS, _METHODS[inpainter]))
    network = networks.load(inpainter, _version(inpainter), "inpainting", _WAY_OUT)
    return networks.inpaint(network, pixels, mask)
