"""Conversion between TRF and the JSON of an event, for the command line and the exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tournaments.swiss import trf
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.standings import SwissRow


def text_of(data: bytes) -> str:
    """Decode a file in UTF-8. Raises `SwissError` `bad_trf` with the line that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        at = data.count(b"\n", 0, error.start) + 1
        raise SwissError("bad_trf", "the file is not in UTF-8", f"line {at}") from None


def names_of(data: Mapping[str, Any]) -> dict[str, str]:
    """The names in the JSON of an event, by player id. Players without a name are left out."""
    return {entry["id"]: entry["name"] for entry in data["players"] if entry.get("name")}


def event_of(tournament: trf.Tournament) -> dict[str, Any]:
    """The JSON of an event: players by start number with their names, and matches with their kinds.

    What the file says about the rounds to come is in `rounds_planned`, and in the options of the next round: `awarded`
    byes and `forbidden` pairs.
    """
    field, coming = trf.field_of(tournament), trf.coming(tournament)
    options: dict[str, Any] = {}
    if coming.awarded:
        options["awarded"] = {str(number): kind for number, kind in sorted(coming.awarded.items())}
    if coming.apart:
        options["forbidden"] = [[str(one), str(two)] for one, two in coming.apart]
    return {
        **({} if coming.planned is None else {"rounds_planned": coming.planned}),
        **({"options": options} if options else {}),
        "players": [
            {"id": str(each.number), "seed": each.number, "name": each.name} for each in tournament.competitors
        ],
        "rounds": [
            {
                "matches": [
                    {
                        "a": match.a,
                        "b": match.b,
                        "score": f"{match.games_a}-{match.games_b}-{match.drawn}",
                        "kind": match.kind,
                    }
                    for match in matches
                ]
            }
            for matches in field.rounds
        ],
    }


def written(
    field: Field,
    names: Mapping[str, str],
    rows: Iterable[SwissRow],
    headers: Iterable[tuple[str, str]] = (),
    plan: trf.Plan = trf.NO_PLAN,
) -> str:
    """The TRF text of a field with its ranks and what is planned.

    The lines for the number of players (062) and the kind of event (092) are always added after `headers`.
    """
    count = str(len(field.players))
    lines = (*headers, ("062", count), ("092", "Individual: Swiss-System"))
    ranks = {row.player: row.rank for row in rows}
    return trf.write(trf.tournament_of(field, names=names, ranks=ranks, headers=lines, plan=plan))
