"""Where the sun stands, and where shadows point."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from gainsay.python_udfs.registry import SUN

Floats = NDArray[np.float64]

_J2000 = np.datetime64("2000-01-01T12:00:00", "ms")
_MS_PER_DAY = 86_400_000.0


def closed_form(utc: ArrayLike, latitude: ArrayLike, longitude: ArrayLike) -> tuple[Floats, Floats]:
    """Azimuth and elevation of the sun's centre, without refraction.

    `utc` holds datetime64 (or ISO texts without offset), `latitude` and `longitude` degrees
    north and east; the three broadcast. Azimuth is in [0, 360) clockwise from north,
    elevation in [-90, 90], both in degrees. Better than 0.03 degrees from 1950 to 2050.

    Source: Meeus, Astronomical Algorithms (2nd ed.), chapters 12, 13 and 25, low accuracy, as
    used by NOAA's solar calculator; UT1 is taken as UTC and TT - UTC as 69 s.
    """
    days = (np.asarray(utc, dtype="datetime64[ms]") - _J2000).astype(np.float64) / _MS_PER_DAY
    right_ascension, declination = _sun_equatorial(days + 69.0 / 86_400.0)
    sidereal = _degrees_mod(280.46061837 + 360.98564736629 * days)
    hour_angle = np.radians(sidereal + np.asarray(longitude, np.float64)) - right_ascension
    phi = np.radians(np.asarray(latitude, np.float64))

    east = -np.cos(declination) * np.sin(hour_angle)
    north = np.sin(declination) * np.cos(phi) - np.cos(declination) * np.cos(hour_angle) * np.sin(
        phi
    )
    up = np.sin(declination) * np.sin(phi) + np.cos(declination) * np.cos(hour_angle) * np.cos(phi)
    azimuth = _degrees_mod(np.degrees(np.arctan2(east, north)))
    elevation = np.degrees(np.arctan2(up, np.hypot(east, north)))
    return azimuth, elevation


def _sun_equatorial(days: Floats) -> tuple[Floats, Floats]:
    """Apparent right ascension and declination in radians, `days` of TT since J2000."""
    t = days / 36_525.0
    mean_longitude = 280.46646 + t * (36_000.76983 + t * 0.0003032)
    anomaly = np.radians(357.52911 + t * (35_999.05029 - t * 0.0001537))
    centre = (
        (1.914602 - t * (0.004817 + t * 0.000014)) * np.sin(anomaly)
        + (0.019993 - t * 0.000101) * np.sin(2 * anomaly)
        + 0.000289 * np.sin(3 * anomaly)
    )
    node = np.radians(125.04 - 1934.136 * t)
    apparent = np.radians(mean_longitude + centre - 0.00569 - 0.00478 * np.sin(node))
    obliquity = np.radians(23.439291 - 0.0130042 * t + 0.00256 * np.cos(node))
    right_ascension = np.arctan2(np.cos(obliquity) * np.sin(apparent), np.cos(apparent))
    return right_ascension, np.arcsin(np.sin(obliquity) * np.sin(apparent))


def _degrees_mod(angle: Any) -> Floats:
    return np.asarray(np.mod(angle, 360.0), dtype=np.float64)


def astropy_position(
    utc: ArrayLike, latitude: ArrayLike, longitude: ArrayLike
) -> tuple[Floats, Floats]:
    """The same as `closed_form`, by astropy: the reference, some 5,000 positions a second.

    Nothing is downloaded: Earth's rotation comes from the tables that astropy brings, and
    beyond their end from the last of them. Errors: `ValueError` for times that astropy does
    not know. Source: astropy's `get_sun` and `AltAz` without pressure, hence without
    refraction.
    """
    import astropy.units as u
    from astropy.coordinates import AltAz, EarthLocation, get_sun
    from astropy.time import Time
    from astropy.utils import iers

    with (
        iers.conf.set_temp("auto_download", False),
        iers.conf.set_temp("iers_degraded_accuracy", "ignore"),
    ):
        time = Time(np.asarray(utc, dtype="datetime64[ms]"), scale="utc")
        place = EarthLocation(
            lat=np.asarray(latitude, np.float64) * u.deg,
            lon=np.asarray(longitude, np.float64) * u.deg,
        )
        sun = get_sun(time).transform_to(AltAz(obstime=time, location=place))
        azimuth = _degrees_mod(sun.az.to_value(u.deg))
        elevation = np.asarray(sun.alt.to_value(u.deg), np.float64)
    return azimuth, elevation


METHODS = {"astropy": astropy_position, "closed_form": closed_form}


def shadow_geometry(
    taken_at: pa.Array,
    utc_offset_minutes: pa.Array,
    gps_utc: pa.Array,
    latitude: pa.Array,
    longitude: pa.Array,
    method: pa.Array,
) -> pa.Array:
    """When a picture was taken in UTC, where the sun stood, and where shadows pointed, as `SUN`.

    Shapes: the clock's reading (ISO 8601 without offset), its offset in minutes, GPS time in
    UTC (ISO 8601), degrees north and east, and `astropy` or `closed_form`, alike in all rows.
    Units: degrees; azimuths clockwise from north, `shadow_angle_expected` the shadow's
    direction clockwise from south, null with the sun not above the horizon. A reading with an
    offset is used as such, else GPS time, else the reading is local mean solar time at the
    longitude; `time_basis` says which. Without a time or a place a row is null. Errors:
    `ValueError` for another method.
    """
    rows = list(
        zip(
            *(c.to_pylist() for c in (taken_at, utc_offset_minutes, gps_utc, latitude, longitude)),
            strict=True,
        )
    )
    moments = [_moment(*row) for row in rows]
    known = [position for position, moment in enumerate(moments) if moment is not None]
    found: list[dict[str, Any] | None] = [None] * len(rows)
    if known:
        name = method[0].as_py()
        if name not in METHODS:
            raise ValueError(f"sun_method {name}: it is one of {', '.join(METHODS)}")
        azimuths, elevations = METHODS[name](
            np.array([moments[position][0] for position in known], "datetime64[ms]"),  # type: ignore[index]
            [rows[position][3] for position in known],
            [rows[position][4] for position in known],
        )
        for position, azimuth, elevation in zip(
            known, azimuths.tolist(), elevations.tolist(), strict=True
        ):
            utc, basis = moments[position]  # type: ignore[misc]
            found[position] = {
                "utc": utc.isoformat(timespec="milliseconds"),
                "time_basis": basis,
                "sun_azimuth": azimuth,
                "sun_elevation": elevation,
                "shadow_azimuth": (azimuth + 180.0) % 360.0 if elevation > 0 else None,
                "shadow_angle_expected": azimuth if elevation > 0 else None,
            }
    return pa.array(found, SUN)


def _moment(
    taken_at: str | None,
    offset: int | None,
    gps_utc: str | None,
    latitude: float | None,
    longitude: float | None,
) -> tuple[datetime, str] | None:
    """The moment in UTC, and what told it."""
    if latitude is None or longitude is None:
        return None
    try:
        if taken_at is not None and offset is not None:
            return datetime.fromisoformat(taken_at) - timedelta(minutes=offset), "offset"
        if gps_utc is not None:
            return datetime.fromisoformat(gps_utc), "gps"
        if taken_at is not None:
            solar = timedelta(hours=longitude / 15.0)
            return datetime.fromisoformat(taken_at) - solar, "local_mean_solar_time"
    except OverflowError:
        # the first or last day of the calendar
        return None
    return None
