"""How people come to an event: who can find it, what registration asks of them, and applications for a place."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken, Person
from tournaments.api.addresses import APPLICATION, ENTRANT, EVENT, QUESTION
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.entrants import entrant_of_request, person_of
from tournaments.api.resources.events import event_answer
from tournaments.api.serializers.events import EventDetailSerializer
from tournaments.api.serializers.invitations import SecretInput
from tournaments.api.serializers.registration import (
    AnswersInput,
    AnswersSerializer,
    ApplicationInput,
    ApplicationSerializer,
    ApplicationsQuery,
    ConsentInput,
    DecidedSerializer,
    DecisionInput,
    EventQuestionChangeInput,
    EventQuestionInput,
    EventQuestionSerializer,
    MoveInput,
    RegistrationInput,
)
from tournaments.events import approval, questions
from tournaments.events.access import (
    application_for_player,
    application_for_reader,
    entrant_for_player,
    entrant_for_staff,
    event_for_staff,
    event_for_viewer,
    question_of,
)
from tournaments.events.approval import applications_of
from tournaments.events.consent import consent_of, note_consent
from tournaments.events.joining import event_for_join
from tournaments.events.listing import welcome
from tournaments.events.models import Entrant
from tournaments.events.questions import answers_of, ticked_by
from tournaments.events.registration import apply_for_place, choose_registration

ORGANIZE, PLAY = ApiToken.Scope.ORGANIZE, ApiToken.Scope.PLAY


class Registration(Resource):
    """The settings of registration, and the way into a private event."""

    scopes = (ORGANIZE,)

    @operation(
        "PUT",
        f"{EVENT}registration/",
        name="registration",
        takes=RegistrationInput,
        answers=EventDetailSerializer,
    )
    def registration_choose(self, request: Request, event_id: str) -> Response:
        """Change the registration settings; fields left out stay. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return event_answer(self, choose_registration(event=event, **self.arguments()))

    @operation(
        "POST",
        f"{EVENT}join/",
        name="join",
        takes=SecretInput,
        answers=EventDetailSerializer,
        scopes=(PLAY,),
    )
    def registration_join(self, request: Request, event_id: str) -> Response:
        """Open an event by its join link; if it is private, you can see it from then on. For any account."""
        event = event_for_join(event_id, self.read()["secret"])
        welcome(event=event, user=self.user, now=self.now)
        return event_answer(self, event)


