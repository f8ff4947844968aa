"""Forms of the match recorder."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import face
from tournaments.common.letters import folded
from tournaments.web.words.boards import kind_of_chance, language

KEY = re.compile(r"[\w-]{10,60}")
LAST = 100_000  # no recording has an entry of a higher number
LONGEST = 4000  # characters of a move, and of its chance
# Prefix of the fields with the counters that are claimed at the end of a turn.
CLAIM = "claim:"


class SequenceForm(forms.Form):
    """The number of the entry, and the sender's key for it, which makes sending it again harmless."""

    n = forms.IntegerField(min_value=1, max_value=LAST)
    key = forms.RegexField(KEY)


class SentEntriesForm(forms.Form):
    """The moves that a browser made, as JSON `{after, entries: [{key, entry}]}`."""

    sent = forms.CharField(max_length=1_000_000)

    def clean_sent(self) -> dict[str, Any]:
        """Read the JSON and check its shape. The entries themselves are checked by the engine."""
        try:
            sent = face.audits.read_entry(self.cleaned_data["sent"], language())
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        entries, after = sent.get("entries"), sent.get("after")
        if type(after) is not int or not 0 <= after <= LAST or not isinstance(entries, list):
            raise forms.ValidationError(_("These moves cannot be read."))
        for item in entries:
            key = item.get("key") if isinstance(item, dict) else None
            if not isinstance(key, str) or not KEY.fullmatch(key) or not isinstance(item.get("entry"), dict):
                raise forms.ValidationError(_("These moves cannot be read."))
        return sent


class _EntryForm(forms.Form):
    """An entry of a log, in which cards are typed by reference or by name.

    `names` are the names in the catalogue, by reference; `decks` are the references in the list of each seat, which
    take precedence if several cards have the same name.
    """

    def __init__(self, *args: Any, names: Mapping[str, str], decks: Mapping[str, Iterable[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = names
        self.decks = decks

    @property
    def entry(self) -> dict[str, Any]:
        """The entry that was typed."""
        found: dict[str, Any] = self.cleaned_data["entry"]
        return found

    def _refs(self, seat: Any) -> dict[str, str]:
        """Card references by what can be typed for them; the cards of the seat's own list take precedence."""
        own = self.decks.get(seat, ()) if isinstance(seat, str) else ()
        every = [*self.names, *(ref for ref in own if ref in self.names)]
        return {folded(self.names[ref]): ref for ref in every} | {ref.casefold(): ref for ref in self.names}


class RulingEntryForm(_EntryForm):
    """A ruling of a judge at the table: one change of the game or none, the card it is about, and the reason."""

    does = forms.RegexField(
        r"^(counter [A-E] \w+|(discard|return) [A-E]/[\w/]+|(allow|vouch) [A-E])$", required=False, max_length=80
    )
    change = forms.IntegerField(label=gettext_lazy("Change"), min_value=-1000, max_value=1000, required=False)
    rule = forms.RegexField(r"^[\w.-]+$", label=gettext_lazy("Rule set aside"), max_length=40, required=False)
    card = forms.CharField(label=gettext_lazy("Card the ruling settles"), max_length=120, required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400)

    def clean(self) -> dict[str, Any]:
        """Set `entry` to the log entry of the ruling."""
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
                raise forms.ValidationError({"change": _("Enter by how much.")})
            return [{"counter": [*what.split(), data["change"]]}]
        if kind == "allow":
            if not data["rule"]:
                raise forms.ValidationError({"rule": _("Choose the rule.")})
            return [{"allow": [what, data["rule"]]}]
        if kind == "vouch":
            if not data["card"].strip():
                raise forms.ValidationError({"card": _("Choose the card.")})
            return [{"vouch": [what, str(_value(data["card"].strip(), self._refs(what)))]}]
        seat, _slash, place = what.partition("/")
        return [{kind: [seat, place]}] if kind else []


class MoveForm(_EntryForm):
    """A chosen legal move, with its chance and open cards as typed, and the counters claimed with it."""

    move = forms.CharField(max_length=LONGEST)
    chance = forms.CharField(max_length=LONGEST, required=False)
    given = forms.CharField(max_length=LONGEST, required=False)  # the chance that the page had filled in
    cards = forms.CharField(max_length=LONGEST, required=False)

    @property
    def untouched(self) -> bool:
        """Whether the chance is still as the page filled it in, which was for the first move of the group."""
        return bool(self.cleaned_data["given"]) and self.cleaned_data["chance"] == self.cleaned_data["given"]

    def clean(self) -> dict[str, Any]:
        """Set `entry` to the log entry of the move."""
        data: dict[str, Any] = super().clean() or {}
        try:
            entry: Mapping[str, Any] = face.audits.read_entry(data.get("move", ""), language())
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        refs = self._refs(entry.get("by"))
        entry = self._with_cards(entry, refs)
        chance = [self._chance(item, refs) for item in data.get("chance", "").split(";") if item.strip()]
        claims = self._claims()
        data["entry"] = {**entry, **({"chance": chance} if chance else {}), **({"claims": claims} if claims else {})}
        return data

    def _with_cards(self, entry: Mapping[str, Any], refs: Mapping[str, str]) -> Mapping[str, Any]:
        """The entry with the typed cards in place of those that the move leaves open."""
        values = [_value(card.strip(), refs) for card in self.cleaned_data.get("cards", "").split(",") if card.strip()]
        key = face.live.open_argument(entry)
        if not values or key is None:
            return entry
        return {**entry, "args": {**entry["args"], key: values[0] if entry["args"][key] == "?" else values}}

    def _chance(self, typed: str, refs: Mapping[str, str]) -> dict[str, Any]:
        """Parse a chance: `draw ?, Somebody` gives `{"draw": ["?", "REF"]}`, and so does `pioche ?, Somebody`.

        Kinds that are not lists have a single value: `first player A` gives `{"first_player": "A"}`.
        """
        kind, values = kind_of_chance(typed.strip())
        listed = [_value(value.strip(), refs) for value in values.split(",") if value.strip()]
        return {kind: listed if kind in face.live.LISTED_CHANCE else listed[0] if listed else None}

    def _claims(self) -> dict[str, int]:
        claims = {}
        for name, value in self.data.items():
            if name.startswith(CLAIM) and value.strip():
                if not value.strip().lstrip("-").isdecimal() or len(value) > 6:
                    raise forms.ValidationError(_("Enter a number."))
                claims[name.removeprefix(CLAIM)[:60]] = int(value)
        return claims


def _value(typed: str, refs: Mapping[str, str]) -> Any:
    if typed.lstrip("-").isdecimal() and len(typed) < 10:
        return int(typed)
    return refs.get(typed.casefold()) or refs.get(folded(typed)) or typed
