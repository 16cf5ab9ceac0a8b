"""The content of an image in words: a setting and groups of things with colours and counts."""

from dataclasses import dataclass
from typing import Final

from gainsay.synth.categories import KINDS, Kind
from gainsay.synth.dice import Dice, Table
from gainsay.synth.words import SIGN_TEXTS


@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of place: what people call it, and which categories are met there."""

    name: str
    weight: int
    ground: str
    places: tuple[str, ...]
    cast: Table[str]
    words: tuple[str, ...]

    @property
    def is_indoor(self) -> bool:
        return self.ground in {"room", "tabletop"}


@dataclass(frozen=True, slots=True)
class Group:
    """`count` things of one kind and one colour; `noun` indexes the kind's nouns."""

    kind: Kind
    noun: int
    colour: str
    count: int

    @property
    def singular(self) -> str:
        return self.kind.singulars[self.noun]

    @property
    def plural(self) -> str:
        return self.kind.plurals[self.noun]


@dataclass(frozen=True, slots=True)
class Scene:
    """One image in words; the first group is what the image is about."""

    number: int
    setting: Setting
    groups: tuple[Group, ...]
    sign: str | None


def _setting(name: str, weight: int, ground: str, *, places: str, cast: str, speak: str) -> Setting:
    """A setting from comma-separated lists; `cast` has a weight after each category."""
    weighted = (entry.rsplit(" ", 1) for entry in cast.split(", "))
    return Setting(
        name=name,
        weight=weight,
        ground=ground,
        places=tuple(places.split(", ")),
        cast=Table({category: int(share) for category, share in weighted}),
        words=tuple(speak.split(", ")),
    )


_SETTINGS: Final = (
    _setting(
        "street",
        16,
        "asphalt",
        places="on a city street, on the street, down the street, at an intersection, "
        "on the side of the road, on the sidewalk, in front of a building, in the city, "
        "on a busy street, near a traffic light, by the curb",
        cast="person 8, car 6, bus 4, truck 3, bicycle 2, traffic light 3, stop sign 3, "
        "fire hydrant 3, dog 1, umbrella 2, parking meter 1, bench 1",
        speak="building, street sign, traffic, sidewalk, store, crosswalk",
    ),
    _setting(
        "park",
        11,
        "grass",
        places="in a park, in the grass, on a grassy field, on a bench, under a tree, "
        "in a grassy area, in the yard, on a path",
        cast="person 7, dog 6, bench 4, bird 3, bicycle 2, frisbee 4, kite 4, umbrella 2, "
        "skateboard 1, sports ball 2",
        speak="tree, grass, frisbee, path, leash, flowers",
    ),
    _setting(
        "beach",
        9,
        "sand",
        places="on the beach, on a beach, in the sand, near the ocean, by the water, "
        "on a sandy beach",
        cast="person 9, surfboard 6, umbrella 4, kite 3, dog 2, bird 2, chair 2, boat 2, "
        "frisbee 1, "
        "sports ball 1",
        speak="ocean, water, waves, towel, sand, shore",
    ),
    _setting(
        "farm",
        9,
        "grass",
        places="in a field, in a pasture, on a farm, behind a fence, in a green field, "
        "on a hillside, "
        "on a dirt road, in the grass",
        cast="sheep 6, cow 6, horse 6, person 4, dog 2, truck 1, bird 1",
        speak="fence, grass, barn, hill, trees, hay",
    ),
    _setting(
        "wild",
        6,
        "savanna",
        places="at the zoo, in the wild, in an enclosure, in a dry field, near some trees, "
        "by a watering hole, in the tall grass",
        cast="elephant 6, giraffe 7, bird 2, horse 1, person 1",
        speak="trees, zoo, dirt, bushes, rocks, grass",
    ),
    _setting(
        "plaza",
        6,
        "paving",
        places="in a plaza, outside a store, in front of a crowd, at a market, at a skate park, "
        "outside a cafe, in a parking lot",
        cast="person 9, skateboard 4, bench 2, bird 3, umbrella 3, suitcase 3, bicycle 2, chair 2, "
        "potted plant 2, dog 1, stop sign 1",
        speak="crowd, building, ramp, statue, fountain, tables",
    ),
    _setting(
        "harbour",
        4,
        "water",
        places="on the water, in a harbor, on a lake, near a dock, in the river, by the shore",
        cast="boat 9, bird 3",
        speak="water, dock, river, lake, sky, bridge",
    ),
    _setting(
        "kitchen",
        10,
        "tabletop",
        places="on a table, on a plate, on a counter, in a kitchen, on top of a table, "
        "in a restaurant, on a cutting board, in the kitchen",
        cast="pizza 5, bowl 4, cup 4, bottle 5, cake 4, banana 4, apple 4, orange 3, carrot 3, "
        "donut 4, vase 2, book 1",
        speak="plate, knife, fork, food, kitchen, stove",
    ),
    _setting(
        "living room",
        9,
        "room",
        places="in a living room, on the floor, in a room, on a couch, in front of a window, "
        "next to a lamp, on a rug, in the house",
        cast="person 6, couch 4, tv 4, chair 4, dog 3, cat 6, potted plant 3, book 1, clock 2, "
        "teddy bear 3, vase 2, dining table 3",
        speak="lamp, window, rug, pillow, wall, furniture",
    ),
    _setting(
        "bedroom",
        5,
        "room",
        places="on a bed, in a bedroom, in a hotel room, next to a bed, under a blanket, "
        "on a blanket",
        cast="bed 7, cat 5, teddy bear 4, person 4, suitcase 3, laptop 3, chair 2, book 2, dog 3, "
        "tv 1",
        speak="pillow, blanket, lamp, window, sheets, nightstand",
    ),
    _setting(
        "office",
        5,
        "tabletop",
        places="on a desk, in an office, on a wooden desk, at a desk, next to a computer, "
        "on top of a desk",
        cast="laptop 8, cup 4, book 5, bottle 2, cat 2, clock 2, potted plant 2, teddy bear 1",
        speak="keyboard, mouse, monitor, phone, desk, papers",
    ),
)
SETTINGS: Final = {setting.name: setting for setting in _SETTINGS}
SETTING_TABLE: Final = Table({setting.name: setting.weight for setting in SETTINGS.values()})

