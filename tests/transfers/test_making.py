"""An event made of a file's players and rounds: it is played on here, ends, and its file still holds."""

from dataclasses import replace

import pytest

from tests.builders import NOW, deck_text
from tests.cast import Cast
from tournaments.archive.present import verify_event
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.decks.entry_lists import submitted
from tournaments.decks.selectors import current_list
from tournaments.events.models import Entrant, EntryInvitation, Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.field import ranking
from tournaments.play.models import AwardedBye, Match, Round
from tournaments.play.selectors import last_round_of
from tournaments.transfers.brought import (
    DOUBLE_ELIMINATION,
    ROUND_ROBIN,
    SINGLE_ELIMINATION,
    Brought,
    BroughtMatch,
    BroughtPlayer,
    BroughtStage,
)
from tournaments.transfers.making import Settings, best_of, make_event

pytestmark = pytest.mark.django_db
PLAY_ON = Settings("Brought Open", "free", game_name="Kites")
W, L, D = (2, 0, 0), (0, 2, 0), (1, 1, 1)


def players(count: int) -> tuple[BroughtPlayer, ...]:
    return tuple(BroughtPlayer(str(n), name=f"Player {n}") for n in range(1, count + 1))


def match(one: int, two: int, games: tuple[int, int, int] | None = W, **others: object) -> BroughtMatch:
    return BroughtMatch((str(one), str(two)), games, **others)  # type: ignore[arg-type]


def bye(one: int, kind: str = "bye") -> BroughtMatch:
    return BroughtMatch((str(one),), kind=kind)


TWO_ROUNDS = (
    (match(1, 2), match(3, 4, D), match(5, 6, L), bye(7)),
    (match(1, 7), match(6, 3), match(4, 5, (0, 0, 3), kind="intentional_draw"), bye(2)),
)
SEVEN = Brought("limitless", players(7), (BroughtStage(rounds=TWO_ROUNDS, rounds_planned=4),))


def made(cast: Cast, brought: Brought = SEVEN, settings: Settings = PLAY_ON) -> Event:
    return make_event(brought=brought, settings=settings, by=cast.organizer, now=NOW)


def results_in(event: Event, cast: Cast) -> None:
    """Enter a result for every table of the open round that lacks one, and close it."""
    round_ = last_round_of(event)
    assert round_ is not None
    for table in round_.matches.filter(table__isnull=False, games_drawn=None):
        play.enter_result(match=table, games=[2, 0, 0], by=cast.organizer, now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)


def next_round(event: Event, cast: Cast) -> Round:
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    return round_


def assert_holds(event: Event) -> None:
    found = verify_event(Event.objects.get(pk=event.pk))
    assert not found.faults, found.faults[:3]


def names(event: Event) -> dict[str, str]:
    return {entrant.public_id: entrant.name for entrant in event.entrants.prefetch_related("member_set__person")}


def test_two_rounds_are_brought_in_and_two_more_are_played(cast: Cast) -> None:
    event = made(cast)
    assert event.status == Event.Status.RUNNING
    stage = current_stage(event)
    assert (stage.rounds_planned, stage.best_of) == (4, 3)
    assert [(round_.number, round_.status) for round_ in stage.rounds.all()] == [(1, "closed"), (2, "closed")]
    called = names(event)
    table = {called[row.player]: row.points for row in ranking(stage)}
    assert table == {f"Player {n}": points for n, points in zip(range(1, 8), (6, 3, 1, 2, 1, 6, 3), strict=True)}
    assert_holds(event)

    met = {frozenset(each.seats.values_list("entrant", flat=True)) for each in Match.objects.exclude(table=None)}
    third = next_round(event, cast)
    pairs = {frozenset(each.seats.values_list("entrant", flat=True)) for each in third.matches.exclude(table=None)}
    assert len(pairs) == 3 and not pairs & met, "nobody meets again"
    rested = third.matches.get(table=None).seats.get().entrant.name
    assert rested not in ("Player 7", "Player 2"), "nobody has a second bye"
    results_in(event, cast)
    next_round(event, cast)
    results_in(event, cast)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert_holds(event)


