"""Questions and the consent of a guardian: what registration asks, who sees the answers, and what becomes of them."""

import json
from datetime import timedelta
from html import unescape

import pytest
from django.utils import translation

from tests.archive.files import file_of, verified
from tests.builders import NOW, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.guardians import add_person
from tournaments.accounts.services import erase_account, own_person
from tournaments.decks.services import lock_decks
from tournaments.events import questions
from tournaments.events.consent import consent_of, note_consent, without_consent
from tournaments.events.models import Answer, Consent, Event, Question
from tournaments.events.registration import apply_for_place, choose_registration, register_person
from tournaments.events.services import add_entrant, clone_event, create_event, save_format
from tournaments.web.personal import data_of

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def asked(event: Event, cast: Cast, kind: str = "text", label: str = "Why?", **fields: object) -> Question:
    return questions.add_question(event=event, kind=kind, label=label, by=cast.organizer, now=NOW, **fields)


def sizes(event: Event, cast: Cast, *, required: bool = True) -> Question:
    return asked(event, cast, "choice", "Size", options=["S", "M", "M", " L "], required=required)


def test_a_question_needs_a_text_and_a_choice_its_options(cast: Cast) -> None:
    event = an_open_event(cast)
    assert sizes(event, cast).options == ["S", "M", "L"]
    for wrong in ({"kind": "choice"}, {"label": " "}, {"kind": "odd"}, {"options": ["A", "B"]}, {"help": "x" * 301}):
        with assert_refused("question_invalid"):
            asked(event, cast, **wrong)
    for number in range(19):
        asked(event, cast, label=f"Question {number}")
    with assert_refused("too_many_questions"):
        asked(event, cast)


def test_required_answers_are_needed_to_register_but_not_at_the_desk(cast: Cast) -> None:
    event = an_open_event(cast)
    sizes(event, cast)
    person = own_person(cast.player)
    for answers, code in (({}, "missing"), ({"1": "XL"}, "not_an_option"), ({"1": "M", "9": "x"}, "unknown")):
        with assert_refused("answers_invalid") as caught:
            register_person(event=event, person=person, by=cast.player, now=NOW, answers=answers)
        assert [fault["code"] for fault in caught.value.details] == [code]
    assert not event.entrants.exists()
    registered = register_person(event=event, person=person, by=cast.player, now=NOW, answers={"1": "M"})
    walk_in = add_entrant(event=event, given_name="Walk-in", family_name="", by=cast.scorekeeper, now=NOW)
    assert list(questions.unanswered(event)) == [walk_in]
    assert questions.answers_of(event, registered.members.get()) == {1: "M"}


def test_players_change_their_answers_until_registration_closes_and_the_desk_afterwards(cast: Cast) -> None:
    event = an_open_event(cast)
    sizes(event, cast)
    person = own_person(cast.player)
    register_person(event=event, person=person, by=cast.player, now=NOW, answers={"1": "M"})
    change = {"event": event, "person": person, "now": NOW}
    assert questions.change_answers(**change, answers={"1": "L"}, by=cast.player) == {1: "L"}
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("registration_closed"):
        questions.change_answers(**change, answers={"1": "S"}, by=cast.player)
    assert questions.change_answers(**change, answers={}, by=cast.scorekeeper, desk=True) == {}
    with assert_refused("not_registered"):
        questions.change_answers(
            event=event, person=own_person(cast.stranger), answers={}, by=cast.scorekeeper, now=NOW, desk=True
        )


def test_an_answered_question_is_hidden_when_removed_and_another_is_deleted(cast: Cast) -> None:
    event = an_open_event(cast)
    first, second, third = sizes(event, cast), asked(event, cast), asked(event, cast, "consent", "I follow the rules")
    answers = {"1": "S", "3": "yes"}
    register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, answers=answers)
    for question in (first, second):
        questions.remove_question(question=question, by=cast.organizer, now=NOW)
    assert questions.questions_of(event) == [third]
    assert set(event.questions.all()) == {first, third} and Answer.objects.count() == 2


def test_questions_are_asked_in_the_order_that_the_organizer_chose(cast: Cast) -> None:
    event = an_open_event(cast)
    made = [asked(event, cast, label=name) for name in ("A", "B", "C")]
    questions.move_question(question=made[2], earlier=True, by=cast.organizer, now=NOW)
    questions.move_question(question=made[0], earlier=True, by=cast.organizer, now=NOW)
    assert [question.label for question in questions.questions_of(event)] == ["A", "C", "B"]


