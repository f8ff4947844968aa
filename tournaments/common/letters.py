"""Letters of any script: what is invisible or piled up is removed from a text, and texts are folded for comparison.

Sources: the Unicode Character Database (Default_Ignorable_Code_Point), Unicode Standard Annex 15 (normalization) and 31
(joiners in names), Technical Standard 39 (letters that look alike) and 51 (emoji sequences).
"""

import re
import unicodedata
from functools import cache

MARKS = 2  # marks that a letter keeps: Vietnamese needs two where they are not part of the letter
OWN_MARKS = 4  # marks of a script of its own: Burmese and Tibetan stack that many

# Unicode's Default_Ignorable_Code_Point, with the annotation characters, without the fillers below.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"  # they count as letters or symbols, and are drawn as a space
# Scripts in which a joiner changes how letters are drawn: Arabic to Sinhala, Tibetan, Burmese, Khmer, Mongolian…
_JOINING = (
    "\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua840-\ua9ff\uaa00-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
_MARK = re.compile(  # marks for letters of any script
    "[\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]"
)
_PLAIN = re.compile(r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f]*")  # nothing to remove or compose
_RUN = re.compile(f"[{_INVISIBLE}]+")
_BLANKS = re.compile(f"[{_BLANK}]")
_IN_JOINING = re.compile(f"[{_JOINING}]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG = re.compile("[\U000e0030-\U000e007a]{1,6}\U000e007f")  # the region of a flag such as that of Scotland
# Canonical composition would replace these variants of ideographs, which some families write their name with.
_COMPOSED = re.compile("[^\uf900-\ufaff\U0002f800-\U0002fa1f]+")


def visible(text: str) -> str:
    """The text composed (NFC), without characters that nobody sees and without piled-up marks.

    Invisible characters stay where they change what is drawn: joiners in the scripts that need them, variants of
    ideographs, Mongolian selectors, and emoji sequences. Blank letters (fillers) become spaces.

    >>> visible("G\\u200bho\\u00adst"), visible("\\u3164") == " "
    ('Ghost', True)
    """
    if _PLAIN.fullmatch(text):  # nearly all texts
        return text
    text = _RUN.sub(_kept, _BLANKS.sub(" ", text))
    text = _COMPOSED.sub(lambda found: unicodedata.normalize("NFC", found.group()), text)
    return _with_few_marks(text)


def _kept(run: re.Match[str]) -> str:
    """What stays of a run of invisible characters, by the characters beside it."""
    before, after = run.string[run.start() - 1 : run.start()], run.string[run.end() : run.end() + 1]
    found = run.group()
    selector = found[0]
    if before == "\U0001f3f4" and (flag := _FLAG.match(found)):
        return flag.group()
    if "\U000e0100" <= selector <= "\U000e01ef" or "\ufe00" <= selector <= "\ufe02":
        return selector if _IDEOGRAPH.match(before) else ""
    if "\u180b" <= selector <= "\u180f":
        return selector if "\u1820" <= before <= "\u18aa" else ""
    kept = ""
    if selector == "\ufe0f" and (_is_emoji(before) or (before in "0123456789#*" and after == "\u20e3")):
        kept = selector
    joiner = next((letter for letter in found if letter in "\u200c\u200d"), "")
    if joiner and _joins(before, joiner, after):
        kept += joiner
    return kept


def _joins(before: str, joiner: str, after: str) -> bool:
    if _is_emoji(before):
        return joiner == "\u200d" and _is_emoji(after)
    if not _IN_JOINING.match(before):
        return False
    # At the end of a word only behind a virama, as in Malayalam names that end in a chillu.
    return bool(_IN_JOINING.match(after)) or unicodedata.combining(before) == 9


def _is_emoji(letter: str) -> bool:
    """Whether a character may be part of an emoji sequence: a symbol, or the modifier of one."""
    return bool(letter) and (unicodedata.category(letter) == "So" or "\U0001f3fb" <= letter <= "\U0001f3ff")


def _with_few_marks(text: str) -> str:
    """The text with at most so many marks on each letter, none of them twice, and none without a letter."""
    if not any(unicodedata.category(letter) in ("Mn", "Me") for letter in text):
        return text
    kept: list[str] = []
    common = own = 0
    for letter in text:
        if unicodedata.category(letter) not in ("Mn", "Me") or "\ufe00" <= letter <= "\ufe0f" or letter >= "\U000e0000":
            common = own = 0
        elif not kept or kept[-1].isspace() or kept[-1] == letter:
            continue
        elif _MARK.match(letter):
            common += 1
            if common > MARKS:
                continue
        else:
            own += 1
            if own > OWN_MARKS:
                continue
        kept.append(letter)
    return "".join(kept)


def has_letter(text: str) -> bool:
    """Whether a text has a letter or a digit of any script that is drawn.

    >>> has_letter("李"), has_letter("7"), has_letter("\\u3164"), has_letter("-!")
    (True, True, False, False)
    """
    return any(unicodedata.category(letter)[0] in "LN" for letter in visible(text))


def folded(text: str) -> str:
    """The text without accents, case and invisible characters, so that different spellings of a name compare equal.

    Letters with a stroke and the like become plain ones, as on a keyboard that lacks them.

    >>> folded("Łukasz ØDEGÅRD"), folded("Þórður"), folded("Æsa Weiß")
    ('lukasz odegard', 'thordur', 'aesa weiss')
    """
    if text.isascii():
        return text.lower().strip()
    text = _RUN.sub("", _BLANKS.sub(" ", text))
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_plain_letters())
    return "".join(letter for letter in plain if not _is_accent(letter)).strip()


def _is_accent(letter: str) -> bool:
    """Whether a character is an accent or a vowel point, by its combining class.

    Those that make another letter are none: nukta, kana voicing and virama (7 to 9), and the vowels of Thai, Lao and
    Tibetan (above 36).
    """
    kind = unicodedata.combining(letter)
    return kind == 1 or 10 <= kind <= 36 or kind >= 200


# Letters that Unicode does not describe as a plain letter with something added, as they are written without them.
_SPELT = {
    "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ȷ": "j", "ŋ": "ng", "ĸ": "k", "ə": "e", "ɛ": "e", "ɔ": "o",
    "ʒ": "z", "ɣ": "g", "ɩ": "i", "ʊ": "u", "ʔ": "'", "ɖ": "d", "ƞ": "n", "ƿ": "w", "ȝ": "y",
    "ي": "ی", "ى": "ی", "ك": "ک", "\u0640": "",
    **dict.fromkeys("’‘ʼʻʹ´`′＇ˈ", "'"), **dict.fromkeys("‐‑‒–—―−", "-"),
}  # fmt: skip
_LETTER = re.compile(r"LATIN (?:(?:SMALL|CAPITAL) )?LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .*)?$")
_LATIN = ((0x80, 0x250), (0x250, 0x2B0), (0x1D00, 0x1DC0), (0x1E00, 0x1F00), (0x2C60, 0x2C80), (0xA720, 0xA800),
          (0xAB30, 0xAB70), (0x1F150, 0x1F18A))  # fmt: skip


@cache
def _plain_letters() -> dict[int, str]:
    """The plain letters for the Latin ones that Unicode does not take apart, such as "ł": by their names."""
    found = {
        code: match.group(1).lower()
        for first, end in _LATIN
        for code in range(first, end)
        if (match := _LETTER.search(unicodedata.name(chr(code), "")))
    }
    return found | {ord(letter): plain for letter, plain in _SPELT.items()}


# Letters of other scripts that are drawn like Latin ones, capitals and small ones apart.
_TWINS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜҺЁЇаеѕіјорсухԛԝһѵӏкмтвнёїΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβικμνορτυχγϲոօսցհյIl10",
    "ABESIJKMHOPCTYXQWHEIaesijopcyxqwhvlkmtbheiABEZHIKMNOPTYXabikuvoptuxycnoughj|||o",
)


def look(text: str) -> str:
    """What a text looks like: texts that are hard to tell apart give the same.

    Latin, Cyrillic, Greek and Armenian letters that are drawn alike are one, as are l, I and 1, O and 0, m and rn.

    >>> look("Emma Martin") == look("Еmmа Маrtіn"), look("Emma") == look("Anna")
    (True, False)
    """
    text = unicodedata.normalize("NFKD", visible(text))
    return folded(text.translate(_TWINS).translate(_TWINS)).replace("rn", "m")
