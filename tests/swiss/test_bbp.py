"""What we export keeps every rule by which bbpPairings refuses a file (see `bbp.py`)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.swiss import bbp
from tests.swiss.fields import messy_field
from tournaments.swiss import trf
from tournaments.swiss.exchange import text_of, written
from tournaments.swiss.field import Field, Player
from tournaments.swiss.standings import standings

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "trf"
FILE = """\
XXR 3
001    1      One                                                                1.5    1  0002 w 1  0003 b =
001    2      Two                                                                1.0    3  0001 b 0  0000 - U
001    3      Three                                                              1.5    1  0000 - U  0001 w =
"""


def exported(field: Field, plan: trf.Plan) -> str:
    """Write a field for an engine."""
    return written(field, {}, standings(field), [("012", "Event")], plan)


def test_every_export_is_taken_before_each_round_with_drops_and_byes() -> None:
    taken = 0
    for seed in range(400):
        rng = Random(seed)
        field = messy_field(rng, rng.randrange(2, 30), rng.randrange(0, 6))
        live = [player.id for player in field.live()]
        awarded = {player: rng.choice(["bye", "half_bye", "zero_bye"]) for player in live[: rng.randrange(3)]}
        apart = tuple((one, two) for one, two in pairwise(live) if rng.random() < 0.1)
        if len(live) == len(awarded):  # nobody is left to be paired
            continue
        read = bbp.check(exported(field, trf.Plan(len(field.rounds) + rng.randrange(1, 4), awarded, apart)))
        assert (read.played, len(read.players)) == (len(field.rounds), len(field.players))
        taken += 1
    assert taken > 350


def test_the_first_round_is_paired_only_when_the_first_colour_is_said() -> None:
    field = Field(tuple(Player(str(seed), seed=seed) for seed in range(1, 9)), ())
    text = exported(field, trf.Plan(3))
    assert bbp.check(text).colour == "W"
    without = "".join(line for line in text.splitlines(keepends=True) if line[:3] not in ("XXC", "152"))
    with pytest.raises(bbp.Refused, match="the colour of the first round is not said"):
        bbp.check(without)


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")
def test_files_of_other_programs_that_we_read_are_written_so_that_it_takes_them() -> None:
    taken = 0
    for file in sorted(DATA.glob("*.trf")):
        try:
            field = trf.field_of(trf.read(text_of(file.read_bytes())))
        except trf.SwissError:
            continue
        if field.live():
            bbp.check(exported(field, trf.Plan(len(field.rounds) + 1)))
            taken += 1
    assert taken > 10


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("XXR 3", "XXR 2", "more rounds"),
        ("XXR 3", "062 3", "number of rounds is not said"),
        ("XXR 3", "XXR 3\n162  W 3.0", "a line 162"),
        ("XXR 3", "XXR 3\n152 X", "neither W nor B"),
        ("XXR 3", "XXR 3\n240 F 003 0004", "no such player"),
        ("XXR 3", "XXR 3\n240 F 3", "too short"),
        ("XXR 3", "XXR 3\n260 003 003 0001", "too short"),
        ("XXR 3", "XXR 3\nXXP 1 x", "not a number"),
        ("1.5    1  0002", "2.5    1  0002", "the points of 1"),
        (" 1.5    1  0002", "1.55    1  0002", "points ' *1.55'"),
        ("0002 w 1", "0002 b 1", "contradicts"),
        ("0002 w 1", "0001 w 1", "meets themselves"),
        ("0002 w 1", "0002 - 1", "without a colour"),
        ("0002 w 1", "0002 w H", "with an opponent"),
        ("0002 w 1", "0002 x 1", "the colour"),
        ("0002 w 1", "0002 w 2", "the result"),
        ("0002 w 1", "0009 w 1", "no such opponent"),
        ("0000 - U", "0000 w U", "a colour without an opponent"),
        ("001    3", "001    4", "a pairing number is missing"),
        ("001    3", "001    2", "repeated"),
        ("001    3", "001    0", "not a number"),
    ],
)
def test_each_rule_refuses_what_breaks_it(old: str, new: str, why: str) -> None:
    assert bbp.check(FILE).played == 2
    with pytest.raises(bbp.Refused, match=why):
        bbp.check(FILE.replace(old, new, 1))