def test_the_age_is_said_at_registration_or_a_guardian_consents(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, consent_under=16)
    guardian = account("Guardian")
    child = add_person(guardian=guardian, given_name="Player 9")
    with assert_refused("consent_missing"):
        register_person(event=event, person=own_person(guardian), by=guardian, now=NOW)
    with assert_refused("consent_own"):
        register_person(event=event, person=own_person(guardian), by=guardian, now=NOW, consent="guardian")
    register_person(event=event, person=own_person(guardian), by=guardian, now=NOW, consent="of_age")
    register_person(event=event, person=child, by=guardian, now=NOW, consent="guardian")
    walk_in = add_entrant(event=event, given_name="Walk-in", family_name="", by=cast.scorekeeper, now=NOW)
    assert list(without_consent(event)) == [walk_in]
    note_consent(entrant=walk_in, noted=True, by=cast.scorekeeper, now=NOW)
    noted = consent_of(event, walk_in.members.get())
    assert (noted.how, noted.by, noted.at, noted.sentence) == ("paper", cast.scorekeeper, NOW, "")
    assert not without_consent(event).exists()
    note_consent(entrant=walk_in, noted=False, by=cast.scorekeeper, now=NOW)
    assert list(without_consent(event)) == [walk_in]
    with assert_refused("out_of_bounds"):
        choose_registration(event=event, by=cast.organizer, now=NOW, consent_under=9)


def test_applicants_answer_when_they_apply(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, approval=True, consent_under=16)
    sizes(event, cast)
    person = own_person(cast.player)
    with assert_refused("answers_invalid"):
        apply_for_place(event=event, person=person, by=cast.player, now=NOW, consent="of_age")
    assert not event.applications.exists() and not Consent.objects.exists()
    apply_for_place(event=event, person=person, by=cast.player, now=NOW, answers={"1": "M"}, consent="of_age")
    page = text(signed_in(cast.scorekeeper).get(address("staff_applications", event.public_id)))
    assert "Size" in page and "Says they are old enough" in page


def test_the_pages_ask_and_show_the_answers_to_the_player_and_the_desk_alone(cast: Cast) -> None:
    event = an_open_event(cast)
    sizes(event, cast)
    player, desk = signed_in(cast.player), signed_in(cast.scorekeeper)
    where = address("register", event.public_id)
    person = own_person(cast.player).public_id
    assert "Size" in text(player.post(where, {"person": person})) and not event.entrants.exists()
    assert player.post(where, {"person": person, "asked": "1"}).status_code == 422
    assert player.post(where, {"person": person, "asked": "1", "q1": "M"}).status_code == 302
    entrant = event.entrants.get()
    own = address("my_answers", event.public_id)
    assert player.post(own, {"q1": "L"}).status_code == 302
    assert [signed_in(user).get(own).status_code for user in (cast.player, cast.stranger)] == [200, 404]
    answers = address("staff_answers", event.public_id, entrant.public_id)
    assert "selected>L" in text(desk.get(answers)) and signed_in(cast.judge).get(answers).status_code == 403
    assert desk.post(answers, {"q1": ""}).status_code == 302
    listed = text(desk.get(address("staff_entrants", event.public_id)))
    assert "Answers missing" in listed
    export = address("export", event.public_id, "answers", "csv")
    assert "1. Size" in text(desk.get(export))
    assert [signed_in(user).get(export).status_code for user in (cast.judge, cast.player)] == [403, 404]


def test_organizers_manage_questions_on_the_page_registration(cast: Cast) -> None:
    event = an_open_event(cast)
    organizer, page = signed_in(cast.organizer), address("staff_registration", event.public_id)
    add = address("staff_question_add", event.public_id)
    assert organizer.post(add, {"kind": "choice", "label": "Size", "options": "S"}).status_code == 422
    assert organizer.post(add, {"kind": "choice", "label": "Size", "options": "S\nM"}).status_code == 302
    assert organizer.post(add, {"kind": "text", "label": "Allergies"}).status_code == 302
    second = address("staff_question", event.public_id, 2)
    organizer.post(second, {"label": "Allergies?", "required": "on"})
    organizer.post(second, {"action": "up"})
    assert [each.label for each in questions.questions_of(event)] == ["Allergies?", "Size"]
    organizer.post(second, {"action": "remove"})
    assert "Allergies" not in text(organizer.get(page)) and organizer.get(second).status_code == 404


