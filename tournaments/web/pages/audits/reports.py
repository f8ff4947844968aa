"""Audit reports and answers of the engine in words, in the language of the page, for their templates."""

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import face
from tournaments.audits import replays
from tournaments.audits.branches import correction_of
from tournaments.audits.models import MoveLog
from tournaments.decks.engine_gate import card_names, describe
from tournaments.events.models import Event
from tournaments.web.words.audits import ANSWER_BADGES, ANSWERS, FINDINGS, NEXT_STEPS
from tournaments.web.words.boards import actor_words, fact_words, language, move_words, moves_words, verb_words

LINES = 100  # per list of a report, as much as a page can hold; the API has all of them
OUTCOMES = {
    "ruled": gettext_lazy("settled by a ruling"),
    "unverified": gettext_lazy("nobody has ruled on it"),
    "taken_back": gettext_lazy("taken back later"),
}


def answer_words(event: Event, answer: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, Any]:
    """The template context of the engine's answer to whether a move is legal (see `face.audits.ask`).

    `options` are the interpretations that were switched, by id.
    """
    leans = dict.fromkeys(id_ for violation in answer["violations"] for id_ in violation["depends_on"])
    return {
        "answer": answer,
        "words": ANSWERS[answer["answer"]],
        "badge": ANSWER_BADGES[answer["answer"]],
        "violations": answer["violations"],
        "missing": [missing_words(item, event.game) for item in answer["missing"]],
        "error_options": [str(option) for option in (answer["error"] or {}).get("options", ())],
        "interpretations": interpretations_words(event, list(leans), options),
    }


def report_words(log: MoveLog, findings: Sequence[Mapping[str, Any]], players: Mapping[str, str]) -> dict[str, Any]:
    """The template context of an audit's report.

    `findings` are the deck findings that this reader may see; `players` are names by seat.

    Raises ValueError if the audit is not done yet.
    """
    if log.audit.report is None:
        raise ValueError("this audit has no report yet")
    event = log.game.match.round.stage.event
    report = face.audits.in_language(log.audit.report, event.game, language())
    names = {**card_names(event), **report["names"]}
    first = report["first_illegal"]
    error = report["error"]
    conditions = [item for item in report["subject_to"] if item["outcome"] != "unverified"]
    return {
        "report": report,
        "next_step": NEXT_STEPS.get(report["verdict"], ""),
        "first": first,
        "first_by": actor_words(first["by"], players) if first else "",
        "first_words": move_words(event.game, first, names) if first else "",
        "may_be_allowed": bool(first) and report["verdict"] == "undetermined",
        "violations": first["violations"] if first else [],
        "alternatives": _alternatives(event.game, first, names) if first else [],
        "more_alternatives": bool(first) and first.get("more_alternatives", False),  # not in older reports
        "error_options": [str(option) for option in islice((error or {}).get("options", ()), LINES)],
        "repairs": [_repair(item) for item in report["repairs"]],
        "missing": [missing_words(item, event.game) for item in report["missing"]],
        "claims": report["claims"][:LINES],
        "more_claims": max(0, len(report["claims"]) - LINES),
        "unread": _unread(report["subject_to"], names)[:LINES],
        "subject_to": [_condition(item, names) for item in report["subject_to"][:LINES]],
        "conditions": [_condition(item, names) for item in conditions[:LINES]],
        "more_conditions": max(0, len(conditions) - LINES),
        "interpretations": interpretations_words(event, report["depends_on"], replays.outline_of(log.audit)["options"]),
        "findings": [_finding(item, names, event) for item in findings],
        "manual": [names.get(ref, ref) for ref in (report["coverage"] or {}).get("manual", [])],
        "result": _result(report["result"], players),
    }


def _alternatives(game: str, first: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """The legal moves with the verb of the refused one, in words."""
    return moves_words(game, [{**move, "at": first["at"]} for move in first["legal_alternatives"]], names)


def _repair(item: Mapping[str, Any]) -> dict[str, Any]:
    """A repair that the engine suggests, with the form values that open it as a what-if branch."""
    correction = correction_of(item)
    entry = correction["entry"]
    return {**item, **correction, "entry": "" if entry is None else json.dumps(entry)}


def interpretations_words(event: Event, ids: Sequence[str], options: Mapping[str, str]) -> list[dict[str, Any]]:
    """The interpretations with these ids, each with its option in force, in the language of the page."""
    return face.audits.interpretations(event.game, list(ids), options, language())


def missing_words(item: Mapping[str, Any], game: str) -> dict[str, Any]:
    """A missing fact with the words in which to ask for it."""
    return {**item, "words": fact_words(item["fact"], game)}


def seat_words(seat: str, players: Mapping[str, str]) -> str:
    """A seat with the name of its player, if known."""
    return f"{players[seat]} ({seat})" if seat in players else _("Seat %(seat)s") % {"seat": seat}


def _condition(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    ref = item.get("ref") or ""
    outcome = OUTCOMES.get(item["outcome"], item["outcome"])
    return {**item, "name": names.get(ref, ref), "did": verb_words(item["do"]), "words": outcome}


def _unread(items: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The cards that the engine cannot apply and nobody has ruled on, each with the first move that it may affect."""
    first: dict[str | None, Mapping[str, Any]] = {}
    for item in items:
        if item["outcome"] == "unverified":
            first.setdefault(item["ref"], item)
    return [
        {**item, "name": names.get(ref or "", ref or ""), "seat": item.get("seat", "")} for ref, item in first.items()
    ]


def _finding(item: Mapping[str, Any], names: Mapping[str, str], event: Event) -> dict[str, Any]:
    return {
        "words": str(FINDINGS[item["code"]]) % {"seat": item["seat"]} if item["code"] in FINDINGS else item["code"],
        "missing": [(names.get(ref, ref), count) for ref, count in item.get("missing", {}).items()],
        "added": [(names.get(ref, ref), count) for ref, count in item.get("added", {}).items()],
        "violations": describe(event, item.get("violations", []), language()),
    }


def _result(result: Mapping[str, Any], players: Mapping[str, str]) -> dict[str, Any]:
    def who(winner: str | None) -> str:
        return {"draw": _("a draw"), None: _("nobody")}.get(winner) or seat_words(str(winner), players)

    score = [(seat_words(seat, players), points) for seat, points in (result["score"] or {}).items()]
    return {
        "claimed": who(result["claimed"]),
        "computed": who(result["computed"]),
        "reason": result["reason"],
        "ended": result["ended"],
        "score": score,
        "known": result["computed"],
    }
