"""The commands about decklists and catalogues: exit codes, JSON output, and text that can be read back."""

import argparse
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli import decks
from engine.core.cards.catalog import shipped_catalogs

Run = Callable[..., tuple[int, str, str]]
DEMO = Path(decks.__file__).resolve().parents[1] / "games" / "star_safir" / "cards" / "safir-demo.json"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: object) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        decks.add_commands(parser.add_subparsers(required=True))
        options = parser.parse_args([str(word) for word in argv])
        code = options.run(options)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def listing(cards: int) -> str:
    """Return a list of the first cards of the shipped catalogue, without commanders, one copy each."""
    refs = [ref for ref, card in shipped_catalogs("star-safir")[0].cards.items() if card.kind != "commandant"]
    return "\n".join(f"1 {ref}" for ref in refs[:cards])


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "list.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_legal_list_exits_0(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("check-deck", "star-safir", written(tmp_path, listing(40)))
    assert (code, out) == (0, "Legal list (cards: 40).\n")


def test_a_list_of_41_cards_exits_1_and_cites_saf_i_2(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, listing(41))
    code, out, _ = run("check-deck", "star-safir", path)
    assert code == 1
    assert out.startswith("SAF-I-2 (I. Les bases): Cards in the deck: 41")
    code, out, _ = run("check-deck", "star-safir", path, "--json", "--lang", "fr")
    report = json.loads(out)
    assert (code, report["legal"]) == (1, False)
    assert report["violations"] == [
        {
            "rule": "SAF-I-2",
            "section": "I. Les bases",
            "args": {"count": 41, "min": 30, "max": 40},
            "message": "Cartes dans le deck : 41 (il en faut de 30 à 40).",
            "depends_on": [],
        }
    ]


@pytest.mark.parametrize(("lang", "legal", "line"), [("fr", "Liste légale", "ligne"), ("it", "Lista legale", "riga")])
def test_the_answer_about_a_list_is_in_one_language(run: Run, tmp_path: Path, lang: str, legal: str, line: str) -> None:
    assert run("check-deck", "star-safir", written(tmp_path, listing(30)), "--lang", lang)[1].startswith(legal)
    _, out, refused = run("check-deck", "star-safir", written(tmp_path, "1 nobody"), "--lang", lang)
    assert f"({line} 1)" in out + refused
    _, out, _ = run("check-deck", "altered", written(tmp_path, "1 DEMO-ALT-001"), "--lang", lang)
    assert ("règles publiées" in out) is (lang == "fr")


