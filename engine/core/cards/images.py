"""Images of cards: the address that a card of a catalogue may give under `image`.

Rules never see an image, and the digest of a catalogue leaves images out: with or without them, and whatever their
addresses are, a log was played with the same cards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.core.text.errors import Malformed

KEY = "image"
MAX_ADDRESS = 400  # characters
# Stricter than a browser, so that nothing is left to how one reads it: no user, no fragment, only ASCII.
_ADDRESS = re.compile(r"https://[0-9A-Za-z][0-9A-Za-z.-]{0,252}(?::[0-9]{1,5})?/[0-9A-Za-z._~%!$&'()*+,;=:@/?-]*")


def check_image(value: Any, path: str) -> str:
    """Return the address of an image. Raises Malformed, code `bad_image`, with `path`.

    >>> check_image("https://cards.example.org/1.jpg", "cards[0].image")
    'https://cards.example.org/1.jpg'
    """
    if not isinstance(value, str) or len(value) > MAX_ADDRESS or not _ADDRESS.fullmatch(value):
        message = f"an image is an address with https of at most {MAX_ADDRESS} characters, without a user or #"
        raise Malformed("bad_image", message, path=path)
    return value


def images_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the addresses of a catalogue's images by ref. `document` is one that `load_catalog` accepts."""
    return {card["ref"]: card[KEY] for card in document["cards"] if KEY in card}


def without_images(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a catalogue's document without the images of its cards; the same one if it has none."""
    cards = document["cards"]
    if not any(KEY in card for card in cards):
        return document
    plain = [{key: value for key, value in card.items() if key != KEY} for card in cards]
    return {**document, "cards": plain}


def with_images(document: Mapping[str, Any], images: Mapping[str, str]) -> dict[str, Any]:
    """Return a catalogue's document with these images, by ref, and no others."""
    cards = (
        {**card, KEY: images[card["ref"]]} if card["ref"] in images else card
        for card in without_images(document)["cards"]
    )
    return {**document, "cards": list(cards)}
