"""Names of people: split them into parts, show them to the public or to staff, sort them and search them.

The public sees as little of a family name as it takes to make the name unique within its event.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from tournaments.common.letters import folded, has_letter, visible

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # reverse the direction of what follows
BREAKING = ("Cc", "Cs", "Zl", "Zp")  # Unicode categories of control characters, halves of pairs and line separators
# Particles that begin a family name but do not count when it is sorted or shortened: "Ana de la Cruz" is under C.
PARTICLES = frozenset({
    "af", "al", "aan", "ap", "av", "ben", "bin", "bint", "da", "dal", "das", "de", "degli", "dei", "del",
    "della", "dello", "den", "der", "des", "di", "do", "dos", "du", "el", "het", "in", "la", "le", "les", "lo",
    "los", "op", "san", "santa", "st", "st.", "'t", "te", "ten", "ter", "tot", "van", "vom", "von", "zu", "zum",
    "zur",
})  # fmt: skip
_ELIDED = re.compile(r"^(?:[dl]|dell|dall|all|nell)['’](?=\w)", re.IGNORECASE)  # d'Arc, dell'Acqua
_DIGITS = re.compile(r"(\d+)")

SortKey = tuple[tuple[int, int, str], ...]


class FullName(NamedTuple):
    """A name in its parts. `family_first` means that the family name is said before the given name."""

    given: str
    family: str = ""
    family_first: bool = False

    @property
    def whole(self) -> str:
        """The full name, in the order in which it is said.

        >>> FullName("Yui", "Tanaka", True).whole
        'Tanaka Yui'
        """
        parts = (self.family, self.given) if self.family_first else (self.given, self.family)
        return " ".join(part for part in parts if part)

    def shortened(self, letters: int) -> str:
        """The name with only the first letters of the family name. Particles and numbers are not shortened.

        >>> FullName("Ana", "de la Cruz").shortened(1)
        'Ana de la C.'
        >>> FullName("Ana", "de la Cruz").shortened(0)
        'Ana'
        """
        particles, core = parted(self.family)
        if not self.given or letters >= len(core) or any(letter.isdigit() for letter in core):
            return self.whole
        if letters == 0:
            return self.given
        cut = core[:letters].rstrip(" -'’.")
        return self._replace(family=f"{particles}{cut}.").whole


class Named(NamedTuple):
    """What an event knows of a person's name.

    `nickname` is the name the person chose to be shown by, and `in_full` their consent to show the full name. `club` is
    used to tell equal names apart.
    """

    name: FullName
    nickname: str = ""
    in_full: bool = False
    club: str = ""


class NameDistinction(NamedTuple):
    """How much of a name must be shown to make it unique within an event.

    `letters` is the number of letters of the family name. `apart` is what else is added: "" if the letters are enough,
    "club" for the person's club, or a number.
    """

    letters: int = 1
    apart: str = ""


def split_name(text: str) -> FullName:
    """Split a full name as people type it into its parts.

    A comma follows the family name; words in capitals are the family name; particles (de, van, von…) begin it;
    otherwise it is the last word. A single word, or a name that ends with a number, is not split.

    >>> split_name("Ana de la Cruz")
    FullName(given='Ana', family='de la Cruz', family_first=False)
    >>> split_name("TANAKA Yui")
    FullName(given='Yui', family='TANAKA', family_first=True)
    >>> split_name("Martin, Emma")
    FullName(given='Emma', family='Martin', family_first=False)
    >>> split_name("Player 12")
    FullName(given='Player 12', family='', family_first=False)
    """
    before, comma, after = one_line(text).partition(",")
    if comma and before.strip() and after.strip():
        return _after_comma(before.split(), after.split())
    words = one_line(text).replace(",", " ").split()
    if len(words) < 2 or any(letter.isdigit() for letter in words[-1]):
        return FullName(" ".join(words))
    capitals = [_in_capitals(word) for word in words]
    if capitals[0] and not all(capitals):
        count = capitals.index(False)
        return FullName(" ".join(words[count:]), " ".join(words[:count]), family_first=True)
    if capitals[-1] and not all(capitals) and not capitals[0]:
        count = len(words) - capitals[::-1].index(False)
        return FullName(" ".join(words[:count]), " ".join(words[count:]))
    begins = next((n for n, word in enumerate(words[:-1]) if n and word.casefold() in PARTICLES), len(words) - 1)
    return FullName(" ".join(words[:begins]), " ".join(words[begins:]))


def _after_comma(family: list[str], given: list[str]) -> FullName:
    """The name from a list in the style "Cruz, Ana de la": particles may follow the given name."""
    count = len(given)
    while count > 1 and given[count - 1].casefold() in PARTICLES:
        count -= 1
    return FullName(" ".join(given[:count]), " ".join([*given[count:], *family]))


def _in_capitals(word: str) -> bool:
    """Whether a word is written in capitals. An initial ("J.") does not count."""
    letters = [letter for letter in word if letter.isalpha()]
    return len(letters) > 1 and all(letter.isupper() for letter in letters)


def parted(family: str) -> tuple[str, str]:
    """Split a family name into its particles, with the space after them, and the part it is sorted by.

    >>> parted("de la Cruz"), parted("d'Arc"), parted("Martin")
    (('de la ', 'Cruz'), ("d'", 'Arc'), ('', 'Martin'))
    """
    words = family.split()
    count = 0
    while count < len(words) - 1 and words[count].casefold() in PARTICLES:
        count += 1
    particles = "".join(f"{word} " for word in words[:count])
    core = " ".join(words[count:])
    elided = _ELIDED.match(core)
    return (particles + elided.group(), core[elided.end() :]) if elided else (particles, core)


def tell_apart(people: Mapping[int, Named]) -> dict[int, NameDistinction]:
    """Decide how much of each name to show so that all names of an event differ, keyed as in `people`.

    A given name that nobody else has is enough. Otherwise, as many letters of the family name are shown as it takes.
    Equal full names are told apart by club or, if the clubs are not all known and different, by a number in the order
    of `people`.
    """
    letters = _letters(people)
    distinctions = {key: NameDistinction(count) for key, count in letters.items()}
    for equal in _alike(people, distinctions):
        clubs = [_same(people[key].club) for key in equal]
        distinct = all(clubs) and len(set(clubs)) == len(clubs)
        for n, key in enumerate(equal, 1):
            distinctions[key] = distinctions[key]._replace(apart="club" if distinct else str(n))
    return distinctions


def _alike(people: Mapping[int, Named], distinctions: Mapping[int, NameDistinction]) -> list[list[int]]:
    """Groups of people whose names look the same to the public or to staff, in the order of `people`.

    If A and B look the same to the public, and B and C to staff, then all three form one group.
    """
    called = {
        key: {_same(shown(person, distinctions[key])), _same(person.name.whole)} for key, person in people.items()
    }
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for key, found in called.items():
        for name in found:
            bearers[name].append(key)
    order = {key: n for n, key in enumerate(people)}
    groups, seen = [], set[int]()
    for key in people:
        group, waiting = set[int](), [key] if key not in seen else []
        while waiting:
            other = waiting.pop()
            if other not in group:
                group.add(other)
                waiting += [each for name in called[other] for each in bearers[name]]
        seen |= group
        if len(group) > 1:
            groups.append(sorted(group, key=order.__getitem__))
    return groups


def _letters(people: Mapping[int, Named]) -> dict[int, int]:
    """How many letters of each family name are needed to tell it from the others with the same given name."""
    letters = dict.fromkeys(people, 0)
    groups: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for key, person in people.items():
        groups[_same(person.name.given)].append((folded(parted(person.name.family)[1]), key))
    for group in groups.values():
        group.sort()  # then the longest prefix a name shares with any other, it shares with a neighbour
        for (one, first), (other, second) in pairwise(group):
            common = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
            needed = 1 + (min(len(one), len(other)) if common is None else common)
            letters[first], letters[second] = max(letters[first], needed), max(letters[second], needed)
    return letters


def shown(person: Named, distinction: NameDistinction) -> str:
    """The name shown to the public: the nickname, else the full name with consent, else the shortened name."""
    name = person.nickname or (person.name.whole if person.in_full else person.name.shortened(distinction.letters))
    return _with(name, person.club, distinction.apart)


def shown_to_staff(person: Named, distinction: NameDistinction) -> str:
    """The name shown to staff: the full name, with the nickname after it.

    >>> shown_to_staff(Named(FullName("Bob", "Smith"), nickname="Bobby"), NameDistinction())
    'Bob Smith (Bobby)'
    """
    whole = person.name.whole
    name = _with(whole or person.nickname, person.club, distinction.apart)
    if not whole or not person.nickname or _same(person.nickname) in ("", _same(whole)):
        return name
    return f"{name} ({person.nickname})"


def _with(name: str, club: str, apart: str) -> str:
    """Add to a name, in parentheses, what tells it from an equal one."""
    what = club if apart == "club" else apart
    return f"{name} ({what})" if name and what else name


def _same(text: str) -> str:
    """Normalize a name for comparison: like `folded`, and without dots and extra spaces."""
    return " ".join(folded(text).replace(".", "").split())


def sort_key(name: FullName | str) -> SortKey:
    """Sort key of a name: family name without its particles, then given name. Numbers sort by value.

    >>> names = ["Player 10", "Player 2", "Zoé Adam", "Ana de la Cruz", "Émile Crêpe"]
    >>> sorted(names, key=sort_key)
    ['Zoé Adam', 'Émile Crêpe', 'Ana de la Cruz', 'Player 2', 'Player 10']
    """
    parts = split_name(name) if isinstance(name, str) else name
    particles, core = parted(parts.family)
    return natural(core, parts.given, particles)


def natural(*texts: str) -> SortKey:
    """Sort key of several texts, compared one after the other, in which numbers sort by value ("2" before "10")."""
    key: list[tuple[int, int, str]] = []
    for text in filter(None, (folded(text) for text in texts)):
        for piece in filter(None, _DIGITS.split(text)):
            key.append((0, int(piece), "") if piece.isdecimal() and len(piece) < 19 else (1, 0, piece))
        key.append((-1, 0, ""))  # the end of a text, so that it sorts before every longer one
    return tuple(key)


def one_line(text: str) -> str:
    """The text on one line, without control characters and what nobody sees (`letters.visible`).

    >>> one_line("Spring\\nBcc: a@example.com \\u202eOpen")
    'Spring Bcc: a@example.com Open'
    """
    if not text.isascii() or not text.isprintable():  # else there is nothing to remove, as in nearly all texts
        text = "".join(" " if unicodedata.category(letter) in BREAKING else letter for letter in text)
        text = visible(text)
    return " ".join(text.split())


def as_name(text: str, most: int = 80) -> str:
    """The text as a name of at most `most` characters; "" without a letter or digit, as nobody could call it out.

    >>> as_name(" Emma\\u200b  Martin "), as_name("\\u3164"), as_name("-"), as_name("7")
    ('Emma Martin', '', '', '7')
    """
    name = one_line(text)[:most].strip()
    return name if has_letter(name) else ""


def found_in(wanted: str, *names: str) -> bool:
    """Whether every word of `wanted` occurs in one of the names. A word also matches its shortened form ("Ma.").

    >>> found_in("martin emma", "Emma Ma."), found_in("adam", "Emma Ma.")
    (True, False)
    """
    words = folded(wanted).split()
    return any(all(_occurs(word, folded(name)) for word in words) for name in names)


def _occurs(word: str, name: str) -> bool:
    if word in name:
        return True
    cut = (part[:-1] for part in name.split() if part.endswith(".") and len(part) > 1)
    return any(word.startswith(part) for part in cut)
