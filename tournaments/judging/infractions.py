"""The penalty ladder: infractions by category, and the level proposed each time a player commits one in an event.

The ladder only proposes; the judge chooses the level.
"""

from collections.abc import Iterator, Mapping

WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION = "warning", "game_loss", "match_loss", "disqualification"
LEVELS = (WARNING, GAME_LOSS, MATCH_LOSS, DISQUALIFICATION)

# Category -> infraction -> the level proposed the first time, the second time, and so on. The last level repeats.
LADDER: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "play": {
        "misplay": (WARNING, WARNING, GAME_LOSS),
        "missed": (WARNING, WARNING, WARNING, GAME_LOSS),
        "cards_seen": (WARNING, WARNING, GAME_LOSS),
        "cards_drawn": (WARNING, GAME_LOSS),
        "board_mixed_up": (WARNING, GAME_LOSS),
    },
    "deck": {
        "list_wrong": (WARNING, GAME_LOSS),
        "list_missing": (WARNING, GAME_LOSS),
        "deck_wrong": (GAME_LOSS,),
        "cards_marked": (WARNING, GAME_LOSS),
        "poor_shuffle": (WARNING, WARNING, GAME_LOSS),
    },
    "time": {
        "late": (GAME_LOSS, MATCH_LOSS),
        "slow_play": (WARNING, GAME_LOSS),
    },
    "procedure": {
        "wrong_report": (WARNING, WARNING, GAME_LOSS),
        "instruction_ignored": (WARNING, GAME_LOSS),
        "outside_help": (GAME_LOSS, MATCH_LOSS),
    },
    "conduct": {
        "unsporting": (WARNING, GAME_LOSS, MATCH_LOSS),
        "insult": (GAME_LOSS, MATCH_LOSS, DISQUALIFICATION),
        "result_by_chance": (MATCH_LOSS, DISQUALIFICATION),
        "bribe": (DISQUALIFICATION,),
        "stalling": (DISQUALIFICATION,),
        "cheating": (DISQUALIFICATION,),
        "violence": (DISQUALIFICATION,),
    },
}


def infractions() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (category, infraction, its levels) in the order of `LADDER`."""
    for category, found in LADDER.items():
        for infraction, ladder in found.items():
            yield category, infraction, ladder


LADDERS: Mapping[str, tuple[str, ...]] = {infraction: ladder for _category, infraction, ladder in infractions()}


def proposed(infraction: str, times: int) -> str:
    """The level proposed for a player with `times` earlier penalties for this infraction in the event.

    For example, `proposed("late", 0)` is "game_loss", and "match_loss" from the second time on.
    """
    ladder = LADDERS[infraction]
    return ladder[min(times, len(ladder) - 1)]
