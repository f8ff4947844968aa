"""Questions that an organizer asks everybody who registers, and the answers.

A question asks for a text, for one of several options, or for a sentence to be ticked. Players answer when they
register, and can change their answers until registration closes; the desk can at any time. A required question does not
block the desk. A question that somebody has answered is hidden when it is removed, and its answers are kept.

With a sentence that was ticked, the account that ticked it and the sentence as it read then are stored.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Answer, Entrant, Event, Member, Question
from tournaments.events.services import record, require_registration

Kind = Question.Kind
MOST = 20  # per event, without those removed
LONGEST_LABEL, LONGEST_HELP, LONGEST_OPTION, LONGEST_ANSWER = 200, 300, 100, 500
MOST_OPTIONS = 20
TICKED = "yes"  # the answer to a sentence that was ticked
_OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)
FIELDS = ("label", "help", "options", "required")


def questions_of(event: Event) -> list[Question]:
    """The questions of an event that are asked, in order."""
    return list(event.questions.filter(removed_at=None).order_by("position", "number"))


def add_question(
    *,
    event: Event,
    kind: str,
    label: str,
    by: User,
    now: datetime,
    help: str = "",
    options: Collection[str] = (),
    required: bool = False,
) -> Question:
    """Add a question after the others.

    Refused: `event_state`, `too_many_questions`, `question_invalid` (with the names of the fields).
    """
    wanted = _read(kind, {"label": label, "help": help, "options": options, "required": required})
    with transaction.atomic():
        event = _open_event(event.pk)
        if event.questions.filter(removed_at=None).count() >= MOST:
            raise Refusal("too_many_questions", _("An event has at most 20 questions: remove one first."))
        last = event.questions.aggregate(number=Max("number"), position=Max("position"))
        number, position = ((last[name] or 0) + 1 for name in ("number", "position"))
        question = Question.objects.create(event=event, number=number, position=position, kind=kind, **wanted)
        after = {"number": number, "kind": kind, "required": question.required}
        record(event, by, "question.added", now, after=after)
    return question


def change_question(*, question: Question, by: User, now: datetime, **wanted: Any) -> Question:
    """Change fields of a question (`FIELDS`); those left out stay, and so do its answers.

    Refused: `event_state`, `question_invalid` (with the names of the fields).
    """
    with transaction.atomic():
        event = _open_event(question.event_id)
        question = event.questions.get(pk=question.pk)
        read = _read(question.kind, {name: wanted.get(name, getattr(question, name)) for name in FIELDS})
        changed = [name for name in FIELDS if read[name] != getattr(question, name)]
        if changed:
            for name in changed:
                setattr(question, name, read[name])
            question.save(update_fields=changed)
            # Texts stay out of the ledger, where they could never be changed again.
            record(event, by, "question.changed", now, after={"number": question.number, "fields": changed})
    return question


def move_question(*, question: Question, earlier: bool, by: User, now: datetime) -> None:
    """Ask a question one place earlier, or later. At the end of the list nothing changes. Refused: `event_state`."""
    with transaction.atomic():
        event = _open_event(question.event_id)
        order = questions_of(event)
        at = next((place for place, each in enumerate(order) if each.pk == question.pk), None)
        to = None if at is None else at - 1 if earlier else at + 1
        if at is None or to is None or not 0 <= to < len(order):
            return
        order[at], order[to] = order[to], order[at]
        for position, each in enumerate(order, start=1):
            event.questions.filter(pk=each.pk).update(position=position)
        record(event, by, "question.moved", now, after={"order": [each.number for each in order]})


def remove_question(*, question: Question, by: User, now: datetime) -> None:
    """Ask a question no more. If somebody has answered it, its answers are kept. Idempotent. Refused: `event_state`."""
    with transaction.atomic():
        event = _open_event(question.event_id)
        here = event.questions.filter(pk=question.pk, removed_at=None)
        if not here.exists():
            return
        if Answer.objects.filter(question=question).exists():
            here.update(removed_at=now)
        else:
            here.delete()
        record(event, by, "question.removed", now, after={"number": question.number})


def _open_event(pk: int) -> Event:
    event = Event.objects.select_for_update().get(pk=pk)
    if event.status in _OVER:
        raise Refusal("event_state", _("The event is over."))
    return event


def _read(kind: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a question, checked."""
    options = list(dict.fromkeys(text for text in map(one_line, wanted["options"]) if text))
    label, help_text = one_line(wanted["label"]), one_line(wanted["help"])
    choice = kind == Kind.CHOICE
    faults = {
        "kind": kind not in Kind.values,
        "label": not 0 < len(label) <= LONGEST_LABEL,
        "help": len(help_text) > LONGEST_HELP,
        "options": (len(options) < 2 if choice else bool(options))
        or len(options) > MOST_OPTIONS
        or any(len(option) > LONGEST_OPTION for option in options),
    }
    wrong = [name for name, is_wrong in faults.items() if is_wrong]
    if wrong:
        sentence = _("A question needs a text. A choice needs 2 to 20 options, one per line; other kinds have none.")
        raise InvalidInput("question_invalid", sentence, details=wrong)
    return {"label": label, "help": help_text, "options": options, "required": bool(wanted["required"])}


