"""The arguments of each game's moves, and the form field that each one is entered in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
        made.label = str(LABELS[self.name])
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


def _of(**kinds: str) -> tuple[Argument, ...]:
    # A kind that is not one of these lists the words to choose from.
    simple = ("number", "numbers", "card", "place", "places", "payment")
    return tuple(
        Argument(name, kind if kind in simple else "words", () if kind in simple else tuple(kind.split()))
        for name, kind in kinds.items()
    )


ARGUMENTS: Mapping[str, Mapping[str, Sequence[Argument]]] = {
    "star-safir": {
        "play": _of(card="card", territory="number", slot="number"),
        "attack": _of(territory="number", attackers="numbers", target="number"),
        "reveal": _of(territory="number", slot="number", card="card"),
        "sacrifice": _of(territory="number", slot="number"),
        "move": _of(territory="number", slot="number", to="number", to_slot="number"),
        "activate": (),
        "begin_turn": (),
        "end_turn": (),
    },
    "altered": {
        "play": _of(card="card", expedition="heros compagnon"),
        "quick": _of(card="card"),
        "expand": _of(card="card"),
        "cleanup": _of(card="place"),
        "pass": (),
    },
    "saint-seiya": {
        "play": _of(card="card", facing="place"),
        "equip": _of(card="card"),
        "engage": _of(facing="place"),
        "relic": _of(card="card"),
        "acquire": _of(card="place", by="force cosmos", **{"with": "places"}),
        "heal": _of(**{"with": "place", "on": "place", "token": "wound frost"}),
        "effect": _of(card="place", effect="détruire défausser blesser geler"),
        "discard_hand": _of(card="card"),
        "end_turn": (),
    },
    "stellar-nexus": {
        "play": _of(card="card", on="place"),
        "activate": _of(card="place"),
        "attack": _of(creature="place", done="true"),
        "block": _of(creature="place", attacker="place", done="true"),
        "begin_turn": (),
        "end_phase": (),
        "end_turn": (),
    },
    "wakfu": {
        "play": _of(card="card", pay="payment", on="place"),
        "move": _of(card="place"),
        "attack": _of(attackers="places"),
        "block": _of(blockers="places"),
        "distribute": _of(on="place", points="number"),
        "discard": _of(card="card"),
        "begin_turn": (),
        "end_phase": (),
        "end_turn": (),
    },
}
