"""The sun stands where astropy, NOAA's equations and almanacs say."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from gainsay.python_udfs.annotate.sun import METHODS, astropy_position, closed_form, shadow_geometry

Floats = NDArray[np.float64]


def noaa(utc: NDArray[np.datetime64], latitude: Floats, longitude: Floats) -> tuple[Floats, Floats]:
    """NOAA's solar calculator, from the equations of its spreadsheet; no refraction."""
    julian = (utc - np.datetime64("2000-01-01T12:00")) / np.timedelta64(1, "D")
    t = julian / 36525
    l0 = (280.46646 + t * (36000.76983 + t * 0.0003032)) % 360
    m = np.radians(357.52911 + t * (35999.05029 - 0.0001537 * t))
    e = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
    centre = (
        np.sin(m) * (1.914602 - t * (0.004817 + 0.000014 * t))
        + np.sin(2 * m) * (0.019993 - 0.000101 * t)
        + np.sin(3 * m) * 0.000289
    )
    omega = np.radians(125.04 - 1934.136 * t)
    apparent = np.radians(l0 + centre - 0.00569 - 0.00478 * np.sin(omega))
    seconds = 21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))
    obliquity = np.radians(23 + (26 + seconds / 60) / 60 + 0.00256 * np.cos(omega))
    declination = np.arcsin(np.sin(obliquity) * np.sin(apparent))
    y = np.tan(obliquity / 2) ** 2
    mean = np.radians(l0)
    equation_of_time = 4 * np.degrees(
        y * np.sin(2 * mean)
        - 2 * e * np.sin(m)
        + 4 * e * y * np.sin(m) * np.cos(2 * mean)
        - 0.5 * y * y * np.sin(4 * mean)
        - 1.25 * e * e * np.sin(2 * m)
    )
    minutes = (utc - utc.astype("datetime64[D]")) / np.timedelta64(1, "m")
    solar = (minutes + equation_of_time + 4 * longitude) % 1440
    hour = np.radians(solar / 4 - 180)
    phi = np.radians(latitude)
    up = np.sin(phi) * np.sin(declination) + np.cos(phi) * np.cos(declination) * np.cos(hour)
    north = np.cos(phi) * np.sin(declination) - np.sin(phi) * np.cos(declination) * np.cos(hour)
    east = -np.cos(declination) * np.sin(hour)
    return np.degrees(np.arctan2(east, north)) % 360, np.degrees(np.arcsin(up))


