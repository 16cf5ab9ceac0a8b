"""Captions, questions and answers that are true of their picture, as the demo shows them.

What VQA v2.0 and COCO have of noise is left out: a caption says only what is drawn, where it
stands and in which light; a question's answer is what the picture shows. People still speak of a
part of it, count some things as "a few", and now and then leave a thing without outline.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from gainsay.synth.captions import NUMBER_WORDS
from gainsay.synth.categories import COLOURS, KINDS
from gainsay.synth.compositions import Composition, Layout, Thing
from gainsay.synth.dice import Dice, Table
from gainsay.synth.questions import FAMILIES, Asked, article
from gainsay.synth.scenes import Group, Scene

# of a kind's nouns, the places of those that its drawing is certain to be; else the first alone
_CERTAIN_NOUNS: Final = {
    "person": (0, 1, 3, 4), "bicycle": (0, 1), "boat": (0, 2), "fire hydrant": (0, 1),
    "cup": (0, 2, 3), "cake": (0, 2), "couch": (0, 1), "tv": (0, 1), "donut": (0, 1),
}  # fmt: skip
# the colour that is hard to see on each ground
_HIDDEN_COLOURS: Final = {"grass": "green", "water": "blue"}
# what each kind is drawn as doing; all that is not named here stands
_DOINGS: Final = {
    **dict.fromkeys(("bicycle", "car", "bus", "truck"), ("parked",)),
    **dict.fromkeys(("cat", "teddy bear"), ("sitting",)),
    **dict.fromkeys(("frisbee", "sports ball"), ("lying",)),
    **dict.fromkeys(("banana", "apple", "orange", "carrot", "donut", "book"), ("lying",)),
    **dict.fromkeys(("bottle", "cup", "vase", "laptop", "tv"), ("standing", "sitting")),
    **dict.fromkeys(("bowl", "cake", "pizza"), ("sitting",)),
    "kite": ("flying",), "clock": ("hanging",),
}  # fmt: skip
_ASKED_DOINGS: Final = frozenset({"parked", "flying", "floating", "hanging"})
_OTHER_DOINGS: Final = {
    "person": ("sitting", "running", "jumping", "lying down", "riding a horse"),
    **dict.fromkeys(("dog", "horse", "sheep", "cow", "elephant", "giraffe"), ("lying down",)),
    "cat": ("sleeping", "walking"), "bird": ("flying",),
}  # fmt: skip
_PLACES: Final = {
    "street": (
        "on a city street", "on the street", "on a road", "in front of some buildings",
        "in front of a building",
    ),
    "park": ("in a park", "on the grass", "in a grassy field", "in the park", "in a park"),
    "beach": ("on the beach", "on a sandy beach", "on the sand", "near the ocean", "on a beach"),
    "farm": ("in a field", "in a green field", "on the grass", "in a pasture"),
    "wild": ("in a dry field", "on the savanna", "in the dry grass", "in a field"),
    "plaza": ("in a plaza", "in a paved square", "on the pavement"),
    "harbour": ("on the water", "on a lake"),
    "kitchen": ("on a table", "on top of a table", "on the table"),
    "office": ("on a desk", "on top of a desk", "on the desk"),
    "living room": ("in a room", "in a house"),
    "bedroom": ("in a room", "in a house"),
}  # fmt: skip
# what only furniture makes of a room
_ROOMS: Final = {"bed": "in a bedroom", "couch": "in a living room", "tv": "in a living room"}
_PLACE_NAMES: Final = {
    "street": "street", "park": "park", "beach": "beach", "farm": "field", "plaza": "plaza",
    "harbour": "lake",
}  # fmt: skip
_BACKGROUNDS: Final = {
    "street": "buildings", "park": "hills", "beach": "ocean", "farm": "hills", "wild": "hills",
    "plaza": "buildings", "harbour": "hills",
}  # fmt: skip
_TIMES: Final = {
    "sunny": ("on a sunny day", "on a sunny day", "during the day"),
    "overcast": ("on a cloudy day",),
    "night": ("at night",),
}
_AIR: Final = {"kite": ("in the sky", "in the air"), "clock": ("on the wall",)}
_SCENERY: Final = {"tree": "a tree", "lamp post": "a lamp post"}
# drawn in no picture
_ABSENT: Final = (
    "zebra", "lion", "tiger", "train", "airplane", "motorcycle", "refrigerator",
    "microwave", "toilet", "sink", "oven", "toaster", "keyboard", "cell phone", "backpack",
    "handbag", "snowboard", "tennis racket", "baseball bat", "fork", "knife", "spoon", "sandwich",
    "hot dog", "piano", "guitar", "ladder", "fountain", "bridge", "camel", "rabbit", "goat",
    "helicopter", "tractor", "mirror", "towel",
)  # fmt: skip
_MANY: Final = {
    "street": "windows do the buildings have", "plaza": "stones are on the ground",
    "kitchen": "tiles are on the wall", "office": "tiles are on the wall",
}  # fmt: skip
# drawn in several colours
_MOTLEY: Final = frozenset({"truck", "pizza", "clock", "tv", "bed", "potted plant"})
_PRINTED: Final = frozenset(
    {"book", "bottle", "bus", "truck", "car", "cup", "laptop", "tv", "suitcase", "boat", "clock"}
)
_MADE: Final = _PRINTED | {"bicycle", "skateboard", "surfboard", "umbrella", "frisbee", "kite"}
_LIVING: Final = frozenset(
    {"person", "dog", "cat", "bird", "horse", "sheep", "cow", "elephant", "giraffe"}
)
# the ground's colour, of which the closed vocabulary has no name for some
_GROUNDS: Final = {
    "beach": ("sand", "beige"), "wild": ("grass", "tan"), "plaza": ("pavement", "beige"),
    "harbour": ("water", "blue"), "park": ("grass", "green"), "farm": ("grass", "green"),
    "street": ("street", "gray"),
}  # fmt: skip
_ALIKE: Final = (
    {"white", "gray"}, {"black", "gray"}, {"brown", "orange", "red"}, {"pink", "purple", "red"},
    {"yellow", "orange"}, {"blue", "purple"}, {"black", "blue"},
)  # fmt: skip
_SENTENCES: Final = Table(
    {
        "{subject} {be} {doing} {place}": 44,
        "there {be} {subject} {place}": 13,
        "this is a {view} of {subject} {place}": 3,
        "beside": 32,
        "near": 8,
    }
)
_PLAIN_SENTENCES: Final = Table(
    {"{subject} {be} {doing} {place}": 3, "there {be} {subject} {place}": 1}
)
_MANNERS: Final = Table({"{Text}.": 66, "{Text}": 18, "{Text}. ": 7, "{text}": 5, "{text}.": 4})
_CAPTION_COUNTS: Final = Table({0: 2, 4: 1, 5: 94, 6: 3})
_VAGUE_COUNTS: Final = {2: ("a couple of",)}
_MANY_COUNTS: Final = ("several", "a group of", "some")
_COUNT_ENDINGS: Final = (
    "are there", "are in the picture", "are in this photo", "can you see", "are visible",
    "do you see", "are shown",
)  # fmt: skip
_IN_PICTURE: Final = ("", "", " in this picture", " in the photo", " in the image")
_MOST_REPEATED: Final = 40
_PLAIN_CHANCE: Final = 0.25
_COLOUR_CHANCE: Final = 0.45
_EXACT_COUNT_CHANCE: Final = 0.7
_FORGETTING_CHANCE: Final = 0.15
# by the picture's width: what stands no farther apart is next to each other
_NEXT: Final = 0.12


@dataclass(frozen=True)
class Seen:
    """What a picture shows, for those who speak of it."""

    composition: Composition

    @property
    def scene(self) -> Scene:
        return self.composition.layout.scene

    @property
    def setting(self) -> str:
        return self.scene.setting.name

    @property
    def is_outdoors(self) -> bool:
        return not self.scene.setting.is_indoor

    @cached_property
    def scenery(self) -> list[str]:
        """The tree or the lamp post of a picture that has one."""
        things = self.composition.layout.things
        return [_SCENERY[thing.category] for thing in things if thing.category in _SCENERY]

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Where everything of the picture is that stands."""
        names = [group.kind.name for group in self.scene.groups]
        is_room = self.scene.setting.ground == "room"
        rooms = tuple(room for name, room in _ROOMS.items() if is_room and name in names)
        return rooms or _PLACES[self.setting]

    def members(self, group: Group) -> list[Thing]:
        """The things of a group as they are drawn."""
        index = self.scene.groups.index(group)
        return [thing for thing in self.composition.layout.things if thing.group == index]


