"""What networks, and the files beside them, say: untrusted until it is checked.

A file that is not a network's, or asks for what no network needs, is a `SetupError` that names it.
An output that is no number, or out of its range, is a `ValueError`: the error of its picture.
"""

import json
import math
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gainsay.python_udfs.errors import SetupError

# a picture of 2,048 x 2,048; what is published takes a quarter of it
LARGEST_INPUT: Final = 2**22
_LARGEST_SIDE: Final = 2**15
_LONGEST_SETTINGS: Final = 16 * 2**20
# a sigmoid's rounding
_TOLERANCE: Final = 1e-3


def network_status(path: Path) -> os.stat_result:
    """The status of a network's file, which may not be a pipe. Errors: `SetupError`."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SetupError(f"{path}: no network here: {reason}") from error
    if not stat.S_ISREG(status.st_mode):
        raise SetupError(f"{path}: no network here: not a regular file")
    return status


def settings_in(file: Path) -> dict[str, Any]:
    """The JSON object in a file, empty where there is none. Errors: `SetupError`."""
    if not os.path.lexists(file):
        return {}
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LONGEST_SETTINGS:
            raise ValueError(f"no regular file of at most {_LONGEST_SETTINGS:,} bytes")
        found = json.loads(file.read_bytes().decode("utf-8-sig"))
        if not isinstance(found, dict):
            raise ValueError("expected a JSON object")
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SetupError(
            f"{file}: cannot be read as settings of the network beside it: {reason}; mend it, or"
            " move it away"
        ) from error
    return found


def check_config(file: Path, config: dict[str, Any]) -> None:
    """Refuse a `config.json` whose labels or type are none. Errors: `SetupError`."""
    labels = config.get("id2label", {})
    is_fit = isinstance(labels, dict) and all(
        key.strip().lstrip("-").isdecimal() and isinstance(label, str)
        for key, label in labels.items()
    )
    _require(is_fit, file, "id2label", "a text for each number")
    _require(isinstance(config.get("model_type", ""), str | None), file, "model_type", "a text")


def check_preparation(file: Path, preparation: dict[str, Any]) -> None:
    """Refuse a `preprocessor_config.json` that no picture can be prepared by.

    Errors: `SetupError`.
    """
    size = preparation.get("size", {})
    sides = size.values() if isinstance(size, dict) else [size]
    of_sides = f"sides of 1 to {_LARGEST_SIDE:,} pixels"
    _require(all(side is None or _is_side(side) for side in sides), file, "size", of_sides)
    has_both = not isinstance(size, dict) or ("height" in size) == ("width" in size)
    _require(has_both, file, "size", "a height with its width")
    checks: dict[str, tuple[Callable[[Any], bool], str]] = {
        "rescale_factor": (lambda value: _is_number(value) and value > 0, "a positive number"),
        "image_mean": (_are_channels, "three numbers"),
        "image_std": (lambda value: _are_channels(value) and all(value), "three numbers but 0"),
        "do_normalize": (lambda value: isinstance(value, bool), "true or false"),
        "do_flip_channel_order": (lambda value: isinstance(value, bool), "true or false"),
    }
    for name, (is_fit, expected) in checks.items():
        if name in preparation:
            _require(is_fit(preparation[name]), file, name, expected)


def check_input(path: str, shape: list[Any]) -> None:
    """Refuse a network whose first input is no picture, or too large a one. Errors: `SetupError`.

    `shape`: as the network declares it; a number for what is fixed, else a name.
    """
    fixed = [side for side in shape[1:] if isinstance(side, int)]
    if len(shape) != 4 or any(side < 1 for side in fixed):
        raise SetupError(f"{path}: takes {shape}; a picture, 1 x 3 x height x width, is needed")
    if math.prod(fixed) > 3 * LARGEST_INPUT:
        raise SetupError(
            f"{path}: takes a picture of {shape}; the largest has {LARGEST_INPUT:,} pixels"
        )


def check_size(width: int, height: int) -> tuple[int, int]:
    """A size that a picture is to be given. Errors: `ValueError` for one that is too large."""
    if width * height > LARGEST_INPUT:
        raise ValueError(
            f"the network would take it as {width:,} x {height:,} pixels; the most are"
            f" {LARGEST_INPUT:,}"
        )
    return width, height


def check_numbers(what: str, values: npt.NDArray[Any]) -> None:
    """Refuse an output with values that are no numbers. Errors: `ValueError`."""
    if not np.isfinite(values).all():
        raise ValueError(f"the network's {what} are not all numbers: some are NaN or infinite")


def check_range(what: str, values: npt.NDArray[Any], least: float, most: float) -> None:
    """Refuse an output with values that are no numbers, or out of range. Errors: `ValueError`."""
    check_numbers(what, values)
    if values.size and not least - _TOLERANCE <= values.min() <= values.max() <= most + _TOLERANCE:
        raise ValueError(
            f"the network's {what} are {values.min():g} to {values.max():g}; expected {least:g} to"
            f" {most:g}"
        )


def _require(is_fit: bool, file: Path, name: str, expected: str) -> None:
    if not is_fit:
        raise SetupError(f"{file}: {name}: expected {expected}; mend it, or move it away")


def _is_number(value: Any) -> bool:
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return is_real and math.isfinite(value)


def _is_side(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _LARGEST_SIDE


def _are_channels(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(map(_is_number, value))
