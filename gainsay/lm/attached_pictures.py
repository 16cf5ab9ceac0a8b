"""Pictures in requests: named where requests are kept, put in where they are sent.

A landed request names its picture by its file in the folder of renderings, or a photograph by the
path that it was landed from, so that a warehouse does not hold every picture once more for each
question about it.
"""

import base64
import json
from pathlib import Path
from typing import Any

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.renderings import (
    leads_out,
    read_rendering,
    rendering_name,
    renderings_folder,
)
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, picture_format, read_image

_SCHEME = "rendering:"
_PHOTOGRAPH = "photograph:"
_LARGEST_PICTURE = 64 * 2**20


def named_picture(rendered_file: str) -> dict[str, Any]:
    """The part of a message that names a rendered picture, to be put in when it is sent."""
    return {"type": "image_url", "image_url": {"url": f"{_SCHEME}{rendered_file}"}}


def named_photograph(path: str) -> dict[str, Any]:
    """The part of a message that names a landed photograph; in an archive, `archive!member`."""
    return {"type": "image_url", "image_url": {"url": f"{_PHOTOGRAPH}{path}"}}


def photographs_of(body: str) -> set[str]:
    """The paths of the photographs that a request's body names."""
    if _PHOTOGRAPH not in body:
        return set()
    urls = {
        str(part.get("image_url", {}).get("url", ""))
        for message in json.loads(body)["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    }
    return {url.removeprefix(_PHOTOGRAPH) for url in urls if url.startswith(_PHOTOGRAPH)}


def with_pictures(body: str) -> str:
    """A request's body with each picture that it names in place of its name.

    Raises `GainsayError` for a picture that is not there or none.
    """
    if _SCHEME not in body and _PHOTOGRAPH not in body:
        return body
    request = json.loads(body)
    for message in request["messages"]:
        if isinstance(message["content"], list):
            for part in message["content"]:
                _put_in(part)
    return json.dumps(request, ensure_ascii=False)


def _put_in(part: dict[str, Any]) -> None:
    url = str(part.get("image_url", {}).get("url", ""))
    if url.startswith(_PHOTOGRAPH):
        part["image_url"]["url"] = _photograph(url.removeprefix(_PHOTOGRAPH))
    if url.startswith(_SCHEME):
        part["image_url"]["url"] = _rendering(url.removeprefix(_SCHEME))


def _photograph(path: str) -> str:
    # a file may have the mark of an archive's member in its name
    archive = None if Path(path).is_file() else path.rpartition("!")[0] or None
    try:
        return _data_url(read_image(path, archive, _LARGEST_PICTURE))
    except ImageUnreadableError as error:
        raise GainsayError(
            f"{path}: the request's photograph can't be read ({error}); put it back, or land it"
            " from where it is now with `gainsay land-images` and make the request anew"
        ) from error


def _rendering(rendered_file: str) -> str:
    folder = renderings_folder()
    file = rendering_name(folder, rendered_file)
    if leads_out(folder, rendered_file):
        raise GainsayError(f"{file}: the request's picture lies outside {folder}")
    try:
        return _data_url(read_rendering(folder, rendered_file, _LARGEST_PICTURE))
    except ImageUnreadableError as error:
        raise GainsayError(
            f"{file}: the request's picture can't be read ({error}); render it with `dbt build"
            " --select images__renderings`, or name its folder in GAINSAY_RENDERINGS"
        ) from error


def _data_url(data: bytes) -> str:
    media_type = f"image/{picture_format(data).lower()}"
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"