def test_an_open_round_waits_for_its_results(cast: Cast) -> None:
    last = (match(1, 6, None, table=4), match(5, 7, table=2), match(3, 2, None, table=9), bye(4, "half_bye"))
    stage = BroughtStage(rounds=(*TWO_ROUNDS, last), rounds_planned=3)
    event = made(cast, replace(SEVEN, stages=(stage,)))
    round_ = last_round_of(event)
    assert round_ is not None and round_.status == Round.Status.PUBLISHED
    tables = {each.table: each.has_result for each in round_.matches.all()}
    assert tables == {4: False, 2: True, 9: False, None: True}, "the tables keep their numbers"
    with pytest.raises(Refusal) as refused:
        play.close_round(round_=round_, by=cast.organizer, now=NOW)
    assert refused.value.code == "results_missing"
    results_in(event, cast)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert_holds(event)


def test_only_the_last_round_may_be_open(cast: Cast) -> None:
    stage = BroughtStage(rounds=((match(1, 2, None),), (match(1, 2),)))
    with pytest.raises(Refusal) as refused:
        made(cast, replace(SEVEN, stages=(stage,)))
    assert refused.value.code == "round_unfinished"
    assert not Event.objects.exists(), "nothing is left of it"


def test_who_left_has_dropped_and_who_came_late_has_missed(cast: Cast) -> None:
    rounds = ((match(1, 2), match(3, 4)), (match(1, 3), match(2, 5)))
    gone = replace(players(5)[3], dropped_after=1)
    brought = Brought("trf", (*players(3), gone, players(5)[4]), (BroughtStage(rounds=rounds, rounds_planned=4),))
    event = made(cast, brought)
    four = event.entrants.get(status=Entrant.Status.DROPPED)
    assert (four.name, four.dropped_after) == ("Player 4", 1)
    (missed,) = Match.objects.filter(kind=Match.Kind.MISSED)
    assert (missed.round.number, missed.seats.get().entrant.name) == (1, "Player 5")
    assert_holds(event)
    third = next_round(event, cast)
    assert "Player 4" not in {seat.entrant.name for each in third.matches.all() for seat in each.seats.all()}
    play.reinstate(entrant=four, by=cast.organizer, now=NOW)
    assert_holds(event)


def test_byes_and_pairs_of_the_next_round_are_known(cast: Cast) -> None:
    away = replace(players(7)[4], awarded="half_bye")
    several = (*players(4), away, *players(7)[5:])
    event = made(cast, replace(SEVEN, players=several, apart=(("1", "6"),)))
    bye_ = AwardedBye.objects.get()
    assert (bye_.entrant.name, bye_.number, bye_.kind) == ("Player 5", 3, "half_bye")
    third = next_round(event, cast)
    pairs = [{seat.entrant.name for seat in each.seats.all()} for each in third.matches.all()]
    assert {"Player 1", "Player 6"} not in pairs and {"Player 5"} in pairs


def test_a_result_that_was_brought_in_is_corrected_and_the_correction_undone(cast: Cast) -> None:
    last = (match(1, 6), match(5, 7, None), match(3, 2), bye(4))
    event = made(cast, replace(SEVEN, stages=(BroughtStage(rounds=(*TWO_ROUNDS, last)),)))
    first = Match.objects.get(round__number=3, table=1)
    play.enter_result(match=first, games=[0, 2, 0], by=cast.organizer, now=NOW, reason="Swapped.", seen=None)
    first.refresh_from_db()
    assert [seat.games_won for seat in first.seats.all()] == [0, 2]
    play.undo_result(match=first, by=cast.organizer, now=NOW)
    assert [seat.games_won for seat in first.seats.all()] == [2, 0]
    assert_holds(event)


def test_an_archive_is_over(cast: Cast) -> None:
    event = made(cast, settings=replace(PLAY_ON, archive=True))
    assert event.status == Event.Status.ARCHIVED and event.is_over
    with pytest.raises(Refusal):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert_holds(event)


def test_players_alone_make_a_draft_to_be_opened(cast: Cast) -> None:
    event = made(cast, Brought("nrtm", players(5)))
    assert (event.status, event.entrants.count()) == (Event.Status.DRAFT, 5)
    assert_holds(event)


CUT = BroughtStage(SINGLE_ELIMINATION, rounds=((match(1, 4), match(3, 2)),), seeds=("1", "2", "3", "4"))


def test_a_cut_goes_on_from_its_final(cast: Cast) -> None:
    event = made(cast, replace(SEVEN, stages=(replace(SEVEN.stages[0], rounds_planned=2), CUT)))
    cut = current_stage(event)
    assert (cut.number, cut.first_round, cut.rounds.get().status) == (2, 3, "closed")
    assert_holds(event)
    final = next_round(event, cast)
    assert {seat.entrant.name for seat in final.matches.get().seats.all()} == {"Player 1", "Player 3"}
    results_in(event, cast)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert ranking(cut)[0].rank == 1
    assert_holds(event)


