"""Pages of an event's procedures: who may, what each gesture does."""

from dataclasses import fields

import pytest
from django.test import Client

from tests.builders import an_event, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.events.models import Event
from tournaments.events.procedures import Procedures, read_procedures
from tournaments.web.forms.procedures import ProceduresForm
from tournaments.web.procedure_words import CHOICES, FIELDS, SECTIONS

pytestmark = pytest.mark.django_db


def sent(event: Event, **changes: str) -> dict[str, str]:
    """What the form of an event's procedures sends, with changes: `tardiness__grace="4"`."""
    form = ProceduresForm(procedures=read_procedures(event.procedures))
    told = {path: form[path].value() for path in form.fields}
    told = {path: said for path, said in told.items() if said is not False}
    return {**told, **{path.replace("__", "."): said for path, said in changes.items()}}


def test_every_section_field_and_choice_has_its_words() -> None:
    paths, choices = set(), set()
    for section in fields(Procedures):
        for part in fields(section.default):
            paths.add(f"{section.name}.{part.name}")
            choices |= {f"{section.name}.{part.name}.{choice}" for choice in part.metadata.get("choices", ())}
    assert (set(SECTIONS), set(FIELDS), set(CHOICES)) == ({s.name for s in fields(Procedures)}, paths, choices)


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_staff_read_them_in_their_language(cast: Cast, language: str) -> None:
    page = address("staff_procedures", an_event(cast).public_id)
    User.objects.update(language=language)
    for name in ("organizer", "scorekeeper", "judge"):
        response = signed_in(User.objects.get(pk=getattr(cast, name).pk)).get(page)
        assert (response.status_code, f'<html lang="{language}"' in text(response)) == (200, True)


def test_they_are_no_business_of_strangers_and_changed_by_organizers_alone(cast: Cast) -> None:
    page = address("staff_procedures", an_event(cast).public_id)
    assert Client().get(page).status_code == 302
    assert {signed_in(cast.stranger).get(page).status_code, signed_in(cast.stranger).post(page).status_code} == {404}
    assert "role_too_low" in text(signed_in(cast.scorekeeper).post(page))


def test_what_the_form_shows_is_what_it_sends(cast: Cast) -> None:
    event = an_event(cast, preset="altered-draft")
    before = event.procedures
    signed_in(cast.organizer).post(address("staff_procedures", event.public_id), sent(event))
    event.refresh_from_db()
    assert event.procedures == before


def test_an_organizer_changes_them(cast: Cast) -> None:
    event = an_event(cast)
    page = address("staff_procedures", event.public_id)
    changes = sent(event, meeting__held="on", prizes__units="20", prizes__shares="1: 8\n2 – 4 : 3\n")
    assert signed_in(cast.organizer).post(page, changes).status_code == 302
    event.refresh_from_db()
    assert event.procedures["meeting"] == {"held": True}
    assert [tuple(share.values()) for share in event.procedures["prizes"]["shares"]] == [(1, 1, 8), (2, 4, 3)]
    assert "2-4: 3" in text(signed_in(cast.organizer).get(page))


@pytest.mark.parametrize(
    "change",
    [
        {"tardiness__grace": "x"},
        {"tardiness__grace": "60"},
        {"prizes__shares": "all: 8"},
        {"prizes__shares": "4-2: 8"},
        {"entry__currency": "euro"},
    ],
)
def test_what_is_not_possible_is_said_and_nothing_changes(cast: Cast, change: dict[str, str]) -> None:
    event = an_event(cast)
    response = signed_in(cast.organizer).post(address("staff_procedures", event.public_id), sent(event, **change))
    assert response.status_code == 422
    assert next(iter(change.values())) in text(response)
    assert Event.objects.get().procedures == event.procedures


def test_once_the_event_is_open_the_page_is_read_alone(cast: Cast) -> None:
    event = an_open_event(cast)
    page = address("staff_procedures", event.public_id)
    assert "while the event is a draft" in text(signed_in(cast.organizer).get(page))
    assert signed_in(cast.organizer).post(page, sent(event, meeting__held="on")).status_code == 409
