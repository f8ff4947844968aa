"""Hostile input through the command line gives an error code in bounded time and memory, never a traceback."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.core.replay import selfplay
from engine.core.report.audit import audit
from engine.core.report.report import VERDICTS
from tests.engine.cast import begin, end, first, header, keep, told

ROOT = Path(__file__).parents[2]
SECONDS = 60  # for all files of HOSTILE in one process, on a slow machine
MEMORY = 768 * 1024 * 1024  # address space, the interpreter included


def log_with(inner: str, **changes: Any) -> str:
    """Return the text of a log whose key `x`, which may hold any value, has the JSON text `inner`."""
    return json.dumps({**header(**changes), "x": "HERE"}).replace('"HERE"', inner)


HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "100,000 moves": (json.dumps(header(moves=[{"n": n, "by": "A", "do": "end_turn"} for n in range(1, 100_001)])),
                      "too_many_moves"),
    "nested 10,000 deep": (log_with("[" * 10_000 + "]" * 10_000), "too_deep"),
    "objects 10,000 deep": (log_with('{"a":' * 10_000 + "1" + "}" * 10_000), "too_deep"),
    "never closed": ("[" * 1_000_000, "too_deep"),
    "a string of 10 MB": (log_with('"' + "x" * 10_000_000 + '"'), "too_large"),
    "a string of 5 KB": (log_with('"' + "x" * 5_000 + '"'), "string_too_long"),
    "a key of 5 KB": (log_with('{"' + "x" * 5_000 + '": 1}'), "string_too_long"),
    "NaN": (log_with("NaN"), "not_a_number"),
    "Infinity": (log_with("[Infinity]"), "not_a_number"),
    "-Infinity": (log_with("-Infinity"), "not_a_number"),
    "a float": (log_with("1e400"), "float"),
    "an integer of 5,000 digits": (log_with("9" * 5_000), "too_large"),
    "one key twice": (log_with('{"a": 1, "a": 1}'), "duplicate_key"),
    "a lone surrogate": (log_with('"\\ud800"'), "lone_surrogate"),
    "a lone surrogate as a key": (log_with('{"\\udfff": 1}'), "lone_surrogate"),
    "no UTF-8": (b'{"format": "\xff"}', "not_utf8"),
    "a byte of zero": (b"\x00", "not_json"),
    "nothing": ("", "not_json"),
    "a list": ("[]", "wrong_type"),
    "an unknown key": (json.dumps(header(extra=1)), "unknown_key"),
    "an unknown key of an entry": (json.dumps(header(moves=[{"n": 1, "by": "A", "do": "end_turn", "why": 1}])),
                                   "unknown_key"),
    "100,000 events": (json.dumps(header(moves=[{"n": 1, "by": "judge", "do": "ruling",
                                                 "events": [{"counter": ["A", "pi", 1]}] * 100_000}])),
                       "too_many_events"),
    "100,000 cards drawn": (json.dumps(told(first("A"), keep("A", ["?"] * 100_000))), "too_many_cards"),
}  # fmt: skip


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run an engine command with limits on time and memory; fail if it prints a traceback."""
    command = [sys.executable, "-m", "engine", *map(str, words)]
    found = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, preexec_fn=limited, check=False
    )
    assert "Traceback" not in found.stderr, found.stderr[-2000:]
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("hostile")
    found = []
    for number, (source, _) in enumerate(HOSTILE.values()):
        found.append(folder / f"{number}.json")
        found[-1].write_bytes(source if isinstance(source, bytes) else source.encode())
    return found


def test_every_hostile_log_is_unreadable_with_its_error_code(files: list[Path]) -> None:
    done = run("audit", "--json", *files)
    reports = json.loads(done.stdout)
    assert done.returncode == 2
    assert {report["verdict"] for report in reports} == {"unreadable"}
    found = {name: report["error"]["code"] for name, report in zip(HOSTILE, reports, strict=True)}
    assert found == {name: code for name, (_, code) in HOSTILE.items()}


