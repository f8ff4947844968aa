"""The commands about logs and positions: output and exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.__main__ import main
from engine.core.replay import selfplay
from engine.core.replay.selfplay import written
from engine.core.table.game import Move
from engine.core.table.log import parse_entry
from tests.engine.cast import OPENING, begin, catalog, end, first, keep, play, told

F = "F-1-1-1"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "g.json"
    assert main(["selfplay", "star-safir", "--seed", "7", "--out", str(file)]) == 0
    return file


def write(file: Path, document: Any) -> str:
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def spoiled(game: Path) -> str:
    """Write the game with a first attack that also names empty slots; return the path."""
    document = json.loads(game.read_text(encoding="utf-8"))
    attack = next(move for move in document["moves"] if move["do"] == "attack")
    attack["args"]["attackers"] = [1, 2, 3]
    return write(game.with_name("bad.json"), document)


def demo(**changes: Any) -> dict[str, Any]:
    """Return a position with shipped cards: both seats have a fighter in territory 1, and A is about to attack."""
    empty = {"fighters": [None] * 3, "magics": [None] * 3, "discard": []}
    seats = {
        seat: {"pv": 0, "pi": 3, "hand": 4, "deck": 20, "T1": {**empty, "fighters": [f"DEMO-SAF-00{n}", None, None]},
               "T2": empty, "T3": empty}
        for seat, n in (("A", 1), ("B", 2))
    }  # fmt: skip
    start = {"kind": "position", "turn": {"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
             "state": {"seats": seats}}  # fmt: skip
    return {"format": 1, "game": "star-safir", "ruleset": "safir-v2@1", "start": {**start, **changes}}


def ask(capsys: pytest.CaptureFixture[str], position: str, move: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["ask", position, json.dumps(move), "--json"])
    return code, json.loads(capsys.readouterr().out)


ATTACK = {"by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}


def test_a_self_played_game_is_confirmed(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(game), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["first_illegal"], report["error"]) == ("confirmed", None, None)


def test_an_illegal_attack_is_reported_with_its_rule(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", spoiled(game), "--json", "--lang", "fr"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "illegal_action"
    assert report["first_illegal"]["do"] == "attack"
    assert report["first_illegal"]["violations"][0]["rule"] == "SAF-VI.3-1"
    assert main(["audit", spoiled(game)]) == 1
    assert "Board just before this move" in capsys.readouterr().out


def test_several_logs_give_a_list_and_the_highest_exit_code(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(game), spoiled(game), "--json"]) == 1
    assert [report["verdict"] for report in json.loads(capsys.readouterr().out)] == ["confirmed", "illegal_action"]
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    assert main(["audit", str(broken), str(game), spoiled(game)]) == 2


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 5000, b'{"format": 1e3}'])
def test_an_unreadable_log_exits_2_with_a_code(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "log.json"
    file.write_bytes(content)
    assert main(["audit", str(file), "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "unreadable"
    assert set(report["error"]) == {"code", "message", "path", "n", "detail"}


def test_a_missing_file_exits_2(tmp_path: Path) -> None:
    missing = str(tmp_path / "nothing.json")
    assert main(["audit", missing]) == 2
    assert main(["show", missing, "--at", "1"]) == 2
    assert main(["merge", missing, missing]) == 2
    assert main(["ask", missing, "{}"]) == 2


def test_standard_input_is_a_dash(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(game.read_bytes()), encoding="utf-8"))
    assert main(["audit", "-"]) == 0
    assert "Confirmed" in capsys.readouterr().out


def test_self_play_writes_the_same_game_to_standard_output(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "star-safir", "--seed", "7"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(game.read_text(encoding="utf-8"))
    assert main(["selfplay", "chess", "--seed", "7"]) == 2


def test_show_prints_the_board_as_a_seat_sees_it(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(game), "--at", "10", "--lang", "it"]) == 0
    assert "combattenti" in capsys.readouterr().out
    assert main(["show", str(game), "--at", "10", "--seat", "A", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["seats"]["B"]["hand"]) == {"?"}
    assert main(["show", str(game), "--at", "9999"]) == 2
    assert main(["show", str(game), "--at", "1", "--seat", "Q"]) == 2


def test_a_catalogue_may_be_given(tmp_path: Path) -> None:
    cards = [
        {"ref": card.ref, "name": card.name, "kind": card.kind, **card.figures}
        for card in catalog().cards.values()
        if card.vanilla and "cost" not in card.figures
    ]
    file = write(tmp_path / "cards.json", {"id": "test-safir", "game": "star-safir", "cards": cards})
    document = told(*OPENING, {"by": "B", "do": "concede"}, claimed={"winner": "A"})
    log = write(tmp_path / "log.json", document)
    assert main(["audit", log]) == 2
    assert main(["audit", log, "--catalog", file]) == 0


def halves() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the half-logs of one game as A and as B would record them."""
    hand_a, hand_b = [F, F, "M-1", "M-1", "F-2-1-3"], ["F-2-1-3", F, "M-1", "F-9-9-0", "F-9-9-1"]
    back = {"by": "B", "do": "mulligan", "args": {"back": ["M-1"]}, "chance": [{"draw": hand_b}, {"draw": ["M-1"]}]}
    counted = {**back, "args": {"back": 1}, "chance": [{"draw": ["?"] * 5}, {"draw": ["?"]}]}
    rest = (begin("A"), play("A", F), {**end("A"), "claims": {"A.pi": 3}})
    one = told(first(), keep("A", hand_a), counted, *rest)
    two = told(first(), keep("A"), back, *rest[:2], end("A"))
    return json.loads(json.dumps(one)), json.loads(json.dumps(two))