def separation(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Degrees between two directions on the sky."""

    def unit(direction: tuple[Floats, Floats]) -> Floats:
        azimuth, elevation = map(np.radians, direction)
        return np.stack(
            [
                np.cos(elevation) * np.cos(azimuth),
                np.cos(elevation) * np.sin(azimuth),
                np.sin(elevation),
            ]
        )

    return 2 * np.degrees(np.arcsin(np.linalg.norm(unit(one) - unit(other), axis=0) / 2))


@pytest.fixture(scope="module")
def places() -> tuple[NDArray[np.datetime64], Floats, Floats]:
    """1,000 times from 1990 to 2025 and places, the polar ones among them."""
    generator = np.random.Generator(np.random.Philox(7))
    start = np.datetime64("1990-01-01T00:00:00", "ms")
    utc = start + (generator.random(1000) * 35 * 365.25 * 86_400_000).astype("timedelta64[ms]")
    latitude = generator.uniform(-90, 90, 1000)
    latitude[:4] = (90, -90, 78.2, -69.0)
    return utc, latitude, generator.uniform(-180, 180, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(METHODS))
def test_noaa_agrees(method: str, places: tuple[NDArray[np.datetime64], Floats, Floats]) -> None:
    assert separation(METHODS[method](*places), noaa(*places)).max() < 0.05


def test_the_closed_form_agrees_with_astropy(
    places: tuple[NDArray[np.datetime64], Floats, Floats],
) -> None:
    ours, reference = closed_form(*places), astropy_position(*places)
    assert separation(ours, reference).max() < 0.05
    assert np.abs(ours[1] - reference[1]).max() < 0.05


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize(
    ("utc", "latitude", "longitude", "azimuth", "elevation"),
    [
        # Meeus, Astronomical Algorithms, example 25.a: declination -7.78507 on 1992-10-13 at
        # 0 h TD, seen from the poles, where elevation is declination
        ("1992-10-12T23:59:01", 90.0, 0.0, None, -7.785),
        ("1992-10-12T23:59:01", -90.0, 0.0, None, 7.785),
        # equinox of 2024-03-20 03:06 UTC: on the horizon of the pole
        ("2024-03-20T03:06:00", 90.0, 0.0, None, 0.0),
        # solstice of 2024-06-20 20:51 UTC: midnight sun at the pole
        ("2024-06-20T20:51:00", 90.0, 0.0, None, 23.44),
        # Reda and Andreas, NREL/TP-560-34302, appendix A.5: 2003-10-17 12:30:30 at UTC-7,
        # topocentric azimuth 194.34024 and zenith angle 50.11162 with refraction of 0.01633
        ("2003-10-17T19:30:30", 39.742476, -105.1786, 194.340, 39.872),
    ],
)
def test_published_positions(
    method: str, utc: str, latitude: float, longitude: float,
    azimuth: float | None, elevation: float,
) -> None:  # fmt: skip
    found = METHODS[method]([utc], [latitude], [longitude])
    assert found[1][0] == pytest.approx(elevation, abs=0.05)
    if azimuth is not None:
        assert found[0][0] == pytest.approx(azimuth, abs=0.05)


def geometry(
    taken_at: str | None, offset: int | None = None, gps_utc: str | None = None,
    latitude: float | None = 40.7128, longitude: float | None = -74.0060, method: str = "astropy",
) -> dict[str, object] | None:  # fmt: skip
    """One row of `shadow_geometry`."""
    types = (pa.string(), pa.int64(), pa.string(), pa.float64(), pa.float64(), pa.string())
    values = (taken_at, offset, gps_utc, latitude, longitude, method)
    columns = [pa.array([value], kind) for value, kind in zip(values, types, strict=True)]
    found: dict[str, object] | None = shadow_geometry(*columns).to_pylist()[0]
    return found


@pytest.mark.parametrize("method", sorted(METHODS))
def test_noon_in_new_york(method: str) -> None:
    found = geometry("2024-06-21T12:00:00", method=method)
    assert found is not None
    assert 160 <= float(str(found["shadow_angle_expected"])) <= 200
    assert float(str(found["sun_elevation"])) > 60
    assert found["time_basis"] == "local_mean_solar_time"
    assert str(found["utc"]).startswith("2024-06-21T16:56:01")


def test_an_afternoon_in_amsterdam() -> None:
    """The worked record of VLM Reality Check: in September, at 15:30 by the clock in summer."""
    found = geometry("2012-09-10T15:30:00", offset=120, latitude=52.3728, longitude=4.8936)
    assert found is not None
    assert [found[name] for name in ("sun_azimuth", "sun_elevation", "shadow_azimuth")] == [
        pytest.approx(expected, abs=0.05) for expected in (216.07, 36.91, 36.07)
    ]


def test_what_told_the_time_is_said() -> None:
    both = geometry("2024-06-21T12:00:00", offset=-240, gps_utc="2024-06-21T15:00:00.000")
    assert both is not None
    assert (both["utc"], both["time_basis"]) == ("2024-06-21T16:00:00.000", "offset")
    gps = geometry("2024-06-21T12:00:00", gps_utc="2024-06-21T15:00:00.000")
    assert gps is not None
    assert (gps["utc"], gps["time_basis"]) == ("2024-06-21T15:00:00.000", "gps")
    assert geometry(None) is None
    assert geometry("2024-06-21T12:00:00", latitude=None) is None
    assert geometry("0001-01-01T00:00:00", longitude=179.0) is None


def test_without_sun_there_is_no_shadow() -> None:
    found = geometry("2024-06-21T00:00:00")
    assert found is not None
    assert float(str(found["sun_elevation"])) < 0
    assert found["shadow_azimuth"] is None
    assert found["shadow_angle_expected"] is None


def test_a_method_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="sun_method moon"):
        geometry("2024-06-21T12:00:00", method="moon")
