"""The vocabulary of captions and questions, likeliest words first."""

from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ADJECTIVES: Final = _words("""
    large small young old big little wooden open tall empty colorful different long beautiful
    close high older wet dirty bright modern cute busy nice shiny snowy dark grassy crowded
    round tiny huge fancy clean metal plastic plain striped heavy narrow pretty sunny quiet
    blurry cloudy outdoor dusty rusty broken cluttered decorative fresh vintage clear hot cold
    messy stuffed soft fluffy happy tasty delicious lush flat white-topped rocky sandy muddy tan
    silver gold beige fuzzy painted curved paved ripe brick stone leather glass checkered
    patterned spotted furry hungry lonely tired elderly smiling adult baby female male furnished
    abandoned antique ancient asian bare bald blonde bustling calm casual cement ceramic cheerful
    chrome classic concrete cozy creamy crisp crooked curious dim double dried dry electric
    elegant enormous exotic faded famous fenced floral foggy foreign formal frosted frozen full
    giant glazed glossy golden greasy green-roofed grilled half hazy hilly historic homemade icy
    idle industrial interesting iron knitted lacy lean leafy lit local lone low marble massive
    military miniature mossy mounted multicolored natural neat neon new oblong odd official
    organic ornate oval overcast overgrown packed pale parked patient peaceful peeled plaid plush
    polished portable professional public quaint ragged rainy rectangular red-brick residential
    retro rough royal rural rustic scenic shady shallow shaggy sharp short silent simple single
    skinny sleek sleeping sleepy sliced smooth solid spacious sparse spotless square stainless
    steep sticky stormy straight strange sturdy stylish suburban sunlit sweet tabby tangled
    thick thin tidy tiled tinted torn toy traditional translucent tropical twisted typical
    unfinished unique unmade unusual upright urban used vacant velvet warm watchful weathered
    weird well-lit western wide wild wintry wrinkled yummy
""")

