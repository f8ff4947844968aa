"""The closed vocabulary of Saint Seiya cards: kinds, figures, classes, ranks (SSD-CLA-1, COU-0, VAL-1)."""

from __future__ import annotations

from engine.core.abilities.language import OPERATIONS, SELECTOR, STATICS, Fields, Language
from engine.core.cards.catalog import Vocabulary

HEROS, EVOLUE, BRONZE = "héros", "héros-chevalier", "armure de bronze"
PERSONNAGE, ARMURE, RELIQUE = "personnage", "armure", "relique"
PILIER, EPOPEE = "pilier", "épopée"
PACKET = (HEROS, EVOLUE, BRONZE)
FACING = (HEROS, EVOLUE, PERSONNAGE)  # characters, played to confront a card
WORN = (BRONZE, ARMURE)
MARKET = (PERSONNAGE, ARMURE, RELIQUE)  # kinds of card in the reserve

FORCE, COSMOS, SOIN = "force", "cosmos", "soin"
COSTS = {FORCE: "cost_force", COSMOS: "cost_cosmos"}
# What the rules call a Personnage, an Armure and a Relique, by the kinds that are one.
TYPES = {PERSONNAGE: FACING, ARMURE: WORN, RELIQUE: (RELIQUE,)}
FLAMME, SAPHIR = "Chevalier d'Or", "Guerrier Divin"  # leaving the terrain moves a counter
MARINA = "Général Marina"  # acquiring one puts a pillar in play (SSD-GM-1)
WOUND, FROST, TOKEN = "wound", "frost", "token"
# Lasting effects: a card can also be acquired by this mode, for what it costs by the other.
OPENED = {FORCE: "open_force", COSMOS: "open_cosmos"}
FOUGHT = "fought"  # the mark of the cards that fought the card acquired last, if its Vaincu may ask for them

# Keywords of the heroes whose Mise en Jeu obliges them to acquire by one mode (SSD-VER-1, SSD-VER-2).
FIGHTS, CHANNELS = "Verrou Force", "Verrou Cosmos"
USED_UP = ("détruire", "défausser", "blesser", "geler")  # effects that cost the card itself
TRIGGERS = ("mise_en_jeu", *USED_UP, "marqué", "vaincu", "sortie", "arrivée")

RANKS = ("Très Commun", "Commun", "Peu Commun", "Rare", "Très Rare")
CLASSES = (
    "Héros", "Héros Transcendé", "Chevalier de Bronze", "Chevalier d'Argent", "Chevalier d'Or", "Chevalier Noir",
    "Chevalier d'Acier", "Chevalier Fantôme", "Chevalier sans constellation", "Armure de Bronze", "Armure d'Or",
    "Armure", "Garde", "Guerrier", "Guerrier Divin", "Marina", "Général Marina", "Relique", "Pilier", "Epopée",
)  # fmt: skip

UNSEEN = ("reserve", "hand")  # zones that effects can name although their cards are hidden
CHOSEN = "chosen"  # one other player, named by the player of the effect
ANYONE = "anyone"  # one player, perhaps the player of the effect
NARROW = ("named", "not_named", "class", "rank", "type", "above")  # keys of a selector that ask what a card is
RELATED = ("alongside", "beside", "faced", "spot", "top")  # keys that ask what a card confronts, or where it lies

# Operations of the core that cards of this game may use as they are.
KEPT = ("choose", "may", "if", "seq", "each", "gain", "lose", "draw", "look", "reveal", "search", "manual")
THEN: Fields = {"of": "selector!", "then": "operations", "puis": "flag"}
WHILE: Fields = {"while": "play|terrain"}
LANGUAGE = Language(
    triggers=TRIGGERS,
    operations={
        **{name: OPERATIONS[name] for name in KEPT},
        "discard": {**THEN, "of": "selector", "n": "amount", "from": "hand|any", "who": "whom"},
        "destroy": THEN,
        "wound": THEN,
        "freeze": THEN,
        "heal": THEN,
        "remove": THEN,
        "acquire": {**THEN, "to": "hand|discard"},
        "return": THEN,
        "put": {**THEN, "to": "discard|deck!"},
        "shuffle_in": {**THEN, "to": "reserve|deck!"},
        "exchange": THEN,
        "swap": THEN,
        "buff": {**OPERATIONS["buff"], **THEN},
        "fill": {"at": "it"},
        "open": {**THEN, "mode": "way!", "for": "duration"},
        "newcomers": {"stat": "stat!", "n": "amount!", "for": "duration!"},
        "players": {"who": "table!", "do": "operations!"},
    },
    selector={
        **{key: kind for key, kind in SELECTOR.items() if key not in ("in", "keyword", "by", "side")},
        "by": "chooser",
        "side": "own|opposing|any|active",
        "marks": "marks",
        "named": "text",
        "not_named": "text",
        "class": "text",
        "rank": "ranks",
        "type": "type",
        "above": "flag",
        "alongside": "flag",
        "faced": "flag",
        "spot": "first|last",
        "top": "number",
        "identical": "flag",
    },
    statics={
        "cost": {"cost": "change!", "mode": "way", "each": "selector", "with": "selector", "to": "selector!", **WHILE},
        "offer": {"offer": "way!", "at": "number!", "with": "selector", "to": "selector!", **WHILE},
        "stat": {**STATICS["stat"], **WHILE},
        "double": {"double": "stat!", "to": "selector!", **WHILE},
        "forbid": {**STATICS["forbid"], **WHILE},
        "fighters": {"fighters": "number!", "to": "selector!", **WHILE},
        "toll": {"toll": "number!", "to": "selector!", **WHILE},
        "points": {
            "points": "change!", "when": "each|any|most", "group": "number", "of": "owned|destroyed", "class": "text",
            "named": "text", "rank": "ranks", "distinct": "flag", "classless": "flag",
        },
    },
    words={
        "counter": ("flames", "sapphires"),
        "stat": (FORCE, COSMOS, SOIN, *COSTS.values()),
        "zone": (
            "terrain", "play", "marked", "armour", "relics", "reserve_discard", *UNSEEN, "discard", "aside",
            "destroyed", "deck",
        ),
        "whom": ("controller", "opponent", "both", CHOSEN),
        "table": ("opponent", "both", CHOSEN, ANYONE),
        "chooser": ("controller", "opponent", "random", "active"),
        "way": (FORCE, COSMOS),
        "type": tuple(TYPES),
        "kind": (HEROS, EVOLUE, BRONZE, *MARKET),
        "mark": (WOUND, FROST, TOKEN, FOUGHT),
        "forbidden": ("acquire", "face", "wound", "heal"),
        "duration": ("turn", "permanent"),
        "rank": RANKS,
        "gap": ("I-SSD-15", "I-SSD-18", "I-SSD-20", "I-SSD-22"),
    },
    hidden=UNSEEN,
    shown=("hand",),
)  # fmt: skip

VOCABULARY = Vocabulary(
    kinds={
        HEROS: (), EVOLUE: (), BRONZE: (), PERSONNAGE: (), ARMURE: (), RELIQUE: (), PILIER: (), EPOPEE: (),
    },
    factions=CLASSES,
    keywords=(FIGHTS, CHANNELS),
    enforced=(FIGHTS, CHANNELS),
    language=LANGUAGE,
    optional=(FORCE, COSMOS, SOIN, "cost_force", "cost_cosmos", "pv", "copies"),
    signed=("pv",),
    words={"rank": RANKS, "hero": (), "set": ()},
)  # fmt: skip
