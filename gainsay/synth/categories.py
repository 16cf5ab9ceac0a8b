"""COCO's categories and licences, and how people speak of the things drawn here."""

from dataclasses import dataclass
from typing import Final

# COCO 2014-2017 detection categories: ids keep the gaps of the 91-category list.
SUPERCATEGORIES: Final = {
    "person": {1: "person"},
    "vehicle": {
        2: "bicycle",
        3: "car",
        4: "motorcycle",
        5: "airplane",
        6: "bus",
        7: "train",
        8: "truck",
        9: "boat",
    },
    "outdoor": {
        10: "traffic light",
        11: "fire hydrant",
        13: "stop sign",
        14: "parking meter",
        15: "bench",
    },
    "animal": {
        16: "bird",
        17: "cat",
        18: "dog",
        19: "horse",
        20: "sheep",
        21: "cow",
        22: "elephant",
        23: "bear",
        24: "zebra",
        25: "giraffe",
    },
    "accessory": {27: "backpack", 28: "umbrella", 31: "handbag", 32: "tie", 33: "suitcase"},
    "sports": {
        34: "frisbee",
        35: "skis",
        36: "snowboard",
        37: "sports ball",
        38: "kite",
        39: "baseball bat",
        40: "baseball glove",
        41: "skateboard",
        42: "surfboard",
        43: "tennis racket",
    },
    "kitchen": {
        44: "bottle",
        46: "wine glass",
        47: "cup",
        48: "fork",
        49: "knife",
        50: "spoon",
        51: "bowl",
    },
    "food": {
        52: "banana",
        53: "apple",
        54: "sandwich",
        55: "orange",
        56: "broccoli",
        57: "carrot",
        58: "hot dog",
        59: "pizza",
        60: "donut",
        61: "cake",
    },
    "furniture": {
        62: "chair",
        63: "couch",
        64: "potted plant",
        65: "bed",
        67: "dining table",
        70: "toilet",
    },
    "electronic": {
        72: "tv",
        73: "laptop",
        74: "mouse",
        75: "remote",
        76: "keyboard",
        77: "cell phone",
    },
    "appliance": {78: "microwave", 79: "oven", 80: "toaster", 81: "sink", 82: "refrigerator"},
    "indoor": {
        84: "book",
        85: "clock",
        86: "vase",
        87: "scissors",
        88: "teddy bear",
        89: "hair drier",
        90: "toothbrush",
    },
}

CATEGORY_IDS: Final = {
    name: category_id for names in SUPERCATEGORIES.values() for category_id, name in names.items()
}

LICENSES: Final = (
    (1, "Attribution-NonCommercial-ShareAlike License", "creativecommons.org/licenses/by-nc-sa"),
    (2, "Attribution-NonCommercial License", "creativecommons.org/licenses/by-nc"),
    (3, "Attribution-NonCommercial-NoDerivs License", "creativecommons.org/licenses/by-nc-nd"),
    (4, "Attribution License", "creativecommons.org/licenses/by"),
    (5, "Attribution-ShareAlike License", "creativecommons.org/licenses/by-sa"),
    (6, "Attribution-NoDerivs License", "creativecommons.org/licenses/by-nd"),
    (7, "No known copyright restrictions", "flickr.com/commons/usage"),
    (8, "United States Government Work", "www.usa.gov/copyright.shtml"),
)

# the closed colour vocabulary of the Conflict Suite, with the colours the pictures use; the
# darkest ones keep some blue or red, because only shadows may be dark and without colour
COLOURS: Final = {
    "red": (206, 46, 40),
    "blue": (44, 98, 190),
    "green": (58, 140, 66),
    "yellow": (243, 205, 64),
    "black": (27, 30, 52),
    "white": (242, 242, 238),
    "brown": (128, 82, 46),
    "gray": (146, 150, 156),
    "orange": (240, 138, 42),
    "pink": (240, 150, 180),
    "purple": (122, 72, 160),
}

_ANY = tuple(COLOURS)
_FUR = ("brown", "black", "white", "gray")


@dataclass(frozen=True, slots=True)
class Kind:
    """A drawn category in words: its nouns in matching order, what it does, its colours."""

    name: str
    singulars: tuple[str, ...]
    plurals: tuple[str, ...]
    doings: tuple[str, ...]
    colours: tuple[str, ...]


def _kind(
    name: str,
    nouns: str,
    doings: str,
    colours: tuple[str, ...] = _ANY,
) -> Kind:
    pairs = [pair.split("/") for pair in nouns.split(", ")]
    plurals = tuple(pair[1] if len(pair) == 2 else pair[0] + "s" for pair in pairs)
    singulars = tuple(pair[0] for pair in pairs)
    return Kind(name, singulars, plurals, tuple(doings.split(", ")), colours)


_TABLEWARE = "sitting, standing, placed, resting, displayed, left, arranged"
_FOOD = "sitting, lying, placed, served, waiting, sliced, arranged, ready to eat"
_VEHICLE = "parked, driving, stopped, waiting, traveling, going, turning, sitting"
_GRAZERS = "standing, grazing, walking, eating, resting, looking around, laying, wandering"
_FURNITURE = "sitting, standing, placed, pushed, seen, set up"

