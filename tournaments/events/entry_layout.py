"""Finds out where the people of a sheet are: its header, what its columns hold, and which of them has the names. Pure.

A column of dates, numbers, addresses, answers or prose holds no names. If no title says which column does, and more
than one may, the user is asked.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.common import sheets
from tournaments.common.letters import folded
from tournaments.events.entry_titles import LAST_FIRST, ORDERS, PEOPLE, meaning_of

Record = tuple[int, tuple[str, ...] | None]

FIRST_RECORDS = 15  # in which the titles are looked for
SAMPLES = 300  # cells by which the kind of a column is known
PROSE_WORDS, PROSE_LETTERS = 8, 80
PART_NAMES = ("given_name", "family_name")
WHOLE_NAMES = ("name", LAST_FIRST)
NAMED = (*PART_NAMES, *WHOLE_NAMES, "some_name")

_RULE = re.compile(r"[-–—_=+:*~.·#\s|]*")
_DATE = re.compile(
    r"\(?(?:[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}"
    r"|[0-9]{1,2}\.? \w{3,10}\.?,? [0-9]{4}|\w{3,10}\.? [0-9]{1,2},? [0-9]{4})"
    r"[ T,]*(?:[0-9]{1,2}[:.h][0-9]{2}.*)?\)?"
)
_TIME = re.compile(r"[0-9]{1,2}[:h][0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
_NUMBER = re.compile(
    r"[#№]?[-+(]?[0-9][0-9\s.,'’/()%*-]*(?:€|\$|£|%|eur|chf|pts?|pkt)?\.?|[€$£] ?[0-9.,]+", re.IGNORECASE
)
_PHONE = re.compile(r"(?:tel\.?:? ?)?\+?[0-9(][0-9\s().\-/]{5,}", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
_ANSWERS = frozenset({
    *(
        "yes",
        "no",
        "oui",
        "non",
        "ja",
        "nein",
        "si",
        "nee",
        "sim",
        "nao",
        "tak",
        "nie",
        "true",
        "false",
        "vrai",
        "faux",
    ),
    *(
        "wahr",
        "falsch",
        "verdadero",
        "falso",
        "vero",
        "x",
        "ok",
        "n/a",
        "na",
        "none",
        "paid",
        "paye",
        "bezahlt",
        "pagado",
    ),
    *("pagato", "pago", "betaald", "anonymous", "anonyme", "anonym", "anonimo"),
})
_COPIES = re.compile(r"\s*[0-9]{1,2}\s*[x×]?\s+[^\W\d_]")
_FOOTER = re.compile(
    r"(?:total|totals|gesamt|insgesamt|summe|somme|totale|suma|totaal|razem|anzahl|page|seite|pagina|strona|generated"
    r"|printed|exported|created|export|exporte|imprime|gedruckt|erstellt|stampato|stand|updated)\b"
)

# Marks before a name in lists: bullets, boxes, numbers.
_MARK = re.compile(
    r"^\s*(?:[-–—*•‣▪◦●○►▶➤→+>·■□☐☑☒✓✔✗✘✅❌]+\s*(?:\[[ xX✓]?\])?|\[[ xX✓]?\]"
    r"|#?[0-9]{1,4}\s*[.)\]:°]\s*-?|#[0-9]{1,4}(?=\s)"
    r"|\([0-9]{1,4}\)|[0-9]{1,4}\s+[-–—]\s|@(?=\w))\s*(?=[^\W\d_]|[\"'“«({\[])"
)
AFTER = " ✓✔✅☑❌✗"  # marks behind a name
_PLAIN_NUMBER = re.compile(r"\s*([0-9]{1,4})\s+(?=[^\W\d_])")
# A line of a chat: "[28/11/2026, 10:02:11] Ana Lopez: I'm in", "28.11.26, 10:02 - Ana Lopez: +1".
_CHAT = re.compile(
    r"\s*\[?[0-9]{1,4}[./-][0-9]{1,2}(?:[./-][0-9]{1,4})?,? [0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[ap]\.?m\.?)?"
    r"\]?(?: -)? ([^:\[\]]{1,60}):\s.*",
    re.IGNORECASE | re.DOTALL,
)
_POSTED = re.compile(
    r"\s+[—–-]\s+(?:today|yesterday|aujourd|hier|heute|gestern|hoy|ayer|oggi|ieri|[0-9]{1,2}/)[^\n]*$", re.IGNORECASE
)
_WRAPPED = re.compile(r"(\*\*|__|[*_`~])(?P<inside>.+)\1")


def unmarked(cell: str) -> str:
    """A name without what lists and chats put around it.

    >>> [unmarked(cell) for cell in ("1. Ana Lopez", "- [x] Bob May", "**Eve Gu**", "@dan", "#3 Cy Dale")]
    ['Ana Lopez', 'Bob May', 'Eve Gu', 'dan', 'Cy Dale']
    """
    cell = " ".join(cell.split())
    if chat := _CHAT.fullmatch(cell):
        cell = chat[1]
    left = _unwrapped(cell)
    return _unwrapped(_POSTED.sub("", _MARK.sub("", left, count=1)).rstrip(AFTER))


def _unwrapped(text: str) -> str:
    wrapped = _WRAPPED.fullmatch(text)
    return wrapped["inside"] if wrapped else text


def is_copies(cell: str) -> bool:
    """Whether a line is one of a decklist, such as "2 Card name"."""
    return bool(_COPIES.match(cell))


def are_numbered(cells: Sequence[str]) -> bool:
    """Whether the lines of a list begin with rising numbers: "1 Ana Lopez", "2 Bob May"."""
    numbers = [int(found[1]) for cell in cells if (found := _PLAIN_NUMBER.match(cell))]
    return len(numbers) > 1 and 2 * len(numbers) > len(cells) and all(a < b for a, b in pairwise(numbers))


def unnumbered(cell: str) -> str:
    """A line of a numbered list (`are_numbered`) without its number."""
    return _PLAIN_NUMBER.sub("", cell, count=1)


def kind_of(cell: str) -> str:
    """What a cell holds: `empty`, `email`, `url`, `date`, `number`, `answer`, `deck`, `prose` or `name`.

    >>> [kind_of(cell) for cell in ("28/11/2026 10:00:00", "+33 6 12 34 56 78", "oui", "Ana Lopez", "a@example.org")]
    ['date', 'number', 'answer', 'name', 'email']
    """
    plain = " ".join(cell.split())
    if not plain or _RULE.fullmatch(plain):
        return "empty"
    if ADDRESS.fullmatch(plain):
        return "email"
    if _URL.match(plain):
        return "url"
    if _DATE.fullmatch(plain) or _TIME.fullmatch(plain):
        return "date"
    if _NUMBER.fullmatch(plain) or _PHONE.fullmatch(plain):
        return "number"
    if folded(plain) in _ANSWERS or not any(letter.isalpha() for letter in plain):
        return "answer"
    if sum(map(bool, map(_COPIES.match, cell.splitlines()))) > 2:
        return "deck"
    return "prose" if len(plain) > PROSE_LETTERS or len(plain.split()) > PROSE_WORDS else "name"


def is_no_name(name: str) -> bool:
    """Whether what stands in the place of a name is a number, a date, an address or a remark such as "Total: 24".

    >>> [is_no_name(name) for name in ("Total: 24", "24 players", "Page 1/2", "Players:", "Player 12", "Page Martin")]
    [True, True, True, True, False, False]
    """
    if kind_of(name) != "name" or name.rstrip().endswith(":") or is_rule(name):
        return True
    plain = folded(name)
    counted = plain[:1].isdigit() and any(word in PEOPLE for word in plain.split())
    return counted or bool(_FOOTER.match(plain) and (":" in plain or any(map(str.isdigit, plain))))


def is_rule(text: str) -> bool:
    """Whether a text only draws a line: `---`, `|:--|--:|`, `======`."""
    return bool(_RULE.fullmatch(text))


@dataclass(frozen=True)
class Layout:
    """Where the people of a sheet are.

    - `titles`: one for each column, "" where there is none
    - `above`: how many records stand above the first titles
    - `body`: the place of the first record below them
    - `columns`: the field of each column, "" for one that is ignored. Unless one of them has names, the user is asked.
    """

    titles: tuple[str, ...]
    above: int
    body: int
    columns: tuple[str, ...]


def laid_out(records: Sequence[Record], width: int, header: bool | None) -> Layout:
    """Find the titles and the columns of a sheet of `width` columns.

    `header` says whether it has titles, None if that is to be found out; if it must and none are known, they are the
    first record.
    """
    found = None if header is False else _header(records, width)
    if found is None and header:
        found = (0, 1)
    first, end = found or (0, 0)
    titles = _joined([cells or () for _at, cells in records[first:end]], width)
    body = [cells for _at, cells in records[end:] if cells]
    return Layout(titles, first, end, _columns(titles, body, width))


def _joined(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """The titles of one or two rows; where both have one, the lower one is nearer to the cells."""
    return tuple(
        next((row[at].strip() for row in reversed(rows) if at < len(row) and row[at].strip()), "")
        for at in range(width)
    )


def _header(records: Sequence[Record], width: int) -> tuple[int, int] | None:
    """The records that hold titles, as a half-open range; None if there are none."""
    best, known = None, 0
    for at, (_line, cells) in enumerate(records[:FIRST_RECORDS]):
        count = _titles_in(cells or (), first=at == 0, width=width)
        if count > known:
            best, known = at, count
    if best is None:
        return None
    first, end = best, best + 1
    if end < len(records) and _all_titles(records[end][1]):
        end += 1
    elif first and _all_titles(records[first - 1][1]):
        first -= 1
    return first, end


def _all_titles(cells: Sequence[str] | None) -> bool:
    """Whether a row has nothing but titles, and at least two: the other half of a header of two rows."""
    filled = [cell for cell in cells or () if cell.strip()]
    return len(filled) > 1 and all(map(meaning_of, filled))


def _titles_in(cells: Sequence[str], *, first: bool, width: int) -> int:
    """How many titles a record has; 0 if it is none of titles."""
    filled = [cell for cell in cells if cell.strip()]
    meanings = [found for cell in filled if (found := meaning_of(cell))]
    if not meanings or any(kind_of(cell) in ("date", "number", "email", "url") for cell in filled):
        return 0
    named = any(found in NAMED for found in meanings)
    # A lone word may be a nickname, and the titles of a club or a deck stand beside others.
    alone = len(filled) == 1 and (named or (first and meanings[0] in ("nickname", "email", "player_email")))
    most = 2 * len(meanings) >= len(filled) > 1
    if alone or (len(filled) > 1 and named) or (most and (len(meanings) > 1 or first)):
        return len(meanings)
    return 0


def _columns(titles: Sequence[str], body: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    meanings = [meaning_of(title) if title else "" for title in titles] + [""] * (width - len(titles))
    kinds = [_kind_of_column(body, at) for at in range(width)]
    columns = [""] * width
    for field in ("club", "table", "decklist"):
        if field in meanings:
            columns[meanings.index(field)] = field
    email = _email(titles, meanings, kinds)
    if email is not None:
        columns[email] = "email"
    for at, field in _names(meanings, kinds, body, titles).items():
        columns[at] = field
    if not any(columns) or not has_names(columns):
        _add_lone(columns, titles, meanings, kinds)
    return tuple(columns)


def has_names(columns: Sequence[str]) -> bool:
    """Whether one of these columns has the given or the whole name."""
    return any(field in ("given_name", *WHOLE_NAMES) for field in columns)


def _kind_of_column(body: Sequence[Sequence[str]], at: int) -> str:
    kinds = Counter(kind_of(cells[at]) for cells in body[:SAMPLES] if at < len(cells))
    kinds.pop("empty", None)
    return kinds.most_common(1)[0][0] if kinds else "empty"


def _email(titles: Sequence[str], meanings: Sequence[str], kinds: Sequence[str]) -> int | None:
    """The column of the players' addresses. Those of buyers in the orders of a ticket shop may be of others."""
    certain = [at for at, meaning in enumerate(meanings) if meaning == "player_email"]
    if certain:
        return certain[0]
    if any(sheets.plain_title(title) in ORDERS for title in titles):
        return None
    named = [at for at, meaning in enumerate(meanings) if meaning == "email"]
    untitled = [at for at, kind in enumerate(kinds) if kind == "email" and not (at < len(titles) and titles[at])]
    return next(iter([*named, *untitled]), None)