# things that are spoken of and not drawn: the long tail of what people see in a photograph
NOUNS: Final = _words("""
    tree building wall water sidewalk fence window road mirror plate hat shirt door tennis sign
    house sky beach floor counter snow hill shelf lamp sink ocean phone camera box basket pole
    racket wave tray jacket helmet bat lake mountain blanket rug towel pillow cabinet curtain
    tower bridge station store restaurant backpack tie glass fork knife spoon napkin toilet
    stove refrigerator microwave oven keyboard mouse remote monitor speaker candle flower leaf
    branch rock river pond path trail garden yard park playground court field stadium crowd
    train airplane motorcycle scooter tractor wagon cart trailer crane wheel tire engine ladder
    stairs railing porch balcony roof chimney gate arch column statue fountain church castle
    market shop cafe bar kitchen bathroom bedroom office hallway garage barn stable zoo cage
    pen pasture meadow forest jungle desert island shore harbor pier dock marina lighthouse sail
    oar paddle anchor net rope hook fish duck goose swan parrot owl eagle chicken rooster goat
    pig donkey camel zebra bear deer rabbit squirrel monkey tiger lion turtle frog snake spider
    butterfly bee horsefly hay bucket shovel hose sprinkler mower hedge bush shrub grass vine
    cactus palm pine oak tulip rose daisy sunflower lily orchid petal stem seed soil gravel mud
    sand brick tile plank board beam carpet couch ottoman stool dresser nightstand wardrobe
    drawer closet bookcase desk computer printer tablet headphones cable cord charger battery
    radio guitar piano violin drum trumpet microphone stage poster painting photograph frame
    drawing mural graffiti sticker label tag flag banner balloon ribbon bow gift card envelope
    letter stamp newspaper magazine journal calendar map globe ruler pencil marker crayon eraser
    scissors stapler tape glue folder binder briefcase purse wallet key lock chain padlock coin
    bill ticket receipt menu bread toast bagel muffin croissant biscuit pancake waffle cereal
    oatmeal egg bacon sausage ham steak burger fries sandwich hotdog taco burrito noodle pasta
    rice soup stew salad lettuce tomato cucumber pepper onion garlic potato corn pea bean
    broccoli cauliflower cabbage spinach celery mushroom pumpkin squash eggplant radish beet
    lemon lime grape strawberry blueberry raspberry cherry peach pear plum mango pineapple melon
    watermelon kiwi coconut avocado olive nut almond peanut walnut raisin cheese butter yogurt
    cream milk juice coffee tea soda beer wine cocktail whiskey ice sugar salt honey jam syrup
    sauce ketchup mustard mayonnaise vinegar oil spice herb basil parsley mint cinnamon ginger
    cookie brownie pie tart pudding candy chocolate lollipop popcorn chip pretzel cracker dip
    platter saucer teapot kettle pitcher jug jar can carton bag sack wrapper foil skillet pan
    pot wok lid ladle spatula whisk grater peeler strainer blender toaster mixer dishwasher
    faucet drain pipe plunger bathtub shower soap shampoo toothbrush toothpaste comb brush razor
    lotion perfume lipstick nail robe slipper sock shoe boot sandal sneaker heel glove mitten
    scarf coat sweater hoodie vest suit tuxedo dress skirt blouse jeans shorts pajamas swimsuit
    bikini wetsuit uniform apron belt buckle button zipper pocket collar sleeve hood cap visor
    crown mask goggles sunglasses glasses watch bracelet necklace ring earring jewelry tattoo
    beard mustache ponytail wig face eye nose mouth tooth tongue ear hair neck shoulder arm
    elbow hand finger thumb leg knee foot toe tail paw claw hoof horn antler tusk trunk mane
    feather wing beak fin shell fur wool saddle bridle rein leash bowl kennel aquarium nest
    birdhouse feeder beehive tent hammock campfire grill picnic cooler lantern flashlight
    compass canoe kayak raft yacht ferry ship submarine surf wetland creek waterfall cliff cave
    canyon valley glacier volcano cloud rainbow storm lightning fog mist sunrise sunset moon
    star planet shadow reflection puddle ripple bubble splash foam tide goalpost goal glovebox
    pitch mound base plate umpire referee coach batter catcher pitcher goalie skier snowboarder
    surfer skater cyclist rider jockey runner swimmer diver golfer boxer wrestler dancer singer
    musician artist painter sculptor chef waiter waitress bartender baker butcher farmer gardener
    carpenter plumber electrician mechanic driver pilot sailor soldier officer policeman fireman
    doctor nurse dentist teacher student lawyer judge mayor president king queen prince bride
    groom toddler infant grandmother grandfather uncle aunt cousin neighbor friend couple family
    team audience spectator passenger pedestrian commuter shopper vendor clerk cashier customer
    skate sled ski snowboard snowmobile lift slope ramp rail halfpipe trampoline swing slide
    seesaw carousel rollercoaster arcade cinema theater museum library school classroom
    chalkboard blackboard hospital clinic pharmacy bank hotel motel lobby elevator escalator
    airport runway terminal hangar helicopter jet propeller parachute glider blimp rocket
    satellite antenna telescope microscope laboratory factory warehouse crate pallet forklift
    conveyor barrel drum tank pump valve gauge meter switch outlet bulb chandelier fan heater
    radiator fireplace mantel vent thermostat alarm siren hydrant cone barrier curb crosswalk
    intersection roundabout highway freeway overpass tunnel subway tram trolley streetcar taxi
    limousine ambulance firetruck van minivan jeep convertible racecar motorbike moped tricycle
    wheelchair stroller crib cradle highchair pacifier bottlecap diaper rattle doll puppet robot
    puzzle domino dice chess checkers lego kite yoyo marble jumprope hoop dart arrow bowstring
    sword shield armor cannon pistol rifle holster badge trophy medal certificate diploma
    sculpture pottery quilt tapestry lace embroidery loom spindle anvil hammer screwdriver wrench
    pliers saw drill axe rake hoe wheelbarrow compost greenhouse orchard vineyard windmill silo
    scarecrow fencepost trough well bonfire cabin cottage mansion palace temple mosque shrine
    pagoda pyramid monument memorial cemetery tombstone plaza courtyard alley boulevard avenue
    skyline skyscraper apartment condo penthouse attic basement cellar pantry laundry washer
    dryer hamper hanger iron vacuum broom mop dustpan sponge detergent bleach trashcan dumpster
    recycling compactor shredder copier scanner projector screen joystick console controller
    headset keypad trackpad stylus laptop smartphone pager walkie-talkie payphone mailbox
    doorbell doormat doorknob hinge windowsill blinds shutter awning canopy umbrella parasol gazebo
    pergola trellis deck patio driveway birdbath sandbox wading-pool hot-tub sauna gym treadmill
    dumbbell barbell yoga-mat punching-bag scoreboard bleachers dugout locker whistle stopwatch
    baton javelin hurdle pommel snorkel flipper lifeguard lifejacket buoy jellyfish starfish
    seahorse dolphin whale shark seal walrus penguin pelican seagull heron flamingo peacock
    turkey pigeon sparrow robin crow raven hawk falcon vulture bat-house fox wolf coyote raccoon
    skunk badger beaver otter weasel hedgehog porcupine kangaroo koala panda leopard cheetah
    jaguar panther hyena buffalo bison moose elk antelope gazelle rhino hippo llama alpaca
    gorilla chimpanzee orangutan baboon lizard gecko iguana chameleon crocodile alligator toad
    salamander snail slug worm caterpillar moth dragonfly ladybug beetle ant mosquito
""")

PLURALS: Final = _words("""
    trees buildings windows plates chairs cars people flowers signs lights books clouds birds
    wheels boats bikes mountains houses rocks candles pictures pillows lamps vegetables leaves
    animals shelves doors glasses towels bags toys shoes toppings kites waves bananas slices
    umbrellas horses sheep cows elephants zebras giraffes dogs cats computers screens spoons forks
    knives cups bowls bottles stripes buttons fingers legs stairs steps poles wires benches buses
    trucks planes trains motorcycles flags balloons tables beds sinks mirrors drawers cabinets
    knobs tiles bricks planks posts rails hats helmets shirts ties watches rings carrots apples
    oranges donuts cakes cookies sandwiches eggs tomatoes olives onions peppers potatoes bottles
    players skiers surfers children men women boys girls babies couples riders
""")

