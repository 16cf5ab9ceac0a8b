"""EXIF that tells time and place in the way of a moment's convention."""

from datetime import timedelta
from fractions import Fraction

from PIL import ExifTags, Image, TiffImagePlugin

from gainsay.synth.moments import Moment


def exif_of(moment: Moment) -> Image.Exif:
    """Time and place as the moment's convention tells them; empty for `no_exif`."""
    exif = Image.Exif()
    if moment.convention == "no_exif":
        return exif
    exif[ExifTags.Base.Make] = "gainsay"
    exif[ExifTags.Base.Model] = "synth"
    camera = exif.get_ifd(ExifTags.IFD.Exif)
    camera[ExifTags.Base.DateTimeOriginal] = moment.clock.strftime("%Y:%m:%d %H:%M:%S")
    if moment.convention == "offset":
        camera[ExifTags.Base.OffsetTimeOriginal] = _offset_text(moment.offset)
    if moment.convention != "no_place":
        gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
        gps[ExifTags.GPS.GPSVersionID] = b"\x02\x03\x00\x00"
        gps[ExifTags.GPS.GPSLatitudeRef] = "N" if moment.latitude >= 0 else "S"
        gps[ExifTags.GPS.GPSLatitude] = _sexagesimal(moment.latitude)
        gps[ExifTags.GPS.GPSLongitudeRef] = "E" if moment.longitude >= 0 else "W"
        gps[ExifTags.GPS.GPSLongitude] = _sexagesimal(moment.longitude)
        # every camera looks north, as the shadows are drawn
        gps[ExifTags.GPS.GPSImgDirectionRef] = "T"
        gps[ExifTags.GPS.GPSImgDirection] = _rational(0)
        if moment.convention == "gps":
            clock = (moment.utc.hour, moment.utc.minute, moment.utc.second)
            gps[ExifTags.GPS.GPSTimeStamp] = tuple(map(_rational, clock))
            gps[ExifTags.GPS.GPSDateStamp] = moment.utc.strftime("%Y:%m:%d")
    return exif


def _offset_text(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60.0)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _sexagesimal(degrees: float) -> tuple[TiffImagePlugin.IFDRational, ...]:
    hundredths = round(abs(degrees) * 360_000)
    whole, rest = divmod(hundredths, 360_000)
    minutes, seconds = divmod(rest, 6_000)
    return _rational(whole), _rational(minutes), _rational(Fraction(seconds, 100))


def _rational(value: int | Fraction) -> TiffImagePlugin.IFDRational:
    fraction = Fraction(value)
    return TiffImagePlugin.IFDRational(fraction.numerator, fraction.denominator)