def test_a_bracket_that_is_not_ours_is_played_from_the_cut(cast: Cast) -> None:
    odd = BroughtStage(SINGLE_ELIMINATION, rounds=((match(1, 2), match(3, 4)), (match(2, 3),)), seeds=tuple("1234"))
    event = made(cast, replace(SEVEN, stages=(replace(SEVEN.stages[0], rounds_planned=2), odd)))
    assert current_stage(event).number == 1
    stage = play.start_stage(event=event, by=cast.organizer, now=NOW)
    assert stage.entries.count() == 4


def test_a_double_elimination_goes_on(cast: Cast) -> None:
    rounds = ((match(1, 4), match(2, 3)), (match(1, 2), match(4, 3)))
    stage = BroughtStage(DOUBLE_ELIMINATION, rounds=rounds, seeds=tuple("1234"))
    event = made(cast, Brought("challonge", players(4), (stage,)))
    round_ = next_round(event, cast)
    assert {seat.entrant.name for seat in round_.matches.get().seats.all()} == {"Player 2", "Player 4"}
    assert_holds(event)


def test_a_round_robin_is_not_played_on(cast: Cast) -> None:
    stage = BroughtStage(ROUND_ROBIN, rounds=((match(1, 2), match(3, 4)),), rounds_planned=3)
    brought = Brought("challonge", players(4), (stage,))
    with pytest.raises(Refusal) as refused:
        made(cast, brought)
    assert refused.value.code == "robin_unfinished"
    assert made(cast, brought, replace(PLAY_ON, archive=True)).is_over


def test_lists_and_addresses_of_the_file_come_along(cast: Cast) -> None:
    first, second, third, *others = players(7)
    several = (
        replace(first, decklist=deck_text(1), email="Player.1@Example.com"),
        replace(second, decklist="3 No such card"),
        replace(third, name="player.3@example.com"),
        *others,
    )
    event = made(cast, replace(SEVEN, players=several), Settings("Open", "star-safir"))
    stage = current_stage(event)
    lists = {entrant.name: current_list(entrant, stage) for entrant in event.entrants.all()}
    assert lists["Player 1"] is not None and lists["Player 1"].legal
    assert lists["Player 2"] is None, "what cannot be read is no list"
    assert "Player 3" in lists, "an address is never a name"
    assert {each.email for each in EntryInvitation.objects.all()} == {"player.1@example.com", "player.3@example.com"}
    assert_holds(event)


def test_a_list_that_cannot_be_read_is_told(cast: Cast) -> None:
    lost = (replace(players(2)[0], decklist="3 No such card"), players(2)[1])
    make_event(
        brought=Brought("limitless", lost),
        settings=Settings("Open", "star-safir"),
        by=cast.organizer,
        now=NOW,
        source="t-1",
    )
    (problem,) = submitted("t-1").problems
    assert (problem.line, problem.code) == (1, "deck_unreadable")


def test_two_players_of_one_name_are_told_apart(cast: Cast) -> None:
    twins = tuple(replace(each, name="Player 12") for each in players(2))
    event = made(cast, replace(SEVEN, players=twins, stages=(BroughtStage(rounds=((match(1, 2),),)),)))
    assert len(set(names(event).values())) == 2


def test_the_ledger_says_where_the_rounds_come_from(cast: Cast) -> None:
    event = made(cast)
    entries = LedgerEntry.objects.filter(chain=event.public_id, code="round.brought").order_by("number")
    assert [(entry.object, len(entry.after["pairs"]), len(entry.after["results"])) for entry in entries] == [
        ("r1", 4, 3),
        ("r2", 4, 3),
    ]
    assert LedgerEntry.objects.get(chain=event.public_id, code="event.brought").after["format"] == "limitless"
    left = {fault.code for fault in verify_event(event).left}
    assert "paired_elsewhere" in left, "the file says what nobody can compute again"


def test_the_games_of_a_match_are_found_in_the_scores() -> None:
    def of(*scores: tuple[int, int, int]) -> int | None:
        stage = BroughtStage(rounds=(tuple(match(1, 2, games) for games in scores),))
        return best_of(Brought("melee", players(2), (stage,)))

    assert [of((1, 0, 0)), of((2, 1, 0)), of((1, 0, 0), (0, 3, 0)), of((4, 0, 0))] == [None, 3, 5, None]
