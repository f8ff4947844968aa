"""The closed vocabulary of Saint Seiya cards: kinds, figures, classes, ranks (SSD-CLA-1, COU-0, VAL-1)."""

from __future__ import annotations

from engine.core.cards import Vocabulary
from engine.core.effects.language import OPERATIONS, SELECTOR, STATICS, Language

HEROS, EVOLUE, BRONZE = "héros", "héros-chevalier", "armure de bronze"
PERSONNAGE, ARMURE, RELIQUE = "personnage", "armure", "relique"
PILIER, EPOPEE = "pilier", "épopée"
PACKET = (HEROS, EVOLUE, BRONZE)
FACING = (HEROS, EVOLUE, PERSONNAGE)  # characters, played to confront a card
WORN = (BRONZE, ARMURE)
MARKET = (PERSONNAGE, ARMURE, RELIQUE)  # kinds of card in the reserve

FORCE, COSMOS, SOIN = "force", "cosmos", "soin"
COSTS = {FORCE: "cost_force", COSMOS: "cost_cosmos"}
FLAMME, SAPHIR = "Chevalier d'Or", "Guerrier Divin"  # leaving the terrain moves a counter
MARINA = "Général Marina"  # acquiring one puts a pillar in play (SSD-GM-1)
WOUND, FROST, TOKEN = "wound", "frost", "token"

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

# Operations of the core that cards of this game may use as they are.
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