def test_the_json_answer_about_a_legal_list_has_its_digest(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("check-deck", "star-safir", written(tmp_path, listing(30)), "--json", "--date", "2026-03-14")
    report = json.loads(out)
    assert (code, report["legal"], report["violations"], report["format"]) == (0, True, [], "safir-v2")
    assert len(report["digest"]) == 64
    assert len(report["deck"]["main"]) == 30


def test_cards_that_are_left_out_are_told(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, listing(33) + "\n# Maybeboard\n2 DEMO-SAF-088\n")
    assert run("check-deck", "star-safir", path)[:2] == (
        0,
        "Legal list (cards: 33).\nCards under “# Maybeboard”, which do not count: 2.\n",
    )
    _, out, _ = run("check-deck", "star-safir", path, "--json", "--lang", "it")
    assert json.loads(out)["notes"] == [
        {
            "code": "left_out",
            "args": {"text": "# Maybeboard", "count": 2},
            "message": "Carte sotto «# Maybeboard», che non contano: 2.",
        }
    ]


def wakfu(copies: int) -> str:
    """Return a list of 2008 with so many copies of one card."""
    lead, *cards = sorted(shipped_catalogs("wakfu")[0].cards.values(), key=lambda card: card.kind != "leader")
    return f"Commander\n1 {lead.ref}\n\nDeck\n{copies} {cards[-1].ref}\n"


def test_copies_that_the_rules_of_2008_do_not_limit_are_told(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("check-deck", "wakfu", written(tmp_path, wakfu(9)))
    assert (code, out.splitlines()[0]) == (0, "Legal list (cards: 9).")
    assert out.splitlines()[1].endswith("9 copies. The rules of this format (wakfu-2008) set no limit on copies.")
    assert len(run("check-deck", "wakfu", written(tmp_path, wakfu(3)))[1].splitlines()) == 1
    assert "no limit" not in run("check-deck", "wakfu", written(tmp_path, wakfu(9)), "--format", "wakfu-2011")[1]


def test_a_second_leader_and_a_sideboard_are_two_faults_in_the_rules_of_2008(run: Run, tmp_path: Path) -> None:
    lead, first, *rest = wakfu(3).splitlines()
    card = rest[-1].split()[1]
    text = "\n".join([lead, first, f"1 {card}", *rest, "", "Sideboard", f"15 {card}"])
    code, out, _ = run("check-deck", "wakfu", written(tmp_path, text), "--json")
    faults = json.loads(out)["faults"]
    assert (code, [(fault["line"], fault["code"]) for fault in faults]) == (
        2,
        [(3, "second_leader"), (8, "no_sideboard")],
    )


def test_an_unreadable_list_exits_2_with_every_bad_line(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, listing(30) + "\n3 Braisilon\n0 Givrelin\n")
    code, out, _ = run("check-deck", "star-safir", path, "--json", "--lang", "it")
    report = json.loads(out)
    assert (code, report["error"]["code"], report["error"]["path"]) == (2, "unreadable_lines", "line 31")
    assert [(fault["line"], fault["code"]) for fault in report["faults"]] == [
        (31, "unknown_card"),
        (32, "zero_quantity"),
    ]
    assert report["faults"][0]["suggestions"][0].endswith("Braisillon")
    assert report["faults"][0]["message"] == "carta sconosciuta: «3 Braisilon»"
    code, out, err = run("check-deck", "star-safir", path)
    assert (code, out) == (2, "")
    assert "line 31: unknown card" in err and "line 32: a quantity of zero" in err
    assert "riga 31: carta sconosciuta" in run("check-deck", "star-safir", path, "--lang", "it")[2]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess", "FILE"], "unknown_game"),
        (["star-safir", "FILE", "--format", "old"], "unknown_format"),
        (["star-safir", "FILE", "--date", "tomorrow"], "bad_date"),
        (["star-safir", "FILE", "--pool", "FILE"], "no_pool"),
        (["star-safir", "FILE", "--catalog", "FILE"], "not_json"),
        (["star-safir", "missing.txt"], "cannot_read"),
        (["star-safir", "."], "cannot_read"),
    ],
)
def test_a_wrong_argument_exits_2_with_a_code(run: Run, tmp_path: Path, arguments: list[str], code: str) -> None:
    path = written(tmp_path, listing(30))
    words = [str(path) if word == "FILE" else word for word in arguments]
    status, out, _ = run("check-deck", *words, "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, code)


def test_a_huge_file_exits_2(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("check-deck", "star-safir", written(tmp_path, b"x" * 1_000_000), "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, "too_large")


def test_a_dash_reads_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(listing(30).encode())))
    assert run("check-deck", "star-safir", "-")[0] == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_random_deck_reads_back_as_legal(run: Run, tmp_path: Path, seed: int) -> None:
    code, out, _ = run("deck", "star-safir", "--seed", seed)
    assert code == 0
    assert out == run("deck", "star-safir", "--seed", seed)[1]
    assert run("check-deck", "star-safir", written(tmp_path, out))[0] == 0


def test_another_catalogue_replaces_the_shipped_one(run: Run, tmp_path: Path) -> None:
    cards = [{"ref": f"Z-{n}", "name": f"Zouave {n}", "kind": "magie", "val": 1} for n in range(40)]
    path = tmp_path / "cards.json"
    path.write_text(json.dumps({"id": "z", "game": "star-safir", "cards": cards}), encoding="utf-8")
    _, out, _ = run("deck", "star-safir", "--seed", 1, "--catalog", path)
    assert "Zouave" in out
    assert run("check-deck", "star-safir", written(tmp_path, out), "--catalog", path)[0] == 0
    assert run("check-deck", "star-safir", written(tmp_path, out))[0] == 2


def test_games_are_listed_with_rulesets_catalogues_and_rule_coverage(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "star-safir" in out and "safir-v2@1" in out and "safir-demo" in out
    _, out, _ = run("games", "--json")
    (game,) = [entry for entry in json.loads(out) if entry["game"] == "star-safir"]
    assert sum(game["rules"].values()) >= 69


def test_the_registers_are_printed_in_each_language(run: Run) -> None:
    code, out, _ = run("rules", "star-safir", "--lang", "it")
    assert code == 0
    assert "SAF-I-2" in out and "I-SAF-30" in out and "Carte nel mazzo" in out
    _, out, _ = run("rules", "star-safir", "--json")
    registers: dict[str, Any] = json.loads(out)
    assert sum(1 for rule in registers["rules"] if rule["id"].startswith("SAF-")) == 69
    assert sum(1 for gap in registers["interpretations"] if gap["id"].startswith("I-SAF-")) == 34
    assert run("rules", "chess")[0] == 2


def test_the_rules_of_one_ruleset_have_its_numbers_and_what_it_leaves_open(run: Run) -> None:
    code, out, _ = run("rules", "altered", "--ruleset", "altered-2025@1")
    assert code == 0
    assert "ALT-5.2.3.b [tested] Complete Rules 3.0, 1.2.6.c, 6.5.b" in out
    assert "I-ALT-23" in out and "I-ALT-01" not in out
    assert run("rules", "altered", "--ruleset", "altered-1999@1")[0] == 2


def test_the_shipped_catalogue_passes_the_linter(run: Run) -> None:
    code, out, _ = run("lint", DEMO)
    assert (code, out.splitlines()[0]) == (0, "88 of 88 cards executable (88 vanilla)")


def test_the_linter_can_print_what_each_card_does(run: Run) -> None:
    code, out, _ = run("lint", DEMO.with_name("safir-effects.json"), "--sentences", "it")
    assert code == 0
    assert "EFF-SAF-005: Quando questa carta viene giocata: guadagna 2 PI." in out


def test_the_effects_catalogue_passes_the_linter_which_counts_every_word(run: Run) -> None:
    code, out, _ = run("lint", DEMO.with_name("safir-effects.json"))
    assert (code, out.splitlines()[0]) == (0, "149 of 149 cards executable (15 vanilla)")
    assert [line.split(":")[0] for line in out.splitlines()[1:]] == [
        "16 of 16 keywords",
        "13 of 13 triggers",
        "4 of 4 statics",
        "3 of 3 replacements",
        "29 of 29 operations",
        "14 of 14 selectors",
        "7 of 7 amounts",
        "8 of 8 durations",
        "6 of 6 prohibitions",
    ]
    assert "manual 0, which leaves a card to a ruling" in out


def test_a_faulty_catalogue_exits_1_with_its_problems(run: Run, tmp_path: Path) -> None:
    text = DEMO.read_text(encoding="utf-8").replace('"kind": "jeton"', '"kind": "jetton"', 1)
    code, out, _ = run("lint", written(tmp_path, text))
    assert code == 1
    assert out.startswith("UNKNOWN-KIND cards[") and "jeton?" in out
    code, out, _ = run("lint", written(tmp_path, b"\xff"), "--json")
    assert (code, json.loads(out)["problems"][0]["code"]) == (1, "SCHEMA")
    assert run("lint", tmp_path / "missing.json")[0] == 1


def test_a_seed_may_be_a_word(run: Run) -> None:
    code, out, _ = run("deck", "star-safir", "--seed", "spring")
    assert (code, out) == run("deck", "star-safir", "--seed", "spring")[:2]
    assert code == 0
