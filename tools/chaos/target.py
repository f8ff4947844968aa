"""What faults work on."""

from dataclasses import dataclass
from random import Random

from tools.chaos.actions import Sender
from tools.chaos.installation import Installation


@dataclass(frozen=True)
class Chaos:
    """What a fault works on."""

    installation: Installation
    sender: Sender
    rng: Random
    until: float  # by time.monotonic: when the next fault is due
