"""Lists written as lines of text, which is most of them."""

from __future__ import annotations

from engine.core.deckformats.line import Line, split_lines


def read(content: str) -> tuple[Line, ...]:
    """The lines of a text: Arena, Moxfield, Archidekt, MTGO, MWS, XMage, Forge, PTCGO, melee, and what people type."""
    return tuple(Line.of(number, raw) for number, raw in enumerate(split_lines(content), 1))
