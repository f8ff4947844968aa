"""Lists written as lines of text, the most common case."""

from __future__ import annotations

from engine.core.decks.formats.line import Line, split_lines


def read(content: str) -> tuple[Line, ...]:
    """Return the lines of a text.

    This covers the exports of Arena, Moxfield, Archidekt, MTGO, MWS, XMage, Forge, PTCGO and melee, and lists typed by
    hand.
    """
    return tuple(Line.of(number, raw) for number, raw in enumerate(split_lines(content), 1))
