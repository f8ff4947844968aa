"""Pages of the standings: why a rank, what changed, the TRF file, tiebreak order and points, all without JavaScript."""

import re

import pytest

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_event, an_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common import jobs
from tournaments.events.models import Event, ForbiddenPair, Stage
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import AwardedBye
from tournaments.standings.selectors import ranking_of
from tournaments.standings.services import choose_scheme, compute_standings
from tournaments.swiss import trf


@pytest.fixture
def event(cast: Cast) -> Event:
    """An event of five players after two rounds, with its standings computed."""
    event = a_running_event(cast, players=5)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    return event


def name_of(event: Event, public_id: str) -> str:
    return event.entrants.get(public_id=public_id).name


def test_the_page_of_a_rank_lists_every_opponent_and_value(client, event: Event):
    row = ranking_of(current_stage(event)).rows[0]
    shown = text(client.get(address("standing", event.public_id, row.player)))
    assert f"Why this rank: {name_of(event, row.player)}" in shown
    omw = next(figure for figure in row.explain if figure.name == "omw")
    assert omw.parts
    for part in omw.parts:
        assert name_of(event, part.player) in shown
        assert f"{part.got} / {part.of}" in shown
    assert f"{100 * omw.value.numerator / omw.value.denominator:.2f}" in shown
    assert "Ahead of" in shown and "Behind" not in shown


def test_ranks_are_explained_under_every_scheme(client, cast: Cast, event: Event):
    for scheme in ("fide", "yugioh", "pokemon", "points,opponents_rank,random"):
        choose_scheme(event=event, scheme=scheme, by=cast.organizer, now=NOW)
        for row in ranking_of(current_stage(event)).rows:
            shown = client.get(address("standing", event.public_id, row.player))
            assert shown.status_code == 200, scheme
            assert text(shown).count("<section") == len(row.explain)


def test_the_standings_link_to_each_rank_and_follow_the_scheme(client, cast: Cast, event: Event):
    shown = text(client.get(address("standings", event.public_id)))
    for row in ranking_of(current_stage(event)).rows:
        assert address("standing", event.public_id, row.player) in shown
    choose_scheme(event=event, scheme="fide", by=cast.organizer, now=NOW)
    assert "being counted" in text(client.get(address("standings", event.public_id)))
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    shown = text(client.get(address("standings", event.public_id)))
    assert "Buchholz −1" in shown and "OMW%" not in shown


def test_a_player_without_a_rank_has_no_page(client, event: Event):
    assert client.get(address("standing", event.public_id, "p-nobody")).status_code == 404


@pytest.mark.parametrize("page", ["standings_changes", "standings_trf"])
def test_pages_of_a_draft_event_are_only_for_its_staff(client, cast: Cast, page: str):
    there = address(page, an_event(cast).public_id)
    assert client.get(there).status_code == 404
    assert signed_in(cast.stranger).get(there).status_code == 404
    assert signed_in(cast.judge).get(there).status_code == 200


def test_the_changes_after_a_correction_name_the_players(client, cast: Cast, event: Event):
    changes = address("standings_changes", event.public_id)
    assert "Nothing to compare yet" in text(client.get(changes))
    match = current_stage(event).rounds.get(number=1).matches.filter(table__isnull=False).first()
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    shown = text(client.get(changes))
    for seat in match.seats.all():
        assert seat.entrant.name in shown
    assert "→" in shown
    assert client.get(changes, {"since": "soon"}).status_code == 200
    part = text(client.get(changes, headers={"HX-Request": "true"}))
    assert 'id="standings-changes"' in part and "<html" not in part


def test_the_trf_file_contains_the_players_and_their_results(client, event: Event):
    answer = client.get(address("standings_trf", event.public_id))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert f'filename="{event.public_id}.trf"' in answer["Content-Disposition"]
    read = trf.read(text(answer))
    assert ("012", event.name) in read.headers
    assert {each.name for each in read.competitors} == {entrant.name for entrant in event.entrants.all()}
    assert read.rounds == 2
    # "U" is the pairing-allocated bye: with five players there was one in each round.
    assert sum(entry is not None and entry.result == "U" for each in read.competitors for entry in each.entries) == 2


