"""Forms of the match recorder."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.audits import engine_gate
from tournaments.common.names import folded

LONGEST = 4000  # characters of a move, and of its chance
CLAIM = "claim:"


class SequenceForm(forms.Form):
    """Which entry is meant, and the key of who sends it."""

    n = forms.IntegerField(min_value=1, max_value=100_000)
    key = forms.RegexField(r"^[\w-]{10,60}$")


class _EntryForm(forms.Form):
    """An entry of a log. A card is typed by its reference or its name: `names` are those of the catalogue, `decks` the
    references in the list of each seat, which come first where a name has several.
    """

    def __init__(self, *args: Any, names: Mapping[str, str], decks: Mapping[str, Iterable[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.decks = decks

    @property
    def entry(self) -> dict[str, Any]:
        """The entry."""
        found: dict[str, Any] = self.cleaned_data["entry"]
        return found

    def _refs(self, seat: Any) -> dict[str, str]:
        """References by what may be typed for them."""
        own = self.decks.get(seat, ()) if isinstance(seat, str) else ()
        every = [*self.names, *(ref for ref in own if ref in self.names)]
        return {folded(self.names[ref]): ref for ref in every} | {ref.casefold(): ref for ref in self.names}


class RulingEntryForm(_EntryForm):
    """What a judge at the table rules: one change of the game, or none, the card it settles, and why."""

    does = forms.RegexField(
        r"^(counter [A-E] \w+|(discard|return) [A-E]/[\w/]+|(allow|vouch) [A-E])$", required=False, max_length=80
    )
    change = forms.IntegerField(label=gettext_lazy("Change"), min_value=-1000, max_value=1000, required=False)
    rule = forms.RegexField(r"^[\w.-]+$", label=gettext_lazy("Rule set aside"), max_length=40, required=False)
    card = forms.CharField(label=gettext_lazy("Card it settles"), max_length=120, required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400)

    def clean(self) -> dict[str, Any]:
        """The entry of a log that all of it makes."""
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        card = data["card"].strip()
        ref = {"ref": str(_value(card, self._refs(None)))} if card else {}
        data["entry"] = {"by": "judge", "do": "ruling", **ref, "reason": data["reason"], "events": self._events(data)}
        return data

    def _events(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        kind, _space, what = data["does"].partition(" ")
        if kind == "counter":
            if data["change"] is None:
                raise forms.ValidationError({"change": _("Say by how much.")})
            return [{"counter": [*what.split(), data["change"]]}]
        if kind == "allow":
            if not data["rule"]:
                raise forms.ValidationError({"rule": _("Say which rule.")})
            return [{"allow": [what, data["rule"]]}]
        if kind == "vouch":
            if not data["card"].strip():
                raise forms.ValidationError({"card": _("Say which card.")})
            return [{"vouch": [what, str(_value(data["card"].strip(), self._refs(what)))]}]
        seat, _slash, place = what.partition("/")
        return [{kind: [seat, place]}] if kind else []


class MoveForm(_EntryForm):
    """A legal move that was chosen, its chance and open cards as they were typed, and the counters noted with it."""

    move = forms.CharField(max_length=LONGEST)
    chance = forms.CharField(max_length=LONGEST, required=False)
    given = forms.CharField(max_length=LONGEST, required=False)  # the chance as the page had filled it in
    cards = forms.CharField(max_length=LONGEST, required=False)

    @property
    def untouched(self) -> bool:
        """Whether the chance is as the page filled it in: it is that of the first of the moves to choose from."""
        return bool(self.cleaned_data["given"]) and self.cleaned_data["chance"] == self.cleaned_data["given"]

    def clean(self) -> dict[str, Any]:
        """The entry of a log that all of it makes."""
        data: dict[str, Any] = super().clean() or {}
        try:
            entry = engine_gate.read_entry(data.get("move", ""))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        refs = self._refs(entry.get("by"))
        entry = self._with_cards(entry, refs)
        chance = [self._chance(item, refs) for item in data.get("chance", "").split(";") if item.strip()]
        claims = self._claims()
        data["entry"] = {**entry, **({"chance": chance} if chance else {}), **({"claims": claims} if claims else {})}
        return data

    def _with_cards(self, entry: Mapping[str, Any], refs: Mapping[str, str]) -> Mapping[str, Any]:
        """The entry with the cards that were typed for those that its move leaves open."""
        said = [_value(card.strip(), refs) for card in self.cleaned_data.get("cards", "").split(",") if card.strip()]
        key = engine_gate.open_argument(entry)
        if not said or key is None:
            return entry
        return {**entry, "args": {**entry["args"], key: said[0] if entry["args"][key] == "?" else said}}

    def _chance(self, said: str, refs: Mapping[str, str]) -> dict[str, Any]:
        """`draw ?, Somebody` as `{"draw": ["?", "REF"]}`; a kind with one value that is no card has it bare."""
        kind, _space, values = said.strip().partition(" ")
        listed = [_value(value.strip(), refs) for value in values.split(",") if value.strip()]
        return {kind: listed if kind in engine_gate.LISTED_CHANCE else listed[0] if listed else None}

    def _claims(self) -> dict[str, int]:
        claims = {}
        for name, value in self.data.items():
            if name.startswith(CLAIM) and value.strip():
                if not value.strip().lstrip("-").isdecimal() or len(value) > 6:
                    raise forms.ValidationError(_("What is noted is a number."))
                claims[name.removeprefix(CLAIM)[:60]] = int(value)
        return claims


def _value(said: str, refs: Mapping[str, str]) -> Any:
    if said.lstrip("-").isdecimal() and len(said) < 10:
        return int(said)
    return refs.get(said.casefold()) or refs.get(folded(said)) or said