VIEWS: Final = _words("""
    picture photo view image group close-up couple row bunch shot photograph scene display
    collection pair line pile portrait snapshot painting
""")

# how one thing stands to another, common ones repeated
BESIDE: Final = (
    *("with",) * 11,
    *("and",) * 10,
    *("next to", "next to", "near", "in front of", "by", "behind", "on top of"),
    *("beside", "holding", "looking at", "surrounded by", "covered in", "over", "around"),
    *("against", "filled with", "between", "along with", "without", "under", "through"),
)

ACTIVITIES: Final = _words("""
    sitting standing holding riding playing walking looking wearing eating flying laying watching
    running talking smiling working reading cooking sleeping waiting swimming driving jumping
    surfing skiing skating throwing catching hitting cutting cleaning drinking pulling pushing
    climbing grazing resting posing reaching leaning crossing brushing feeding petting painting
    shopping singing dancing drawing writing typing texting kneeling crouching bending stretching
    juggling fishing hiking camping rowing sailing paddling diving boarding landing taking-off
    racing chasing hiding sniffing licking scratching barking grooming nursing bathing drying
    washing folding ironing sewing knitting baking frying grilling mixing pouring stirring serving
    carrying lifting loading unloading digging planting watering raking mowing chopping building
    repairing hammering drilling measuring pointing waving clapping cheering laughing crying
    yawning sneezing shouting whispering kissing hugging wrestling boxing kicking dribbling
    batting pitching bowling golfing cycling skateboarding snowboarding parachuting gliding
""")

TIMES: Final = (
    "on a sunny day",
    "at night",
    "on a cloudy day",
    "during the day",
    "in the rain",
    "in the snow",
    "at sunset",
    "in the morning",
    "in the afternoon",
    "in the evening",
    "in winter",
    "on a warm summer day",
    "at dusk",
    "early in the morning",
    "on a windy day",
    "in autumn",
)

TAILS: Final = (
    "in the background",
    "in the background",
    "in the foreground",
    "together",
    "side by side",
    "in the distance",
    "in the middle",
    "all by itself",
    "in a row",
    "outside",
    "up close",
    "in the sun",
    "in the air",
    "on the ground",
    "on the side",
    "on each side",
    "that is very old",
    "for the camera",
    "looking at the camera",
    "as people walk by",
    "while others watch",
    "in black and white",
    "waiting for food",
    "in the corner",
    "at the end of the day",
)

VAGUE: Final = (
    "A picture of some stuff.",
    "This is an image of a place with some things in it.",
    "There are many different things to see in this picture.",
    "An odd photo of something that is hard to make out.",
    "I am not sure what is going on here but it looks nice.",
    "The image shows a typical scene of every day life.",
    "Some things and other things placed in a certain spot.",
    "It is what it looks like in this photograph.",
    "Unable to see the image above, please fix it.",
    "There is no image here to provide a caption for.",
)

SIGN_TEXTS: Final = (
    "EXIT 12",
    "MAIN STREET",
    "NO PARKING",
    "ONE WAY",
    "OPEN",
    "CAFE",
    "HOTEL",
    "YIELD",
    "BUS STOP",
    "PARK AVENUE",
    "HARBOR ROAD",
    "SLOW",
    "EXIT 7",
    "KM 98",
    "OAK STREET",
    "PARKING",
    "2ND AVENUE",
    "FARM MARKET",
    "TAXI",
    "LIBRARY",
    "SPEED LIMIT 30",
    "ROUTE 66",
    "BEACH ROAD",
    "WELCOME",
    "STATION",
    "NO ENTRY",
    "FOR SALE",
    "TICKETS",
)

_STARTS = _words("""
    Alder Ash Bel Black Bram Brook Carl Chester Clay Cor Crest Dal Darn Del Dun East Ell Fair Fern
    Fox Gar Glen Gran Hal Hart Haw Hazel Hol Kel Kirk Lan Lin Mal Mar Mel Nor Oak Pem Quill Ren
    Rock Ros Sher Stan Thorn Tor Val Wel West Win Bar Berk Bur Cam Cob Cran Dover Eden Farn Grim
    Hamp Horn Ing Jas Ken Lang Lud Mans Nash Ock Pax Pres Quin Ray Sal Sel Swin Tam Ul Wex Yar Zen
""")
_ENDS = _words("""
    ford ton ville wick burg by dale field ham haven hurst land ley mere mont more port ridge
    shire side stead stone worth bank brook bridge gate grove hill mart tech co soft line
    works air cola way star ex ora ino ella ette ium and on ster wood bourne cliff combe cote den
    fax glen holm kirk ling low minster moor ness over pool rick sett stow thorpe wold
""")
# names of towns, streets and makes, which give the vocabulary its long tail
NAMES: Final = tuple(start + end for end in _ENDS for start in _STARTS)
