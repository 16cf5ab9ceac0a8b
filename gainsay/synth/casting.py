"""Which staged picture stands for which image of the small corpus of VLM Reality Check.

The benchmark chooses by the digest of an image's id: who seeks a partner and who is found, which
difficulty a seeker wants. Ids follow from addresses, so a part is given to an image whose id plays
it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from typing import Final

from gainsay.synth.scenes import SETTINGS, Setting
from gainsay.synth.staged import (
    BEACH,
    GRASSLAND,
    MOUNTAIN,
    SNOW,
    STREET,
    Shot,
    checked,
    day,
    several,
    sign,
    single,
)

# the default of the var `reality_check_seed`
BENCHMARK_SEED: Final = 42

_FIRST_SIGN: Final = 4_000_000
_FIRST_OBJECT: Final = 5_000_000
_FIRST_SPARE: Final = 5_004_000
_FIRST_DAY: Final = 6_000_000
_FIRST_HOUR: Final = 7_000_000

_NAMES: Final = (
    "OAK", "MILL", "RIVER", "KING", "CEDAR", "GROVE", "MAPLE", "CHURCH", "QUEEN", "LINDEN",
    "WILLOW", "BAKER", "CASTLE", "GARDEN", "SUMMER", "WINTER", "FOREST", "MARKET", "TEMPLE",
    "ROSE", "CORAL", "PALM", "SHELL", "AMBER", "PEARL", "SILVER", "GOLDEN", "TURTLE", "DOLPHIN",
    "ANCHOR", "HARBOR", "SUNSET", "MARBLE", "COPPER", "PIRATE", "FOX", "WOLF", "BEAR", "EAGLE",
    "FALCON", "OTTER", "BADGER", "RAVEN", "HUNTER", "MEADOW", "VALLEY", "SPRING", "AUTUMN",
    "CHERRY", "WALNUT", "BIRCH", "HAZEL", "POPLAR", "ORCHARD", "VIOLET", "DAISY", "COTTON",
    "BRIDLE", "SADDLE", "MONROE", "LINCOLN", "FRANKLIN", "JACKSON", "MADISON", "WARREN",
    "HUDSON", "MERCER", "SPENCER",
)  # fmt: skip
# colours of two things: half of them not as far apart as red and blue
_COLOURS: Final = (
    ("green", "yellow"), ("red", "blue"), ("pink", "purple"), ("brown", "red"),
    ("orange", "yellow"), ("yellow", "green"), ("green", "blue"), ("purple", "pink"),
    ("red", "brown"), ("red", "orange"), ("blue", "red"), ("green", "yellow"),
)  # fmt: skip
# places of pictures of Open Images whose first part no pair needs: who seeks or is found follows
# from their ids, which no seed changes
_SPARE_FOR_CHECKS: Final = (8, 21, 25)
_SPARE_FOR_SHEEP: Final = 31
# pictures that by the default seed look like another one, or like none that they are to be a pair
# with, or whose edges leave the outline open, and how often they are laid out again
_ANEW: Final[dict[int, int]] = {
    4_000_005: 2, 4_000_006: 1, 4_000_015: 1, 4_000_017: 1, 4_000_022: 1, 4_000_023: 1,
    4_000_028: 1, 4_000_029: 1, 5_001_008: 6, 5_001_021: 1, 5_001_029: 3, 5_002_004: 2,
    5_002_009: 2, 5_002_013: 3, 5_002_017: 5, 5_004_003: 1, 6_000_063: 1,
}  # fmt: skip


def seeded_digest(purpose: str, key: str) -> str:
    """The key by which the macro `seeded_order` orders."""
    text = f"{BENCHMARK_SEED}:{purpose}:{key}"
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def seeded_number(purpose: str, key: str, below: int) -> int:
    """The integer of the macro `seeded_int`."""
    return int(seeded_digest(purpose, key)[:8], 16) % below


@dataclass
class Staging:
    """Images that a picture is staged for: ids by their places in the listing."""

    seed: int
    ids: dict[int, str]
    shots: dict[int, Shot] = field(default_factory=dict)

    def give(
        self, how_many: int, stage: Callable[[int], Shot], fits: Callable[[str], bool] = bool
    ) -> None:
        """Stage pictures for so many images whose id fits; `stage` is told which of them it is."""
        free = [place for place in self.ids if place not in self.shots and fits(self.ids[place])]
        for turn, place in enumerate(free[:how_many]):
            self.shots[place] = stage(turn)


@dataclass(frozen=True)
class _Signs:
    """So many pictures of signs: what stands behind their names, and how large they are.

    `area` is the share of the picture of an elephant beside `other`; 0 for a sign alone.
    """

    how_many: int
    setting: Setting
    word: str
    size: tuple[int, int]
    letters: float
    area: float = 0.0
    other: str = "suitcase"


def stage_signs(staging: Staging) -> dict[int, Shot]:
    """Signs of towns, large, small and far away."""
    _put_up_signs(
        staging,
        (
            _Signs(10, STREET, "STREET", (640, 480), 46.0),
            _Signs(20, BEACH, "BEACH", (640, 480), 25.0),
            _Signs(8, MOUNTAIN, "ROAD", (1024, 768), 19.0),
        ),
        _numbers(_FIRST_SIGN),
        iter(_NAMES),
    )
    return staging.shots


def _put_up_signs(
    staging: Staging, rows: Iterable[_Signs], numbers: Iterator[int], names: Iterator[str]
) -> None:
    """As many signs for images that seek a partner as for those that are found."""
    for row in rows:

        def stage(_turn: int, row: _Signs = row) -> Shot:
            number = next(numbers)
            return sign(
                staging.seed,
                number,
                row.setting,
                f"{next(names)} {row.word}",
                size=row.size,
                letters=row.letters,
                area=row.area,
                other=row.other,
                colours=_COLOURS[number % len(_COLOURS)],
            )

        for side in (0, 1):
            staging.give(row.how_many // 2, stage, _is_on_side("text_in_image", side))


def stage_objects(staging: Staging) -> dict[int, Shot]:
    """Elephants on grass, by number, and where none is met; and things all in checks."""
    _stage_herds(staging)
    _stage_odd_places(staging)
    _stage_near_things(staging)
    _stage_checks(staging)
    _stage_spares(staging)
    return staging.shots


def _stage_herds(staging: Staging) -> None:
    """Who seeks one that differs by one has six, who seeks an easy one has two.

    Three of the first have three, and then seek one that differs by two or three: one alone.

    Of one picture most elephants have one box together, so that their number is unknown.
    """
    seed = staging.seed
    numbers = _numbers(_FIRST_OBJECT)

    def of(counts: tuple[int, ...]) -> Callable[[int], Shot]:
        return lambda turn: several(
            seed, next(numbers), GRASSLAND, "elephant", counts[turn % len(counts)]
        )

    staging.give(9, of((3, 6, 3, 6, 3, 6, 6, 6, 6)), _seeks("counting", 0, 4))
    staging.give(8, of((2, 2, 5, 5, 2, 2, 2, 2)), _seeks("counting", 6, 10))
    staging.give(20, of((7, 5, 7, 3, 7)), _is_on_side("counting", 1))
    # one picture in four is taken from so near that an elephant far away is of another scale
    staging.give(
        16,
        lambda turn: single(
            seed,
            next(numbers),
            GRASSLAND,
            "elephant",
            0.22 if turn % 4 == 3 else 0.07 + 0.005 * turn,
        ),
    )
    staging.give(1, lambda _turn: replace(of((9,))(0), is_grouped=True))


def _stage_odd_places(staging: Staging) -> None:
    """An elephant in town and in the snow, beside another thing, below a sign.

    What stands beside it keeps signs apart that are large and far away: only pictures of the same
    things are alike.
    """
    _put_up_signs(
        staging,
        (
            _Signs(10, STREET, "STREET", (640, 480), 44.0, 0.23),
            _Signs(12, SNOW, "ROAD", (640, 480), 25.0, 0.12),
            _Signs(8, STREET, "STREET", (1024, 768), 19.0, 0.042, "teddy bear"),
        ),
        _numbers(_FIRST_OBJECT + 1_000),
        reversed(_NAMES),
    )


def _stage_near_things(staging: Staging) -> None:
    """Buses, whose middle shows what they are by any zoom: panes above a stripe.

    The strongest zoom leaves enough pixels of large pictures only.
    """
    numbers = _numbers(_FIRST_OBJECT + 3_000)

    def near(turn: int) -> Shot:
        return single(staging.seed, next(numbers), STREET, "bus", 0.11 + 0.01 * turn, (1024, 768))

    staging.give(5, near, lambda image_id: seeded_number("rc_zoom", image_id, 4) == 3)


def _stage_checks(staging: Staging) -> None:
    """Things that are known by their outline: large, and of a size that a crop lies on."""
    seed = staging.seed
    numbers = _numbers(_FIRST_OBJECT + 2_000)
    staging.give(
        8,
        lambda turn: checked(seed, next(numbers), ("elephant", "sheep")[turn % 2], (640, 480), 0.9),
    )
    staging.give(len(staging.ids), lambda turn: _small_check(seed, next(numbers), turn + 1))


def _small_check(seed: int, number: int, turn: int) -> Shot:
    return checked(seed, number, ("elephant", "cake")[turn % 2], (1024, 768), 0.63)


def _stage_spares(staging: Staging) -> None:
    """More things in checks, and sheep in the snow.

    Sheep are the other animal that snow suggests, which elephants there can be taken for.
    """
    seed = staging.seed
    numbers = _numbers(_FIRST_SPARE)
    staging.shots[_SPARE_FOR_SHEEP] = several(seed, next(numbers), SNOW, "sheep", 2)
    for turn, place in enumerate(_SPARE_FOR_CHECKS):
        staging.shots[place] = _small_check(seed, next(numbers), turn)


def stage_days(seed: int) -> list[Shot]:
    """Three pictures each of places by day: morning to evening, an afternoon, two hours."""
    settings = (STREET, BEACH, MOUNTAIN, SNOW, SETTINGS["park"])
    clocks = (
        *[((6, 40), (12, 30), (18, 10))] * 8,
        *[((14, 0), (15, 0), (16, 30))] * 6,
        *[((9, 5), (10, 20), (13, 0))] * 7,
        *[((14, 0), (14, 30), (15, 50))] * 3,
        *[((9, 30), (10, 0), (10, 50))] * 3,
    )
    return [
        shot
        for number, hours in enumerate(clocks)
        for shot in day(
            seed,
            _FIRST_DAY + 3 * number + 10_000 * _ANEW.get(_FIRST_DAY + 3 * number, 0),
            settings[number % len(settings)],
            [datetime(2012, 6, 5, hour, minute) for hour, minute in hours],
        )
    ]


def stage_hours(seed: int, how_many: int) -> list[Shot]:
    """Pictures of one place by one day, an hour apart."""
    clocks = [datetime(2012, 9, 10, 6 + hour, hour) for hour in range(how_many)]
    return day(seed, _FIRST_HOUR, BEACH, clocks)


def _numbers(first: int) -> Iterator[int]:
    """Numbers of scenes, of which no two look alike by the default seed."""
    for number in count(first):
        yield number + 10_000 * _ANEW.get(number, 0)


def _is_on_side(bias: str, side: int) -> Callable[[str], bool]:
    """Whether an image seeks (0) or is found (1) in the ring of a bias."""
    return lambda image_id: seeded_number("rc_side", f"{bias}:{image_id}", 2) == side


def _seeks(bias: str, first: int, end: int) -> Callable[[str], bool]:
    """Whether an image seeks, and its tenth of the difficulties lies in a range."""

    def fits(image_id: str) -> bool:
        tenth = seeded_number("rc_difficulty", f"{bias}:{image_id}", 10)
        return _is_on_side(bias, 0)(image_id) and first <= tenth < end

    return fits
