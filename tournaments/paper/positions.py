"""Pictures of boards to share: a log at any move, a saved board, and a what-if branch, each as its reader sees it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine import face
from tournaments.audits import branches, positions, replays
from tournaments.audits.access import SEATS, Signer
from tournaments.audits.models import Branch, MoveLog
from tournaments.audits.selectors import own_seat, position_shown, sees_all
from tournaments.boards.reading import Board, read_board
from tournaments.common.moments import in_words
from tournaments.decks.engine_gate import card_faces, card_names, own_catalogs
from tournaments.events.models import Event
from tournaments.events.selectors import off_stream
from tournaments.paper.board_picture import Caption, board_picture
from tournaments.play.models import Match


def log_picture(user: Any, log: MoveLog, n: int) -> bytes | None:
    """The board of a log after entry `n` as a PNG, as `position_shown` gives it to this reader.

    None beyond the end of the replay, and until the log is audited.
    """
    found = position_shown(user, log, n)
    if found is None:
        return None
    match, outline = log.game.match, replays.outline_of(log.audit)
    event, players = match.round.stage.event, _players(match, outline["players"])
    whole, seat, move = sees_all(user, log), own_seat(user, log), found.move
    if move is not None and not whole:
        move = face.boards.seen_move(move, found.before or found.board, found.board, seat, card_names(event))
    caption = Caption(
        title=event.name,
        facts=_facts(match, log.game.number),
        moment=_moment(n, outline["last"], outline["refused"]),
        move=_move(event, move),
        sight=_sight(None if whole else seat, players, whole),
        source=log.public_id,
    )
    return board_picture(_read(event, found.board, players, found.before), caption)


def position_picture(signer: Signer) -> bytes:
    """A saved board as a PNG, as this reader sees it: judges see every card, a player those of their own seat."""
    found, match = signer.position, signer.position.match
    event = match.round.stage.event
    players = _players(match, {SEATS[each.number - 1]: each.entrant.public_id for each in match.seats.all()})
    seat = None if signer.seat is None else SEATS[signer.seat.number - 1]
    board = positions.board_of(event, found.document)
    caption = Caption(
        title=event.name,
        facts=_facts(match),
        moment=_("Board saved by a judge at %(time)s") % {"time": in_words(found.at, event.time_zone, "H:i")},
        sight=_sight(seat, players, seat is None),
        source=found.public_id,
    )
    return board_picture(_read(event, board if seat is None else face.boards.seen_by(board, seat), players), caption)


def branch_picture(branch: Branch, n: int) -> bytes | None:
    """The board of a what-if branch after entry `n`, or after its last one, as a PNG for judges.

    None if the corrected log cannot be replayed at all.
    """
    log, match = branch.log, branch.log.game.match
    event, players = match.round.stage.event, _players(match, replays.outline_of(log.audit)["players"])
    moves, boards = face.live.moment_at(branches.document_of(branch), n, own_catalogs(event))
    if not boards:
        return None
    move = moves[-1] if moves else None
    refused = move is not None and move["outcome"] not in face.live.GOES_ON
    moment = _moment(len(moves), None, refused)
    caption = Caption(
        title=event.name,
        facts=_facts(match, log.game.number),
        moment=f"{_('What if… at move %(n)s') % {'n': branch.n}} · {moment}",
        move=_move(event, move),
        sight=_sight(None, players, True),
        source=log.public_id,
    )
    return board_picture(_read(event, boards[-1], players, boards[0] if len(boards) > 1 else None), caption)


def _read(
    event: Event, board: Mapping[str, Any], players: Mapping[str, str], before: Mapping[str, Any] | None = None
) -> Board:
    return read_board(board, players, before, language=_language(), faces=card_faces(event))


def _players(match: Match, seats: Mapping[str, str | None]) -> dict[str, str]:
    """The names of the players by seat; those who stay off streams are left out, since a picture leaves the site.

    `seats` maps the letters of seats to the public ids of their entrants.
    """
    withheld = off_stream(match.round.stage.event)
    names = {seat.entrant.public_id: seat.entrant.name for seat in match.seats.all() if seat.entrant_id not in withheld}
    return {letter: names[player] for letter, player in seats.items() if player in names}


def _facts(match: Match, game: int | None = None) -> str:
    """The round, the table and the game in words."""
    facts = {"number": match.round.number, "table": match.table, "game": game}
    if game is None:
        return _("Round %(number)s, table %(table)s") % facts
    return _("Round %(number)s, table %(table)s, game %(game)s") % facts


def _moment(n: int, last: int | None, refused: bool) -> str:
    """After which move the board is; `last` is the number of the last replayed move, None if it is `n` itself."""
    if n == 0:
        return _("Before the first move")
    if refused and last in (None, n):
        return _("Move %(n)s, refused by the rules") % {"n": n}
    if last is None:
        return _("After move %(n)s") % {"n": n}
    return _("After move %(n)s of %(last)s") % {"n": n, "last": last}


def _move(event: Event, move: Mapping[str, Any] | None) -> str:
    if move is None:
        return ""
    return f"{move['n']} · {face.boards.entry_words(event.game, move, _language(), card_names(event))}"


def _sight(seat: str | None, players: Mapping[str, str], whole: bool) -> str:
    """Who sees the board like this."""
    if whole:
        return _("As seen by a judge, with all hands")
    if seat is None:
        return _("Without the cards in hand")
    return _("As seen by %(name)s") % {"name": players.get(seat) or _("Seat %(seat)s") % {"seat": seat}}


def _language() -> str:
    return (get_language() or "en").split("-")[0]
