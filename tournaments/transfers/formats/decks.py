"""Turns decklists of other programs into the text lines in which people paste them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tournaments.common.refusals import InvalidInput
from tournaments.transfers.formats.bounds import MAX_DECKLIST, clean
from tournaments.transfers.formats.values import Value

_LINK = re.compile(r"\s*https?://\S+\s*")
_SIDE = re.compile(r"side", re.IGNORECASE)
MAX_COPIES = 999


def is_link(text: str) -> bool:
    """Whether a decklist is only the address of one."""
    return bool(_LINK.fullmatch(text))


def line(count: int, name: str) -> str:
    """One line of a list; "" without a name or with a count that no deck has."""
    name = clean(name)
    return f"{count} {name}" if name and 0 < count <= MAX_COPIES else ""


def listed(main: Iterable[str], side: Iterable[str] = ()) -> str:
    """The text of a list; "" if it has no line or is too long."""
    lines, aside = [*filter(None, main)], [*filter(None, side)]
    text = "\n".join([*lines, *(["Sideboard", *aside] if aside else [])])
    return text if len(text) <= MAX_DECKLIST else ""


def pasted(text: str) -> str:
    """A list that already is text, with its headings `~~Sideboard~~` as plain ones; "" if it is too long."""
    if len(text) > MAX_DECKLIST:
        return ""
    return "\n".join(clean(each).strip("~ ") for each in re.split(r"\r\n|\r|\n", text)).strip()


def of_sections(value: Value) -> str:
    """The text of a list given as an object, each section a list of cards or one card.

    A section is `{"Mainboard": {"Card": {"count": 3}}}`, `{"trainer": [{"name": "Card", "count": 3}]}` or
    `{"leader": {"name": "Card"}}`. Returns "" for anything else.
    """
    main: list[str] = []
    side: list[str] = []
    try:
        for section, raw in value.object().items():
            zone = side if _SIDE.search(section) else main
            zone.extend(_cards(Value(raw, section)))
    except InvalidInput:
        return ""
    return listed(main, side)


def _cards(section: Value) -> Iterable[str]:
    if isinstance(section.raw, list):
        return [_card(card) for card in section.each()]
    if section.holds("name"):
        return [_card(section)]
    if section.keys() and all(Value(raw).holds("count") for raw in section.object().values()):
        return [line(section.at(name).at("count").whole() or 0, name) for name in section.object()]
    return ()  # what is said about the list, not a section of it


def _card(card: Value) -> str:
    count = card.first("count", "qty", "quantity").whole()
    return line(1 if count is None else count, card.at("name").text())
