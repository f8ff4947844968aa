"""Names as people look for them: accents, case and order of words do not matter."""

import unicodedata

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # they turn the direction of what follows
BREAKING = ("Cc", "Zl", "Zp")


def folded(text: str) -> str:
    """`text` without accents and case: what two spellings of a name have in common."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).strip()


def one_line(text: str) -> str:
    """`text` on one line, without control characters and marks that turn what follows around.

    >>> one_line("Spring\\nBcc: a@example.com \\u202eOpen")
    'Spring Bcc: a@example.com Open'
    """
    kept = (" " if unicodedata.category(letter) in BREAKING else letter for letter in text if letter not in TURNING)
    return " ".join("".join(kept).split())


def found_in(wanted: str, name: str) -> bool:
    """Whether every word of `wanted` occurs in `name`."""
    inside = folded(name)
    return all(word in inside for word in folded(wanted).split())
