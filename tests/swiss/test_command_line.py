"""The command line reads and writes JSON, exits with 0 or 2 and an error code, and does not need Django."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tournaments.swiss.pairing import ALGORITHM

ROOT = Path(__file__).parents[2]


def run(*arguments: str, given: Any = None) -> tuple[int, Any, Any]:
    text = given if isinstance(given, str) else json.dumps(given)
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.swiss", *arguments], input=text, capture_output=True, text=True, cwd=ROOT
    )
    read = [json.loads(stream) if stream else None for stream in (done.stdout, done.stderr)]
    return done.returncode, read[0], read[1]


def run_text(*arguments: str, given: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.swiss", *arguments], input=given, capture_output=True, text=True, cwd=ROOT
    )
    return done.returncode, done.stdout


def event(players: int, rounds: int, seed: int = 7) -> Any:
    code, out, _ = run("simulate", "--players", str(players), "--rounds", str(rounds), "--seed", str(seed))
    assert code == 0
    return out


def test_pair_replies_as_documented() -> None:
    given = {
        "players": [{"id": "P1", "seed": 1}, {"id": "P2"}, {"id": "P3"}, {"id": "P4", "dropped": True}, {"id": "P5"}],
        "rounds": [{"matches": [["P1", "P2", "2-1-0"], ["P3", "P5", "2-0-0"], ["P4", None, "2-0-0"]]}],
        "options": {"seed": 7},
    }
    code, out, error = run("pair", given=given)
    assert (code, error) == (0, None)
    assert set(out) == {"pairs", "bye", "flags", "cost", "certified", "proven", "version"}
    assert set(out["cost"]) == {"rematches", "second_bye", "bye_points", "squares", "floats", "wishes"}
    assert {frozenset(table) for table in out["pairs"]} == {frozenset(("P1", "P3")), frozenset(("P2", "P5"))}
    assert out["bye"] is None
    assert out["flags"] == {}
    assert out["certified"] is True


def test_a_simulated_event_is_complete_and_can_be_ranked() -> None:
    simulated = event(21, 4)
    assert len(simulated["players"]) == 21
    assert [len(r["matches"]) for r in simulated["rounds"]] == [11] * 4
    assert simulated == event(21, 4)
    assert simulated["rounds"] != event(21, 4, seed=8)["rounds"]
    code, out, _ = run("standings", "--scheme", "mtr", given=simulated)
    assert code == 0
    rows = out["standings"]
    assert len(rows) == 21
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    for row in rows:
        assert {"rank", "player", "points", "omw", "gw", "ogw", "exact"} <= row.keys()
        for name in ("omw", "gw", "ogw"):
            upper, _, lower = row["exact"][name].partition("/")
            assert abs(row[name] - int(upper) / int(lower or 1)) < 1e-12


def test_standings_accept_a_floor_and_a_raw_gw() -> None:
    given = {"players": [{"id": "a"}, {"id": "b"}], "rounds": [{"matches": [["a", "b", "2-0-0"]]}]}
    _, out, _ = run("standings", "--floor", "0.33", "--gw", "raw", given=given)
    assert out["standings"][0]["exact"]["omw"] == "33/100"
    assert out["standings"][1]["gw"] == 0


def test_standings_explain_their_figures_and_freeze_at_a_cut() -> None:
    simulated = event(9, 4)
    _, out, _ = run("standings", "--explain", given=simulated)
    for row in out["standings"]:
        omw = next(figure for figure in row["figures"] if figure["name"] == "omw")
        assert [part["player"] for part in omw["parts"]] == row["opponents"]
    first = [row["player"] for row in out["standings"]][:2]
    _, cut, _ = run("standings", given={**simulated, "cut": {"after": 2, "advancing": first}})
    assert {row["player"] for row in cut["standings"][:2]} == set(first)
    assert {row["rounds"] for row in cut["standings"][2:]} == {2}


def test_the_pairing_does_not_depend_on_hash_randomization() -> None:
    # Sets of strings iterate in another order under another hash seed.
    given = json.dumps(event(150, 5))
    answers = {
        subprocess.run(
            [sys.executable, "-m", "tournaments.swiss", "pair"],
            input=given,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": hashing},
        ).stdout
        for hashing in ("1", "2", "3")
    }
    assert len(answers) == 1
    assert "certified" in answers.pop()


def test_verify_confirms_a_round_made_by_pair() -> None:
    simulated = event(33, 5)
    _, paired, _ = run("pair", given=simulated)
    published = {**simulated, **{name: paired[name] for name in ("pairs", "bye", "version")}}
    assert run("verify", given=published) == (0, {"same": True, "differs": []}, None)


def test_verify_lists_every_difference_and_still_exits_with_0() -> None:
    simulated = event(9, 2)
    _, paired, _ = run("pair", given=simulated)
    (a, b), (c, d), *rest = paired["pairs"]
    published = {**simulated, "pairs": [[a, d], [c, b], *rest], "bye": None, "version": ALGORITHM}
    code, out, _ = run("verify", given=published)
    assert code == 0
    assert out["same"] is False
    assert [differs["what"] for differs in out["differs"]] == ["pair"] * 4 + ["bye"]


def test_repair_offers_choices_from_fewest_tables_to_least_cost() -> None:
    simulated = event(12, 3)
    _, paired, _ = run("pair", given=simulated)
    (a, b), *_ = paired["pairs"]
    published = {**simulated, "pairs": paired["pairs"], "bye": paired["bye"]}
    code, out, error = run("repair", given={**published, "mistake": {"phantom": a}})
    assert (code, error) == (0, None)
    first, last = out["choices"][0], out["choices"][-1]
    assert (first["tables_changed"], first["bye"]) == (1, b)
    assert first["changes"] == [{"table": 1, "was": [a, b], "now": []}, {"table": None, "was": [], "now": [b]}]
    assert last["certified"] is True
    _, forgotten, _ = run("repair", given={**published, "mistake": {"forgotten": {"id": "late"}}})
    assert forgotten["choices"][0]["bye"] == "late"
    one, two, score = simulated["rounds"][2]["matches"][0]
    wrong = {"round": 3, "match": [one, two, "-".join(reversed(score[:3].split("-"))) + score[3:]]}
    _, left, _ = run("repair", given={**published, "mistake": {"wrong_result": wrong}})
    assert left["choices"][0]["tables_changed"] == 0
    assert left["choices"][0]["changes"] == []


def test_options_are_read_and_show_in_the_reply() -> None:
    players = [{"id": f"P{seed}", "seed": seed, "club": "x"} for seed in range(1, 7)]
    options = {"order": "fold", "sides": True, "clubs": True, "awarded": {"P2": "zero_bye"}, "tables": {"P3": 9}}
    _, out, _ = run("pair", given={"players": players, "options": options})
    assert out["awarded"] == {"P2": "zero_bye"}
    assert out["cost"]["wishes"] == 2
    assert set(out["cost"]) >= {"places"}
    assert out["bye"] in {"P1", "P3", "P4", "P5", "P6"}
    assert "tables" in out or out["bye"] == "P3"


@pytest.mark.parametrize(
    ("arguments", "given", "code"),
    [
        (["pair"], "{", "malformed_json"),
        (["pair"], {"players": [{"id": "a"}], "options": {"colour": 1}}, "unknown_option"),
        (["pair"], {"players": [{"id": "a"}, {"id": "a"}]}, "duplicate_player"),
        (["pair"], {"players": [{"id": "a"}], "rounds": [{"matches": [[None, None, "0-0-0"]]}]}, "no_player"),
        (
            ["pair"],
            {"players": [{"id": "a"}, {"id": "b"}], "options": {"forbidden": [["a", "b"]]}},
            "impossible",
        ),
        (["standings", "--scheme", "chess"], {"players": []}, "unknown_scheme"),
        (["standings", "--scheme", "points,luck"], {"players": []}, "unknown_tiebreak"),
        (["standings"], {"players": [], "cut": {"after": 1, "advancing": []}}, "bad_cut"),
        (["standings"], {"players": [], "cut": {"after": 0, "advancing": ["z"]}}, "unknown_player"),
        (["standings", "--floor", "-1"], {"players": []}, "bad_floor"),
        (["standings", "--floor", "1/0"], {"players": []}, "bad_floor"),
        (["simulate", "--players", "-1", "--rounds", "1", "--seed", "1"], "", "too_many_players"),
        (["simulate", "--players", "x", "--rounds", "1", "--seed", "1"], "", "usage"),
        (["verify"], {"players": []}, "missing"),
        (["verify"], {"players": [], "pairs": [], "version": "swiss-1"}, "unknown_version"),
        (["repair"], {"players": []}, "missing"),
        (["repair"], {"players": [], "pairs": [], "mistake": {"typo": 1}}, "unknown_mistake"),
        (["draw"], "", "usage"),
        ([], "", "usage"),
    ],
)
def test_an_error_exits_with_2_and_its_code_on_standard_error(arguments: list[str], given: Any, code: str) -> None:
    status, out, error = run(*arguments, given=given)
    assert (status, out) == (2, None)
    assert error["error"] == code
    assert set(error) == {"error", "message", "path"}


def test_the_package_does_not_import_django() -> None:
    script = (
        "import pkgutil, importlib, sys, tournaments.swiss as swiss\n"
        "for module in pkgutil.iter_modules(swiss.__path__, 'tournaments.swiss.'):\n"
        "    importlib.import_module(module.name)\n"
        "own = [name for name in sys.modules if name.startswith('tournaments.')]\n"
        "assert all(name.startswith('tournaments.swiss') for name in own), own\n"
        "assert not any(name.split('.')[0] in ('django', 'rest_framework', 'celery') for name in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
