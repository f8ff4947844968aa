"""One rule for every PUT and PATCH: what a request leaves out stays as it is."""

from typing import Any

import pytest
from rest_framework.fields import empty

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_event, a_team_event, an_open_event, match_of
from tests.cast import Cast
from tournaments.accounts.models import ApiToken, Person
from tournaments.accounts.services import own_person
from tournaments.api.resource import Operation, Resource
from tournaments.api.urls import urlpatterns
from tournaments.events.services import add_entrant

pytestmark = pytest.mark.django_db
NOT_STORED = {"acknowledged"}  # says that a question was answered, in this request


def operations() -> dict[str, Operation]:
    """Every operation of the API by its name."""
    assert urlpatterns
    kinds, found = [Resource], {}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        for name, handler in vars(kind).items():
            if declared := getattr(handler, "operation", None):
                found[name] = declared
    return found


def resetting(operation: Operation) -> set[str]:
    """The fields that would be given a value of their own if a request leaves them out."""
    assert operation.takes is not None
    return {name for name, field in operation.takes().fields.items() if field.default is not empty} - NOT_STORED


# For each such operation: where, what is set first, what is sent then, and where it is read if not there.
Case = tuple[str, dict[str, Any], dict[str, Any]]
NAMES = {"given_name": "Zed", "family_name": "Player", "family_first": True, "shown_in_full": True}
CASES: dict[str, Case] = {
    "persons_change": ("persons/{person}/", {**NAMES, "public_name": "Zee"}, {"given_name": "Zad"}),
    "entrants_rename": ("entrants/{walk_in}/name/", NAMES, {"given_name": "Zad"}),
    "own_profile_show": (
        "persons/{person}/profile/",
        {"short_name": "zed-plays", "text": "Hello.", "searchable": True},
        {},
    ),
    "entrants_needs_note": ("entrants/{walk_in}/needs/", {"club": "The Club", "table": 7}, {"club": "Other"}),
    "book_write": ("book/{walk_in_person}/", {"name": "The tall one", "notes": "Left handed."}, {"name": "Z"}),
    "deck_format_choose": (
        "events/{team_event}/deck-format/",
        {"format": "safir-v2", "options": {}, "team_limit": 4},
        {"format": "safir-v2"},
    ),
    "stages_tables_choose": ("events/{event}/stages/1/tables/", {"tables": "1-40", "skipped": "7"}, {"tables": "1-50"}),
    "scheme_choose": ("events/{event}/scheme/", {"scheme": "fide"}, {}),
    "feature_name": ("matches/{match}/feature/", {"delay": 9}, {}),
}


def places(cast: Cast, where: str) -> dict[str, str]:
    """The ids that an address needs, of things that the organizer may change."""
    if "{match}" in where:
        event = a_running_event(cast)
        return {"match": match_of(a_published_round(event, cast.organizer), cast.player).public_id}
    if "{team_event}" in where:
        return {"team_event": a_team_event(cast, lists="required").public_id}
    event = an_open_event(cast)
    walk_in = add_entrant(event=event, given_name="Walk", family_name="", by=cast.organizer, now=NOW)
    return {
        "event": event.public_id,
        "person": own_person(cast.organizer).public_id,
        "walk_in": walk_in.public_id,
        "walk_in_person": Person.objects.get(member__entrant=walk_in).public_id,
    }


def test_every_put_that_could_reset_a_field_is_tried_here() -> None:
    found = {
        name
        for name, each in operations().items()
        if each.method in ("put", "patch") and each.takes and resetting(each)
    }
    assert found == CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_field_that_is_left_out_of_a_put_stays_as_it_is(name: str, cast: Cast) -> None:
    where, first, then = CASES[name]
    client = token_client(cast.organizer, *ApiToken.Scope.values)
    address = f"/api/v1/{where.format(**places(cast, where))}"
    answers = [client.put(address, sent, format="json") for sent in (first, {**first, **then}, then)]
    assert [answer.status_code for answer in answers] == [200] * 3, answers[0].json()
    before, after = answers[1].json(), answers[2].json()
    changed = {key: (before[key], after[key]) for key in before if before[key] != after[key]}
    assert changed == {}