def answers_of(event: Event, person: Person) -> dict[int, str]:
    """A person's answers by the number of the question, without those to questions that were removed."""
    found = Answer.objects.filter(question__event=event, question__removed_at=None, person=person)
    return dict(found.values_list("question__number", "text"))


def read_answers(event: Event, given: Mapping[str, str], *, required: bool) -> dict[Question, str]:
    """Answers by question, from texts by the number of the question. Questions that are left out are unanswered.

    Raises InvalidInput `answers_invalid` with a `{"question", "code"}` for each fault: `unknown`, `too_long`,
    `not_an_option`, and with `required` also `missing`.
    """
    asked = {str(question.number): question for question in questions_of(event)}
    faults = [{"question": str(name)[:20], "code": "unknown"} for name in given if name not in asked][:MOST]
    answers: dict[Question, str] = {}
    for name, question in asked.items():
        text = one_line(given.get(name, ""))
        code = _fault_of(question, text, required=required)
        if code:
            faults.append({"question": name, "code": code})
        answers[question] = text
    if faults:
        raise InvalidInput("answers_invalid", _("Some answers are missing or not possible."), details=faults)
    return answers


def _fault_of(question: Question, text: str, *, required: bool) -> str:
    if not text:
        return "missing" if required and question.required else ""
    if len(text) > LONGEST_ANSWER:
        return "too_long"
    options = {Kind.CHOICE: question.options, Kind.CONSENT: [TICKED]}.get(Kind(question.kind))
    return "not_an_option" if options is not None and text not in options else ""


def keep_answers(event: Event, person: Person, answers: Mapping[Question, str], by: User, now: datetime) -> list[int]:
    """Store answers, and delete those that are blank now. Returns the numbers of the questions whose answer changed.

    A player who sends a tick again agrees to the sentence as it reads now; the desk leaves it as the player ticked it.
    Call it in a transaction with the event's row locked.
    """
    before, ticked = answers_of(event, person), {each.question_id: each.sentence for each in ticked_by(event, person)}
    own = person.account_id == by.pk
    changed = [
        question
        for question, text in answers.items()
        if text != before.get(question.number, "") or (own and text and ticked.get(question.pk, text) != question.label)
    ]
    for question in changed:
        if answers[question]:
            values = {"text": answers[question], "at": now}
            if question.kind == Kind.CONSENT:
                values |= {"by": by, "sentence": question.label}
            Answer.objects.update_or_create(question=question, person=person, defaults=values)
        else:
            Answer.objects.filter(question=question, person=person).delete()
    return sorted(question.number for question in changed)


def ticked_by(event: Event, person: Person) -> QuerySet[Answer]:
    """The sentences that were ticked for a person, with the account that did, those of removed questions included."""
    found = Answer.objects.filter(question__event=event, question__kind=Kind.CONSENT, person=person)
    return found.select_related("question", "by").order_by("question__position", "question__number")


def change_answers(
    *, event: Event, person: Person, answers: Mapping[str, str], by: User, now: datetime, desk: bool = False
) -> dict[int, str]:
    """Replace a person's answers, and return them. The desk can leave required questions unanswered.

    Refused: `not_registered` if the person neither is in the event nor has applied; for players `registration_closed`;
    `answers_invalid`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if not desk:
            require_registration(event, now)
        concerned = _concerned(event, person)
        read = read_answers(event, answers, required=not desk)
        if changed := keep_answers(event, person, read, by, now):
            record(event, by, "answers.changed", now, object=concerned, after={"questions": changed})
    return answers_of(event, person)


def _concerned(event: Event, person: Person) -> str:
    """The public id of the person's entrant or, if there is none, application."""
    entrant = event.entrants.filter(member__person=person).first()
    if entrant is not None:
        return entrant.public_id
    application = event.applications.filter(person=person).order_by("-pk").first()
    if application is None:
        raise Refusal("not_registered", _("This person is not registered for the event."))
    return application.public_id


def unanswered(event: Event) -> QuerySet[Entrant]:
    """The entrants, those who dropped included, who have not answered all required questions."""
    asked = event.questions.filter(removed_at=None, required=True)
    count = asked.count()
    if not count:
        return event.entrants.none()
    answered = Answer.objects.filter(question__in=asked).values("person").annotate(given=Count("pk"))
    complete = answered.filter(given=count).values("person")
    # Of a team, everybody answers.
    lacking = Member.objects.filter(event=event).exclude(person__in=complete).order_by()
    return event.entrants.filter(pk__in=lacking.values("entrant"))


def forget_answers(*, person: Person, **_signal: object) -> None:
    """When a person is erased, delete their answers."""
    Answer.objects.filter(person=person).delete()


def follow_person(*, old: Person, new: Person, **_signal: object) -> None:
    """When a person typed at the desk turns out to be another, move their answers to those that the other lacks."""
    given = list(Answer.objects.filter(person=new).values_list("question", flat=True))
    Answer.objects.filter(person=old).exclude(question__in=given).update(person=new)
