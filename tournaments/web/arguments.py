"""The arguments of a game's moves, and the form field that each one is entered in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.face.tables import table_of
from tournaments.web.words.labels import labelled

LABELS: Mapping[str, Promise] = {
    "attacker": _("Attacker"),
    "attackers": _("Attackers"),
    "blockers": _("Blockers"),
    "by": _("By what"),
    "card": _("Card"),
    "creature": _("Creature"),
    "done": _("That was all"),
    "effect": _("Effect"),
    "expedition": _("Expedition"),
    "facing": _("Facing"),
    "on": _("On"),
    "pay": _("Paid with"),
    "points": _("Points"),
    "slot": _("Slot"),
    "target": _("Target"),
    "territory": _("Territory"),
    "to": _("To territory"),
    "to_slot": _("To slot"),
    "token": _("Token"),
    "with": _("With"),
}


NO_MANA: Mapping[str, Sequence[str]] = {}


@dataclass(frozen=True)
class Argument:
    """An argument of a move.

    `kind` is one of:

    - `number`, `numbers`
    - `card`, in a hand or in play
    - `place`, `places`: places of cards in play
    - `words`: one of the choices in `words`
    - `payment`: the places of the cards engaged, each with its element if the card can give one of several
    """

    name: str
    kind: str
    words: tuple[str, ...] = ()

    def field(
        self,
        cards: Sequence[tuple[str, str]],
        places: Sequence[tuple[str, str]],
        mana: Mapping[str, Sequence[str]] = NO_MANA,
    ) -> forms.Field:
        """Build the form field.

        `cards` are the cards of the decklists and `places` the cards in play, both as choices (value, label). `mana`
        maps a place to the elements of which the card there can give one mana.
        """
        made = self._field(cards, list(_engaged(places, mana)) if self.kind == "payment" else places)
        made.label = str(LABELS.get(self.name, self.name))
        return made

    def _field(self, cards: Sequence[tuple[str, str]], places: Sequence[tuple[str, str]]) -> forms.Field:
        nothing = ("", "–")
        if self.kind == "number":
            return forms.IntegerField(required=False, min_value=0, max_value=99)
        if self.kind == "numbers":
            return forms.RegexField(r"^[\d ,]{1,40}$", required=False)
        if self.kind in ("places", "payment"):
            return forms.MultipleChoiceField(choices=places, required=False, widget=forms.CheckboxSelectMultiple)
        if self.kind == "place":
            return forms.ChoiceField(choices=[nothing, *places], required=False)
        if self.kind == "card":
            return forms.ChoiceField(choices=[nothing, *places, *cards], required=False)
        return forms.ChoiceField(choices=[nothing, *((word, word) for word in self.words)], required=False)

    def read(self, value: Any) -> Any:
        """Turn the cleaned value of the field into the argument as it is written in a move log."""
        if self.kind == "numbers":
            return [int(item) for item in value.replace(",", " ").split()]
        if self.kind == "payment":
            return [_paid(*item.split(" ", 1)) for item in value]
        return True if value == "true" else value


def _engaged(places: Sequence[tuple[str, str]], mana: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """One choice for each card, or one for each element if a card can give one of several."""
    for place, words in places:
        given = mana.get(place, ())
        yield from ((f"{place} {one}", labelled(words, one)) for one in given) if len(given) > 1 else [(place, words)]


def _paid(place: str, element: str = "") -> str | dict[str, str]:
    return {"card": place, "mana": element} if element else place


SIMPLE = ("number", "numbers", "card", "place", "places", "payment")


def arguments_of(game: str) -> dict[str, list[Argument]]:
    """The moves of a game that a form can enter, by verb, with their arguments: see `engine.face.tables.Table`."""
    moves = table_of(game).moves
    return {verb: [_argument(name, kind) for name, kind in kinds.items()] for verb, kinds in moves.items()}


def _argument(name: str, kind: str) -> Argument:
    return Argument(name, kind) if kind in SIMPLE else Argument(name, "words", tuple(kind.split()))