def certain_scene(scene: Scene) -> Scene:
    """The scene in nouns that nobody who sees the picture doubts, and in colours that stand out."""
    return replace(scene, groups=tuple(_certain(group, scene) for group in scene.groups))


def _certain(group: Group, scene: Scene) -> Group:
    nouns = _CERTAIN_NOUNS.get(group.kind.name, (0,))
    hidden = _HIDDEN_COLOURS.get(scene.setting.ground)
    seen = [colour for colour in group.kind.colours if colour != hidden]
    return replace(
        group,
        noun=group.noun if group.noun in nouns else 0,
        colour=seen[0] if group.colour == hidden and seen else group.colour,
    )


def outlined(seed: int, layout: Layout) -> Layout:
    """The layout without the one thing that nobody outlined, in the few pictures that have one."""
    group = _forgotten(seed, layout.scene)
    if group is None:
        return layout
    last = max(place for place, thing in enumerate(layout.things) if thing.group == group)
    return replace(layout, things=layout.things[:last] + layout.things[last + 1 :])


def _forgotten(seed: int, scene: Scene) -> int | None:
    """The group of a few things of which one has no outline."""
    dice = Dice(seed, "forget", scene.number)
    few = [place for place, group in enumerate(scene.groups) if 3 <= group.count <= 4]
    return dice.pick(few) if few and dice.chance(_FORGETTING_CHANCE) else None


