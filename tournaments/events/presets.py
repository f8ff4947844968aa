"""Format presets: what an event of a game is made of until its organizer changes it."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Preset:
    """A named starting point: game, ruleset, catalogue, match structure and time of a round in minutes."""

    id: str
    name: Promise
    game: str
    ruleset: str
    catalog: str
    best_of: int
    round_minutes: int
    scheme: str
    kind: str = "swiss"


PRESETS = {
    preset.id: preset
    for preset in (
        Preset("star-safir", _("Star Safir"), "star-safir", "safir-v2@1", "safir-demo", 3, 60, "mtr"),
        Preset("star-safir-bo1", _("Star Safir, one game"), "star-safir", "safir-v2@1", "safir-demo", 1, 35, "mtr"),
        Preset("altered", _("Altered"), "altered", "altered-2024@1", "altered-demo", 3, 50, "mtr"),
        Preset("altered-bo1", _("Altered, one game"), "altered", "altered-2024@1", "altered-demo", 1, 30, "mtr"),
        Preset("stellar-nexus", _("Stellar Nexus"), "stellar-nexus", "stellar-1.4@1", "stellar-demo", 3, 60, "mtr"),
        Preset("wakfu-2008", _("Wakfu 2008"), "wakfu", "wakfu-2008@1", "wakfu-demo", 1, 50, "mtr"),
        Preset("saint-seiya", _("Saint Seiya"), "saint-seiya", "seiya-base@1", "seiya-demo", 1, 90, "mtr", "tables"),
    )
}