class EventQuestions(Resource):
    """The questions to everybody who registers, and the answers."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}questions/", name="questions", lists=EventQuestionSerializer)
    def questions_list(self, request: Request, event_id: str) -> Response:
        """The questions in the order in which they are asked. Public."""
        return self.answer(questions.questions_of(event_for_viewer(self.user, event_id)))

    @operation("POST", f"{EVENT}questions/", takes=EventQuestionInput, answers=EventQuestionSerializer, status=201)
    def questions_add(self, request: Request, event_id: str) -> Response:
        """Add a question at the end. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(questions.add_question(event=event, **self.arguments()))

    @operation("PUT", QUESTION, name="question", takes=EventQuestionChangeInput, answers=EventQuestionSerializer)
    def questions_change(self, request: Request, event_id: str, number: int) -> Response:
        """Change a question; fields left out stay. For organizers and owners."""
        question = question_of(event_for_staff(self.user, event_id, "manage_event"), number)
        return self.answer(questions.change_question(question=question, **self.arguments()))

    @operation("DELETE", QUESTION)
    def questions_remove(self, request: Request, event_id: str, number: int) -> Response:
        """Stop asking a question; its answers are kept. For organizers and owners."""
        question = question_of(event_for_staff(self.user, event_id, "manage_event"), number)
        questions.remove_question(question=question, **self.arguments())
        return self.answer()

    @operation(
        "POST", f"{QUESTION}move/", name="question_move", takes=MoveInput, lists=EventQuestionSerializer, status=200
    )
    def questions_move(self, request: Request, event_id: str, number: int) -> Response:
        """Move a question one place up or down. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        questions.move_question(question=question_of(event, number), **self.arguments())
        return self.answer(questions.questions_of(event))

    @operation("GET", f"{ENTRANT}answers/", name="answers", answers=AnswersSerializer, account_needed=True)
    def answers_read(self, request: Request, entrant_id: str) -> Response:
        """An entrant's answers, and how a consent was given. For the entrant, and the desk."""
        return self._answers(_entrant_for_answers(self.user, entrant_id))

    @operation("PUT", f"{ENTRANT}answers/", takes=AnswersInput, answers=AnswersSerializer, scopes=(PLAY, ORGANIZE))
    def answers_change(self, request: Request, entrant_id: str) -> Response:
        """Replace an entrant's answers. For the entrant until registration closes, and for the desk."""
        entrant = entrant_of_request(request, entrant_id)
        person = self._person(entrant)
        desk = person.account_id != self.user.pk
        questions.change_answers(event=entrant.event, person=person, desk=desk, **self.arguments())
        return self._answers(entrant)

    @operation("PUT", f"{ENTRANT}consent/", name="consent", takes=ConsentInput, answers=AnswersSerializer)
    def consent_note(self, request: Request, entrant_id: str) -> Response:
        """Note that a guardian has consented on paper, or remove a consent. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        note_consent(entrant=entrant, **self.arguments())
        return self._answers(entrant)

    def _person(self, entrant: Entrant) -> Person:
        """The person whose answers these are: of a team, oneself, or for others the captain."""
        members = list(entrant.member_set.order_by("-captain", "pk"))
        own = [member.person for member in members if member.person.account_id == self.user.pk]
        return own[0] if own else members[0].person

    def _answers(self, entrant: Entrant) -> Response:
        event, person = entrant.event, self._person(entrant)
        consent = consent_of(event, person)
        return self.answer({
            "answers": {str(number): text for number, text in answers_of(event, person).items()},
            "consent": consent.how if consent else "",
            "consented": consent,
            "ticked": list(ticked_by(event, person)),
        })


def _entrant_for_answers(user: Any, entrant_id: str) -> Entrant:
    try:
        return entrant_for_player(user, entrant_id)
    except Http404:
        return entrant_for_staff(user, entrant_id, "run_desk")


class Applications(Resource):
    """Applications for a place, at events where the desk decides on each registration."""

    scopes = (ORGANIZE,)

    @operation(
        "GET",
        f"{EVENT}applications/",
        name="applications",
        query=ApplicationsQuery,
        pages=ApplicationSerializer,
        account_needed=True,
    )
    def applications_list(self, request: Request, event_id: str) -> Response:
        """All applications, oldest first, filtered by `status`. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        return self.answer(applications_of(event).filter(**self.read_query()))

    @operation(
        "POST",
        f"{EVENT}applications/",
        takes=ApplicationInput,
        answers=ApplicationSerializer,
        status=201,
        scopes=(PLAY,),
    )
    def applications_make(self, request: Request, event_id: str) -> Response:
        """Apply for a place, for yourself or a `person` you act for. For any account."""
        event = event_for_viewer(self.user, event_id)
        wanted = self.read()
        person = person_of(self.user, wanted.pop("person"))
        return self.answer(apply_for_place(event=event, person=person, by=self.user, now=self.now, **wanted))

    @operation(
        "POST",
        f"{EVENT}applications/decide/",
        name="applications_decide",
        takes=DecisionInput,
        answers=DecidedSerializer,
    )
    def applications_decide(self, request: Request, event_id: str) -> Response:
        """Approve or decline several applications; each succeeds or is refused separately. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        return self.answer(approval.decide(event=event, **self.arguments()))

    @operation("GET", APPLICATION, name="application", answers=ApplicationSerializer, account_needed=True)
    def applications_read(self, request: Request, application_id: str) -> Response:
        """One application. For the account that made it, and for the desk."""
        return self.answer(application_for_reader(self.user, application_id))

    @operation("DELETE", APPLICATION, scopes=(PLAY,))
    def applications_withdraw(self, request: Request, application_id: str) -> Response:
        """Withdraw an application that is waiting. Idempotent. For the account that made it."""
        application = application_for_player(self.user, application_id)
        approval.withdraw(application=application, **self.arguments())
        return self.answer()
