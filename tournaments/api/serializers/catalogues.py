"""Your own card catalogues."""

from rest_framework import serializers

import engine

CARD_FILES = ("catalogue", "altered", "saint-seiya", "wakfu", "table", "spreadsheet")


class CardsQuery(serializers.Serializer):
    """The game, which only a list or a spreadsheet of your own needs. `id` names the catalogue if the file does not."""

    game = serializers.ChoiceField(engine.games(), required=False, default="")
    id = serializers.RegexField(r"^[0-9a-z][0-9a-z.-]{0,63}$", required=False, default="cards")


class CardSerializer(serializers.Serializer):
    """A card in the sample of a catalogue."""

    ref = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField()


class LintSerializer(serializers.Serializer):
    """A finding of the linter: its code, the card's reference, where it is, and what was probably meant."""

    code = serializers.CharField()
    card = serializers.CharField(allow_blank=True)
    where = serializers.CharField(allow_blank=True)
    suggestions = serializers.ListField(child=serializers.CharField())


class LookSerializer(serializers.Serializer):
    """The first cards of a list and the linter's findings: at most 200 problems and 200 hints, and their totals."""

    sample = CardSerializer(many=True)
    problems = LintSerializer(many=True)
    problem_count = serializers.IntegerField()
    hints = LintSerializer(many=True)
    hint_count = serializers.IntegerField()
    executed = serializers.IntegerField(help_text="Cards that the engine plays by itself.")
    manual = serializers.IntegerField(help_text="Cards that are left to rulings.")


class OwnCatalogueSerializer(serializers.Serializer):
    """A version of a catalogue."""

    id = serializers.IntegerField(source="pk")
    game = serializers.CharField()
    catalog = serializers.CharField()
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    cards = serializers.IntegerField()
    club = serializers.CharField(
        source="group.club.public_id", default=None, allow_null=True, help_text="The club that it was given to."
    )
    kept_at = serializers.DateTimeField(source="created_at")


class CardFaultSerializer(serializers.Serializer):
    """A fault in a list of cards: its line, counted from 1 (0 in JSON), the column or key, and why."""

    line = serializers.IntegerField()
    path = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class LeftOutSerializer(serializers.Serializer):
    """Why lines or columns were left out: the code, how many, and the first five."""

    code = serializers.CharField()
    count = serializers.IntegerField()
    first = CardFaultSerializer(many=True)


class CardFileSerializer(serializers.Serializer):
    """The file that a catalogue was made of: its kind, what was left out of it, and what such files lack (codes).

    `sets` has the number of cards of each set, `suspensions` that of suspensions and bans.
    """

    kind = serializers.ChoiceField(CARD_FILES)
    left_out = LeftOutSerializer(many=True)
    lacks = serializers.ListField(child=serializers.CharField())
    sets = serializers.DictField(child=serializers.IntegerField())
    suspensions = serializers.IntegerField()


class ImageCountSerializer(serializers.Serializer):
    """How many cards have an image, and of how many it is not shown, by the host that this site does not allow."""

    cards = serializers.IntegerField()
    not_shown = serializers.DictField(child=serializers.IntegerField())


class CatalogueDetailSerializer(OwnCatalogueSerializer):
    """A version of a catalogue, with its first cards, what the linter found, and the file it was made of."""

    look = LookSerializer()
    file = CardFileSerializer(allow_null=True)
    images = ImageCountSerializer(source="image_count")


class CardChangesSerializer(serializers.Serializer):
    """How the cards differ from those of your newest version of the catalogue."""

    version = serializers.IntegerField()
    # The default is for lists that were read before there was this field; they are deleted after a day.
    same = serializers.BooleanField(
        default=False, help_text="No card differs: saving replaces the images of that version."
    )
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    removed = serializers.IntegerField()


class CatalogueUploadSerializer(serializers.Serializer):
    """An uploaded list of cards.

    `status` is `sent` until the list has been read, then `readable` or `faulty`, and `kept` once it is saved as a
    catalogue.
    """

    id = serializers.CharField(source="upload.public_id")
    status = serializers.CharField(source="upload.status")
    progress = serializers.IntegerField(source="state.progress", help_text="Percent.")
    error = serializers.CharField(
        source="state.error", allow_blank=True, help_text="The code of the refusal that stopped it."
    )
    catalog = serializers.CharField(help_text="The id that it has, or would have.")
    cards = serializers.IntegerField()
    faults = CardFaultSerializer(many=True)
    game = serializers.CharField(source="upload.game", allow_blank=True, help_text="Empty unless the file says it.")
    file = CardFileSerializer(allow_null=True)
    changes = CardChangesSerializer(allow_null=True, help_text="Null for the first version.")
    look = LookSerializer(allow_null=True)
    images = ImageCountSerializer()
    kept = serializers.IntegerField(
        source="upload.kept_id", allow_null=True, help_text="The catalogue that was created from it."
    )
