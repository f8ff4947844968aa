"""The closed vocabulary of Saint Seiya cards: kinds, figures, classes, ranks (SSD-CLA-1, SSD-COU-0, SSD-VAL-1)."""

from __future__ import annotations

from engine.core.cards import Vocabulary
from engine.core.effects.language import OPERATIONS, SELECTOR, STATICS, Language

HEROS, EVOLUE, BRONZE = "héros", "héros-chevalier", "armure de bronze"
PERSONNAGE, ARMURE, RELIQUE = "personnage", "armure", "relique"
PILIER, EPOPEE = "pilier", "épopée"
PACKET = (HEROS, EVOLUE, BRONZE)
FACING = (HEROS, EVOLUE, PERSONNAGE)  # what is played to confront a card
WORN = (BRONZE, ARMURE)
MARKET = (PERSONNAGE, ARMURE, RELIQUE)  # what the reserve is made of

FORCE, COSMOS, SOIN = "force", "cosmos", "soin"
COSTS = {FORCE: "cost_force", COSMOS: "cost_cosmos"}
FLAMME, SAPHIR = "Chevalier d'Or", "Guerrier Divin"  # classes whose cards move a counter when they leave the terrain
MARINA = "Général Marina"  # whose acquisition puts a pillar in play
WOUND, FROST, TOKEN = "wound", "frost", "token"

FIGHTS, CHANNELS = "Verrou Force", "Verrou Cosmos"
USED_UP = ("détruire", "défausser", "blesser", "geler")  # effects that cost the card itself
TRIGGERS = ("mise_en_jeu", *USED_UP, "marqué", "vaincu", "sortie", "arrivée")

RANKS = ("Très Commun", "Commun", "Peu Commun", "Rare", "Très Rare")
CLASSES = (
    "Héros", "Héros Transcendé", "Chevalier de Bronze", "Chevalier d'Argent", "Chevalier d'Or", "Chevalier Noir",
    "Chevalier d'Acier", "Chevalier Fantôme", "Chevalier sans constellation", "Armure de Bronze", "Armure d'Or",
    "Armure", "Garde", "Guerrier", "Guerrier Divin", "Marina", "Général Marina", "Relique", "Pilier", "Epopée",
)  # fmt: skip

UNSEEN = ("reserve", "hand")  # zones that an effect may name although nobody sees their cards
CHOSEN = "chosen"  # one other player, whom the player of the effect names

KEPT = ("choose", "may", "if", "seq", "each", "gain", "lose", "draw", "reveal", "manual")
LANGUAGE = Language(
    triggers=TRIGGERS,
    operations={
        **{name: OPERATIONS[name] for name in KEPT},
        "discard": {"n": "amount!", "from": "hand|any", "who": "whom"},
        "destroy": {"of": "selector!"},
        "wound": {"of": "selector!"},
        "freeze": {"of": "selector!"},
        "heal": {"of": "selector!"},
        "remove": {"of": "selector!"},
        "acquire": {"of": "selector!", "to": "hand|discard"},
        "fill": {},
    },
    selector={key: kind for key, kind in SELECTOR.items() if key not in ("in", "beside", "keyword")},
    statics={
        "cost": STATICS["cost"],
        "stat": STATICS["stat"],
        "forbid": STATICS["forbid"],
        "points": {
            "points": "change!", "when": "each|any|most", "group": "number", "of": "owned|destroyed", "class": "text",
            "named": "text", "rank": "rank", "distinct": "flag", "classless": "flag",
        },
    },
    words={
        "counter": ("flames", "sapphires"),
        "stat": (FORCE, COSMOS, SOIN),
        "zone": ("terrain", "play", "marked", "armour", "relics", "reserve_discard", *UNSEEN, "discard"),
        "whom": ("controller", "opponent", "both", CHOSEN),
        "kind": (HEROS, EVOLUE, BRONZE, *MARKET),
        "forbidden": ("acquire", "face"),
        "rank": RANKS,
    },
    hidden=UNSEEN,
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
    words={"rank": RANKS, "hero": ()},
)  # fmt: skip
