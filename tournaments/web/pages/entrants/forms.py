"""Forms to enter, import, rename and merge entrants."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.entry_files import ENCODINGS, MAX_ADDRESS, MAX_BYTES
from tournaments.events.models import Member
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.players import PlayerField
from tournaments.web.words.entrants import IMPORT_DELIMITERS, IMPORT_FIELDS


class WalkInForm(forms.Form):
    """Enter a person without an account."""

    given_name = forms.CharField(
        label=gettext_lazy("First name or nickname"),
        max_length=80,
        widget=forms.TextInput(attrs={"list": "known-names", "autocomplete": "off"}),
    )
    family_name = forms.CharField(label=gettext_lazy("Last name"), max_length=80, required=False)


class PlayerNameForm(WalkInForm):
    """Correct the name of a person without an account."""

    family_first = forms.BooleanField(label=gettext_lazy("The last name comes first"), required=False)
    shown_in_full = forms.BooleanField(
        label=gettext_lazy("The player agreed that everybody can read the whole name"), required=False
    )


class EntryFileForm(forms.Form):
    """Import entrants from a pasted list of names, or from a CSV file."""

    names = forms.CharField(
        label=gettext_lazy("Names"),
        help_text=gettext_lazy("One per line. You can also paste rows from a spreadsheet."),
        required=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 10, "autocomplete": "off", "spellcheck": "false"}),
    )
    document = forms.FileField(
        label=gettext_lazy("Or a CSV file"),
        help_text=gettext_lazy("At most 1 MiB and 5,000 lines. The format is detected and shown to you."),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean(self) -> dict[str, Any]:
        """Require one of the two."""
        data: dict[str, Any] = super().clean() or {}
        if not data.get("document") and not data.get("names"):
            raise forms.ValidationError(_("Paste some names or choose a file."))
        return data

    def sent(self) -> tuple[bytes, dict[str, Any]]:
        """The content of the file or the pasted names, and how to read it (see `entry_files.read_file`).

        If both are given, the file is used. It is read up to one byte beyond the limit, which is enough to refuse it.
        """
        if self.cleaned_data["document"]:
            return bytes(self.cleaned_data["document"].read(MAX_BYTES + 1)), {}
        return self.cleaned_data["names"].encode(), {"encoding": "utf-8"}


class EntryReadingForm(forms.Form):
    """How an entrant file is read. Each column has a field for its meaning: `column_0`, `column_1`, …"""

    encoding = forms.ChoiceField(label=gettext_lazy("Encoding"), choices=[(name, name) for name in ENCODINGS])
    delimiter = forms.ChoiceField(label=gettext_lazy("Column separator"), choices=list(IMPORT_DELIMITERS.items()))
    header = forms.BooleanField(label=gettext_lazy("The first line names the columns"), required=False)
    twice = forms.BooleanField(
        label=gettext_lazy("Also enter players whose name is already in the event"), required=False
    )
    numbered = forms.BooleanField(
        label=gettext_lazy("Where a name is an e-mail address, call the player “Player 1”, “Player 2” and so on"),
        required=False,
    )

    def __init__(self, *args: Any, reading: Mapping[str, Any], twice: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**reading, "twice": twice, "numbered": bool(reading.get("numbered"))}
        self.width = len(reading["columns"])
        for at, field in enumerate(reading["columns"]):
            self.fields[f"column_{at}"] = forms.ChoiceField(
                label=_("Column %(number)d") % {"number": at + 1},
                choices=list(IMPORT_FIELDS.items()),
                required=False,
                initial=field,
            )

    @property
    def column_fields(self) -> list[Any]:
        """The fields of the columns, in order."""
        return [self[f"column_{at}"] for at in range(self.width)]

    @property
    def other_fields(self) -> list[Any]:
        """The fields that concern the whole file."""
        return [self[name] for name in ("encoding", "delimiter", "header", "twice", "numbered")]

    @property
    def chosen(self) -> dict[str, Any]:
        """The choices, as `imports.read_again` takes them."""
        values = {name: self.cleaned_data[name] for name in ("encoding", "delimiter", "header", "twice", "numbered")}
        return {**values, "columns": [self.cleaned_data[f"column_{at}"] for at in range(self.width)]}


class PaperListForm(forms.Form):
    """Type in a decklist at the desk; that of one of the `members` of a team, if there are any."""

    member = forms.ChoiceField(label=gettext_lazy("Player"))
    text = forms.CharField(
        label=gettext_lazy("Decklist"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One card per line, such as “2 Card name”. This becomes the version that counts."),
    )

    def __init__(self, *args: Any, members: Sequence[Member] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.members = {member.person.public_id: member for member in members}
        if members:
            names = [(person, member.full_name) for person, member in self.members.items()]
            choice_field(self, "member").choices = names
        else:
            del self.fields["member"]

    @property
    def member_chosen(self) -> Member | None:
        """The member of the team whose list it is; None for a player."""
        return self.members.get(self.cleaned_data.get("member", ""))


class MergeEntrantsForm(forms.Form):
    """Choose the other entry of the same player."""

    into = PlayerField(label=gettext_lazy("The same player as"))

    def __init__(self, *args: Any, entrants: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "into").choices = [("", "–"), *entrants]


class AddressForm(forms.Form):
    """The e-mail address to which an entrant's invitation is sent."""

    email = forms.CharField(
        label=gettext_lazy("E-mail address"),
        max_length=MAX_ADDRESS,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )


class DisqualifyForm(forms.Form):
    """The reason for a disqualification."""

    reason = forms.CharField(max_length=2000)