def write_captions(seed: int, seen: Seen) -> list[str]:
    """The captions of a picture, none of a few pictures."""
    dice = Dice(seed, "caption", seen.scene.number)
    forgotten = _forgotten(seed, seen.scene)
    counted = None if forgotten is None else seen.scene.groups[forgotten]
    # of some pictures nobody says more than what is where
    is_plain = dice.chance(_PLAIN_CHANCE)
    sentences = _PLAIN_SENTENCES if is_plain else _SENTENCES
    colour_chance = 0.0 if is_plain else _COLOUR_CHANCE
    say = partial(_group_phrase, dice, counted=counted, colour_chance=colour_chance)
    return [
        _caption(dice, seen, dice.weighted(sentences), say)
        for _ in range(dice.weighted(_CAPTION_COUNTS))
    ]


def _caption(dice: Dice, seen: Seen, sentence: str, say: Callable[..., str]) -> str:
    main = seen.scene.groups[0]
    if dice.chance(0.3):
        main = dice.pick(seen.scene.groups)
    others = [group for group in seen.scene.groups if group is not main]
    # "there are some" is seldom written: who begins so has counted
    subject = say(main, is_counted=sentence.startswith("there"))
    be, _ = _named(main)
    doing = dice.pick(_doings(main, seen))
    place = dice.pick(_places_of(main, seen))
    if sentence == "near" or (sentence == "beside" and (not others or main.kind.name in _AIR)):
        text = f"{subject} {be} {doing} {dice.pick(_near(main, seen)) or place}"
    elif sentence == "beside":
        other = dice.pick(others)
        thing = say(other)
        if other.kind.name in _AIR:
            text = f"{subject} {be} {doing} {place} with {thing} {dice.pick(_AIR[other.kind.name])}"
        else:
            beside = _beside(dice, seen, main, other)
            text = f"{subject} {be} {doing} {beside} {thing}"
            if dice.chance(0.4):
                text = f"{subject} and {thing} are {place}"
    else:
        view = dice.pick(("photo", "picture"))
        text = sentence.format(subject=subject, be=be, doing=doing, place=place, view=view)
    if seen.is_outdoors and dice.chance(0.2):
        text = f"{text} {dice.pick(_TIMES[seen.composition.weather])}"
    return dice.weighted(_MANNERS).format(Text=text[0].upper() + text[1:], text=text)


def _group_phrase(
    dice: Dice,
    group: Group,
    *,
    counted: Group | None,
    colour_chance: float,
    is_counted: bool = False,
) -> str:
    # another color in the place of "an orange dog" would leave its article behind
    is_sayable = _is_coloured(group) and (group.count > 1 or group.colour != "orange")
    is_coloured = dice.chance(colour_chance) and is_sayable
    colour = "grey" if group.colour == "gray" and dice.chance(0.3) else group.colour
    before, after = (f"{colour} ", "") if is_coloured else ("", "")
    # the colour of a person is that of the shirt
    if is_coloured and group.kind.name == "person":
        before = ""
        after = f" in {article(colour)} shirt" if group.count == 1 else f" in {colour} shirts"
    if group.count == 1:
        return article(before + group.singular) + after
    is_counted = is_counted or group is counted or dice.chance(_EXACT_COUNT_CHANCE)
    vague = _VAGUE_COUNTS.get(group.count, _MANY_COUNTS)
    number = NUMBER_WORDS[group.count] if is_counted else dice.pick(vague)
    if is_counted and dice.chance(0.1):
        number = str(group.count)
    return f"{number} {before}{group.plural}{after}"


