"""The closed vocabulary of Stellar Nexus cards: kinds with their figures, the five factions (STN-FAC-1), effects.

`cost` is how many resources a requisition engages, `cap` how many the card's active ability engages (I-STN-01).
"""

from __future__ import annotations

from engine.core.abilities.language import OPERATIONS, SELECTOR, STATICS, Language
from engine.core.cards.catalog import Vocabulary

CREATURE, EPHEMERE, EQUIPEMENT = "créature", "éphémère", "équipement"
RESSOURCE, HEROS, JETON = "ressource", "héros", "jeton"

REQUISITIONS = (CREATURE, EPHEMERE, EQUIPEMENT)  # the kinds of card in a library (STN-BIB-1)
FIGHTING = (CREATURE, JETON)
FACTIONS = ("Dam'Nareh", "Kerns", "Hilotes", "Rayjis", "Cypios")

KINDS = {
    CREATURE: ("cost", "atk", "end"),
    EPHEMERE: ("cost",),
    EQUIPEMENT: ("cost",),
    RESSOURCE: (),
    HEROS: ("pv",),
    JETON: ("atk", "end"),
}
UNUSED = ("move", "swap", "divide", "grant")  # operations of the core that no card of this game may use

LANGUAGE = Language(
    triggers=(
        "played",
        "entered",
        "left",
        "destroyed",
        "attack_declared",
        "blocked",
        "start_turn",
        "end_turn",
        "activated",
        "paid_affinity",
        "paid_dissonance",
    ),
    operations={
        **{name: fields for name, fields in OPERATIONS.items() if name not in UNUSED},
        "damage": {"of": "selector!", "n": "amount!"},
        "heal": {"of": "selector!", "n": "amount!"},
        "exhaust": {"of": "selector!"},
        "ready": {"of": "selector!"},
        "marker": {"of": "selector!", "n": "amount!"},
        "cancel": {"what": "cancellable!"},
    },
    selector={
        **{key: kind for key, kind in SELECTOR.items() if key not in ("in", "beside", "keyword")},
        "host": "flag",
    },
    statics={name: fields for name, fields in STATICS.items() if name != "grant"},
    events=("destroyed", "returned", "draw"),
    words={
        "counter": ("pv",),
        "stat": ("atk", "end"),
        "zone": ("field", "equipment", "resources", "discard"),
        "kind": tuple(KINDS),
        "forbidden": ("attack", "block", "play", "activate"),
        "duration": ("turn", "phase", "while_source"),
        "cancellable": ("requisition", "ability"),
    },
)

VOCABULARY = Vocabulary(
    kinds=KINDS,
    factions=FACTIONS,
    keywords=(),
    enforced=(),
    commander=HEROS,
    optional=("cap",),
    language=LANGUAGE,
)