_GROUP_COUNTS: Final = Table({1: 4, 2: 5, 3: 3, 4: 1})
_MAIN_COUNTS: Final = Table({1: 60, 2: 20, 3: 8, 4: 5, 5: 3, 6: 2, 7: 1, 8: 1})
_SIDE_COUNTS: Final = Table({1: 70, 2: 18, 3: 8, 4: 4})
_SIGN_PLACES: Final = frozenset({"street", "plaza", "harbour", "beach", "farm"})
_ALWAYS_SINGLE: Final = frozenset({"bed", "couch", "tv", "dining table", "pizza"})
_MOST_THINGS: Final = 12


def sample_scene(seed: int, number: int) -> Scene:
    """The scene of image `number`, the same in a corpus of any size."""
    dice = Dice(seed, "scene", number)
    setting = SETTINGS[dice.weighted(SETTING_TABLE)]
    groups: list[Group] = []
    for _ in range(dice.weighted(_GROUP_COUNTS)):
        name = dice.weighted(setting.cast)
        # most photographs are about people
        if not groups and "person" in setting.cast.choices and dice.chance(0.4):
            name = "person"
        kind = KINDS[name]
        if any(group.kind is kind for group in groups):
            continue
        count = dice.weighted(_SIDE_COUNTS if groups else _MAIN_COUNTS)
        room = _MOST_THINGS - sum(group.count for group in groups)
        groups.append(
            Group(
                kind=kind,
                noun=min(dice.below(len(kind.singulars)), dice.below(len(kind.singulars))),
                colour=dice.pick(kind.colours),
                count=1 if kind.name in _ALWAYS_SINGLE else min(count, room),
            )
        )
    has_sign = setting.name in _SIGN_PLACES and dice.chance(0.3)
    return Scene(number, setting, tuple(groups), dice.pick(SIGN_TEXTS) if has_sign else None)
