"""The score pad: counters noted turn by turn, submitted once as a log, and audited as plausible."""

import json
from typing import Any

import pytest

import engine
from engine import face
from engine.core.table.header import load_game
from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.audits.models import MoveLog
from tournaments.audits.services import run_audits
from tournaments.play.models import Game, Match

pytestmark = pytest.mark.django_db
TURNS: list[dict[str, Any]] = [
    {"by": "A", "claims": {"A.pv": 0, "B.pv": 0, "A.pi": 3}, "seconds": 41},
    {"by": "B", "claims": {"A.pv": 0, "B.pv": 3}, "seconds": 65},
    {"by": "A", "claims": {"A.pv": 4, "B.pv": 3}},
]


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def test_a_pad_is_saved_once_without_decklists_and_audited_as_plausible(cast: Cast, match: Match) -> None:
    page = address("pad", match.public_id, 1)
    player = signed_in(users_of(match)[0])
    assert 'data-fact="A.pv"' in text(player.get(page))
    first = player.post(page, {"turns": json.dumps(TURNS)})
    assert player.post(page, {"turns": json.dumps(TURNS)}).url == first.url  # the script resends it on a bad connection
    log = MoveLog.objects.get()
    assert first.url == address("audit", log.public_id)
    told = json.loads(log.document)
    assert told["moves"][0] == {
        "n": 1, "by": "A", "do": "end_turn", "claims": TURNS[0]["claims"], "x": {"seconds": 41}
    }  # fmt: skip
    assert all("deck" not in seat for seat in told["seats"].values())
    run_audits(audit_ids=[log.audit.pk], now=NOW)
    log.audit.refresh_from_db()
    assert (log.audit.verdict, log.audit.deck_findings) == ("plausible", [])
    assert Game.objects.get(pk=log.game_id).evidence == Match.Evidence.PLAUSIBLE


@pytest.mark.parametrize(
    "turns",
    [
        "{", "[]", "{}", "[1]", json.dumps([{"by": "C", "claims": {"A.pv": 1}}]),
        json.dumps([{"by": "A", "claims": {}}]),
        json.dumps([{"by": "A", "claims": {"A.pv": "1"}}]), json.dumps([{"by": "A", "claims": {"A.hand": 1}}]),
        json.dumps([{"by": "A", "claims": {"A.pv": 1}, "seconds": -1}]), json.dumps(TURNS * 101),
        json.dumps([{"by": "A", "claims": {"A.pv": 1}, "more": 1}]),
    ],
)  # fmt: skip
def test_an_unreadable_pad_is_refused_and_not_saved(cast: Cast, match: Match, turns: str) -> None:
    answer = signed_in(users_of(match)[0]).post(address("pad", match.public_id, 1), {"turns": turns})
    assert (answer.status_code, "pad_unreadable" in text(answer)) == (422, True)
    assert not MoveLog.objects.exists()


def test_only_players_of_the_match_and_judges_can_use_the_pad(cast: Cast, match: Match) -> None:
    page = address("pad", match.public_id, 1)
    for user, status in ((cast.player, 200), (cast.judge, 200), (cast.scorekeeper, 403), (cast.stranger, 404)):
        assert signed_in(user).get(page).status_code == status, user
    assert page in text(signed_in(cast.player).get(address("match", match.public_id)))


@pytest.mark.parametrize("game", engine.games())
def test_every_game_has_counters_for_the_pad_that_its_audit_reads(game: str) -> None:
    verb, facts = face.audits.pad_of(game, ("A", "B"))
    loaded = load_game(game)
    assert facts
    bounds = {**{f"{seat}.{name}": span for seat in "AB" for name, span in loaded.layout.counters.items()}}
    bounds |= {f"common.{name}": span for name, span in loaded.layout.shared.items()}
    claims = {fact: 10 if bounds[fact][1] is None and game != "star-safir" else 0 for fact in facts}
    claims |= {"common.flames": 12} if "common.flames" in facts else {}
    log = {
        "format": 1, "game": game, "ruleset": list(loaded.rulesets)[-1],
        "seats": {"A": {"player": "one"}, "B": {"player": "two"}},
        "moves": [{"n": n, "by": seat, "do": verb, "claims": claims} for n, seat in enumerate("AB", 1)],
    }  # fmt: skip
    assert engine.audit(log).verdict == "plausible"
    assert face.audits.is_pad(json.dumps(log))