@pytest.mark.parametrize("words", [
    ("show", "FILE", "--at", "0"), ("merge", "FILE", "FILE"), ("ask", "FILE", '{"by": "A", "do": "end_turn"}'),
    ("check-deck", "star-safir", "FILE", "--json"), ("lint", "FILE"),
])  # fmt: skip
@pytest.mark.parametrize("name", ["100,000 moves", "nested 10,000 deep", "a string of 10 MB", "NaN"])
def test_the_other_commands_refuse_hostile_files_too(
    words: tuple[str, ...], name: str, files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file = files[list(HOSTILE).index(name)]
    code = main([str(file) if word == "FILE" else word for word in words])
    said = capsys.readouterr()
    assert code == (1 if words[0] == "lint" else 2)
    assert said.out or said.err


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON document."""
    if path:
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from places(inner, (*path, key))


# Values of every JSON type, to be put in place of every value of a log.
WRONG: tuple[Any, ...] = (None, True, 0, -1, 10**17, "", "?", "A", [], [[]], {}, {"": {}})


@pytest.mark.slow
def test_a_wrong_value_anywhere_in_a_log_gets_a_verdict() -> None:
    source = selfplay.play("star-safir", 4)
    source["moves"] = source["moves"][:14]
    text = json.dumps(source)
    codes = {}
    for path in list(places(source)):
        if path[0] == "seats" and len(path) > 4:
            continue
        for wrong in WRONG:
            document = json.loads(text)
            inside = document
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = wrong
            report = audit(document)
            assert report.verdict in VERDICTS
            if report.error is not None:
                codes[report.error["code"]] = path
                assert report.error["message"]
    assert {"wrong_type", "unknown_card", "unknown_verb", "unknown_seat", "unknown_game"} <= set(codes)


# When L-1 is destroyed, it brings a card of the discard back, which can be itself, and is destroyed again: endlessly.
LOOP = {"id": "loop", "game": "star-safir", "cards": [
    {"ref": "L-1", "name": "Serpent", "kind": "combattant", "atk": 1, "val": 0, "def": 1,
     "keywords": [{"kw": "Destruction"}, {"kw": "Ressusciter"}],
     "abilities": [{"on": "destroyed", "do": [
         {"op": "resurrect", "of": {"side": "own", "zone": "discard", "in": "here"}},
         {"op": "destroy", "of": {"self": True}},
     ]}]},
    *({"ref": f"N-{n}", "name": f"Pierre {n}", "kind": "combattant", "atk": 0, "val": 0, "def": 1} for n in range(14)),
]}  # fmt: skip


@pytest.mark.slow
def test_an_endless_loop_of_effects_in_a_catalogue_is_stopped_with_an_error(tmp_path: Path) -> None:
    deck = {"commander": None, "main": {card["ref"]: 2 for card in LOOP["cards"]}}
    played = [{"by": "A", "do": "play", "args": {"card": ref, "territory": 1, "slot": slot}}
              for slot, ref in enumerate(("L-1", "N-0", "N-1"), 1)]  # fmt: skip
    fatal = {"by": "A", "do": "sacrifice", "args": {"territory": 1, "slot": 1}}
    entries = [first("A"), keep("A"), keep("B"), begin("A"), *played, fatal, end("A")]
    document = {
        "format": 1, "game": "star-safir", "ruleset": "safir-v2@1", "catalog": {"id": "loop"},
        "seats": {seat: {"player": seat, "deck": deck} for seat in "AB"},
        "moves": [{"n": n, **entry} for n, entry in enumerate(entries, 1)],
    }  # fmt: skip
    log, catalog = tmp_path / "log.json", tmp_path / "loop.json"
    log.write_text(json.dumps(document))
    catalog.write_text(json.dumps(LOOP))
    done = run("audit", "--json", "--catalog", catalog, log)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"], error["n"]) == (2, "endless_effects", 8)
