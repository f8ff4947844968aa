"""Blueprints: the settings from which an event is created, taken from a preset, a saved format or another event."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import engine
from tournaments.events.models import Event, SavedFormat, Stage
from tournaments.events.presets import Preset
from tournaments.swiss.schemes import newest

# The tiebreak scheme of a structure that needs its own.
_SCHEMES: Mapping[str, str] = {
    Stage.Kind.TABLES: "multiplayer",
    Stage.Kind.SINGLE_ELIMINATION: "bracket",
    Stage.Kind.DOUBLE_ELIMINATION: "bracket",
}
# What is copied of an event. Of a stage it is every field except those in `_STAGES_OWN`, so a new field is copied too.
EVENT_FIELDS = (
    *("preset", "game", "game_name", "ruleset", "catalog", "catalog_sha256"),
    *("procedures", "visibility", "lists", "scoring", "listing", "approval", "consent_under"),
    *("team_size", "team_play", "substitutes"),
)
QUESTION_FIELDS = ("kind", "label", "help", "options", "required")
_STAGES_OWN = ("id", "event", "seed", "results_version", "started_at", "first_round")
STAGE_FIELDS = tuple(part.name for part in Stage._meta.concrete_fields if part.name not in _STAGES_OWN)


def scheme_for(kind: str, preset: Preset) -> str:
    """The tiebreak scheme of a structure: its own, or the newest version of that of the event's preset."""
    return _SCHEMES.get(kind) or newest(preset.scheme)


@dataclass(frozen=True)
class Blueprint:
    """Values for the fields of an event, and for those of each of its stages and questions in order, by field name."""

    event: Mapping[str, Any]
    stages: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The JSON stored in `SavedFormat.blueprint`."""
        return asdict(self)


def of_preset(preset: Preset) -> Blueprint:
    """The blueprint of a preset: a single stage, and the card catalogue shipped with the engine."""
    shipped = engine.catalogs(preset.game) if preset.game else ()
    digest = next((catalog.sha256 for catalog in shipped if catalog.id == preset.catalog), "")
    event = {
        "preset": preset.id,
        "game": preset.game,
        "ruleset": preset.ruleset,
        "catalog": preset.catalog,
        "catalog_sha256": digest,
        "procedures": preset.procedures.to_json(),
        "visibility": dict(preset.visibility),
        "lists": preset.lists,
    }
    stage = {
        "rounds_planned": preset.rounds,
        "best_of": preset.best_of,
        "round_minutes": preset.round_minutes,
        "kind": preset.kind,
        "scheme": scheme_for(preset.kind, preset),
        "deck_format": preset.deck_format,
    }
    return Blueprint(event, [stage])


def of_event(event: Event) -> Blueprint:
    """The blueprint of an existing event: everything about how it is played, nothing about who plays."""
    stages = [{name: getattr(stage, name) for name in STAGE_FIELDS} for stage in event.stages.order_by("number")]
    asked = event.questions.filter(removed_at=None).order_by("position", "number").values(*QUESTION_FIELDS)
    return Blueprint({name: getattr(event, name) for name in EVENT_FIELDS}, stages, list(asked))


def of_saved(saved: SavedFormat) -> Blueprint:
    """The blueprint of a saved format. Fields added to events and stages since it was saved get their default."""
    stages = [{name: stage[name] for name in STAGE_FIELDS if name in stage} for stage in saved.blueprint["stages"]]
    event = {"lists": _lists_of(stages), **saved.blueprint["event"]}
    questions = [dict(question) for question in saved.blueprint.get("questions", [])]
    return Blueprint({name: event[name] for name in EVENT_FIELDS if name in event}, stages, questions)


def _lists_of(stages: list[dict[str, Any]]) -> str:
    """The `lists` setting of a format saved before there was one: required if there were deck rules."""
    return Event.Lists.REQUIRED if stages and stages[0].get("deck_format") else Event.Lists.OPTIONAL
