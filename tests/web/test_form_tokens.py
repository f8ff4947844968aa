"""Form tokens: a form that creates or adds something takes effect once, however often it is submitted."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.db import connections
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.accounts.models import User
from tournaments.common.models import IdempotencyKey
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Clock, Report, Round
from tournaments.web.pages.events import events as event_views

NEW = "/staff/new/"


def key_of(client: Client, address: str) -> str:
    """Load a page and return the form token in it."""
    found = re.search(r'name="form_token" value="([^"]+)"', client.get(address).content.decode())
    assert found, address
    return found[1]


def an_event_form(key: str) -> dict[str, str]:
    return {"name": "Twice", "preset": "star-safir", "form_token": key}


@pytest.mark.django_db
def test_a_new_event_submitted_twice_is_created_once(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    form = an_event_form(key_of(client, NEW))
    first, second = client.post(NEW, form), client.post(NEW, form, follow=True)
    assert Event.objects.filter(name="Twice").count() == 1
    assert second.redirect_chain == [(first.headers["Location"], 302)]
    assert "Already done" in second.content.decode()


@pytest.mark.django_db
def test_every_page_load_gets_its_own_form_token(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    assert key_of(client, NEW) != key_of(client, NEW)


@pytest.mark.django_db
def test_extra_time_is_added_once_per_page_load(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    client = signed_in(cast.scorekeeper)
    desk = reverse("web:staff_round", args=[event.public_id, 1])
    extend = reverse("web:staff_extend_round", args=[event.public_id, 1])
    before = Clock.objects.get().seconds
    key = key_of(client, desk)
    for _ in range(2):
        client.post(extend, {"minutes": "5", "form_token": key})
    assert Clock.objects.get().seconds == before + 300
    client.post(extend, {"minutes": "5", "form_token": key_of(client, desk)})
    assert Clock.objects.get().seconds == before + 600


@pytest.mark.django_db
def test_pairing_submitted_twice_leads_to_the_same_draft(cast: Cast) -> None:
    event = a_running_event(cast)
    client = signed_in(cast.organizer)
    form = {"form_token": key_of(client, reverse("web:staff", args=[event.public_id]))}
    pair = reverse("web:staff_pair", args=[event.public_id])
    first, second = client.post(pair, form), client.post(pair, form)
    assert first.headers["Location"] == second.headers["Location"]
    assert Round.objects.count() == 1


@pytest.mark.django_db
def test_a_report_resent_with_its_token_does_not_replace_a_later_one(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    client = signed_in(cast.player)
    report = reverse("web:report", args=[match.public_id])
    kept = {"games": "2-0-0", "kind": "played", "form_token": "kept-on-a-phone"}
    client.post(report, kept)
    client.post(report, {**kept, "games": "2-1-0", "form_token": "meant-after-all"})
    again = client.post(report, kept, follow=True)
    assert [made.games for made in match.reports.filter(status=Report.Status.STANDING)] == [[2, 1, 0]]
    assert "counts only once" in again.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["confirm", "contest"])
def test_confirming_or_contesting_twice_with_one_token_is_not_refused(cast: Cast, action: str) -> None:
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    first, second = users_of(match)
    made = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    client = signed_in(second)
    sent = {"report": made.pk, "form_token": "kept-on-a-phone"}
    answers = [client.post(reverse(f"web:{action}", args=[match.public_id]), sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert len({answer.headers["Location"] for answer in answers}) == 1


@pytest.mark.django_db
def test_a_refused_form_can_be_submitted_again(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    key = key_of(client, NEW)
    assert client.post(NEW, {**an_event_form(key), "name": ""}).status_code == 422
    assert client.post(NEW, an_event_form(key)).status_code == 302
    assert Event.objects.filter(name="Twice").count() == 1


@pytest.mark.django_db
def test_a_form_token_counts_per_account(cast: Cast) -> None:
    key = key_of(signed_in(cast.organizer), NEW)
    for user in (cast.organizer, cast.judge):
        assert signed_in(user).post(NEW, an_event_form(key)).status_code == 302
    assert Event.objects.filter(name="Twice").count() == 2


@pytest.mark.django_db
def test_a_submission_in_progress_blocks_a_second_one_until_it_expires(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    key = key_of(client, NEW)
    with time_machine.travel(NOW, tick=False):
        IdempotencyKey.objects.create(user=cast.organizer, key=f"web:{key}", request_digest="", created_at=NOW)
        waiting = signed_in(cast.organizer).post(NEW, an_event_form(key))
    assert (waiting.status_code, "in_progress" in waiting.content.decode()) == (409, True)
    with time_machine.travel(NOW + timedelta(minutes=3), tick=False):  # an unanswered key is given up after two minutes
        assert signed_in(cast.organizer).post(NEW, an_event_form(key)).status_code == 302


@pytest.mark.django_db
def test_a_failed_submission_frees_its_form_token(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(cast.organizer)
    key = key_of(client, NEW)

    def fail(**_more: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(event_views.events, "create_event", fail)
        with pytest.raises(RuntimeError):
            client.post(NEW, an_event_form(key))
    assert client.post(NEW, an_event_form(key)).status_code == 302


@pytest.mark.django_db
def test_an_api_token_submitted_twice_is_created_once_and_shown_once(cast: Cast) -> None:
    client = signed_in(cast.player)
    form = {"name": "Overlay", "scopes": ["read"], "form_token": key_of(client, "/account/")}
    here = {"referer": "http://testserver/account/"}
    assert "token-secret" in client.post("/account/tokens/", form, headers=here).content.decode()
    again = client.post("/account/tokens/", form, headers=here, follow=True)
    assert cast.player.api_tokens.count() == 1
    assert again.redirect_chain == [("/account/", 302)]
    assert "token-secret" not in again.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["staff_entrants", "staff_team"])
def test_forms_that_add_people_carry_a_form_token(cast: Cast, name: str) -> None:
    event = an_open_event(cast)
    assert key_of(signed_in(cast.organizer), reverse(f"web:{name}", args=[event.public_id]))


@pytest.mark.django_db(transaction=True)
def test_concurrent_submissions_of_one_form_create_one_event(cast: Cast) -> None:
    key = key_of(signed_in(cast.organizer), NEW)
    clients = [signed_in(User.objects.get(pk=cast.organizer.pk)) for _ in range(4)]
    together = Barrier(len(clients))

    def send(client: Client) -> int:
        try:
            together.wait()
            return client.post(NEW, an_event_form(key)).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as pool:
        answers = list(pool.map(send, clients))
    assert Event.objects.filter(name="Twice").count() == 1
    assert set(answers) <= {302, 409}
    assert 302 in answers