def test_copies_and_saved_formats_carry_the_questions_and_the_age(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, consent_under=14)
    sizes(event, cast)
    saved = save_format(event=event, name="Ours", by=cast.organizer, now=NOW)
    copies = (
        clone_event(event=event, name="Copy", by=cast.organizer, now=NOW),
        create_event(by=cast.organizer, name="Again", preset=saved.public_id, now=NOW),
    )
    for copy in copies:
        assert [each.options for each in questions.questions_of(copy)] == [["S", "M", "L"]]
        assert copy.consent_under == 14


def test_answers_are_in_the_personal_part_of_the_file_and_in_the_persons_data_until_erased(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, consent_under=14)
    asked(event, cast, label="Allergies")
    said = {"answers": {"1": "Peanuts"}, "consent": "of_age"}
    register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, **said)
    whole, main = file_of(event).decode(), file_of(event, names=False).decode()
    assert "Peanuts" in whole and "of_age" in whole and "Peanuts" not in main and "of_age" not in main
    assert verified(whole.encode()).holds and verified(main.encode()).holds
    person = signed_in(cast.player).get(address("account_data")).json()["persons"][0]
    assert "Peanuts" in json.dumps(person["answers"]) and person["consents"][0]["how"] == "of_age"
    erase_account(user=cast.player, now=NOW)
    assert not Answer.objects.exists() and not Consent.objects.exists()


def test_who_gave_a_consent_and_to_which_sentence_is_stored_and_shown_to_the_desk(cast: Cast) -> None:
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, consent_under=15)
    child = add_person(guardian=cast.player, given_name="Player 9")
    with translation.override("fr"):
        register_person(event=event, person=child, by=cast.player, now=NOW, consent="guardian")
    kept = consent_of(event, child)
    assert kept is not None and (kept.how, kept.by, kept.at) == ("guardian", cast.player, NOW)
    assert kept.sentence == "Le joueur a moins de 15 ans, et je consens en tant que responsable légal"
    choose_registration(event=event, by=cast.organizer, now=NOW, consent_under=18)
    page = text(
        signed_in(cast.scorekeeper).get(address("staff_entry", event.public_id, child.entrants.get().public_id))
    )
    assert kept.sentence in unescape(page) and "Player 1" in page and cast.player.email not in page
    data = next(each for each in data_of(cast.player)["persons"] if each["id"] == child.public_id)
    assert data["consents"] == [
        {
            "event": event.public_id,
            "how": "guardian",
            "at": NOW.isoformat(),
            "sentence": kept.sentence,
            "by": "this account",
        }
    ]


def test_a_tick_stays_for_the_sentence_as_it_read_until_the_player_sends_it_again(cast: Cast) -> None:
    event, person = an_open_event(cast), own_person(cast.player)
    question = asked(event, cast, "consent", "You may film me")
    register_person(event=event, person=person, by=cast.player, now=NOW, answers={"1": "yes"})
    questions.change_question(question=question, by=cast.organizer, now=NOW, label="You may film me and sell it")
    change = {"event": event, "person": person, "answers": {"1": "yes"}}
    questions.change_answers(**change, by=cast.scorekeeper, now=NOW + HOUR, desk=True)

    def ticked() -> list[tuple[object, ...]]:
        return [(each.sentence, each.by, each.at) for each in questions.ticked_by(event, person)]

    assert ticked() == [("You may film me", cast.player, NOW)]
    entrant = event.entrants.get().public_id
    page = text(signed_in(cast.scorekeeper).get(address("staff_answers", event.public_id, entrant)))
    assert "<q>You may film me</q> · Player 1" in page
    for hours in (1, 2):
        questions.change_answers(**change, by=cast.player, now=NOW + hours * HOUR)
        assert ticked() == [("You may film me and sell it", cast.player, NOW + HOUR)]
    assert data_of(cast.player)["persons"][0]["answers"][0]["sentence"] == "You may film me and sell it"


def test_the_desk_ticks_a_sentence_in_its_own_name(cast: Cast) -> None:
    event = an_open_event(cast)
    asked(event, cast, "consent", "I follow the rules")
    walk_in = add_entrant(event=event, given_name="Walk-in", family_name="", by=cast.scorekeeper, now=NOW)
    person = walk_in.members.get()
    answers = {"1": "yes"}
    questions.change_answers(event=event, person=person, answers=answers, by=cast.scorekeeper, now=NOW, desk=True)
    assert [(each.by, each.sentence) for each in questions.ticked_by(event, person)] == [
        (cast.scorekeeper, "I follow the rules")
    ]