def _doings(group: Group, seen: Seen) -> tuple[str, ...]:
    if seen.setting == "harbour":
        return ("floating",)
    if group.kind.name == "boat":
        return ("lying",)
    return _DOINGS.get(group.kind.name, ("standing",))


def _places_of(group: Group, seen: Seen) -> tuple[str, ...]:
    return _AIR.get(group.kind.name, seen.places)


def _near(group: Group, seen: Seen) -> list[str]:
    """What stands there and is no group: the scenery, and a sign with its text."""
    if group.kind.name in _AIR:
        return [""]
    sign = seen.scene.sign
    near = [f"near {one}" for one in seen.scenery]
    return [*near, *([f"near a sign that says {sign}"] if sign else [])] or [""]


def _beside(dice: Dice, seen: Seen, group: Group, other: Group) -> str:
    """How things stand to others, as they are drawn."""
    mine, theirs = ([thing.box for thing in seen.members(one)] for one in (group, other))
    left, right = (
        max(x + width for x, _, width, _ in one) < min(x for x, _, _, _ in another)
        for one, another in ((mine, theirs), (theirs, mine))
    )
    ways = ["near"]
    if group.count == other.count == 1:
        [(x, y, width, height)], [(x2, y2, width2, height2)] = mine, theirs
        gap = max(x2 - x - width, x - x2 - width2)
        is_one_row = abs(y + height - y2 - height2) < 0.2 * seen.composition.layout.height
        if is_one_row and 0 < gap < _NEXT * seen.composition.layout.width:
            ways = ["next to", "beside"]
        if is_one_row and (left or right):
            ways.append("to the left of" if left else "to the right of")
    return dice.pick(ways)


def ask_truly(dice: Dice, seen: Seen, number: int) -> list[Asked]:
    """As many questions about a picture, and what it answers.

    None is asked twice, unless so many are wanted that the picture has no others.
    """
    asked: list[Asked] = []
    repeated = 0
    while len(asked) < number:
        one = _ASK[dice.weighted(FAMILIES)](dice, seen)
        is_repeated = one.question in {other.question for other in asked}
        repeated += is_repeated
        if not is_repeated or repeated > _MOST_REPEATED:
            asked.append(one)
    return asked


def _group(dice: Dice, seen: Seen) -> Group:
    return seen.scene.groups[0] if dice.chance(0.6) else dice.pick(seen.scene.groups)


def _existence(dice: Dice, seen: Seen) -> Asked:
    roll = dice.unit()
    if roll < 0.06:
        return _undecided(dice, seen)
    if roll < 0.53:
        return Asked(_affirmed(dice, seen), "yes")
    return Asked(_denied(dice, seen), "no")


def _undecided(dice: Dice, seen: Seen) -> Asked:
    if dice.chance(0.5):
        answers = ("outdoors", "indoors") if seen.is_outdoors else ("indoors", "outdoors")
        return Asked("Is this indoors or outdoors?", answers[0], (answers[1], "both"))
    group = _group(dice, seen)
    is_living = group.kind.name in _LIVING
    qualities = ("male or female", "young or old") if is_living else ("old or new", "full or empty")
    quality = dice.pick(qualities)
    be, noun = _named(group)
    return Asked(
        f"{be.capitalize()} the {noun} {quality}?", "unknown", tuple(quality.split(" or "))
    )


def _affirmed(dice: Dice, seen: Seen) -> str:
    if dice.chance(0.15):
        return dice.pick(_true_of_the_place(seen))
    group = _group(dice, seen)
    be, noun = _named(group)
    if _is_coloured(group) and dice.chance(0.25):
        return f"{be.capitalize()} the {_coloured(group)} {group.colour}?"
    doing = dice.pick(_doings(group, seen))
    # nobody asks whether a bowl stands
    if (group.kind.name in _LIVING or doing in _ASKED_DOINGS) and dice.chance(0.3):
        return f"{be.capitalize()} the {noun} {doing}?"
    ending = dice.pick(_IN_PICTURE)
    if group.count == 1:
        return f"Is there {article(noun)}{ending}?"
    return f"Are there {dice.pick(('', 'any '))}{noun}{ending}?"


