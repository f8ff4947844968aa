"""Replies of the command line about pairings, as JSON."""

from __future__ import annotations

from typing import Any

from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.pairing import ALGORITHM, Pairing, pair
from tournaments.swiss.repair import Change, Choice, corrected, repair
from tournaments.swiss.wire import field_of, mistake_of, options_of, pairs_of, published_of


def paired(data: Any) -> dict[str, Any]:
    """The reply of `pair`."""
    return _pairing(_computed(field_of(data), data))


def verified(data: Any) -> dict[str, Any]:
    """The reply of `verify`: all differences from the published round, ignoring the order of tables and seats.

    Raises `SwissError("unknown_version")` for a round paired by another version, which cannot be recomputed.
    """
    field = field_of(data)
    if "pairs" not in data:
        raise SwissError("missing", "the input has no pairs", "pairs")
    version = data.get("version", ALGORITHM)
    if version != ALGORITHM:
        raise SwissError("unknown_version", f"only {ALGORITHM} can be computed here, not {version!r}", "version")
    published = {tuple(sorted(pair)) for pair in pairs_of(data["pairs"], "pairs")}
    found = _computed(field, data)
    computed = {tuple(sorted(pair)) for pair in found.pairs}
    differs: list[dict[str, Any]] = [
        {"what": "pair", "published": _side(pair, published), "computed": _side(pair, computed)}
        for pair in sorted(published ^ computed)
    ]
    if data.get("bye") != found.bye:
        differs.append({"what": "bye", "published": data.get("bye"), "computed": found.bye})
    return {"same": not differs, "differs": differs}


def repaired(data: Any) -> dict[str, Any]:
    """The reply of `repair`."""
    field = field_of(data)
    if (mistake := mistake_of(data)) is not None:
        field = corrected(field, mistake)
    request = options_of(data)
    choices = repair(field, published_of(data), seed=request.seed, forbidden=request.forbidden, options=request.options)
    return {"choices": [_choice(choice) for choice in choices]}


def _computed(field: Field, data: Any) -> Pairing:
    request = options_of(data)
    return pair(field, seed=request.seed, forbidden=request.forbidden, options=request.options)


def _pairing(found: Pairing) -> dict[str, Any]:
    """A pairing as JSON. Table numbers and awarded byes are left out if there is nothing unusual about them."""
    reply: dict[str, Any] = {
        "pairs": found.pairs,
        "bye": found.bye,
        "flags": found.flags,
        "cost": found.cost,
        "certified": found.certified,
        "proven": found.proven,
        "version": found.version,
    }
    if found.tables != tuple(range(1, len(found.pairs) + 1)):
        reply["tables"] = found.tables
    if found.awarded:
        reply["awarded"] = found.awarded
    return reply


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        **_pairing(choice.pairing),
        "tables": choice.pairing.tables,
        "tables_changed": choice.new,
        "changes": [_change(change) for change in choice.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    return {"table": change.table, "was": change.was, "now": change.now}


def _side(pair: tuple[str, ...], pairs: set[tuple[str, ...]]) -> list[str] | None:
    """The pair if it is in `pairs`, else None."""
    return list(pair) if pair in pairs else None
