"""The closed vocabulary of Wakfu cards: kinds with their figures, elements (WAK-CHA-1, WAK-CHA-2, WAK-TYP-1), effects.

The kinds of the 2011 edition, of which only the deck rules are implemented, stand beside those of 2008.
"""

from __future__ import annotations

from engine.core.abilities.language import OPERATIONS, SELECTOR, STATICS, Language
from engine.core.cards.catalog import Vocabulary

LEADER, GENERATOR, CREATURE, ALLY, QUEST, EFFECT, EQUIPMENT = (
    "leader", "générateur", "créature", "allié", "quête", "effet", "équipement",
)  # fmt: skip
FIGHTING = (CREATURE, ALLY)
KINDS_2008 = (LEADER, GENERATOR, CREATURE, ALLY, QUEST, EFFECT, EQUIPMENT)
HEROS, SAC, PROTECTEUR = "héros", "havre-sac", "protecteur"
KINDS_2011 = (HEROS, SAC, PROTECTEUR, ALLY, EQUIPMENT, "action", "zone", "salle")

ELEMENTS = ("Terre", "Eau", "Feu", "Air")

INSTANT = "instant"
TIMINGS = (INSTANT, "mouvement", "attaque", "blocage", "combat")

UNUSED = ("token", "swap", "grant", "cancel")  # operations of the core that no card of this game may use

LANGUAGE = Language(
    triggers=("played", "entered", "left", "destroyed", "attack_declared", "block_declared", "end_turn"),
    operations={
        **{name: fields for name, fields in OPERATIONS.items() if name not in UNUSED},
        "exhaust": {"of": "selector!"},
        "ready": {"of": "selector!"},
    },
    selector={key: kind for key, kind in SELECTOR.items() if key not in ("in", "beside", "faction", "keyword")},
    statics={name: STATICS[name] for name in ("stat", "forbid")},
    events=("destroyed", "returned", "draw"),
    words={
        "counter": ("pv",),
        "stat": ("patt", "drop", "pa", "pm"),
        "zone": ("combat", "rest", "mat", "leader", "equipment", "discard"),
        "kind": KINDS_2008,
        "forbidden": ("attack", "block", "move", "play", "engage"),
        "duration": ("turn", "opposing_turn", "own_turn", "while_source", "permanent"),
    },
)

VOCABULARY = Vocabulary(
    kinds={
        LEADER: ("pv", "pa", "pm", "patt"),
        GENERATOR: (),
        CREATURE: ("patt", "drop"),
        ALLY: ("patt", "drop"),
        QUEST: (),
        EFFECT: (),
        EQUIPMENT: (),
        HEROS: (),
        SAC: (),
        PROTECTEUR: (),
        "action": (),
        "zone": (),
        "salle": (),
    },
    factions=(),
    keywords=(),
    enforced=(),
    commander=LEADER,
    sideboard=True,
    language=LANGUAGE,
    words={"timing": TIMINGS, "limit": ("unique",)},
    amounts={"cost": ELEMENTS, "mana": ELEMENTS, "bonus": ("patt", "pa", "pm")},
)
