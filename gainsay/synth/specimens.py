"""Images written by hand, so that every rule of the Conflict Suite meets its edge cases.

Each specimen is one image: its captions in file order, and questions with the answer most
annotators give. What its picture shows is drawn like any other and has nothing to do with them.
"""

from dataclasses import dataclass
from typing import Final

from gainsay.synth.layout import Split

# the splits of specimens that come more than once
_SPLITS_OF_IMAGES_WITHOUT_CAPTIONS: Final[tuple[Split, ...]] = ("train", "val", "train")
_SPLITS_OF_TWINS: Final[tuple[Split, ...]] = ("train", "train", "val", "train", "train", "val")


@dataclass(frozen=True, slots=True)
class Specimen:
    """One image whose texts are given."""

    purpose: str
    captions: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]
    split: Split = "train"


_IN_WAVE: Final = "A man riding a wave on top of a surfboard."
# ten words found in no other caption: their owners can only be each other's donors
_RARE: Final = "quorrel nimbast vardle tosken plimsor wendric oxalbar jentil fumarole grestin"


def _rare(*positions: int) -> str:
    tokens = _RARE.split()
    return " ".join(tokens[position] for position in positions)


SPECIMENS: Final = (
    Specimen(
        "answers of the existence family that are neither yes nor no, and their aliases",
        ("A man and a dog are sitting on a bench.", "A dog next to a man on a park bench."),
        (
            ("Is the man taller or the dog?", "man"),
            ("Is the dog awake?", "unknown"),
            ("Is the man happy?", "nope"),
            ("Is the dog on the bench?", "Yes "),
            ("Is there a man?", "y"),
            ("Are the man and dog together?", "TRUE"),
            ("Is there an elephant?", "n"),
            ("Is there a giraffe?", "FALSE"),
            ("Is there a zebra?", " No"),
            ("Is the man sitting?", "yes."),
            ("Is the man tall?", ""),
        ),
    ),
    Specimen(
        "answers of the count family that are no number up to twelve or digits, and aliases",
        (
            "Two cups, 7 spoons and twelve plates on a table.",
            "A table with 2 cups and seven spoons.",
            "There are 0 forks on this table.",
        ),
        (
            ("How many grains are there?", "many"),
            ("How many crumbs are there?", "lots"),
            ("How many plates are hidden?", "thirteen"),
            ("How many chairs could fit?", "10+"),
            ("How many cups are full?", "3.5"),
            ("How many square meters is the table?", "²"),
            ("How many napkins are there?", ""),
            ("How many spoons are there?", "007"),
            ("How many cups are there?", "two"),
            ("How many plates are there?", "Twelve"),
            ("How many forks are there?", "0"),
            ("How many knives are there?", "zero"),
            ("How many lids are there?", "none"),
            ("How many handles are there?", "5"),
        ),
    ),
    Specimen(
        "answers of the colour family outside the closed vocabulary, and aliases",
        (
            "A Red car beside a GREY van and a gray wall.",
            "A bright red car parked by a wall.",
            "The GREEN door is open.",
            "Whiteboard and redwood planks lean on the wall.",
        ),
        (
            ("What color is the van?", "grey"),
            ("What color is the sky?", "light blue"),
            ("What color is the stripe?", "white and black"),
            ("What color is the rim?", "Silver"),
            ("What color is the glass?", "clear"),
            ("What color is the car?", "RED"),
            ("What color is the wall?", " Gray"),
            ("What color is the door?", "green"),
            ("What color is the board?", "white"),
        ),
    ),
    Specimen(
        "captions that support no answer, in each family",
        (
            "A quiet street with a bus.",
            "A bus driving down a street.",
            "The bus is on the street.",
            "One bus on a city street.",
            "A street, a bus, a tree.",
        ),
        (
            ("Is there a penguin?", "yes"),
            ("Is the bus on the street?", "no"),
            ("How many wheels are there?", "4"),
            ("What color is the bus?", "purple"),
            ("Is it on?", "yes"),
            ("Is it on?", "no"),
            ("Is the of in?", "yes"),
            ("Are there?", "no"),
        ),
    ),
    Specimen(
        "openings that almost belong to a family",
        ("A brown dog with two balls is playing in a park.", "Two balls and a brown dog."),
        (
            ("Isn't this a dog?", "yes"),
            ("ISLAND or shore?", "shore"),
            ("Area of the park?", "yes"),
            ("Is", "yes"),
            (" IS THERE a dog?", "yes"),
            ("\tAre  the\tballs in the park? ", "yes"),
            ("are", "no"),
            ("How many", "2"),
            ("how   many balls?", "2"),
            ("HOW MANY dogs and balls?", "3"),
            ("How manyballs?", "2"),
            ("How much dog food is left?", "2"),
            ("What color", "brown"),
            ("What\ncolor is the dog?", "brown"),
            ("What colour is the dog?", "brown"),
            ("What colors are the dogs?", "brown"),
            ("Does the dog look happy?", "yes"),
            ("", "yes"),
            ("?", "no"),
        ),
    ),
    *(
        Specimen(
            "questions about an image without captions",
            (),
            (
                ("Is there a dog?", "yes"),
                ("How many dogs are there?", "2"),
                ("What color is the dog?", "brown"),
                ("Is the dog asleep?", "dog"),
                ("Where is the dog?", "outside"),
            ),
            split,
        )
        for split in _SPLITS_OF_IMAGES_WITHOUT_CAPTIONS
    ),
    *(
        Specimen(
            "one caption on many images",
            (_IN_WAVE,) * 5,
            (
                ("Is the man riding a wave?", "yes"),
                ("Is there a dog?", "no"),
                ("Is this a surfboard?", "yes"),
                ("Is the water frozen?", "no"),
            ),
            split,
        )
        for split in _SPLITS_OF_TWINS
    ),
    Specimen(
        "many questions about one image",
        (
            "A woman holding a red umbrella and two bags in the rain.",
            "A lady with 2 bags stands under an umbrella.",
            "The woman is waiting with her bags.",
            "A red umbrella.",
            "Someone waits in the rain with a red umbrella",
            "A woman waits for the bus. ",
            "Rainy day, red umbrella, one woman",
        ),
        tuple(
            (f"Is there a {noun} in the picture?", answer)
            for nouns, answer in (
                ("woman umbrella bag lady rain woman bags umbrella day bus someone", "yes"),
                ("dog cat horse clock boat kite lamp tiger fork spoon apple pear chair", "no"),
            )
            for noun in nouns.split()
        ),
    ),
    *(
        Specimen(
            "captions without a noun token",
            (caption,),
            (("Is there a dog?", "no"), ("Is the sky visible?", "no"), ("Is there fog?", "yes")),
        )
        for caption in ("A an the.", "It is on a.", "...")
    ),
    Specimen(
        "words that no other caption has: no hard donor anywhere",
        ("Zqxv wkrpl blorfen.",),
        (("Is there a blorfen?", "yes"), ("Is the wkrpl old?", "yes")),
    ),
    Specimen(
        "one noun token only",
        ("A zugzwang.",),
        (("Is this a zugzwang?", "yes"),),
        "val",
    ),
    *(
        Specimen(
            f"noun-token Jaccard at the ends of the hard donor's interval: {purpose}",
            (caption,),
            (("Is there an ashtray?", "no"),),
        )
        for purpose, caption in (
            ("1 of 5, one side", "Gamber lintock, hobnail."),
            ("1 of 5, other side", "Hobnail morsund perrigo."),
            ("1 of 6 with the one before", "Perrigo stelvane cromley durbanet."),
            ("7 of 10, one side", f"{_rare(0, 1, 2, 3, 4, 5, 6, 7)}."),
            ("7 of 10, other side", f"{_rare(0, 1, 2, 3, 4, 5, 6, 8, 9)}."),
            ("5 of 7, one side", "Ablewort binnacle corvane dextrin elmwick figgle."),
            ("5 of 7, other side", "Ablewort binnacle corvane dextrin elmwick gorse."),
        )
    ),
    Specimen(
        "captions with and without not",
        (
            "A dog that is not on the couch.",
            "Not a dog but a cat is on the couch.",
            "The dog isn't on the couch, not at all.",
            "A knot in a notebook",
            "A dog NOT on the couch.",
        ),
        (
            ("Is there a dog?", "yes"),
            ("Is there a cat?", "yes"),
            ("Is this a notebook?", "yes"),
            ("Is it a knot?", "yes"),
            ("Is the couch empty?", "no"),
        ),
    ),
    Specimen(
        "captions that begin or end with not",
        ("Not.", "A dog is what this is not"),
        (("Is the sun out?", "no"), ("Is there a dog?", "yes")),
    ),
    Specimen(
        "not and auxiliary verbs inside other words only",
        ("A dog cannot see this island, nothing but a notable knot",),
        (("Is there a dog?", "yes"), ("Is there a cat?", "no")),
    ),
    Specimen(
        "a caption without an auxiliary verb",
        ("two sheep near a barn",),
        (
            ("Are there any sheep?", "yes"),
            ("Is there snow?", "no"),
            ("How many sheep?", "2"),
            ("How many sheep are there?", "2"),
        ),
    ),
    *(
        Specimen(
            "a caption with each auxiliary verb before all others",
            (caption,),
            (("Is there a horse?", "yes"), ("Are there any lions?", "no")),
        )
        for caption in (
            "A horse was in a stable.",
            "Can the horse jump? It does.",
            "Horses do have manes, a horse did run.",
            "The horse WERE here, has been, have been.",
            "A horse has a mane.",
            "Two horses have riders and can jump.",
            "This horse does jump.",
            "The horse did run and was fast.",
        )
    ),
    Specimen(
        "numbers at the turning points of the count edit",
        (
            "A jar of 98 beans, twelve pods and 100 seeds.",
            "99 balloons in the sky.",
            "100 seeds in a row.",
            "Twelve pods on a plate.",
            "TWELVE eggs and 12 eggs.",
            "There are 0 plums here.",
            "Zero plums.",
            "012 tickets.",
        ),
        (
            ("How many beans are there?", "98"),
            ("How many balloons are there?", "99"),
            ("How many seeds are there?", "100"),
            ("How many pods are there?", "12"),
            ("How many plums are there?", "0"),
            ("How many apples are there?", "11"),
            ("How many tickets are there?", "0012"),
        ),
        "val",
    ),
    *(
        Specimen(
            "one number, first in its caption",
            (caption,),
            ((f"How many {noun} are there?", gold),),
        )
        for caption, noun, gold in (
            ("Two swans on a lake.", "swans", "2"),
            ("TWELVE eggs in a carton.", "eggs", "12"),
            ("eleven players on a field", "players", "11"),
            ("A shelf with 99 jars.", "jars", "99"),
            ("A box of 100 nails.", "nails", "100"),
            ("A fleet of 98 ships.", "ships", "98"),
            ("There are zero birds in this tree.", "birds", "0"),
            ("1,000 bees and a beekeeper", "hives", "1"),
            ("012 tickets on a roll", "tickets", "0012"),
            ("Serial number 12345678901234567890 on 3 crates", "crates", "3"),
        )
    ),
    Specimen(
        "colours in capitals, inside words, and twice",
        (
            "Blue boat on a BLUE lake, not a bluebird.",
            "A Pink and orange kite.",
            "The kite is Orange.",
            "An orange-red kite",
        ),
        (
            ("What color is the boat?", "blue"),
            ("What color is the kite?", "orange"),
            ("What color are the ribbons?", "pink"),
            ("What color is the tail?", "red"),
        ),
        "val",
    ),
    Specimen(
        "right-to-left text, emoji, accents and a zero-width joiner",
        (
            "A café with a naïve façade \N{SMILING FACE WITH SUNGLASSES}.",
            "\u05db\u05dc\u05d1 dog \u0643\u0644\u0628",
            "A family \N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL} with two dogs",
        ),
        (
            ("Is there a dog?", "yes"),
            ("How many dogs are there?", "2"),
            ("Is this a café?", "yes"),
            ("Is there a na\u00efve façade?", "no"),
        ),
    ),
)
