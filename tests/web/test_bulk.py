"""All logs of an event audited again, on the pages of judges."""

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
REFUSED = {"I-SAF-07": "no"}


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
    answer = signed_in(cast.judge).post(address("bulk_start", event.public_id), options)
    assert answer.status_code == 302
    return answer.url


def test_a_judge_chooses_an_interpretation_and_reads_what_changes(cast: Cast, event: Event) -> None:
    client = signed_in(cast.judge)
    assert address("bulk_start", event.public_id) in text(client.get(address("judge", event.public_id)))
    form = text(client.get(address("bulk_start", event.public_id)))
    assert "I-SAF-07" in form and "As each log has it" in form
    page = started(cast, event, **REFUSED)
    running = text(client.get(page))
    assert "under way" in running and 'hx-trigger="every 1s"' in running and "0 / 4" in running
    assert "Look again" in running  # for browsers without JavaScript
    jobs.run_due(clock.now())
    done = text(client.get(page))
    assert 'hx-trigger="every' not in done and "4 / 4" in done
    assert "Confirmed" in done and "Illegal move" in done
    leads = re.findall(r'href="(/logs/[^"]+/moves/\d+/)#replay"', done)
    assert leads and client.get(leads[0]).status_code == 200


def test_nothing_changed_is_said(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    jobs.run_due(clock.now())
    assert "Nothing changes" in text(signed_in(cast.judge).get(page))


def test_the_fragment_alone_is_fetched_again(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    fragment = text(signed_in(cast.judge).get(page, headers={"HX-Request": "true"}))
    assert 'id="bulk"' in fragment and "<html" not in fragment


def test_one_is_cancelled_from_its_page_and_another_may_follow(cast: Cast, event: Event) -> None:
    page = started(cast, event)
    refused = signed_in(cast.judge).post(address("bulk_start", event.public_id), {})
    assert (refused.status_code, "bulk_running" in text(refused)) == (409, True)
    assert signed_in(cast.judge).post(page + "cancel/").url == page
    assert "cancelled" in text(signed_in(cast.judge).get(page))
    started(cast, event)
    assert BulkAudit.objects.count() == 2


def test_it_is_for_judges_who_do_not_play(cast: Cast, event: Event) -> None:
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


def test_a_page_of_many_changes_costs_as_many_queries_as_one_of_few(cast: Cast, event: Event) -> None:
    page = started(cast, event, **REFUSED)
    jobs.run_due(clock.now())
    client = signed_in(cast.judge)
    bulk = BulkAudit.objects.get()
    several = queries_of(client, page)
    bulk.lines.exclude(pk=bulk.lines.filter(outcome="changed").first().pk).update(outcome="same")
    assert queries_of(client, page) == several
