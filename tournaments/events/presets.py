"""Format presets: the settings that a new event of each game starts with."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.events.procedures import Limited, MatchEnd, Procedures, Tardiness
from tournaments.events.visibility import EXCHANGE

_USUAL = Procedures()


@dataclass(frozen=True)
class Preset:
    """A named set of defaults for an event.

    `game`, `ruleset`, `catalog` and `deck_format` are ids of the engine, "" for a game that it does not know. `scheme`
    names the tiebreaks. If `rounds` is None, the number of rounds is proposed at the start of the event.
    """

    id: str
    name: Promise
    game: str
    ruleset: str
    catalog: str
    deck_format: str
    best_of: int
    round_minutes: int
    scheme: str = "mtr"
    rounds: int | None = None
    procedures: Procedures = _USUAL
    kind: str = "swiss"
    visibility: Mapping[str, str] = field(default_factory=dict)

    @property
    def lists(self) -> str:
        """Whether decklists are required: they are if there are deck rules to check them by."""
        return "required" if self.deck_format else "optional"


_LATE = Tardiness(grace=3, game_loss=5, match_loss=10)
_DUEL = Procedures(tardiness=_LATE)
_DAYS = Procedures(tardiness=_LATE, match_end=MatchEnd(unit="day", count=1, last="everybody", unfinished="leader"))
_SEALED = replace(_DAYS, limited=Limited(boosters=7))
_DRAFT = replace(_DAYS, limited=Limited(boosters=4, passing="LRLR", minutes=40, pod=8, cards=12))
_TURNS = replace(_DUEL, match_end=MatchEnd(unit="turn", count=5, last="active", unfinished="draw"))
_TABLES = replace(
    _DUEL, match_end=MatchEnd(unit="table_round", count=1, last="everybody", unfinished="leader", bracket="leader")
)

_SAFIR = ("star-safir", "safir-v2@1", "safir-demo", "safir-v2")
_ALTERED = ("altered", "altered-2025@1", "altered-demo")
FREE = "free"  # the preset for a game that the engine does not know

PRESETS = {
    preset.id: preset
    for preset in (
        Preset("star-safir", _("Star Safir"), *_SAFIR, 3, 60, procedures=_TURNS, visibility=EXCHANGE),
        Preset("star-safir-bo1", _("Star Safir, one game"), *_SAFIR, 1, 35, procedures=_TURNS, visibility=EXCHANGE),
        Preset(
            "altered",
            _("Altered Standard"),
            *_ALTERED,
            "altered-standard",
            3,
            50,
            rounds=3,
            procedures=_DAYS,
            visibility=EXCHANGE,
        ),
        Preset(
            "altered-bo1",
            _("Altered Standard, one game"),
            *_ALTERED,
            "altered-standard",
            1,
            30,
            rounds=4,
            procedures=_DAYS,
            visibility=EXCHANGE,
        ),
        Preset(
            "altered-no-unique",
            _("Altered without uniques"),
            *_ALTERED,
            "altered-no-unique",
            3,
            50,
            rounds=3,
            procedures=_DAYS,
            visibility=EXCHANGE,
        ),
        Preset("altered-sealed", _("Altered Sealed"), *_ALTERED, "altered-sealed", 3, 50, procedures=_SEALED),
        Preset(
            "altered-draft",
            _("Altered Booster Draft"),
            *_ALTERED,
            "altered-draft",
            1,
            30,
            rounds=3,
            procedures=_DRAFT,
            kind="pods",
        ),
        Preset(
            "stellar-nexus",
            _("Stellar Nexus"),
            "stellar-nexus",
            "stellar-1.4@1",
            "stellar-demo",
            "stellar-1.4",
            3,
            60,
            procedures=_TURNS,
            visibility=EXCHANGE,
        ),
        Preset(
            "wakfu-2008",
            _("Wakfu 2008"),
            "wakfu",
            "wakfu-2008@1",
            "wakfu-demo",
            "wakfu-2008",
            1,
            50,
            procedures=_TURNS,
            visibility=EXCHANGE,
        ),
        Preset(
            "wakfu-2011",
            _("Wakfu 2011, decklists only"),
            "wakfu",
            "wakfu-2011@1",
            "wakfu-demo",
            "wakfu-2011",
            3,
            50,
            procedures=_TURNS,
            visibility=EXCHANGE,
        ),
        Preset(
            "saint-seiya",
            _("Saint Seiya"),
            "saint-seiya",
            "seiya-base@1",
            "seiya-demo",
            "seiya-base",
            1,
            90,
            procedures=_TABLES,
            kind="tables",
        ),
        Preset(FREE, _("Another game"), "", "", "", "", 3, 50, procedures=_DUEL),
    )
}
