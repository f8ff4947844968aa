"""What an event takes over from where it comes: a preset, a format its organizer saved, another event."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import engine
from tournaments.events.models import Event, SavedFormat, Stage
from tournaments.events.presets import Preset

# The tiebreaks of a structure; the others keep those of the event's format.
SCHEMES: Mapping[str, str] = {
    Stage.Kind.TABLES: "multiplayer",
    Stage.Kind.SINGLE_ELIMINATION: "bracket",
    Stage.Kind.DOUBLE_ELIMINATION: "bracket",
}
# Of an event, and of a stage all but what is its own.
EVENT_FIELDS = (
    *("preset", "game", "game_name", "ruleset", "catalog", "catalog_sha256"),
    *("procedures", "visibility", "lists", "scoring"),
)
_STAGES_OWN = ("id", "event", "seed", "results_version", "started_at", "first_round")
STAGE_FIELDS = tuple(part.name for part in Stage._meta.concrete_fields if part.name not in _STAGES_OWN)


@dataclass(frozen=True)
class Blueprint:
    """The values of an event's own fields, and of each of its stages, by name of field."""

    event: Mapping[str, Any]
    stages: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As a saved format keeps it."""
        return asdict(self)


def of_preset(preset: Preset) -> Blueprint:
    """One stage, with the catalogue that is shipped."""
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
        "scheme": SCHEMES.get(preset.kind, preset.scheme),
        "deck_format": preset.deck_format,
    }
    return Blueprint(event, [stage])


def of_event(event: Event) -> Blueprint:
    """Everything about how it is played, nothing about who plays."""
    stages = [{name: getattr(stage, name) for name in STAGE_FIELDS} for stage in event.stages.order_by("number")]
    return Blueprint({name: getattr(event, name) for name in EVENT_FIELDS}, stages)


def of_saved(saved: SavedFormat) -> Blueprint:
    """As it was saved; fields that events and stages have got since take their default."""
    stages = [{name: stage[name] for name in STAGE_FIELDS if name in stage} for stage in saved.blueprint["stages"]]
    event = {"lists": _lists_of(stages), **saved.blueprint["event"]}
    return Blueprint({name: event[name] for name in EVENT_FIELDS if name in event}, stages)


def _lists_of(stages: list[dict[str, Any]]) -> str:
    """What a format asked for that was saved before lists were chosen: those that some deck rules judge."""
    return Event.Lists.REQUIRED if stages and stages[0].get("deck_format") else Event.Lists.OPTIONAL
