"""Forms for a board that a judge enters at a table (counters, cards, marks, this turn's notes), and for a move."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from engine.face.boards import COMMON, Mat, Place
from tournaments.common.letters import folded
from tournaments.web.arguments import Argument
from tournaments.web.forms.choices import choice_field

EMPTY, HIDDEN = "-", "?"
LONGEST = 2000  # characters per row
CARDS = 60  # cards per row
MARK = re.compile(r"^(\w+)(?: (\d{1,3}))?$")


@dataclass(frozen=True)
class Lying:
    """A card that was entered in play: its place and its reference."""

    place: str
    ref: str


class PositionForm(forms.Form):
    """A board as a judge enters it. A blank field is unknown; three checkboxes say which blanks mean "nothing" instead.

    Cards are typed by name or reference: `Name` or `Name +engaged` with a mark, several in a row separated by commas,
    `-` for no card, `?` for an unknown card, and a number in a row for that many unknown cards.

    - `names`: the names in the catalogue, by reference
    - `decks`: the references in the list of each seat
    - `owned`: whether a card in play that is not on its seat's own list belongs to the seat on whose list it is
    """

    seat = forms.ChoiceField(required=False)
    phase = forms.ChoiceField(required=False)
    first = forms.ChoiceField(required=False)
    n = forms.IntegerField(required=False, min_value=1, max_value=999)
    filled = forms.BooleanField(required=False, initial=True)  # blank places in play are empty: a judge sees them
    unmarked = forms.BooleanField(required=False, initial=True)  # cards typed without marks bear none
    quiet = forms.BooleanField(required=False)  # blank notes say that nothing of the kind happened this turn

    def __init__(
        self,
        *args: Any,
        mat: Mat,
        seats: Sequence[str],
        names: Mapping[str, str],
        decks: Mapping[str, Sequence[str]],
        owned: bool = True,
    ) -> None:
        super().__init__(*args)
        self.mat, self.seats, self.names = mat, seats, names
        self.decks = {seat: frozenset(deck) for seat, deck in decks.items()} if owned else {}
        # The cards of the lists come last, so that they win if a name belongs to several cards.
        every = [*names, *(ref for deck in decks.values() for ref in deck if ref in names)]
        self._refs = {folded(names[ref]): ref for ref in every} | {ref.casefold(): ref for ref in names}
        self.lying: list[Lying] = []
        blank = [("", "?")]
        for name in ("seat", "first"):
            choice_field(self, name).choices = [*blank, *((seat, seat) for seat in seats)]
        choice_field(self, "phase").choices = [*blank, *((phase, phase) for phase in mat.phases)]
        for place in mat.places:
            for key in keys_of(place):
                number = place.counter or place.counted
                self.fields[key] = (
                    forms.IntegerField(required=False, min_value=0, max_value=9999)
                    if number
                    else forms.CharField(required=False, max_length=LONGEST)
                )
        for note in mat.notes:
            self.fields[f"memory:{note}"] = forms.CharField(required=False, max_length=LONGEST)

    def clean(self) -> dict[str, Any]:
        """Set `start` to the declared position that the fields describe."""
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        sides: dict[str, Any] = {seat: {} for seat in self.seats}
        common: dict[str, Any] = {}
        for place in self.mat.places:
            value = self._said(place, data)
            if value is not None:
                self._put(common if place.owner == COMMON else sides[place.owner], place, value[0])
        turn = {key: data[key] for key in ("n", "seat", "phase", "first") if data.get(key)}
        memory = {note: found for note in self.mat.notes if (found := self._noted(note, data)) is not None}
        state = {"seats": sides, **({"common": common} if common else {})}
        data["start"] = {"kind": "position", "source": "judge", "turn": turn, "state": state, "memory": memory}
        return data

    @property
    def start(self) -> dict[str, Any]:
        """The declared position."""
        found: dict[str, Any] = self.cleaned_data["start"]
        return found

    def _said(self, place: Place, data: Mapping[str, Any]) -> tuple[Any] | None:
        """The value entered for a place, in a tuple because the value itself may be None; None if it is unknown."""
        if place.counter or place.counted:
            value = data.get(keys_of(place)[0])
            return None if value is None else (value,)
        if place.slots:
            slots = [self._slot(place, key, data) for key in keys_of(place)]
            return ([None if slot is None else slot[0] for slot in slots],) if any(slots) else None
        key = keys_of(place)[0]
        text = data.get(key, "").strip()
        if place.single:
            return self._slot(place, key, data)
        if not text:
            return ([],) if data["filled"] and place.in_play else None
        if text.isdecimal():
            return ([HIDDEN] * min(int(text), CARDS),)
        cards = [] if text == EMPTY else [item for item in text.split(",") if item.strip()][:CARDS]
        return ([self._card(place, item, key, f"/{number}") for number, item in enumerate(cards, 1)],)

    def _slot(self, place: Place, key: str, data: Mapping[str, Any]) -> tuple[Any] | None:
        text = data.get(key, "").strip()
        if not text:
            return (None,) if data["filled"] and (place.slots or place.in_play) else None
        number = key.rpartition(":")[2]
        return (None,) if text == EMPTY else (self._card(place, text, key, f"/{number}" if place.slots else ""),)

    def _card(self, place: Place, typed: str, key: str, where: str) -> Any:
        name, *marks = [part.strip() for part in typed.split("+")]
        ref = name if name == HIDDEN else self._refs.get(name.casefold()) or self._refs.get(folded(name))
        if ref is None:
            self.add_error(key, _("No card of this name: %(name)s") % {"name": name[:60]})
            return None
        if place.in_play:
            self.lying.append(Lying(f"{place.owner}/{place.name}{where}", ref))
        borne = {}
        for mark in marks:
            found = MARK.match(mark)
            if not place.bears or not found or found[1] not in self.mat.marks:
                self.add_error(key, _("Unknown mark: %(mark)s") % {"mark": mark[:60]})
            else:
                borne[found[1]] = int(found[2] or 1)
        marked = {"marks": borne} if place.bears and (borne or self.cleaned_data["unmarked"]) else {}
        owner = self._owner(place, ref)
        whole = {"ref": ref, **({"owner": owner} if owner else {}), **marked}
        return whole if len(whole) > 1 else ref

    def _owner(self, place: Place, ref: str) -> str:
        """The owner of a card that another seat has in play; "" for its own card, or if the lists do not tell."""
        if not place.in_play or ref in self.decks.get(place.owner, ()):
            return ""
        listed = [seat for seat, deck in self.decks.items() if ref in deck]
        return listed[0] if len(listed) == 1 else ""

    def _put(self, side: dict[str, Any], place: Place, value: Any) -> None:
        *groups, last = place.name.split("/")
        for group in groups:
            side = side.setdefault(group, {})
        side[last] = value

    def _noted(self, note: str, data: Mapping[str, Any]) -> list[str | int] | None:
        text = data.get(f"memory:{note}", "").strip()
        if not text:
            return [] if data["quiet"] else None
        items = [] if text == EMPTY else [item.strip() for item in text.split(",") if item.strip()]
        return [int(item) if item.isdecimal() else item for item in items]


class MoveForm(forms.Form):
    """The move that is asked about: who, which verb, and the verb's arguments (see `tournaments.web.arguments`)."""

    by = forms.ChoiceField()
    do = forms.ChoiceField()

    def __init__(
        self,
        *args: Any,
        seats: Sequence[str],
        verbs: Mapping[str, str],
        arguments: Sequence[Argument],
        cards: Sequence[tuple[str, str]],
        places: Sequence[tuple[str, str]],
        mana: Mapping[str, Sequence[str]],
    ) -> None:
        super().__init__(*args)
        self.arguments = arguments
        choice_field(self, "by").choices = [(seat, seat) for seat in seats]
        choice_field(self, "do").choices = [("", "–"), *verbs.items()]
        for argument in arguments:
            self.fields[f"arg:{argument.name}"] = argument.field(cards, places, mana)

    @property
    def entry(self) -> dict[str, Any]:
        """The move as an entry of a log, without its number."""
        given = ((item, self.cleaned_data[f"arg:{item.name}"]) for item in self.arguments)
        args = {item.name: item.read(value) for item, value in given if value not in (None, "", [])}
        return {"by": self.cleaned_data["by"], "do": self.cleaned_data["do"], **({"args": args} if args else {})}


def keys_of(place: Place) -> list[str]:
    """The names of the form fields of a place: one for each slot, or a single one."""
    key = f"{place.owner}:{place.name}"
    return [f"{key}:{number}" for number in range(1, place.slots + 1)] if place.slots else [key]


def faults_of(form: forms.Form) -> Iterator[str]:
    """All errors of a form, one sentence each, and each sentence once."""
    yield from dict.fromkeys(str(fault) for faults in form.errors.values() for fault in faults)
