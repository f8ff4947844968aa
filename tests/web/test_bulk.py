"""Bulk audits on the judges' pages: all logs of an event are audited again under other interpretations."""

import json
import re

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.remembered import remembered
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.audits.models import BulkAudit
from tournaments.audits.services import submit_log
from tournaments.common import clock, jobs
from tournaments.events.models import Event
from tournaments.events.services import grant_role

pytestmark = pytest.mark.django_db
REFUSED = {"I-SAF-07": "no"}  # an interpretation under which moves of some logs become illegal


@pytest.fixture
@remembered
def event(cast: Cast) -> Event:
    """An event with four audited logs."""
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    for seed in range(4):
        document = json.dumps(first_game(match, seed)).encode()
        submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    return event


def started(cast: Cast, event: Event, **options: str) -> str:
    """Start a bulk audit with these interpretations and return the address of its page."""
    answer = signed_in(cast.judge).post(address("bulk_start", event.public_id), options)
    assert answer.status_code == 302
    return answer.url


def test_a_judge_changes_an_interpretation_and_sees_which_verdicts_change(cast: Cast, event: Event) -> None:
    client = signed_in(cast.judge)
    assert address("bulk_start", event.public_id) in text(client.get(address("judge", event.public_id)))
    form = text(client.get(address("bulk_start", event.public_id)))
    assert "I-SAF-07" in form and "As in each log" in form
    page = started(cast, event, **REFUSED)
    running = text(client.get(page))
    assert "under way" in running and 'hx-trigger="every 1s"' in running and "0 / 4" in running
    assert "Check again" in running  # the link for browsers without JavaScript
    jobs.run_due(clock.now())
    done = text(client.get(page))
    assert 'hx-trigger="every' not in done and "4 / 4" in done
    assert "Confirmed" in done and "Illegal move" in done
    leads = re.findall(r'href="(/logs/[^"]+/moves/\d+/)#replay"', done)
    assert leads and client.get(leads[0]).status_code == 200


def test_the_page_says_when_no_verdict_changes(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    jobs.run_due(clock.now())
    assert "Nothing changes" in text(signed_in(cast.judge).get(page))


def test_only_the_progress_fragment_is_fetched_again(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    fragment = text(signed_in(cast.judge).get(page, headers={"HX-Request": "true"}))
    assert 'id="bulk"' in fragment and "<html" not in fragment


def test_a_running_bulk_audit_can_be_cancelled_and_another_started(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    refused = signed_in(cast.judge).post(address("bulk_start", event.public_id), {})
    assert (refused.status_code, "bulk_running" in text(refused)) == (409, True)
    assert signed_in(cast.judge).post(page + "cancel/").url == page
    assert "cancelled" in text(signed_in(cast.judge).get(page))
    started(cast, event)
    assert BulkAudit.objects.count() == 2


def test_only_judges_who_do_not_play_can_run_a_bulk_audit(cast: Cast, event: Event) -> None:
    pages = [address("bulk_start", event.public_id), started(cast, event)]
    for page in pages:
        assert signed_in(cast.judge).get(page).status_code == 200
        assert signed_in(cast.scorekeeper).get(page).status_code == 403
        assert signed_in(cast.stranger).get(page).status_code == 404
        assert Client().get(page).status_code == 302
    assert signed_in(cast.scorekeeper).post(pages[1] + "cancel/").status_code == 403
    grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    for page in pages:
        assert "staff_who_play" in text(signed_in(cast.player).get(page))
    assert "Audit all logs again" not in text(signed_in(cast.player).get(address("judge", event.public_id)))


def test_the_number_of_queries_does_not_grow_with_the_changes_shown(cast: Cast, event: Event) -> None:
    page = started(cast, event, **REFUSED)
    jobs.run_due(clock.now())
    client = signed_in(cast.judge)
    bulk = BulkAudit.objects.get()
    several = queries_of(client, page)
    bulk.lines.exclude(pk=bulk.lines.filter(outcome="changed").first().pk).update(outcome="same")
    assert queries_of(client, page) == several
