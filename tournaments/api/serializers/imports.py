"""Files of entrants."""

from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input
from tournaments.api.serializers.events import KnownPlayerSerializer
from tournaments.events.entry_files import DELIMITERS, ENCODINGS, FIELDS, MAX_COLUMNS, MAX_LINES, MAX_NAME
from tournaments.events.models import EntryImport


class RowInput(Input):
    """What to do with a single line."""

    line = serializers.IntegerField(min_value=1, max_value=2 * MAX_LINES)
    split = serializers.IntegerField(
        min_value=-MAX_NAME,
        max_value=MAX_NAME,
        required=False,
        help_text="How many words of the name are the first name. Negative: so many are the last name, which comes "
        "first. 0: a name in one part.",
    )
    enter = serializers.BooleanField(
        required=False,
        help_text="True: enter the line although its name is taken (`name_twice`) or looks like none (`no_name`). "
        "False: leave it out.",
    )
    person = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        help_text="The player of `known` who it is; empty: a new player.",
    )


class ReadingInput(Input):
    """How to read the file. Whatever you leave out is guessed, or stays as it was."""

    encoding = serializers.ChoiceField(list(ENCODINGS), required=False)
    delimiter = serializers.ChoiceField(list(DELIMITERS), required=False)
    header = serializers.BooleanField(required=False, help_text="Whether the first line names the columns.")
    columns = BoundedList(
        child=serializers.ChoiceField(["", *FIELDS]),
        max_length=MAX_COLUMNS,
        required=False,
        help_text="What each column is; empty for one that is ignored.",
    )
    twice = serializers.BooleanField(required=False, help_text="Also enter people whose name is already in the event.")
    numbered = serializers.BooleanField(
        required=False, help_text="Where a name is an e-mail address, call the player “Player 1” and so on."
    )

    rows = BoundedList(
        child=RowInput(),
        max_length=MAX_LINES,
        required=False,
        help_text="Decisions about single lines, added to earlier ones.",
    )


class ImportInput(ReadingInput):
    """The file as text: a CSV file, or a list with one name per line."""

    text = serializers.CharField(max_length=512 * 1024, trim_whitespace=False)


class ConfirmImportInput(Input):
    """Whether to invite those whose e-mail address is in the file to take over their entries."""

    invite = serializers.BooleanField(required=False, default=False)


class ImportLineSerializer(serializers.Serializer):
    """A line that would enter somebody."""

    line = serializers.IntegerField(source="number")
    given_name = serializers.CharField()
    family_name = serializers.CharField(allow_blank=True)
    family_first = serializers.BooleanField(help_text="Whether the last name is said before the first name.")
    club = serializers.CharField(allow_blank=True)
    table = serializers.IntegerField(allow_null=True)
    email = serializers.CharField(allow_blank=True, help_text="Empty: none, or none that can be read.")
    person = serializers.CharField(
        allow_blank=True, help_text="The player known from an earlier event whom the line enters; empty: a new player."
    )
    doubts = serializers.ListField(
        child=serializers.CharField(), help_text="`name_split`: where the last name begins is a guess."
    )


class KnownLineSerializer(serializers.Serializer):
    """A line whose name players known from earlier events have."""

    line = serializers.IntegerField()
    players = KnownPlayerSerializer(many=True)


class ReadSerializer(serializers.Serializer):
    """How a file is read."""

    encoding = serializers.CharField(source="reading.encoding")
    delimiter = serializers.CharField(source="reading.delimiter")
    header = serializers.BooleanField(source="reading.header")
    columns = serializers.ListField(child=serializers.CharField(allow_blank=True), source="reading.columns")
    numbered = serializers.BooleanField(source="reading.numbered", default=False)
    unsure = serializers.BooleanField(
        source="reading.unsure", default=False, help_text="No column is known to have names: choose `columns`."
    )
    twice = serializers.BooleanField()


class RefusedLineSerializer(serializers.Serializer):
    """A line that enters nobody, with the codes of the reasons."""

    line = serializers.IntegerField()
    faults = serializers.ListField(child=serializers.CharField())


class ListProblemSerializer(serializers.Serializer):
    """A decklist that is not submitted: the line of the file, the entrant once there is one, and the code of why."""

    line = serializers.IntegerField()
    entrant = serializers.CharField(source="entrant.public_id", default=None, allow_null=True)
    code = serializers.CharField()


class ImportedListsSerializer(serializers.Serializer):
    """What becomes of the decklists of a file. While it is open: what confirming it would do."""

    legal = serializers.IntegerField()
    illegal = serializers.IntegerField()
    unchecked = serializers.IntegerField(help_text="Of a game that the engine does not know.")
    later = serializers.IntegerField(help_text="Not checked yet.")
    refusal = serializers.CharField(allow_blank=True, help_text="The code of the problem that excludes every list.")
    problems = ListProblemSerializer(many=True)
    progress = serializers.IntegerField(allow_null=True, help_text="0 to 100; null until the file is confirmed.")


class ImportSerializer(serializers.Serializer):
    """A file of entrants. `status` is `open` until it is confirmed, and `done` once everybody is entered.

    While it is open, the counts and lines show what confirming it would do.
    """

    id = serializers.CharField(source="import.public_id")
    event = serializers.CharField(source="import.event.public_id")
    status = serializers.ChoiceField(EntryImport.Status.choices, source="import.status")
    reading = ReadSerializer(source="import")
    progress = serializers.IntegerField(source="state.progress", help_text="0 to 100")
    error = serializers.CharField(
        source="state.error", allow_blank=True, help_text="The code of the refusal that stopped it."
    )
    entered = serializers.IntegerField(source="outcome.entered")
    waiting = serializers.IntegerField(source="outcome.waiting", help_text="Those of them on the waiting list.")
    lines = ImportLineSerializer(source="outcome.lines", many=True, help_text="Empty once it is confirmed.")
    refused = RefusedLineSerializer(source="outcome.refused", many=True)
    banned = serializers.ListField(
        child=serializers.IntegerField(), help_text="Lines that may name somebody on the organizer’s ban list."
    )
    twins = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Lines whose name looks like another one but is spelled with other characters.",
    )
    known = KnownLineSerializer(
        many=True, help_text="Lines with the names of known players: say with `rows` who is the same player."
    )
    lists = ImportedListsSerializer(help_text="The decklists of the file, which a job submits.")
