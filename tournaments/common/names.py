"""Names as people look for them: accents, case and order of words do not matter."""

import unicodedata


def folded(text: str) -> str:
    """`text` without accents and case: what two spellings of a name have in common."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).strip()


def found_in(wanted: str, name: str) -> bool:
    """Whether every word of `wanted` occurs in `name`."""
    inside = folded(name)
    return all(word in inside for word in folded(wanted).split())