def test_the_trf_file_says_what_is_planned_and_only_the_desk_sees_the_next_byes(client, cast: Cast, event: Event):
    stage = current_stage(event)
    Stage.objects.filter(pk=stage.pk).update(rounds_planned=4)
    one, two, *_ = event.entrants.order_by("pk")
    AwardedBye.objects.create(stage=stage, entrant=one, number=3, kind="half_bye", asked=True, at=NOW)
    ForbiddenPair.objects.create(event=event, first=one, second=two, at=NOW)
    there = address("standings_trf", event.public_id)
    public, desk = (trf.read(text(browser.get(there))) for browser in (client, signed_in(cast.scorekeeper)))
    assert ("XXR", "4") in public.headers and ("142", "4") in public.headers
    assert trf.coming(public) == trf.Coming(4)
    coming = trf.coming(desk)
    assert list(coming.awarded.values()) == ["half_bye"] and len(coming.apart) == 1
    api = token_client(cast.scorekeeper, "read").get(f"/api/v1/events/{event.public_id}/standings/trf/")
    assert trf.coming(trf.read(text(api))) == coming


def test_only_organizers_can_choose_the_tiebreak_order(cast: Cast, event: Event):
    page = address("staff_scheme", event.public_id)
    organizer = signed_in(cast.organizer)
    assert 'value="mtr"' in text(organizer.get(page))
    answer = organizer.post(page, {"part": "order", "scheme": "fide"})
    assert answer.status_code == 302
    assert current_stage(event).scheme == "fide"
    own = {"part": "order", "scheme": "own", "rules": "pokemon"}
    organizer.post(page, {**own, "tiebreak_1": "points", "tiebreak_2": "wins", "tiebreak_4": "direct"})
    assert current_stage(event).scheme == "pokemon:points,wins,direct"
    shown = text(organizer.get(page))
    assert shown.count("<option") > 40 and 'value="direct" selected' in shown and 'value="pokemon" selected' in shown
    lost = organizer.post(page, {"part": "order", "scheme": "mtr", "tiebreak_1": "random"})
    assert lost.status_code == 422 and "You changed the list below" in text(lost)
    for wrong, said in (
        ({}, "Choose at least one"),
        ({"tiebreak_1": "wins", "tiebreak_2": "wins"}, "chosen twice"),
        ({"tiebreak_1": "luck"}, "Choose one of the options."),
    ):
        refused = organizer.post(page, {**own, **wrong})
        assert refused.status_code == 422 and said in text(refused)
    assert signed_in(cast.scorekeeper).get(page).status_code == 403
    assert signed_in(cast.stranger).get(page).status_code == 404


def test_organizers_choose_match_points_and_floor_from_a_preset_or_freely(cast: Cast, event: Event):
    page = address("staff_scheme", event.public_id)
    organizer = signed_in(cast.organizer)
    for preset in ("Melee", "TopDeck", "Pokémon", "Yu-Gi-Oh", "FIDE"):
        assert preset in text(organizer.get(page))
    assert organizer.post(page, {"part": "worth", "preset": "topdeck"}).status_code == 302
    event.refresh_from_db()
    assert event.scoring == {"win": 3, "draw": 1, "loss": 0, "floor": "0.33"}
    own = {"part": "worth", "preset": "own", "win": "2", "draw": "1", "loss": "0.5", "floor": "none"}
    organizer.post(page, own)
    event.refresh_from_db()
    assert event.scoring == {"win": 2, "draw": 1, "loss": 0.5, "floor": "none"}
    assert re.search(r'name="preset" value="own"[^>]* checked', text(organizer.get(page)))
    lost = organizer.post(page, {**own, "preset": "melee", "win": "4"})
    assert lost.status_code == 422 and "You changed the values below" in text(lost)
    refused = organizer.post(page, {**own, "draw": "3"})
    assert refused.status_code == 422 and "a draw no more than a win" in text(refused)
    assert signed_in(cast.scorekeeper).post(page, own).status_code == 403
    assert signed_in(cast.stranger).post(page, own).status_code == 404


@pytest.mark.parametrize("language", ["fr", "it"])
def test_the_pages_are_translated(client, cast: Cast, event: Event, language: str):
    client.cookies["django_language"] = language
    row = ranking_of(current_stage(event)).rows[0]
    for page in (
        address("standing", event.public_id, row.player),
        address("standings_changes", event.public_id),
        address("standings", event.public_id),
    ):
        shown = text(client.get(page))
        for english in ("Why this rank", "The mean of:", "Nothing to compare", "Opponents’ match", "What the newest"):
            assert english not in shown, page


def test_the_number_of_queries_of_a_rank_does_not_grow_with_the_players(client, cast: Cast, event: Event):
    more = a_smaller_event(cast)
    counts = [
        queries_of(client, address("standing", each.public_id, ranking_of(current_stage(each)).rows[0].player))
        for each in (event, more)
    ]
    assert counts[0] == counts[1]


def a_smaller_event(cast: Cast) -> Event:
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    return event
