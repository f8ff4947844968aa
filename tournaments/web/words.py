"""The words that pages use for codes: states, roles, kinds of result, flags of a pairing, verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.audits.models import Branch, Ruling
from tournaments.events.models import Entrant, Event, StaffRole, Stage
from tournaments.judging.models import Call, Penalty
from tournaments.leagues.models import League
from tournaments.notices.models import Kind
from tournaments.play.models import Match, Report, Round

EVENT_STATES: Mapping[str, Promise] = {
    Event.Status.DRAFT: _("Draft"),
    Event.Status.REGISTRATION: _("Registration open"),
    Event.Status.LOCKED: _("Decklists locked"),
    Event.Status.CHECK_IN: _("Check-in"),
    Event.Status.RUNNING: _("Running"),
    Event.Status.FINISHED: _("Finished"),
    Event.Status.ARCHIVED: _("Archived"),
    Event.Status.CANCELLED: _("Cancelled"),
}

LEAGUE_RESULTS: Mapping[str, Promise] = {
    "counts": _("Counts"),
    "dropped": _("Dropped"),
    "double": _("Entered twice"),
}

LEAGUE_ENTRIES: Mapping[str, Promise] = {
    "league.created": _("The league is made"),
    "league.changed": _("Its name, visibility or rules are changed"),
    "league.event_added": _("An event counts"),
    "league.event_removed": _("An event counts no more"),
    "league.players_merged": _("Two entries of the book are one player"),
    "league.players_split": _("An entry of the book is a player of its own again"),
}

VISIBILITIES: Mapping[str, Promise] = {
    League.Visibility.PRIVATE: _("Private"),
    League.Visibility.UNLISTED: _("Unlisted"),
    League.Visibility.PUBLIC: _("Public"),
}

ROUND_STATES: Mapping[str, Promise] = {
    Round.Status.DRAFT: _("Draft pairings"),
    Round.Status.PUBLISHED: _("Being played"),
    Round.Status.CLOSED: _("Closed"),
}

STRUCTURES: Mapping[str, Promise] = {
    Stage.Kind.SWISS: _("Swiss"),
    Stage.Kind.PODS: _("Draft pods"),
    Stage.Kind.TABLES: _("Tables of several"),
    Stage.Kind.ROUND_ROBIN: _("Round robin"),
    Stage.Kind.SINGLE_ELIMINATION: _("Single elimination"),
    Stage.Kind.DOUBLE_ELIMINATION: _("Double elimination"),
}

ORDERS: Mapping[str, Promise] = {
    Stage.Order.RANDOM: _("Chance, from the seed"),
    Stage.Order.FOLD: _("The first seed meets the last"),
    Stage.Order.SLIDE: _("The first seed meets the first of the lower half"),
    Stage.Order.STANDING: _("Neighbours in the standings"),
}

BYES_ON_REQUEST: Mapping[str, Promise] = {
    Stage.ByeOnRequest.NONE: _("no bye"),
    Stage.ByeOnRequest.ZERO_BYE: _("a bye without points"),
    Stage.ByeOnRequest.HALF_BYE: _("a half bye, or one without points"),
    Stage.ByeOnRequest.BYE: _("any bye, a full one too"),
}

PROPOSALS: Mapping[str, Promise] = {
    "format": _("as many as this format plays."),
    "table": _("by the table of the Magic Tournament Rules."),
    "winner": _("the fewest after which at most one player has won them all."),
}

EFFECTS: Mapping[str, Promise] = {
    "taken_back": _("The next round, in which nothing was done, is taken back: it is paired again after this match."),
    "reseated": _("%(into)s takes the seat of %(out)s at a match that has no result yet."),
    "stands": _("%(out)s has played the next match in place of %(into)s: its result stands."),
    "cut": _("By the standings %(into)s would have come into the next stage, and %(out)s would not: the stage stands."),
}

ROLES: Mapping[str, Promise] = {
    StaffRole.Role.OWNER: _("Owner"),
    StaffRole.Role.ORGANIZER: _("Organizer"),
    StaffRole.Role.SCOREKEEPER: _("Scorekeeper"),
    StaffRole.Role.HEAD_JUDGE: _("Head judge"),
    StaffRole.Role.JUDGE: _("Judge"),
}

NOTICES: Mapping[str, Promise] = {
    Kind.PAIRING: _("Pairings: where I sit, each round"),
    Kind.EVENT: _("The event: another place or time, check-in, start, cancelled"),
    Kind.DECK: _("A decklist is due"),
    Kind.ANNOUNCEMENT: _("Announcements of the staff"),
    Kind.DISPUTE: _("Disputes and rulings at my table"),
    Kind.PLACE: _("A place from the waiting list"),
}

DECK_FORMATS: Mapping[str, Promise] = {
    "": _("not checked"),
    "altered-standard": _("Standard"),
    "altered-no-unique": _("Standard without uniques"),
    "altered-sealed": _("Sealed"),
    "altered-draft": _("Booster Draft"),
    "safir-v2": _("Star Safir"),
    "stellar-1.4": _("Stellar Nexus"),
    "wakfu-2008": _("Wakfu 2008"),
    "wakfu-2011": _("Wakfu 2011"),
    "seiya-base": _("Starting packet"),
}

LISTS: Mapping[str, Promise] = {
    Event.Lists.REQUIRED: _("Required"),
    Event.Lists.OPTIONAL: _("Optional"),
    Event.Lists.NONE: _("Not collected"),
}

POOLS_SHOWN: Mapping[str, Promise] = {
    Stage.PoolsShown.STAFF: _("Staff who do not play"),
    Stage.PoolsShown.LOCKED: _("Everybody, once decklists are locked"),
    Stage.PoolsShown.OVER: _("Everybody, once the event is over"),
}

ENTRANT_STATES: Mapping[str, Promise] = {
    Entrant.Status.REGISTERED: _("Registered"),
    Entrant.Status.WAITING: _("Waiting list"),
    Entrant.Status.DROPPED: _("Dropped"),
}

KINDS: Mapping[str, Promise] = {
    Match.Kind.PLAYED: _("Played"),
    Match.Kind.BYE: _("Bye"),
    Match.Kind.HALF_BYE: _("Half bye"),
    Match.Kind.ZERO_BYE: _("Bye without points"),
    Match.Kind.MISSED: _("Missed round"),
    Match.Kind.NO_SHOW: _("No-show"),
    Match.Kind.FORFEIT: _("Forfeit"),
    Match.Kind.CONCESSION: _("Concession"),
    Match.Kind.INTENTIONAL_DRAW: _("Intentional draw"),
    Match.Kind.PENALTY_LOSS: _("Loss by penalty"),
    Match.Kind.DOUBLE_LOSS: _("Double loss"),
    Match.Kind.TIME: _("Ended by time"),
    Match.Kind.DISQUALIFIED: _("Disqualification"),
}

AUTHORITIES: Mapping[str, Promise] = {
    Match.Authority.NONE: _("Nobody has given a result."),
    Match.Authority.CLAIMED: _("Claimed by one player."),
    Match.Authority.AGREED: _("Agreed by both players."),
    Match.Authority.WITNESSED: _("Entered at the desk."),
    Match.Authority.RULED: _("Ruled by a judge."),
}

EVIDENCE: Mapping[str, Promise] = {
    Match.Evidence.NONE: _("No log proves it."),
    Match.Evidence.PLAUSIBLE: _("A score pad makes it plausible."),
    Match.Evidence.CONSISTENT: _("A log from a declared position is consistent with it."),
    Match.Evidence.REPLAYED: _("A complete log was replayed, every move legal."),
}

REPORT_STATES: Mapping[str, Promise] = {
    Report.Status.STANDING: _("waits for the opponent"),
    Report.Status.COUNTER: _("differs from the report before it"),
    Report.Status.CONFIRMED: _("counts"),
    Report.Status.CONTESTED: _("contested"),
    Report.Status.REPLACED: _("replaced"),
}

MATTERS: Mapping[str, Promise] = {
    Call.Matter.UNSAID: _("Not said"),
    Call.Matter.RULES: _("A question about the rules"),
    Call.Matter.MISTAKE: _("Something went wrong in the game"),
    Call.Matter.SLOW: _("The pace of play"),
    Call.Matter.PRIVATE: _("To be said away from the table"),
}

CALL_STATES: Mapping[str, Promise] = {
    Call.Status.WAITING: _("waits for a judge"),
    Call.Status.CLAIMED: _("a judge is there"),
    Call.Status.RESOLVED: _("answered"),
    Call.Status.WITHDRAWN: _("taken back"),
}

CATEGORIES: Mapping[str, Promise] = {
    "play": _("Play"),
    "deck": _("Deck and list"),
    "time": _("Time"),
    "procedure": _("Procedure"),
    "conduct": _("Conduct"),
}

INFRACTIONS: Mapping[str, Promise] = {
    "misplay": _("Misplay"),
    "missed": _("Own effect or step missed"),
    "cards_seen": _("Hidden cards seen"),
    "cards_drawn": _("Too many cards drawn"),
    "board_mixed_up": _("Board mixed up beyond repair"),
    "list_wrong": _("Wrong list"),
    "list_missing": _("List missing"),
    "deck_wrong": _("Wrong deck"),
    "cards_marked": _("Cards marked"),
    "poor_shuffle": _("Poor shuffling"),
    "late": _("Late"),
    "slow_play": _("Slow play"),
    "wrong_report": _("Wrong result reported"),
    "instruction_ignored": _("Instruction ignored"),
    "outside_help": _("Help from outside"),
    "unsporting": _("Unsporting conduct"),
    "insult": _("Insult or threat"),
    "result_by_chance": _("Result decided by chance"),
    "bribe": _("Result bought"),
    "stalling": _("Playing for time"),
    "cheating": _("Cheating"),
    "violence": _("Violence"),
}

LEVELS: Mapping[str, Promise] = {
    Penalty.Level.WARNING: _("Warning"),
    Penalty.Level.GAME_LOSS: _("Game loss"),
    Penalty.Level.MATCH_LOSS: _("Match loss"),
    Penalty.Level.DISQUALIFICATION: _("Disqualification"),
}

WHENS: Mapping[str, Promise] = {
    Penalty.When.NOW: _("this game, now"),
    Penalty.When.NEXT_GAME: _("the next game"),
    Penalty.When.NEXT_ROUND: _("the next round"),
}

SERVED: Mapping[str, Promise] = {
    "record": _("on record alone"),
    "waits": _("waits for the next round"),
    "served": _("served"),
    "withdrawn": _("withdrawn"),
}

DECISIONS: Mapping[str, Promise] = {
    Ruling.Decision.KEEP: _("The result is kept"),
    Ruling.Decision.CHANGE: _("The result is changed"),
    Ruling.Decision.REPLAY: _("It is played again"),
}

CORRECTIONS: Mapping[str, Promise] = {
    Branch.Correction.UNDO: _("The move is undone"),
    Branch.Correction.REPLACE: _("Another move stands in its place"),
    Branch.Correction.INSERT: _("A ruling or a move follows it"),
    Branch.Correction.SWAP: _("It swaps places with the next move"),
}

FLAGS: Mapping[str, Promise] = {
    "pulled_down": _("%(name)s is pulled down: meets somebody with fewer match points."),
    "pulled_up": _("%(name)s is pulled up: meets somebody with more match points."),
    "rematch_forced": _("%(name)s meets an opponent again: no pairing without a rematch exists."),
    "bye_lowest": _("%(name)s has the bye, from the lowest score group."),
    "bye_raised": _("%(name)s has the bye from a higher score group: nobody below could have it."),
    "second_bye": _("%(name)s has a bye again: no pairing avoids it."),
    "bye_asked": _("%(name)s had asked for the bye."),
    "by_hand": _("%(name)s was seated by hand."),
    "bye_not_given": _("%(name)s had asked for the bye; somebody else has it."),
    "bye_awarded": _("%(name)s has a bye awarded by the organizer."),
    "pulled_again": _("%(name)s was moved the same way in an earlier round."),
    "met_often": _("%(name)s has met this opponent more than once."),
    "club_mates": _("%(name)s meets somebody of the same club."),
    "sides_uneven": _("%(name)s cannot have gone first and second equally often."),
    "out_of_order": _("%(name)s does not meet the opponent whom the order of the group wants."),
    "table_left": _("%(name)s leaves a fixed table for the opponent's."),
}

COSTS: Mapping[str, Promise] = {
    "rematches": _("Rematches"),
    "second_bye": _("Second byes"),
    "bye_points": _("Match points of the bye"),
    "squares": _("Gaps in points, squared and added"),
    "floats": _("Repeated pull-downs and pull-ups"),
    "wishes": _("Wishes not met"),
    "repeats": _("Pairs who sat together before"),
    "spread": _("Gaps in points at the tables, squared and added"),
    "places": _("Places off the order wanted, squared and added"),
}

VERDICTS: Mapping[str, Promise] = {
    "confirmed": _("Confirmed: every move is legal and the claimed winner won."),
    "undetermined": _("Undetermined: the log leaves open what happened."),
    "consistent_from": _("Consistent: every move is legal from the declared position."),
    "plausible": _("Plausible: the scores noted can be right; no move was recorded."),
    "overturned": _("Overturned: every move is legal, and somebody else won."),
    "illegal_action": _("Illegal move: the game is legal up to it, and nothing after it proves anything."),
    "impossible_log": _("Impossible: what the log says cannot have happened."),
    "unfinished": _("Unfinished: every move is legal, and the game does not end."),
    "unreadable": _("Unreadable: the log cannot be replayed."),
}

VERDICTS_SHORT: Mapping[str, Promise] = {
    "confirmed": _("Confirmed"),
    "undetermined": _("Undetermined"),
    "consistent_from": _("Consistent"),
    "plausible": _("Plausible"),
    "overturned": _("Overturned"),
    "illegal_action": _("Illegal move"),
    "impossible_log": _("Impossible"),
    "unfinished": _("Unfinished"),
    "unreadable": _("Unreadable"),
}

VERDICT_BADGES: Mapping[str, str] = {
    "confirmed": "ok",
    "consistent_from": "ok",
    "plausible": "info",
    "unfinished": "warn",
    "undetermined": "warn",
    "overturned": "bad",
    "illegal_action": "bad",
    "impossible_log": "bad",
    "unreadable": "bad",
}

BULK_STATES: Mapping[str, Promise] = {
    "running": _("under way"),
    "done": _("done"),
    "cancelled": _("cancelled"),
    "failed": _("given up"),
}

TOLD: Mapping[str, Promise] = {
    "event": _("The event: opened, started, finished"),
    "staff": _("Roles granted and revoked"),
    "entrant": _("Entrants: registered, here, dropped"),
    "meeting": _("The player meeting"),
    "deck": _("Decklists submitted"),
    "decks": _("Decklists locked"),
    "pool": _("Pools registered"),
    "stage": _("Stages"),
    "pair": _("Pairs kept apart"),
    "bye": _("Byes"),
    "round": _("Rounds: paired, published, closed"),
    "clock": _("The clock"),
    "table": _("Tables: more time, late players"),
    "result": _("Results"),
    "standings": _("The order of the standings"),
    "call": _("Calls of judges"),
    "penalty": _("Penalties"),
    "check": _("Deck checks"),
    "dispute": _("Disputes"),
    "log": _("Move logs submitted"),
    "game": _("Games audited"),
    "recording": _("Recordings of games"),
    "bulk": _("Audits of all logs"),
    "announcement": _("What is announced"),
    "prize": _("Prizes"),
    "webhook": _("Webhooks of the event"),
    "position": _("Boards kept, photographed, signed"),
}

DELIVERY_STATES: Mapping[str, Promise] = {
    "pending": _("to be sent"),
    "delivered": _("taken"),
    "failed": _("given up"),
}

DISABLED_FOR: Mapping[str, Promise] = {
    "failing": _("switched off: two days of failures"),
    "gone": _("switched off: it answered 410, gone"),
    "asked": _("switched off"),
}

UNREACHABLE: Mapping[str, Promise] = {
    "unresolved": _("its name leads nowhere"),
    "address_refused": _("its address is not in the public net"),
    "url_refused": _("its address cannot be used"),
    "timeout": _("no answer in ten seconds"),
    "tls_failed": _("its certificate is not valid"),
    "refused": _("no connection"),
    "no_answer": _("no readable answer"),
}

NEXT_STEPS: Mapping[str, Promise] = {
    "confirmed": _("Weigh who recorded the log. If you trust it, it speaks for the claimed winner."),
    "undetermined": _("Ask for what is missing, or rule on it, and have the log audited with the answer."),
    "consistent_from": _("What came before the position is not verified: make sure that both players agree to it."),
    "plausible": _("The points alone decide nothing. If the result is contested, ask for a log of the moves."),
    "overturned": _("Ask both players about the last turns. If the log is right, rule for the winner found."),
    "illegal_action": _(
        "Look at the board before the move and ask both players. If both accepted it, the result stands by default."
    ),
    "impossible_log": _("Compare with the registered lists, and ask who wrote it down: it is a slip or another deck."),
    "unfinished": _("Ask how the game ended. A log with its end can be added and audited."),
    "unreadable": _("Ask for the log again: below is where it breaks off."),
}

ANSWERS: Mapping[str, Promise] = {
    "legal": _("Yes: this move is legal."),
    "illegal": _("No: this move is illegal."),
    "undetermined": _("It depends: ask the table for what is missing."),
    "unreadable": _("The position or the move cannot be read."),
}

ANSWER_BADGES: Mapping[str, str] = {"legal": "ok", "illegal": "bad", "undetermined": "warn", "unreadable": "bad"}

FINDINGS: Mapping[str, Promise] = {
    "player_unknown": _("Seat %(seat)s: the log does not name an entrant of this match."),
    "no_list": _("Seat %(seat)s: this player has registered no list."),
    "no_deck": _("Seat %(seat)s: the log holds no deck."),
    "deck_differs": _("Seat %(seat)s: the deck of the log is not the registered list."),
    "no_pool": _("Seat %(seat)s: this player has registered no pool."),
    "deck_illegal": _("Seat %(seat)s: the deck of the log is not a legal one of the registered pool."),
    "other_game": _("The log says that it is of another game."),
    "log_reused": _("The same log was submitted for another game."),
}

LEDGER: Mapping[str, Promise] = {
    "event.created": _("Event created"),
    "event.opened": _("Registration opened"),
    "event.check_in_opened": _("Check-in opened"),
    "event.started": _("Event started"),
    "event.finished": _("Event finished"),
    "event.reopened": _("Event reopened"),
    "event.cancelled": _("Event cancelled"),
    "decks.locked": _("Decklists locked"),
    "decks.unlocked": _("Decklists unlocked"),
    "deck.submitted": _("Decklist submitted"),
    "deck.reopened": _("Decklist opened again for one player"),
    "deck.closed": _("Reopened decklist closed"),
    "deck.judged_again": _("Decklist judged again"),
    "pool.registered": _("Pool registered"),
    "event.catalogue_chosen": _("Card catalogue chosen"),
    "event.deck_format_chosen": _("Deck format chosen"),
    "event.pools_shown": _("Readers of the pools chosen"),
    "meeting.held": _("Player meeting held"),
    "table.seat_empty": _("Seat noted as empty"),
    "table.seat_filled": _("Late player came"),
    "table.game_lost": _("Game lost by coming late"),
    "event.procedures_changed": _("Procedures changed"),
    "prize.given": _("Prize handed out"),
    "prize.taken_back": _("Prize taken back"),
    "standings.scheme_chosen": _("Order of the standings chosen"),
    "standings.scoring_chosen": _("Points and floor of the standings chosen"),
    "event.contact_changed": _("Contact of the organizer changed"),
    "staff.granted": _("Role granted"),
    "staff.invited": _("Invited to the team"),
    "staff.invitation_withdrawn": _("Invitation withdrawn"),
    "staff.revoked": _("Role revoked"),
    "entrant.registered": _("Entrant registered"),
    "entrant.imported": _("Entrants imported from a file"),
    "entrant.settled": _("Entry settled"),
    "entrant.renamed": _("Name of an entrant corrected"),
    "entrant.checked_in": _("Entrant checked in"),
    "entrant.check_in_undone": _("Check-in taken back"),
    "entrant.dropped": _("Entrant dropped"),
    "entrant.reinstated": _("Entrant reinstated"),
    "entrant.late": _("Late entry"),
    "entrant.disqualified": _("Entrant disqualified"),
    "stage.added": _("Stage planned"),
    "stage.configured": _("Stage changed"),
    "stage.pairing_chosen": _("Pairing options of a stage changed"),
    "event.details_changed": _("Name, places, place or time changed"),
    "stage.tables_chosen": _("Tables of a stage chosen"),
    "pair.forbidden": _("Two entrants kept apart"),
    "pair.allowed": _("Two entrants may meet again"),
    "entrant.needs_noted": _("Club or fixed table noted"),
    "bye.asked": _("Bye asked for"),
    "bye.awarded": _("Bye awarded"),
    "bye.taken_back": _("Bye taken back"),
    "stage.removed": _("Stage taken away"),
    "stage.started": _("Stage started"),
    "stage.undone": _("Start of a stage taken back"),
    "round.paired": _("Round paired"),
    "round.discarded": _("Draft pairings thrown away"),
    "round.published": _("Pairings published"),
    "round.closed": _("Round closed"),
    "round.followed": _("Next round, as one gesture"),
    "round.follow_undone": _("Next round taken back"),
    "round.unpublished": _("Pairings taken back to a draft"),
    "round.reopened": _("Round opened again"),
    "round.swapped": _("Two players changed places"),
    "round.seated": _("Two players seated together"),
    "round.bye_given": _("Bye given by hand"),
    "round.mended": _("Pairings repaired"),
    "round.kept": _("Pairings left as they are after a change"),
    "clock.started": _("Clock started"),
    "clock.paused": _("Clock paused"),
    "clock.resumed": _("Clock resumed"),
    "clock.extended": _("Time added for all"),
    "clock.draft_started": _("Draft started"),
    "clock.draft_paused": _("Draft paused"),
    "clock.draft_resumed": _("Draft resumed"),
    "clock.draft_moved": _("Draft set to another pick"),
    "clock.draft_undone": _("Start of the draft taken back"),
    "table.extended": _("Time added for a table"),
    "result.reported": _("Result reported"),
    "result.confirmed": _("Result confirmed"),
    "result.contested": _("Result contested"),
    "result.entered": _("Result entered at the desk"),
    "result.undone": _("Entry of the desk taken back"),
    "announcement.made": _("Announced"),
    "announcement.withdrawn": _("Announcement withdrawn"),
    "result.ruled": _("Ruling"),
    "result.voided": _("Result taken away, to be played again"),
    "call.made": _("Judge called"),
    "call.withdrawn": _("Call taken back"),
    "call.claimed": _("Call claimed by a judge"),
    "call.released": _("Call left to another judge"),
    "call.escalated": _("Call handed to the head judge"),
    "call.resolved": _("Call answered"),
    "penalty.given": _("Penalty given"),
    "penalty.served": _("Penalty served"),
    "penalty.withdrawn": _("Penalty withdrawn"),
    "check.drawn": _("Deck checks drawn"),
    "check.opened": _("Table chosen for a deck check"),
    "check.done": _("Deck checked"),
    "result.penalized": _("Result by a penalty"),
    "table.turn_noted": _("Turn after time noted"),
    "dispute.claimed": _("Result claimed to be wrong"),
    "dispute.opened": _("Match looked into by a judge"),
    "dispute.ruled": _("Dispute ruled on"),
    "dispute.appealed": _("Ruling appealed"),
    "position.kept": _("Board kept"),
    "position.photographed": _("Photo of a board added"),
    "position.signed": _("Board signed or contested"),
    "recording.opened": _("Recording of a game begun"),
    "recording.closed": _("Recording of a game handed in"),
    "result.conceded": _("Match given to the opponent"),
    "log.submitted": _("Move log submitted"),
    "webhook.made": _("Webhook made"),
    "webhook.changed": _("Webhook changed"),
    "webhook.secret_turned": _("Secret of a webhook turned"),
    "webhook.deleted": _("Webhook taken away"),
    "bulk.started": _("Audit of all logs begun"),
    "bulk.cancelled": _("Audit of all logs cancelled"),
    "bulk.finished": _("All logs audited again"),
    "game.audited": _("Game audited"),
}


def score_words(games: Sequence[Any]) -> str:
    """A score as people write it: 2–1, with the games drawn as a third figure where there are any.

    Of a table of several, the rank of each seat with its victory points in brackets: 2 (5), 1 (9), 3.
    """
    if games and isinstance(games[0], Sequence):
        return ", ".join(f"{rank}" if score is None else f"{rank} ({score})" for rank, score in games)
    first, second, drawn = games
    return f"{first}–{second}" + (f"–{drawn}" if drawn else "")


# What a column of a file of entrants is, and why a line of it enters nobody.
IMPORT_FIELDS: Mapping[str, Promise] = {
    "": _("left aside"),
    "given_name": _("first name"),
    "family_name": _("family name"),
    "name": _("whole name"),
    "club": _("club"),
    "table": _("table that is needed"),
}
IMPORT_DELIMITERS: Mapping[str, Promise] = {
    "comma": _("comma"),
    "semicolon": _("semicolon"),
    "tab": _("tab"),
    "bar": _("vertical bar"),
}
IMPORT_FAULTS: Mapping[str, Promise] = {
    "quotes_open": _("a quotation mark that does not close"),
    "control_character": _("a character that no name holds"),
    "name_missing": _("no first name and no whole name"),
    "name_is_address": _("an e-mail address in the place of a name"),
    "name_too_long": _("a name of more than 80 letters"),
    "name_twice": _("this name is there already"),
    "table_wrong": _("a table that is no number from 1 to 9999"),
    "table_outside": _("a table at which this event is not played"),
    "table_taken": _("a table that is kept for somebody else"),
}

LINT: Mapping[str, Promise] = {
    "SCHEMA": _("its shape cannot be read"),
    "ABILITY": _("an ability is not written in words that the engine knows"),
    "MISPLACED": _("a keyword is for other kinds of cards"),
    "UNKNOWN-TOKEN": _("it makes a token that the list does not hold"),
    "UNKNOWN-GAME": _("the game is not known"),
    "UNKNOWN-KIND": _("the game has no such kind of card"),
    "UNKNOWN-FACTION": _("the game has no such faction"),
    "UNKNOWN-KEYWORD": _("the game has no such keyword"),
    "MISSING-FIGURE": _("a figure is missing"),
    "EXTRA-FIGURE": _("a figure does not belong to this kind of card"),
    "DUPLICATE-REF": _("another card has the same reference"),
    "SAME-CARD": _("another card has the same name and the same figures"),
    "TEXT-ONLY": _("no ability carries out its text: a game waits for a ruling there"),
    "UNBOUND": _("an ability whose usual keyword the card does not bear; it acts all the same"),
}
