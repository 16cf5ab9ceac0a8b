"""Image files as a landing finds them, and the row that becomes of each.

Clusters get this package without the rest of the house, so that workers look at files where they
lie, and the driver never holds a picture.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from gainsay.python_udfs.pixels.probing import Probe, probe

IMAGE_COLUMNS: Final[dict[str, tuple[str, pa.DataType]]] = {
    "path": ("varchar", pa.string()),
    "folder": ("varchar", pa.string()),
    "archive": ("varchar", pa.string()),
    "file_name": ("varchar", pa.string()),
    "image_id": ("bigint", pa.int64()),
    "n_bytes": ("bigint", pa.int64()),
    "width": ("integer", pa.int32()),
    "height": ("integer", pa.int32()),
    "format": ("varchar", pa.string()),
    "mode": ("varchar", pa.string()),
    "n_frames": ("integer", pa.int32()),
    "sha256": ("varchar", pa.string()),
    "perceptual_hash": ("varchar", pa.string()),
    "exif_orientation": ("integer", pa.int32()),
    "exif_taken_at": ("varchar", pa.string()),
    "exif_utc_offset_minutes": ("integer", pa.int32()),
    "gps_latitude": ("double", pa.float64()),
    "gps_longitude": ("double", pa.float64()),
    "gps_utc": ("varchar", pa.string()),
    "gps_direction": ("double", pa.float64()),
    "gps_direction_reference": ("varchar", pa.string()),
    "exif_error": ("varchar", pa.string()),
    "error_kind": ("varchar", pa.string()),
    "error": ("varchar", pa.string()),
    "_fingerprint": ("varchar", pa.string()),
    "_landed_at": ("timestamp", pa.timestamp("us")),
}
IMAGE_ROWS: Final = pa.schema([(name, arrow) for name, (_, arrow) in IMAGE_COLUMNS.items()])


@dataclass(frozen=True)
class ImageLimits:
    """The vars `max_image_bytes` and `max_image_pixels`."""

    max_bytes: int
    max_pixels: int

    def __str__(self) -> str:
        return f"{self.max_bytes}:{self.max_pixels}"


@dataclass(frozen=True)
class ImageFile:
    """An image file where it lies, by its path or URL; `archive!member` inside a zip archive.

    `folder` is what was searched, a folder or an archive: `path` says the rest behind it.
    `fingerprint` changes when the file does, or what may be read of it. `error_kind` and `error`
    are set for what must not be read.
    """

    path: str
    archive: str | None
    file_name: str
    image_id: int | None
    n_bytes: int | None
    fingerprint: str
    error_kind: str | None = None
    error: str | None = None
    folder: str | None = None


IMAGE_FILES: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("path", "archive", "file_name")),
        ("image_id", pa.int64()),
        ("n_bytes", pa.int64()),
        *((name, pa.string()) for name in ("fingerprint", "error_kind", "error", "folder")),
    ]
)


def image_rows(listing: pa.RecordBatch, limits: ImageLimits) -> pa.RecordBatch:
    """The rows, as `IMAGE_ROWS`, of files that are listed as `IMAGE_FILES`."""
    rows = [image_row(ImageFile(**listed), limits) for listed in listing.to_pylist()]
    return pa.RecordBatch.from_pylist(rows, IMAGE_ROWS)


def image_row(image: ImageFile, limits: ImageLimits) -> dict[str, Any]:
    """The row of `IMAGE_ROWS` of one file, whatever is wrong with it; it is read here."""
    found = _read_and_probe(image, limits)
    exif = found.exif
    return {
        "path": image.path,
        "folder": image.folder,
        "archive": image.archive,
        "file_name": image.file_name,
        "image_id": image.image_id,
        "n_bytes": image.n_bytes,
        "width": found.width,
        "height": found.height,
        "format": found.format,
        "mode": found.mode,
        "n_frames": found.n_frames,
        "sha256": found.sha256 or None,
        "perceptual_hash": found.perceptual_hash,
        "exif_orientation": exif.orientation if found.format else None,
        "exif_taken_at": exif.taken_at,
        "exif_utc_offset_minutes": exif.utc_offset_minutes,
        "gps_latitude": exif.gps_latitude,
        "gps_longitude": exif.gps_longitude,
        "gps_utc": exif.gps_utc,
        "gps_direction": exif.gps_direction,
        "gps_direction_reference": exif.gps_direction_reference,
        "exif_error": exif.error,
        "error_kind": found.error_kind,
        "error": found.error,
        # no fingerprint is one that no file has: it is read again
        "_fingerprint": None if found.is_transient else image.fingerprint,
        "_landed_at": datetime.now(UTC).replace(tzinfo=None),
    }


def _read_and_probe(image: ImageFile, limits: ImageLimits) -> Probe:
    if image.error_kind:
        return Probe("", error_kind=image.error_kind, error=image.error)
    try:
        data = read_image(image.path, image.archive, limits.max_bytes)
    except ImageUnreadableError as error:
        return Probe("", error_kind=error.kind, error=str(error), is_transient=error.is_transient)
    return probe(data, limits.max_pixels)
