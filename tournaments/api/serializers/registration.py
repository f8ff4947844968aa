"""How people come to an event: the settings of registration."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import AnswersField, BoundedList, ConsentField, Input
from tournaments.events.approval import CAN_BE, LONGEST_REASON, MOST, Decided
from tournaments.events.models import Application, Consent, Event, Question
from tournaments.events.questions import LONGEST_HELP, LONGEST_LABEL, LONGEST_OPTION, MOST_OPTIONS


class RegistrationInput(Input):
    """The settings of registration. Whatever is left out stays."""

    listing = serializers.ChoiceField(Event.Listing.choices, required=False)
    approval = serializers.BooleanField(required=False)
    consent_under = serializers.IntegerField(min_value=10, max_value=21, required=False, allow_null=True)


class EventQuestionSerializer(serializers.Serializer):
    """A question to everybody who registers."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Question.Kind.choices)
    label = serializers.CharField(help_text="The question; of a consent, the sentence to tick.")  # type: ignore[assignment]  # a declared field
    help = serializers.CharField(allow_blank=True)
    options = serializers.ListField(child=serializers.CharField(), help_text="Of a choice, in order.")
    required = serializers.BooleanField()  # type: ignore[assignment]  # a declared field


class EventQuestionChangeInput(Input):
    """What to change in a question."""

    label = serializers.CharField(max_length=LONGEST_LABEL, required=False)  # type: ignore[assignment]  # a declared field
    help = serializers.CharField(max_length=LONGEST_HELP, required=False, allow_blank=True)
    options = BoundedList(
        child=serializers.CharField(max_length=LONGEST_OPTION), max_length=MOST_OPTIONS, required=False
    )
    required = serializers.BooleanField(required=False)  # type: ignore[assignment]  # a declared field


class EventQuestionInput(EventQuestionChangeInput):
    """A new question. Options are for a choice alone."""

    kind = serializers.ChoiceField(Question.Kind.choices)
    label = serializers.CharField(max_length=LONGEST_LABEL)


class MoveInput(Input):
    """Whether the question is asked one place earlier or later."""

    earlier = serializers.BooleanField()


class AnswersInput(Input):
    """Answers by the number of the question. Questions that are left out become unanswered."""

    answers = AnswersField()


class AgreementSerializer(serializers.Serializer):
    """Who agreed to something, when, and to which sentence."""

    by = serializers.CharField(
        source="by.public_id", default=None, allow_null=True, help_text="An account; null: it was not stored then."
    )
    at = serializers.DateTimeField()
    sentence = serializers.CharField(
        allow_blank=True, help_text="As it read then; empty: on paper, or it was not stored then."
    )


class TickedSerializer(AgreementSerializer):
    """A sentence that was ticked."""

    question = serializers.IntegerField(source="question.number")


class AnswersSerializer(serializers.Serializer):
    """The answers of an entrant by the number of the question, how a consent was given, and who agreed to what."""

    answers = serializers.DictField(child=serializers.CharField())
    consent = serializers.ChoiceField(
        Consent.How.choices, allow_blank=True, help_text="Empty: none was given, or none is asked."
    )
    consented = AgreementSerializer(allow_null=True, help_text="Who gave the consent, or noted it at the desk.")
    ticked = TickedSerializer(many=True, help_text="The sentences that were ticked, removed questions included.")


class ConsentInput(Input):
    """Whether a guardian consented on paper; false takes any consent back."""

    noted = serializers.BooleanField()


class ApplicationSerializer(serializers.Serializer):
    """An application for a place. An approved one became an entrant."""

    id = serializers.CharField(source="public_id")
    event = serializers.CharField(source="event.public_id")
    person = serializers.CharField(source="person.public_id")
    name = serializers.CharField()
    full_name = serializers.CharField()
    status = serializers.ChoiceField(Application.Status.choices)
    applied_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was declined.")


class ApplicationsQuery(serializers.Serializer):
    """Filters for a list of applications."""

    status = serializers.ChoiceField(Application.Status.choices, required=False)


class ApplicationInput(Input):
    """Who applies: you, or a `person` you act for."""

    person = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    answers = AnswersField(required=False, default=dict)
    consent = ConsentField(required=False, default="", allow_blank=True)


class DecisionInput(Input):
    """Applications to one event, by id, and what the desk decides on each of them."""

    decision = serializers.ChoiceField(list(CAN_BE))
    applications = BoundedList(child=serializers.CharField(max_length=20), max_length=MOST, allow_empty=False)
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        required=False,
        default="",
        allow_blank=True,
        help_text="With `decline`: the reason that the applicants read.",
    )


class RefusedApplicationSerializer(serializers.Serializer):
    """An application on which could not be decided, and why."""

    application = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class DecidedSerializer(serializers.Serializer):
    """The applications on which was decided, and those for which it was refused."""

    done = serializers.SerializerMethodField()
    refused = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_done(self, report: Decided) -> list[str]:
        """The ids of the applications on which was decided."""
        return [application.public_id for application in report.done]

    @extend_schema_field(RefusedApplicationSerializer(many=True))
    def get_refused(self, report: Decided) -> list[dict[str, str]]:
        """The ids of the others, each with a code and a message."""
        return [
            {"application": application.public_id, "code": refusal.code, "message": str(refusal.message)}
            for application, refusal in report.refused
        ]