def _denied(dice: Dice, seen: Seen) -> str:
    roll = dice.unit()
    if roll < 0.15:
        return dice.pick(_untrue_of_the_place(seen))
    group = _group(dice, seen)
    be, noun = _named(group)
    if roll < 0.3 and _is_coloured(group):
        others = [colour for colour in COLOURS if not _are_alike(colour, group.colour)]
        return f"{be.capitalize()} the {_coloured(group)} {dice.pick(others)}?"
    if roll < 0.42 and group.kind.name in _OTHER_DOINGS:
        return f"{be.capitalize()} the {noun} {dice.pick(_OTHER_DOINGS[group.kind.name])}?"
    ending = dice.pick(_IN_PICTURE)
    absent, plural = _absent(dice, seen)
    if dice.chance(0.3):
        return f"Are there any {plural}{ending}?"
    return f"Is there {article(absent)}{ending}?"


def _true_of_the_place(seen: Seen) -> list[str]:
    questions = [] if seen.is_outdoors else ["Is this indoors?"]
    if seen.setting in _PLACE_NAMES:
        questions.append(f"Is this a {_PLACE_NAMES[seen.setting]}?")
    questions += {
        "sunny": ["Is it sunny?", "Is it daytime?"],
        "overcast": ["Is it cloudy?", "Is it daytime?"],
        "night": ["Is it night?", "Is it dark outside?"],
        "indoor": [],
    }[seen.composition.weather]
    return questions + [f"Is there {thing} in the picture?" for thing in seen.scenery]


def _untrue_of_the_place(seen: Seen) -> list[str]:
    if not seen.is_outdoors:
        return ["Is this outdoors?", "Is this a street?", "Is this a beach?"]
    questions = ["Is it raining?", "Is it snowing?", "Is this indoors?"]
    questions.append("Is it daytime?" if seen.composition.weather == "night" else "Is it night?")
    questions += [] if seen.setting in ("street", "plaza") else ["Is this a street?"]
    return questions + ([] if seen.setting in ("beach", "harbour") else ["Is this a lake?"])


def _absent(dice: Dice, seen: Seen) -> tuple[str, str]:
    """A noun and its plural of something that the picture does not show."""
    if dice.chance(0.5):
        noun = dice.pick(_ABSENT)
        return noun, f"{noun[:-2]}ves" if noun == "knife" else _plural(noun)
    shown = {group.kind.name for group in seen.scene.groups}
    # a table is painted below what stands on it, and a sign is no stop sign
    shown |= {"dining table"} if seen.scene.setting.ground == "tabletop" else set()
    shown |= {"stop sign"} if seen.scene.sign else set()
    shown |= {"potted plant"} if seen.is_outdoors else set()
    kind = KINDS[dice.pick([name for name in KINDS if name not in shown])]
    return kind.singulars[0], kind.plurals[0]


def _count(dice: Dice, seen: Seen) -> Asked:
    ending = dice.pick(_COUNT_ENDINGS)
    roll = dice.unit()
    if roll < 0.06 and seen.setting in _MANY:
        return Asked(f"How many {_MANY[seen.setting]}?", dice.pick(("many", "lots")))
    if roll < 0.16:
        return Asked(f"How many {_absent(dice, seen)[1]} {ending}?", "0")
    group = _group(dice, seen)
    if roll < 0.4 and len(seen.scene.groups) > 1:
        group = dice.pick(seen.scene.groups[1:])
    if group.count > 5 and dice.chance(0.4):
        return Asked(f"How many {group.plural} {ending}?", "many")
    return Asked(f"How many {group.plural} {ending}?", str(group.count))


def _colour(dice: Dice, seen: Seen) -> Asked:
    others = (dice.pick(tuple(COLOURS)), "dark")
    if dice.chance(0.17) and seen.setting in _GROUNDS:
        noun, colour = _GROUNDS[seen.setting]
        return Asked(f"What color is the {noun}?", colour, ("light", "pale"))
    coloured = [group for group in seen.scene.groups if _is_coloured(group)]
    if not coloured:
        return _count(dice, seen)
    group = dice.pick(coloured)
    be, _ = _named(group)
    return Asked(f"What color {be} the {_coloured(group)}?", group.colour, others)


