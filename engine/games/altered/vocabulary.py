"""The closed vocabulary of Altered cards: kinds, figures, factions, and the words their abilities are written in.

`main` and `reserve` are the costs from the hand and from the Reserve, `quick` that of the quick action (absent: the
card is exhausted for it). All figures are optional: a list without figures still makes a catalogue for deck checks.
Boards show the figures that are there.
"""

from __future__ import annotations

from engine.core.abilities.language import OPERATIONS, SELECTOR, STATICS, Language
from engine.core.cards.catalog import Vocabulary
from engine.games.altered.references import REFERENCES
from engine.games.altered.versions import VERSIONS

HEROS, PERSONNAGE, SORT, PERMANENT = "héros", "personnage", "sort", "permanent"
JETON, MANA, TUMULTE = "jeton", "mana", "tumulte"

PLAYED = (PERSONNAGE, SORT, PERMANENT)
CHARACTERS = (PERSONNAGE, JETON)
FACTIONS = ("AX", "BR", "LY", "MU", "OR", "YZ", "NE")  # NE: of no faction
RARITIES = ("common", "rare", "unique", "exalted")
TYPES = ("foret", "montagne", "eau")  # types of a region, and of a character's statistics
FUGACE, DEFENSEUR, ETERNEL, GIGANTESQUE, AGUERRI = "Fugace", "Défenseur", "Éternel", "Gigantesque", "Aguerri"
COOLDOWN = "Rafraîchissement"  # the spell is exhausted as it goes to the Reserve (Complete Rules 3.0, 7.4.1)
# Each is an ability of its own, even on a shared line (ALT-1.2.4.b).
KEYWORDS = (FUGACE, DEFENSEUR, ETERNEL, GIGANTESQUE, AGUERRI, COOLDOWN)
SCOUT = "reperage"  # the figure of a card that may be played from hand for that many orbs (7.4.5)
JOINS, EXPEDITION = "joins", "expedition"  # the word of a Permanent that joins an expedition (5.2.2)
COUNTERS = "compteur"  # the counters on a card, whatever the card calls them; as a figure, those it begins with
ZEROS = "zeros"  # the figure that counts the printed statistics of a card that are 0
MARKS = ("boost", "fugace", "ancre", "endormi", "epuise", COUNTERS)

COSTS = ("main", "reserve", "quick", SCOUT)
LIMITS = ("reserve_limit", "landmark_limit")  # of a hero
USED = (
    "gain", "lose", "draw", "discard", "look", "reveal", "search", "shuffle", "destroy", "return", "token", "buff",
    "cannot", "seq", "each", "may", "if", "choose", "roll", "manual",
)  # fmt: skip

LANGUAGE = Language(
    triggers=(
        "played", "played_hand", "played_reserve", "entered", "left", "destroyed", "sacrificed", "reserved", "boosted",
        "advanced", "stalled", "stalled_rest", "left_reserve", "activated", "support",
        "phase:matin", "phase:midi", "phase:crepuscule", "phase:nuit",
        *(f"advanced:{key}" for key in TYPES),
    ),
    operations={
        **{name: OPERATIONS[name] for name in USED},
        "boost": {"of": "selector!", "n": "amount!"},
        "anchor": {"of": "selector!"},
        "sleep": {"of": "selector!"},
        "fleeting": {"of": "selector!"},
        "exhaust": {"of": "selector!"},
        "ready": {"of": "selector!"},
        "to_reserve": {"of": "selector", "n": "number", "may": "flag", "do": "operations"},
        "to_mana": {"of": "selector!"},
        "unmark": {"of": "selector!", "mark": "mark!"},
        "counter": {"of": "selector!", "n": "amount!"},
        "sacrifice": {"of": "selector!", "who": "who"},
        "switch": {"of": "selector!"},
        "halt": {"at": "any|all!", "for": "duration!"},
        "march": {"at": "expedition!", "n": "change!"},
        "activate": {"of": "selector!", "what": "reaction!"},
        "next": {"of": "selector!", "cost": "change", "do": "operations", "for": "duration!"},
        "end_turn": {},
        "token": {**OPERATIONS["token"], "at": "here|adjacent|heros|compagnon"},
        "augment": {"of": "selector!"},
        "double": {"of": "selector!", "mark": "counted!"},
        "exchange": {"of": "selector!", "with": "selector!"},
        "resupply": {"n": "amount!", "who": "who", "exhausted": "flag"},
        "mana": {"n": "amount!", "who": "who"},
        "inner": {"cost": "price!", "must": "flag", "targets": "targets", "do": "operations!"},
        "aim": {"target": "target_number!", "do": "operations!"},
        "target": {"number": "target_number!", "targets": "targets!"},
    },
    selector={
        **{key: kind for key, kind in SELECTOR.items() if key not in ("beside", "keyword")},
        "subtype": "text",
        "marks": "marks",
        "target": "target_number",
        "total": "where",  # of what is chosen together
    },
    statics={
        **STATICS,
        "halt": {"halt": "here|adjacent!"},  # those expeditions of both players do not advance
        "tough": {"tough": "amount!", "to": "selector!"},  # targeting the card costs the opponent so many orbs more
        "least": {"least": "number!", "to": "selector!"},  # what it reaches costs at least so many orbs
        "playable": {"playable": "discard!"},  # the card itself may be played from this zone (ALT-1.2.4.d.3)
    },
    words={
        "counter": ("heros", "compagnon"),
        "stat": TYPES,
        "figure": (*TYPES, "main", "reserve", "boost", COUNTERS, ZEROS),
        "phase": ("matin", "midi", "apres-midi", "crepuscule", "nuit"),
        "zone": (
            "expeditions", "heros", "compagnon", "landmarks", "mat", "reserve", "hero", "discard", "mana", "hand",
        ),
        "mark": MARKS,
        "counted": ("boost", COUNTERS),
        "grantable": (DEFENSEUR, ETERNEL, GIGANTESQUE, AGUERRI),
        "reaction": ("played_hand", "played_reserve", "entered"),
        "expedition": ("heros", "compagnon", "here", "adjacent", "facing", "any"),
        "kind": (HEROS, PERSONNAGE, SORT, PERMANENT, JETON, MANA, TUMULTE),
        "forbidden": ("play", "quick"),
        "duration": ("turn", "phase", "until:end_turn", "while_source", "permanent"),
    },
    declared={"targets": "targets", "modes": "modes", "cost": "price", "once": "flag", "its": "flag"},
    price={
        "mana": "number", "exhaust": "flag", "counters": "number", "discard": "number", "shelve": "number",
        "sacrifice": "selector",
    },
    hidden=("mana", "hand"),
)  # fmt: skip

VOCABULARY = Vocabulary(
    kinds={HEROS: (), PERSONNAGE: (), SORT: (), PERMANENT: (), JETON: (), MANA: (), TUMULTE: ()},
    factions=FACTIONS,
    keywords=KEYWORDS,
    enforced=KEYWORDS,
    commander=HEROS,
    language=LANGUAGE,
    optional=(*COSTS, *TYPES, *LIMITS, COUNTERS),
    shown=TYPES,
    unlisted=REFERENCES,
    versions=VERSIONS,
    words={"rarity": RARITIES, "set": (), "unique": (), JOINS: (EXPEDITION,)},
    amounts={"ouest": TYPES, "est": TYPES},
)
