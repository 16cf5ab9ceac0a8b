"""Pictures beside the file that names them."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.records import Records, read_picture


def write_pictures(records: Records, folder: ExportFolder) -> None:
    """Put every picture of the records into the folder, under the name that `image` says."""
    for picture in records.pictures():
        folder.write(picture["image"], read_picture(picture))