KINDS: Final = {
    kind.name: kind
    for kind in (
        _kind(
            "person",
            "man/men, man/men, woman/women, person/people, person/people, boy, girl, "
            "guy, lady/ladies, child/children, kid, tourist, worker, teenager, player",
            "standing, sitting, walking, holding a phone, wearing a hat, looking around, smiling, "
            "playing, posing, waiting, running, talking, jumping, leaning, holding something, "
            "wearing a jacket, taking a picture, riding, eating, carrying a bag, working, "
            "standing, sitting, walking, wearing a shirt, pointing, resting",
        ),
        _kind("bicycle", "bicycle, bike, bike", "parked, leaning, chained, standing, locked up"),
        _kind("car", "car, car, vehicle, sedan, taxi", _VEHICLE),
        _kind("bus", "bus/buses, bus/buses, city bus/city buses", _VEHICLE),
        _kind("truck", "truck, truck, pickup truck, delivery truck", _VEHICLE),
        _kind("boat", "boat, boat, sailboat, ship", "floating, sailing, docked, anchored, moored"),
        _kind(
            "traffic light",
            "traffic light, stoplight, traffic signal",
            "hanging, shining, seen, standing, changing",
            ("yellow", "black", "gray"),
        ),
        _kind(
            "fire hydrant",
            "fire hydrant, hydrant",
            "sitting, standing, placed, seen",
            ("red", "yellow", "blue", "white", "orange"),
        ),
        _kind("stop sign", "stop sign, sign", "standing, posted, seen, leaning", ("red",)),
        _kind("parking meter", "parking meter, meter", "standing, sitting, lined up", _FUR),
        _kind(
            "bench",
            "bench/benches, park bench/park benches",
            "sitting, facing the water, placed, standing",
            ("brown", "green", "gray", "white", "blue"),
        ),
        _kind(
            "bird",
            "bird, bird, pigeon, seagull",
            "standing, perched, flying, walking, sitting, drinking",
            ("white", "black", "gray", "brown", "blue", "yellow", "red"),
        ),
        _kind(
            "cat",
            "cat, cat, kitten, kitty/kitties",
            "sitting, laying, sleeping, looking up, standing, walking, curled up, staring",
            ("black", "white", "gray", "orange", "brown"),
        ),
        _kind(
            "dog",
            "dog, dog, puppy/puppies, terrier",
            "sitting, running, laying, standing, playing, looking up, walking, sleeping, jumping",
            ("brown", "black", "white", "gray", "yellow"),
        ),
        _kind("horse", "horse, horse, pony/ponies", _GRAZERS, _FUR),
        _kind("sheep", "sheep/sheep, lamb", _GRAZERS, ("white", "black", "gray", "brown")),
        _kind("cow", "cow, cow, bull, calf/calves", _GRAZERS, _FUR),
        _kind("elephant", "elephant", _GRAZERS, ("gray", "brown")),
        _kind("giraffe", "giraffe", _GRAZERS, ("yellow", "brown", "orange")),
        _kind("umbrella", "umbrella, parasol", "standing, opened, leaning, set up, placed"),
        _kind("suitcase", "suitcase, bag, luggage/suitcases", "standing, packed, waiting, left"),
        _kind("frisbee", "frisbee, disc", "flying, lying, thrown, floating"),
        _kind(
            "sports ball", "ball, ball, soccer ball", "lying, rolling, bouncing, sitting, resting"
        ),
        _kind("kite", "kite, kite", "flying, soaring, floating, gliding, flying high"),
        _kind("surfboard", "surfboard, board", "standing, leaning, propped up, planted, lined up"),
        _kind("skateboard", "skateboard, board", "lying, rolling, standing, left"),
        _kind("bottle", "bottle, bottle, wine bottle", _TABLEWARE),
        _kind("cup", "cup, cup, mug, coffee cup", _TABLEWARE),
        _kind("bowl", "bowl, bowl, dish/dishes", _TABLEWARE),
        _kind("vase", "vase, vase", _TABLEWARE),
        _kind("banana", "banana, banana", _FOOD, ("yellow", "green", "yellow")),
        _kind("apple", "apple, apple", _FOOD, ("red", "green", "yellow", "red")),
        _kind("orange", "orange, orange", _FOOD, ("orange",)),
        _kind("carrot", "carrot, carrot", _FOOD, ("orange", "purple", "orange")),
        _kind("pizza", "pizza, pizza", _FOOD, ("yellow", "red", "brown")),
        _kind("donut", "donut, doughnut, donut", _FOOD, ("pink", "brown", "white", "blue")),
        _kind("cake", "cake, cake, birthday cake", _FOOD, ("white", "pink", "brown", "yellow")),
        _kind("chair", "chair, chair, seat", _FURNITURE),
        _kind("couch", "couch/couches, sofa, loveseat", _FURNITURE),
        _kind("potted plant", "plant, potted plant, houseplant", "growing, standing", ("green",)),
        _kind("bed", "bed, bed", "made, sitting, unmade, placed, covered"),
        _kind(
            "dining table", "table, table, desk", _FURNITURE, ("brown", "white", "black", "gray")
        ),
        _kind(
            "tv",
            "tv, television, screen",
            "mounted, sitting, turned on, turned off",
            ("black", "gray"),
        ),
        _kind("laptop", "laptop, laptop, computer", "sitting, opened, turned on, placed", _FUR[1:]),
        _kind("book", "book, book, notebook", "lying, stacked, standing, opened, left"),
        _kind("clock", "clock, clock", "hanging, mounted, ticking, displayed"),
        _kind(
            "teddy bear", "teddy bear, stuffed animal, bear", "sitting, laying, propped up", _FUR
        ),
    )
}
