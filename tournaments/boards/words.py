"""The words of a drawn board: seats by their players, places, notes, lasting effects and the choice awaited."""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.face.boards import COMMON, card_at, fact_words, has_words, say_note, speaker, visible_notes
from tournaments.boards.faces import Faces, no_faces


class BoardWords:
    """The words for what one board holds besides its cards, in one language.

    `board` has the form of the engine's `views.board`; `players` are names by seat, `faces` gives cards by ref.
    """

    def __init__(
        self,
        board: Mapping[str, Any],
        players: Mapping[str, str],
        language: str,
        faces: Faces = no_faces,
    ) -> None:
        self.board = board
        self.language = language
        self.say = speaker(language)
        self._players = players
        self._faces = faces
        self._names = dict(_cards(board["seats"])) | dict(_cards(board.get(COMMON)))

    def seat(self, seat: str) -> str:
        """Return the name of the player of a seat, or the seat by its letter."""
        return self._players.get(seat) or self.say("drawn.seat", seat=seat)

    def zone(self, zone: str) -> str:
        """Return the name of a zone or a counter, with a capital; a territory (`T1`) by its number."""
        numbered = zone[:1] == "T" and zone[1:].isdecimal()
        words = self.say("what.territory", n=zone[1:]) if numbered else self.say(f"zone.{zone}")
        return words[:1].upper() + words[1:]

    def path(self, path: str) -> str:
        """Return a zone below others, such as `T1/fighters`, with all their names."""
        return ", ".join(map(self.zone, path.split("/")))

    def card(self, ref: str) -> str | None:
        """Return the name of a card; None if there is none of that ref."""
        face = self._faces(ref)
        return face.name if face else self._names.get(ref)

    def lines(self) -> list[str]:
        """Return a line for each note that matters now, each lasting effect, and the choice that is awaited."""
        game, choice = self.board["game"], self.board.get("pending")
        lines = [
            say_note(game, note, self.language, ", ".join(map(self.item, noted)))
            for note, noted in visible_notes(self.board).items()
        ]
        lines += [self._lasting(record) for record in self.board.get("lasting", ())]
        if choice:
            options = " · ".join(map(self.item, choice.get("options", ()))) or "?"
            lines.append(self.say("board.pending", seat=self.item(choice["by"]), options=options, rule=choice["rule"]))
        return lines

    def item(self, what: Any) -> str:
        """Return a seat by its player, a place with the card there, as in “Raclos (A, Field 2)”, or a card by name."""
        if what in self.board["seats"]:
            return self.seat(what)
        if not isinstance(what, str) or "/" not in what:
            return (isinstance(what, str) and self.card(what)) or self._picked(what)
        card = card_at(self.board, what)
        where = self._short(what)
        name = card and self.card(card["ref"])
        return f"{name} ({where})" if name else where

    def noted(self, fact: str) -> str:
        """Return a fact about the turn, or about what is remembered, such as `turn.n` or `memory.attacked`."""
        return fact_words(self.board["game"], fact, self.language)

    def turn(self) -> str:
        """Return whose turn it is, and the phase."""
        turn = self.board["turn"]
        if turn["seat"] is None:
            return self.say("drawn.before")
        phase = self.say(f"phase.{turn['phase']}")
        return self.say("board.turn", n=turn["n"], seat=self.seat(turn["seat"]), phase=phase)

    def result(self) -> str:
        """Return who has won; empty during the game."""
        result = self.board["result"]
        if result is None:
            return ""
        won = result["winner"]
        winner = self.say("drawn.open" if won is None else "drawn.draw") if won in (None, "draw") else self.seat(won)
        return self.say("drawn.over", winner=winner)

    def _picked(self, option: Any) -> str:
        """Return an option that is neither a card nor a place: yes, a number, a price."""
        return self.say(f"pick.{option}") if has_words(f"pick.{option}") else str(option)

    def _short(self, place: str) -> str:
        """Return a place in short: “A, Field 2”."""
        seat, *path = place.split("/")
        number = f" {path.pop()}" if len(path) > 1 and path[-1].isdecimal() else ""
        return ", ".join([*([] if seat == COMMON else [seat]), *map(self.zone, path)]) + number

    def _lasting(self, record: Mapping[str, Any]) -> str:
        until, what = record["until"], self.say(f"lasts.{record['effect']}")
        if "stat" in record:
            what += f" {self.say('figure.' + record['stat'])} {record['n']:+d}"
        what += f" {record['keyword']}" if "keyword" in record else ""
        what += f" {self.say('forbidden.' + record['what'])}" if "what" in record else ""
        end = self.say(f"until.{until}") if isinstance(until, str) else self.say("until.turn", n=until)
        return self.say("board.lasting", on=self.item(record["on"]), what=what, end=end)


def _cards(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the reference and name of each card in a part of a board."""
    if isinstance(value, Mapping) and "name" in value:
        yield value["ref"], value["name"]
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _cards(item)
