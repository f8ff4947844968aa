"""TOM: players, Swiss rounds and the cut of a `.tdf` file, and XML that must not be read."""

from __future__ import annotations

import pytest

from tests.transfers.read import brought, lost, refused, short
from tournaments.transfers.reading import recognized

PEOPLE = {1: ("Zoé", "Martin"), 2: ("Bo", "O&apos;Corbeau"), 3: ("Ada", "Lune"), 4: ("Cy", ""), 5: ("Eve", "Gu")}


def player(number: int, more: str = "") -> str:
    given, family = PEOPLE[number]
    return (
        f'<player userid="100{number}"><firstname>{given}</firstname><lastname>{family}</lastname>'
        f"<birthdate>02/27/1999</birthdate><starter>true</starter>{more}</player>"
    )


def match(outcome: int, *seats: int, table: int = 0) -> str:
    names = ("player",) if len(seats) == 1 else ("player1", "player2")
    told = "".join(f'<{name} userid="100{seat}"/>' for name, seat in zip(names, seats, strict=True))
    return f'<match outcome="{outcome}">{told}<tablenumber>{table}</tablenumber></match>'


def round_(number: int, *matches: str, kind: int = 3) -> str:
    return f'<round number="{number}" type="{kind}" stage="6" ><matches>{"".join(matches)}</matches></round>'


def pod(*rounds: str, category: int = 2) -> str:
    return f'<pod category="{category}" stage="0"><rounds>{"".join(rounds)}</rounds></pod>'


def file(*pods: str, players: str = "") -> bytes:
    people = players or "".join(map(player, PEOPLE))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tournament type="3" stage="5" version="1.80" gametype="TRADING_CARD_GAME" mode="TCG1DAY">\n'
        "<data><name>Autumn Cup</name><id>26-11-000001</id><city>Lyon</city><country>France</country>"
        '<organizer popid="1" name="Somebody"/><startdate>11/26/2026</startdate></data>\n'
        f"<players>{people}</players><pods>{''.join(pods)}</pods>\n"
        '<standings><pod category="2" type="finished"><player id="1001" place="1" /></pod></standings>\n'
        "</tournament>"
    ).encode()


SWISS = (
    round_(1, match(1, 1, 2, table=1), match(3, 3, 4, table=2), match(5, 5)),
    round_(2, match(2, 1, 3, table=1), match(10, 2, 4), match(8, 5)),
)
CUT = round_(3, match(0, 3, 1), kind=1)
WHOLE = file(pod(*SWISS, CUT))


def test_a_file_is_read_with_players_rounds_and_cut():
    found = brought(WHOLE)
    assert (found.format, found.name, found.place) == ("tom", "Autumn Cup", "Lyon France")
    assert found.starts_at is not None and found.starts_at.date().isoformat() == "2026-11-26"
    assert [(each.key, each.given_name, each.family_name) for each in found.players][:2] == [
        ("1001", "Zoé", "Martin"), ("1002", "Bo", "O'Corbeau"),
    ]  # fmt: skip
    swiss, cut = found.stages
    assert [[short(each) for each in matches] for matches in (*swiss.rounds, *cut.rounds)] == [
        [("1001", "1002", (1, 0, 0), "played"), ("1003", "1004", (0, 0, 1), "played"), ("1005", (1, 0, 0), "bye")],
        [("1001", "1003", (0, 1, 0), "played"), ("1002", "1004", (0, 0, 0), "double_loss"),
         ("1005", (0, 0, 0), "zero_bye")],
        [("1003", "1001", None, "played")],
    ]  # fmt: skip
    assert (swiss.rounds[0][1].table, cut.kind, cut.seeds) == (2, "single_elimination", ("1003", "1001"))


def test_what_is_not_read_is_told():
    assert lost(brought(WHOLE)) == {"ids": 5, "birth_dates": 5, "late_losses": 1, "staff": 1, "ranks": 1, "game": 1}


def test_a_file_without_rounds_gives_its_players():
    found = brought(file())
    assert (len(found.players), found.rounds, lost(found)["matches_missing"]) == (5, 0, 1)


def test_a_player_who_dropped_has_left_and_one_who_came_back_has_not():
    gone = "<dropped><status>{}</status><round>1</round></dropped>"
    people = player(1) + player(2) + player(3, gone.format(1)) + player(4, gone.format(0))
    found = brought(file(pod(round_(1, match(1, 1, 2), match(1, 3, 4)), round_(2, match(1, 1, 4))), players=people))
    assert [each.dropped_after for each in found.players] == [None, None, 1, None]
    assert lost(found)["missing_rounds"] == 1


def test_divisions_that_were_paired_apart_are_one_event_and_their_cuts_are_told():
    young = pod(round_(1, match(1, 3, 4)), round_(2, match(1, 3, 4), kind=1), category=0)
    found = brought(file(pod(round_(1, match(1, 1, 2)), round_(2, match(1, 1, 2), kind=1)), young))
    assert [len(stage.rounds) for stage in found.stages] == [1]
    assert len(found.stages[0].rounds[0]) == 2
    assert (lost(found)["divisions"], lost(found)["cuts"]) == (2, 2)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'outcome="3"', b'outcome="7"', "This match cannot be read."),
        (b'outcome="5"', b'outcome="1"', "not that of a bye"),
        (b'<player1 userid="1001"/>', b'<player1 userid="9999"/>', "“9999” is not in the list of players"),
        (b'<player1 userid="1003"/>', b'<player1 userid="1001"/>', "plays twice"),
        (b"</pods>", b"</pod>", "This is not valid XML."),
        (b"<city>", b"<a>" * 20 + b"</a>" * 20 + b"<city>", "nested"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(old, new, why):
    assert old in WHOLE
    assert why in refused(WHOLE.replace(old, new, 1), "tom")


def test_a_file_that_declares_entities_is_not_read():
    doctype = b'?>\n<!DOCTYPE tournament [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    bomb = WHOLE.replace(b"?>", doctype, 1).replace("Zoé".encode(), b"&b;")
    assert recognized(bomb) == ""
    refused(bomb, "tom")
