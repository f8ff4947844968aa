"""The closed vocabulary of Star Safir cards: kinds and figures, factions, keywords (SAF-III-1, SAF-VII)."""

from __future__ import annotations

from engine.core.abilities.language import OPERATIONS, Language
from engine.core.cards.catalog import Vocabulary

# Tokens fight as fighters do and take fighter slots (SAF-III-8).
FIGHTING = ("combattant", "jeton")

KEYWORDS = (
    "En jeu",
    "Destruction",
    "Silence",
    "Vol vie",
    "Seconde Vie",
    "Rempart",
    "Rempart+",
    "Double ATK",
    "Transformation",
    "Caché",
    "Adjacent",
    "Bloquer",
    "Déplacer",
    "Renvoyer",
    "Ressusciter",
    "Diviser",
)
ACTING = ("Vol vie", "Seconde Vie", "Rempart", "Rempart+", "Double ATK")  # keywords that a card may grant to another

KINDS = {
    "combattant": ("atk", "val", "def"),
    "magie": ("val",),
    "jeton": ("atk", "val", "def"),
    "commandant": (),
}

LANGUAGE = Language(
    triggers=(
        "played",
        "entered",
        "left",
        "arrived",
        "destroyed",
        "attack_declared",
        "attacked",
        "start_game",
        "start_turn",
        "phase:invocation",
        "phase:combat",
        "end_turn",
        "activated",
    ),
    operations={**OPERATIONS, "block": {"of": "selector!", "for": "duration"}},
    events=("destroyed", "returned", "draw"),
    words={
        "counter": ("pi", "pv"),
        "stat": ("atk", "val", "def"),
        "zone": ("fighters", "magics", "discard", "territory"),
        "kind": tuple(KINDS),
        "keyword": KEYWORDS,
        "grantable": ACTING,
        "forbidden": ("attack", "move", "play", "reveal", "sacrifice", "activate"),
        "duration": (
            "turn",
            "phase",
            "opposing_turn",
            "own_turn",
            "while_source",
            "until:start_turn",
            "until:arrived",
            "permanent",
        ),
    },
    forms=("Transformation",),
    bound={"destroyed": "Destruction", "end_turn": "En jeu", "static": "En jeu"},
    borne={**dict.fromkeys((*ACTING, "Transformation"), FIGHTING), "Caché": ("magie",)},
)

VOCABULARY = Vocabulary(
    kinds=KINDS,
    factions=(
        "Aqua",
        "Chaos",
        "Ciel",
        "Nature",
        "Ange",
        "Cosmic",
        "Démon",
        "Dragon",
        "Forêt",
        "Glace",
        "Humain",
        "Orc",
        "Vampire",
    ),
    keywords=KEYWORDS,
    enforced=KEYWORDS,
    commander="commandant",
    tokens="jeton",
    optional=("cost",),
    language=LANGUAGE,
)