def test_two_half_logs_merge_into_one_without_unknown_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (write(tmp_path / f"{n}.json", half) for n, half in enumerate(halves()))
    assert main(["merge", one, two]) == 0
    merged = json.loads(capsys.readouterr().out)
    assert "?" not in json.dumps(merged["moves"])
    assert merged["moves"][2]["args"] == {"back": ["M-1"]}
    assert merged["moves"][5]["claims"] == {"A.pi": 3}
    assert main(["merge", two, one]) == 0
    assert json.loads(capsys.readouterr().out) == merged


def test_merging_contradictory_half_logs_reports_the_first_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = halves()
    two["moves"][4]["args"]["slot"] = 2
    paths = [write(tmp_path / f"{n}.json", half) for n, half in enumerate((one, two))]
    assert main(["merge", *paths]) == 1
    assert "move 5, args.slot: 1 / 2" in capsys.readouterr().out
    one["moves"].pop()
    two["moves"][4]["args"]["slot"] = 1
    paths = [write(tmp_path / f"{n}.json", half) for n, half in enumerate((one, two))]
    assert main(["merge", *paths]) == 1
    assert "move 6: " in capsys.readouterr().out


def test_ask_answers_about_the_end_of_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = selfplay.play("star-safir", 7)
    document["moves"] = document["moves"][:30]
    log = write(tmp_path / "log.json", document)
    assert [ask(capsys, log, {"by": seat, "do": "concede"})[0] for seat in "AB"] == [0, 0]
    code, found = ask(capsys, log, {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]})
    assert (code, found["answer"]) == (1, "illegal")
    assert found["violations"][0]["rule"] == "SAF-IV-1"


def test_ask_answers_about_a_declared_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = write(tmp_path / "p.json", demo())
    assert ask(capsys, position, ATTACK)[0] == 0
    code, found = ask(capsys, position, {**ATTACK, "by": "B"})
    assert (code, found["violations"][0]["rule"]) == (1, "SAF-VI-0")
    assert ask(capsys, position, {"by": "A", "do": "dance"})[0] == 2


def test_ask_names_the_undeclared_fact_it_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = demo()
    del document["start"]["state"]["seats"]["A"]["pi"]
    position = write(tmp_path / "p.json", document)
    move = {"by": "A", "do": "play", "args": {"card": "DEMO-SAF-001", "territory": 2, "slot": 1}}
    code, found = ask(capsys, position, move)
    assert (code, found["answer"], found["missing"]) == (3, "undetermined", [{"fact": "A.pi", "rule": "SAF-VI.2-1"}])
    assert ask(capsys, position, ATTACK)[0] == 0


