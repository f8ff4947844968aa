"""What a card shows besides the figures in force: its name, its kind, its cost, its colour and perhaps a picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

HUES = 12  # colours in board.css
NO_IMAGES: Mapping[str, str] = {}
# Factions whose colour players know. The others get one of the colours, always the same.
KNOWN = {"AX": 1, "BR": 0, "LY": 10, "MU": 4, "OR": 7, "YZ": 9}


@dataclass(frozen=True)
class Face:
    """The face of a card.

    `hue` is the number of a colour, or None for a card without a faction. `image` is the address of a picture that this
    site allows, or empty.
    """

    name: str
    kind: str = ""
    cost: str = ""
    hue: int | None = None
    image: str = ""


Faces = Callable[[str], Face | None]


def face(card: Any, language: str, image: str = "") -> Face:
    """Return the face of a card of the engine (`engine.core.cards.card.Card`) in a language."""
    return Face(card.name_in(language), card.kind, cost(card), hue(card.factions), image)


def faces_of(cards: Mapping[str, Any], language: str, images: Mapping[str, str] = NO_IMAGES) -> Faces:
    """Return a function from a ref to the face of a card of the engine in a language; None for an unknown ref.

    `images` are addresses by ref, of hosts that this site allows.
    """

    def found(ref: str) -> Face | None:
        card = cards.get(ref)
        return None if card is None else face(card, language, images.get(ref, ""))

    return found


def no_faces(ref: str) -> Face | None:
    """Return None for every ref: cards are drawn as the board has them."""
    return None


def cost(card: Any) -> str:
    """Return the printed cost of a card: a number, or several as in "3/2"; empty if it has none."""
    figures, amounts = card.figures, card.amounts
    if "cost" in figures:
        return str(figures["cost"])
    if "main" in figures:  # Altered: from the hand, then from the Reserve
        return f"{figures['main']}/{figures.get('reserve', '–')}"
    if "cost" in amounts:
        return str(sum(amounts["cost"].values()))
    paid = [str(figures[key]) for key in ("cost_force", "cost_cosmos") if key in figures]
    return "/".join(paid)


def hue(factions: tuple[str, ...]) -> int | None:
    """Return the number of the colour of a card's faction; None without a faction."""
    if not factions:
        return None
    return KNOWN.get(factions[0], crc32(factions[0].encode()) % HUES)
