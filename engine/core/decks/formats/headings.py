"""Headers of sections: a word of `phrases_decklist.toml` alone on its line, in whatever people write around it.

`Sideboard`, `[Main]`, `# Maybeboard`, `//Sideboard (1)`, `---- Side ----`, `**Deck:** 40 cards` and `Tokens x2` are
headers. So is a comment that is exactly the word of a section; one that only heads a group of cards stays a comment.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from engine.core.decks.formats.words import data

_COMMENT = ("//", "#", ";", "--", "%", "/*", "<!--")
# What stands around a word: brackets, rules, bullets, quotes, Markdown, pictures; also a number or a box to tick.
_BARE = re.compile(r"(?:[0-9]{1,3}[.)]\s|[*+•-]?\s*\[[ xX]?\]\s)?[\W_]*(?P<bare>.*?)[\W_]*")
_COUNT = re.compile(
    r"(?P<word>[^\W\d_].*?)(?P<count>\s*[\s:=,;(\[{<*_~–—-]\s*[xX×]?\s*[0-9]{1,4}(?:\s*/\s*[0-9]{1,4})?\s*[xX×]?"
    r"\s*(?:cards?|cartes?|carte|carta)?)?"
)
# Rules or brackets on both sides of words: "--- Burn ---", "*Burn*", "[Burn (4)]".
_RULE = re.compile(
    r"(?:[-=*~_─━═—–#/]{2,}\s*[^\W\d_][^\[\]<>]*?\s*[-=*~_─━═—–#/]{2,}:?|-\s+[^\W\d_][^\[\]<>]*?\s+-"
    r"|\*{1,3}[^\W\d_*][^*]*\*{1,3}:?|\[[^\W\d_][^\[\]]*\]:?|<[^\W\d_][^<>]*>|«\s*[^\W\d_][^«»]*»)"
)
LONGEST = 60  # characters of a header


@dataclass(frozen=True, slots=True)
class Heading:
    """A header: its section, whether its word heads a group of cards only, and what is written around the word.

    `comment` says that the line is written as a comment, `plain` that the word stands there alone.
    """

    section: str
    group: bool
    comment: bool
    plain: bool


def heading_of(words: str) -> Heading | None:
    """Return the header that a line is, or None.

    >>> heading_of("---- Sideboard (15) ----").section
    'side'
    """
    bare = _BARE.fullmatch(words) if len(words) <= LONGEST else None
    match = _COUNT.fullmatch(bare["bare"]) if bare else None
    if not match:
        return None
    word, comment = match["word"], words.startswith(_COMMENT) and not is_title(words)
    if section := named("sections", word):
        return Heading(section, False, comment, word == words)
    # Another number after the word of a group may belong to the name of a card: "Base x4".
    counted = match["count"] is None or match["count"].lstrip()[0] in ":(["
    if counted and not comment and (section := named("groups", word)):
        return Heading(section, True, comment, word == words)
    return None


def is_title(words: str) -> bool:
    """Return whether a line is decorated on both sides as headers are, whatever its words say.

    >>> is_title("=== Cards to try ==="), is_title("4 Bolt *F*"), is_title("// burn")
    (True, False, False)
    """
    return len(words) <= LONGEST and _RULE.fullmatch(words) is not None


def section_of(word: str) -> str:
    """Return the section that a word opens, or "" if it opens none.

    Sections are commander, main, side, companion, about (metadata), apart (a maybeboard), tokens and extra.
    """
    return named("sections", word) or named("groups", word)


def named(table: str, word: str) -> str:
    """Return the section of a word in one of the tables `sections` and `groups`; "" if it has none."""
    return _sections()[table].get(_key(word), "")


@cache
def _sections() -> dict[str, dict[str, str]]:
    return {
        table: {_key(word): section for section, words in data()[table].items() for word in words}
        for table in ("sections", "groups")
    }


def _key(word: str) -> str:
    """Reduce a word to its letters: "Maybe-board" is "maybeboard", "Réserve" is "reserve"."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if sign.isalpha())