def test_ask_does_not_ask_when_known_facts_settle_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = demo()
    del document["start"]["state"]["seats"]["A"]["pi"]
    position = write(tmp_path / "p.json", document)
    move = {"by": "A", "do": "play", "args": {"card": "DEMO-SAF-001", "territory": 1, "slot": 1}}
    code, found = ask(capsys, position, move)
    assert (code, found["answer"], found["missing"]) == (1, "illegal", [])


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        ({"turn": {"n": 5, "seat": "A", "phase": "combat", "first": "A"}}, ["memory.attacked"]),
        ({"turn": {"n": 5, "phase": "invocation", "first": "A"}}, ["turn.seat"]),
    ],
)
def test_ask_names_facts_that_a_board_does_not_show(
    change: dict[str, Any], facts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = ask(capsys, write(tmp_path / "p.json", demo(**change)), ATTACK)
    assert (code, [item["fact"] for item in found["missing"]]) == (3, facts)


def test_ask_does_not_treat_an_undeclared_deck_as_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = demo(turn={"n": 5, "seat": "A", "phase": "lancement", "first": "A"})
    draw = {"by": "A", "do": "begin_turn", "chance": [{"draw": ["?"]}]}
    assert ask(capsys, write(tmp_path / "p.json", document), draw)[0] == 0
    del document["start"]["state"]["seats"]["A"]["deck"]
    code, found = ask(capsys, write(tmp_path / "p.json", document), draw)
    assert (code, [item["fact"] for item in found["missing"]]) == (3, ["A/deck"])
    two = {**draw, "chance": [{"draw": ["?", "?"]}]}
    assert ask(capsys, write(tmp_path / "p.json", document), two)[0] == 1


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ({"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}, "SAF-IV-1"),
        ({"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}, "SAF-V-2"),
    ],
)
def test_set_up_moves_are_illegal_in_the_middle_of_a_game(
    move: dict[str, Any], rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = write(tmp_path / "p.json", demo(turn={"n": 5, "seat": "A", "phase": "invocation"}))
    code, found = ask(capsys, position, move)
    assert (code, rule in [item["rule"] for item in found["violations"]]) == (1, True)


def test_ask_names_the_unknown_slot_it_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = demo(unknown=["B/T1/fighters/2"])
    code, found = ask(capsys, write(tmp_path / "p.json", document), {**ATTACK, "args": {**ATTACK["args"], "target": 2}})
    assert (code, found["missing"][0]["fact"]) == (3, "B/T1/fighters/2")


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ({"A": {"pi": 16}}, "above_maximum"),
        ({"A": {"pi": "many"}}, "wrong_type"),
        ({"A": {"T1": {"fighters": ["DEMO-SAF-001"] * 4}}}, "zone_full"),
        ({"A": {"T1": {"fighters": ["NOBODY", None, None]}}}, "unknown_card"),
        ({"A": {"gold": 1}}, "unknown_key"),
        ({"C": {}}, "unknown_key"),
    ],
)
def test_an_impossible_position_is_unreadable(
    seats: dict[str, Any], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = demo()
    document["start"]["state"] = {"seats": seats}
    exit_code, found = ask(capsys, write(tmp_path / "p.json", document), ATTACK)
    assert (exit_code, found["error"]["code"]) == (2, code)


def test_declared_cards_must_fit_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = demo()
    document["seats"] = {"A": {"deck": {"main": {"DEMO-SAF-003": 30}}}}
    code, found = ask(capsys, write(tmp_path / "p.json", document), ATTACK)
    assert (code, found["error"]["code"]) == (2, "no_copy_left")


def test_a_log_from_a_position_is_audited_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = [{"n": 1, "by": "B", "do": "concede"}]
    name = write(tmp_path / "p.json", {**demo(), "seats": {}, "moves": moves})
    assert main(["audit", name, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["result"]["computed"], found["missing"]) == ("consistent_from", "A", [])
    for lang, words in (("fr", "position déclarée"), ("en", "declared position"), ("it", "posizione dichiarata")):
        assert main(["audit", name, "--lang", lang]) == 1
        assert words in capsys.readouterr().out
    assert main(["show", name, "--at", "1"]) == 0
    assert "?" in capsys.readouterr().out


def test_a_score_pad_is_audited_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = [{"n": 1, "by": "A", "do": "end_turn", "claims": {"A.pv": 0, "A.pi": 3}}]
    name = write(tmp_path / "p.json", {key: value for key, value in demo().items() if key != "start"}
                 | {"seats": {}, "moves": moves})  # fmt: skip
    assert main(["audit", name, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "plausible"
    assert main(["show", name, "--at", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"]["A"]["pi"] == 3


def command(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, as a shell would."""
    return subprocess.run([sys.executable, "-m", "engine", *words], cwd=ROOT, check=False, **options)


@pytest.mark.parametrize(
    "words", [["games"], ["rules", "star-safir", "--json"], ["selfplay", "star-safir", "--seed", "1"], ["--help"]]
)
@pytest.mark.slow
def test_a_closed_pipe_gives_no_traceback(words: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = command(*words, stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)
    assert done.stderr == b""
    assert done.returncode == (
        0 if words == ["--help"] else 141
    )  # 141: 128 + SIGPIPE, as shells report it; argparse ignores a closed pipe


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_exits_2_with_a_code() -> None:
    with Path("/dev/full").open("wb") as full:
        done = command("games", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith(b"cannot_write: standard output")


def test_a_file_of_the_engine_that_cannot_be_read_is_not_reported_as_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_options: object) -> int:
        raise PermissionError(13, "Permission denied", "rules.toml")

    monkeypatch.setattr("engine.cli.decks.run_games", fail)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "cannot_read: rules.toml: Permission denied\n"


def test_json_output_is_valid_on_an_ascii_only_terminal() -> None:
    ascii_alone = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = command("rules", "star-safir", "--json", capture_output=True, env=ascii_alone)
    registers = json.loads(done.stdout.decode("ascii"))
    assert registers["rules"][0]["messages"]["it"].startswith("La partita è finita")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_stream_closed_by_the_shell_gives_no_traceback(closed: str) -> None:
    line = f"{sys.executable} -m engine audit - {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, input=b"{", stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"")


NO_FILE = ["missing", "folder", "binary"]


@pytest.mark.parametrize("kind", NO_FILE)
@pytest.mark.parametrize(
    "words",
    [
        ["audit", "BAD"],
        ["audit", "GAME", "--catalog", "BAD"],
        ["show", "BAD", "--at", "1"],
        ["show", "GAME", "--at", "1", "--catalog", "BAD"],
        ["merge", "BAD", "GAME"],
        ["merge", "GAME", "BAD"],
        ["ask", "BAD", "{}"],
        ["ask", "GAME", "BAD"],
        ["selfplay", "star-safir", "--seed", "1", "--catalog", "BAD"],
        ["check-deck", "star-safir", "BAD"],
        ["check-deck", "star-safir", "GAME", "--pool", "BAD"],
        ["check-deck", "star-safir", "GAME", "--catalog", "BAD"],
        ["deck", "star-safir", "--seed", "1", "--catalog", "BAD"],
    ],
    ids=" ".join,
)
def test_a_file_that_cannot_be_read_exits_2_with_a_code(
    words: list[str], kind: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad"
    if kind == "folder":
        bad.mkdir()
    elif kind == "binary":
        bad.write_bytes(bytes(range(256)) * 300)
    named = {"BAD": str(bad), "GAME": str(game)}
    capsys.readouterr()
    assert main([named.get(word, word) for word in words]) == 2
    printed = capsys.readouterr()
    assert any(code in printed.out + printed.err for code in ("cannot_read", "not_utf8", "too_large", "unknown_key"))


def test_an_unreadable_catalogue_half_log_or_move_is_named(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = write(game.with_name("broken.json"), [])
    assert main(["audit", str(game), "--catalog", broken]) == 2
    assert f"({broken})" in capsys.readouterr().out
    assert main(["merge", str(game), broken]) == 2
    assert broken in capsys.readouterr().err
    code, found = ask(capsys, str(game), {"by": "A"})
    assert (code, found["error"]["path"]) == (2, "move")


def test_a_negative_move_number_is_refused(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(game), "--at", "-1"]) == 2
    assert "counted from 1" in capsys.readouterr().err
    assert main(["show", str(game), "--at", "0"]) == 0


def test_one_log_gives_one_report_and_several_give_a_list(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["audit", str(game), "--json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)
    assert main(["audit", str(game), str(game), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_an_error_without_a_path_shows_no_empty_brackets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", write(tmp_path / "log.json", {})]) == 2
    assert "[]" not in capsys.readouterr().out


def test_an_undeclared_fact_is_asked_for_if_an_option_makes_it_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    move = {"by": "A", "do": "move", "args": {"territory": 1, "slot": 1, "to": 2, "to_slot": 1}}
    roaming = {**demo(), "options": {"I-SAF-19": "yes"}}
    code, found = ask(capsys, write(tmp_path / "p.json", roaming), move)
    assert (code, [item["fact"] for item in found["missing"]]) == (3, ["memory.moved"])
    stated = {**demo(memory={"moved": []}), "options": {"I-SAF-19": "yes"}}
    assert ask(capsys, write(tmp_path / "p.json", stated), move)[0] == 0
    hidden = {**demo(memory={"moved": []}, unknown=["A/T2/fighters/1"]), "options": {"I-SAF-19": "yes"}}
    code, found = ask(capsys, write(tmp_path / "p.json", hidden), move)
    assert (code, [item["fact"] for item in found["missing"]]) == (3, ["A/T2/fighters/1"])


def test_an_undeclared_sacrifice_is_asked_for_if_it_could_pay_for_a_fighter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    move = {
        "by": "A",
        "do": "play",
        "args": {"card": "DEMO-SAF-007", "territory": 1, "slot": 2},
    }  # costs 4 with 3 PI; a sacrifice gives 1
    early = {**demo(), "options": {"I-SAF-10": "before"}}
    code, found = ask(capsys, write(tmp_path / "p.json", early), move)
    assert (code, [item["fact"] for item in found["missing"]]) == (3, ["memory.sacrificed"])
    assert ask(capsys, write(tmp_path / "p.json", demo()), move)[0] == 1


EMPTY_OR_GONE = ["missing", "folder", "empty", "-"]


@pytest.mark.parametrize("kind", EMPTY_OR_GONE)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["lint", "BAD"], 1),
        (["audit", "BAD"], 2),
        (["show", "BAD", "--at", "0"], 2),
        (["merge", "BAD", "GAME"], 2),
        (["ask", "BAD", "{}"], 2),
        (["ask", "GAME", "BAD"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_a_missing_or_empty_file_or_a_folder_has_the_documented_exit_code(
    words: list[str], code: int, kind: str, game: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    bad = tmp_path / "bad"
    if kind == "folder":
        bad.mkdir()
    elif kind == "empty":
        bad.write_bytes(b"")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    named = {"BAD": "-" if kind == "-" else str(bad), "GAME": str(game)}
    capsys.readouterr()
    assert main([named.get(word, word) for word in words]) == code
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert printed.out + printed.err


def test_half_logs_with_hidden_cards_effects_and_responses_merge_into_the_whole(tmp_path: Path) -> None:
    for seed in range(1, 5):
        whole = selfplay.play("star-safir", seed, catalog=engine.catalogs("star-safir")[1], hidden=())
        halves = [write(tmp_path / f"{seat}.json", seen_by(whole, seat)) for seat in "AB"]
        out = tmp_path / "whole.json"
        assert main(["merge", *halves, "--out", str(out)]) == 0
        assert json.loads(out.read_bytes()) == whole
        assert main(["audit", str(out)]) == engine.audit(whole).exit_code


def seen_by(document: dict[str, Any], seat: str) -> dict[str, Any]:
    """Return the half-log of a seat, in which the cards that the other seat draws or puts back are unknown."""
    verbs = engine.load("star-safir").verbs()
    moves = []
    for raw in document["moves"]:
        entry = parse_entry(raw, raw["n"])
        move = verbs[entry.do].conceal(Move(entry.by, entry.do, entry.args, entry.chance))
        other = written(move, raw["n"])
        moves.append(raw if raw["by"] in (seat, "table") else {**raw, **other})
    return {**document, "moves": moves}