def _names(
    meanings: Sequence[str], kinds: Sequence[str], body: Sequence[Sequence[str]], titles: Sequence[str]
) -> dict[int, str]:
    """The columns whose titles say that they have names or parts of them."""

    def those(*wanted: str) -> list[int]:
        # An address in the place of a name is refused line by line, with what can be done about it.
        fits = ("name", "email", "empty")
        return [at for at, meaning in enumerate(meanings) if meaning in wanted and kinds[at] in fits]

    given, family, whole, some = those("given_name"), those("family_name"), those(*WHOLE_NAMES), those("some_name")
    if given and family:
        return {given[0]: "given_name", family[0]: "family_name"}
    if whole:
        return {whole[0]: meanings[whole[0]]}
    for part, other, field in ((given, "family_name", "given_name"), (family, "given_name", "family_name")):
        if part and some:
            if _holds(body, some[0], part[0]):
                return {some[0]: "name"}
            return {part[0]: field, some[0]: other}
    if given:
        return {given[0]: "given_name"}
    if some:
        # One title over two cells: the other may be the second part of the name.
        at = some[0] + 1
        merged = at < len(kinds) and kinds[at] == "name" and not (at < len(titles) and titles[at])
        return {} if merged else {some[0]: "name"}
    rest = those("nickname") or family
    return {rest[0]: "name"} if rest else {}


def _holds(body: Sequence[Sequence[str]], whole: int, part: int) -> bool:
    """Whether the cells of one column have those of another in them, as a whole name has its parts."""
    rows = [cells for cells in body[:SAMPLES] if len(cells) > max(whole, part) and cells[part].strip()]
    return sum(folded(cells[part]) in folded(cells[whole]) for cells in rows) * 2 > len(rows)


def _add_lone(columns: list[str], titles: Sequence[str], meanings: Sequence[str], kinds: Sequence[str]) -> None:
    """Take the only column without a title that may have names; addresses, if there is no other."""
    may = candidates(columns, meanings, kinds)
    untitled = [at for at in may if not (at < len(titles) and titles[at])]
    if len(may) == 1 and untitled == may:
        columns[may[0]] = "name"
    elif not may and "email" in columns and not any(meanings):
        columns[columns.index("email")] = "name"


def candidates(columns: Sequence[str], meanings: Sequence[str], kinds: Sequence[str]) -> list[int]:
    """The columns that may have names: cells like names, and no title that says otherwise."""
    return [
        at
        for at, field in enumerate(columns)
        if not field and kinds[at] == "name" and meanings[at] not in ("aside", "club", "table", "decklist")
    ]