def _what(dice: Dice, seen: Seen) -> Asked:
    group = _group(dice, seen)
    others = [other for other in seen.scene.groups if other is not group]
    doing = _doings(group, seen)[0]
    be, noun = _named(group)
    asked = [] if others else [Asked("What is this?", noun, ("picture", "drawing"))]
    if group.kind.name in _LIVING:
        asked.append(Asked(f"What {be} the {noun} doing?", doing, ("waiting", "nothing")))
    if others:
        other = dice.pick(others).singular
        asked.append(Asked(f"What is near the {noun}?", other, ("nothing", "wall")))
    if seen.setting in _BACKGROUNDS:
        background = _BACKGROUNDS[seen.setting]
        asked.append(Asked("What is in the background?", background, ("sky", "nothing")))
    if seen.is_outdoors:
        is_night = seen.composition.weather == "night"
        time = "night" if is_night else "daytime"
        asked.append(Asked("What time of day is it?", time, ("evening", "afternoon")))
    if seen.scene.sign:
        sign = seen.scene.sign.lower()
        asked += [Asked("What does the sign say?", sign, ("unknown", "name"), is_told=True)] * 3
    if group.kind.name in _MADE and group.count == 1:
        asked.append(Asked(f"What brand is the {noun}?", "unknown", ("none", "no brand")))
    if group.kind.name in _PRINTED and group.count == 1:
        asked.append(Asked(f"What does the {noun} say?", "unknown", is_told=False))
    return dice.pick(asked)


def _where(dice: Dice, seen: Seen) -> Asked:
    group = _group(dice, seen)
    where = dice.pick(_places_of(group, seen))
    be, noun = _named(group)
    return Asked(f"Where {be} the {noun}?", where, ("outside", "here"))


def _why(dice: Dice, seen: Seen) -> Asked:
    group = _group(dice, seen)
    be, noun = _named(group)
    doing = dice.pick(_doings(group, seen))
    return Asked(f"Why {be} the {noun} {doing}?", "unknown", ("waiting", "for fun", "no reason"))


def _does(dice: Dice, seen: Seen) -> Asked:
    group = _group(dice, seen)
    if dice.chance(0.5):
        return Asked(f"Can you see {article(_absent(dice, seen)[0])}?", "no")
    noun = article(group.singular) if group.count == 1 else f"any {group.plural}"
    return Asked(f"Can you see {noun}?", "yes")


def _number(dice: Dice, seen: Seen) -> Asked:
    noun = _group(dice, seen).singular
    question = dice.pick(
        (f"How old is the {noun}?", f"How tall is the {noun}?", f"How much does the {noun} weigh?")
    )
    return Asked(question, "unknown", ("10", "5", "not sure"))


def _near_miss(dice: Dice, seen: Seen) -> Asked:
    coloured = [group for group in seen.scene.groups if _is_coloured(group)]
    if not coloured:
        return _does(dice, seen)
    group = dice.pick(coloured)
    be, _ = _named(group)
    question = dice.pick(
        (
            f"What colour {be} the {_coloured(group)}?",
            f"What is the color of the {_coloured(group)}?",
            f"Which color {be} the {_coloured(group)}?",
        )
    )
    return Asked(question, group.colour, (dice.pick(tuple(COLOURS)), "dark"))


def _named(group: Group) -> tuple[str, str]:
    """The verb and the noun of a group."""
    return ("is", group.singular) if group.count == 1 else ("are", group.plural)


def _is_coloured(group: Group) -> bool:
    return group.kind.name not in _MOTLEY


def _coloured(group: Group) -> str:
    """What has the group's colour: the thing, or a person's shirt."""
    _, noun = _named(group)
    if group.kind.name != "person":
        return noun
    shirt = "shirt" if group.count == 1 else "shirts"
    return f"{noun}'s {shirt}"


def _are_alike(colour: str, other: str) -> bool:
    return colour == other or any({colour, other} <= alike for alike in _ALIKE)


def _plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith(("ch", "sh")) else f"{noun}s"


_ASK: Final[dict[str, Callable[[Dice, Seen], Asked]]] = {
    "existence": _existence,
    "count": _count,
    "colour": _colour,
    "what": _what,
    "where": _where,
    "why": _why,
    "does": _does,
    "number": _number,
    "near miss": _near_miss,
}
