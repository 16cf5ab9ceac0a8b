"""When and where a picture was taken, how its EXIF says so, and where the sun stood then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

import numpy as np

from gainsay.python_udfs.annotate.sun import closed_form as sun_position
from gainsay.synth.dice import Dice, Table

# how EXIF tells the time: with its offset, with GPS UTC time beside a naive clock, as naive
# local mean solar time, without a place, or not at all
TimeConvention = Literal["offset", "gps", "solar", "no_place", "no_exif"]

_CONVENTIONS: Final[Table[TimeConvention]] = Table(
    {"offset": 40, "solar": 25, "gps": 15, "no_place": 8, "no_exif": 12}
)

# (name, latitude north, longitude east, hours of standard time ahead of UTC)
_CITIES: Final = (
    ("Amsterdam", 52.3728, 4.8936, 1.0),
    ("Athens", 37.9838, 23.7275, 2.0),
    ("Auckland", -36.8509, 174.7645, 12.0),
    ("Bengaluru", 12.9716, 77.5946, 5.5),
    ("Bogota", 4.7110, -74.0721, -5.0),
    ("Brisbane", -27.4698, 153.0251, 10.0),
    ("Buenos Aires", -34.6037, -58.3816, -3.0),
    ("Cape Town", -33.9249, 18.4241, 2.0),
    ("Chicago", 41.8781, -87.6298, -6.0),
    ("Darwin", -12.4634, 130.8456, 9.5),
    ("Denver", 39.7392, -104.9903, -7.0),
    ("Harare", -17.8252, 31.0335, 2.0),
    ("Helsinki", 60.1699, 24.9384, 2.0),
    ("Honolulu", 21.3069, -157.8583, -10.0),
    ("Jakarta", -6.2088, 106.8456, 7.0),
    ("Johannesburg", -26.2041, 28.0473, 2.0),
    ("Kathmandu", 27.7172, 85.3240, 5.75),
    ("Kyoto", 35.0116, 135.7681, 9.0),
    ("La Paz", -16.4897, -68.1193, -4.0),
    ("Leeds", 53.8008, -1.5491, 0.0),
    ("Lima", -12.0464, -77.0428, -5.0),
    ("Lisbon", 38.7223, -9.1393, 0.0),
    ("Melbourne", -37.8136, 144.9631, 10.0),
    ("Mombasa", -4.0435, 39.6682, 3.0),
    ("Montevideo", -34.9011, -56.1645, -3.0),
    ("New York", 40.7128, -74.0060, -5.0),
    ("Perth", -31.9523, 115.8613, 8.0),
    ("Reykjavik", 64.1466, -21.9426, 0.0),
    ("San Francisco", 37.7749, -122.4194, -8.0),
    ("Santiago", -33.4489, -70.6693, -4.0),
    ("Sao Paulo", -23.5505, -46.6333, -3.0),
    ("Ushuaia", -54.8019, -68.3030, -3.0),
    ("Vancouver", 49.2827, -123.1207, -8.0),
    ("Wellington", -41.2866, 174.7756, 12.0),
    ("Windhoek", -22.5609, 17.0658, 2.0),
)  # fmt: skip
_FIRST_DAY: Final = datetime(2005, 1, 1)
_DAYS: Final = 365 * 9


@dataclass(frozen=True, slots=True)
class Moment:
    """A place (degrees north and east), a clock reading, its UTC, and the sun (degrees)."""

    city: str
    latitude: float
    longitude: float
    clock: datetime
    utc: datetime
    offset: timedelta
    convention: TimeConvention
    azimuth: float
    elevation: float

    @property
    def shadow_azimuth(self) -> float:
        """Where shadows point, degrees clockwise from north."""
        return (self.azimuth + 180.0) % 360.0

    @property
    def shadow_angle(self) -> float | None:
        """Where shadows point, degrees clockwise from south; None with the sun down."""
        return self.azimuth if self.elevation > 0.0 else None


def sample_moments(dice: Dice, how_many: int, first_hour: float, last_hour: float) -> list[Moment]:
    """Moments of one photographer: one way of telling the time, several times and places."""
    convention = dice.weighted(_CONVENTIONS)
    drawn = [_clock_and_place(dice, convention, first_hour, last_hour) for _ in range(how_many)]
    azimuths, elevations = sun_position(
        np.array([utc.replace(tzinfo=None) for *_, utc, _ in drawn], dtype="datetime64[ms]"),
        [latitude for _, latitude, *_ in drawn],
        [longitude for _, _, longitude, *_ in drawn],
    )
    return [
        Moment(city, latitude, longitude, clock, utc, offset, convention, azimuth, elevation)
        for (city, latitude, longitude, clock, utc, offset), azimuth, elevation in zip(
            drawn, _rounded(azimuths), _rounded(elevations), strict=True
        )
    ]


def _rounded(angles: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Sequence[float]:
    rounded: list[float] = np.round(angles, 4).tolist()
    return rounded


def _clock_and_place(
    dice: Dice, convention: TimeConvention, first_hour: float, last_hour: float
) -> tuple[str, float, float, datetime, datetime, timedelta]:
    city, latitude, longitude, hours = dice.pick(_CITIES)
    # somewhere in town, not always at its central post
    latitude = round(latitude + dice.between(-0.05, 0.05), 5)
    longitude = round(longitude + dice.between(-0.05, 0.05), 5)
    second = int(3600.0 * dice.between(first_hour, last_hour))
    clock = _FIRST_DAY + timedelta(days=dice.below(_DAYS), seconds=second)
    if convention == "solar":
        offset = timedelta(milliseconds=round(longitude * 240_000.0))
    else:
        offset = timedelta(hours=hours)
    return city, latitude, longitude, clock, (clock - offset).replace(tzinfo=UTC), offset
