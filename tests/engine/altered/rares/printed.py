"""Printed statistics of rare cards for which the community's list says 0, rightly or because a number got lost.

The list has a 0 for some of the numbers that are printed in colour, because they differ from those of the common card.
"""

from __future__ import annotations

from collections.abc import Mapping

STATISTICS: Mapping[str, tuple[int, int, int]] = {  # forest, mountain and water
    "AX_07_R1": (1, 1, 2),
    "AX_07_R2": (1, 1, 2),
    "AX_08_R1": (1, 1, 0),
    "AX_13_R1": (1, 2, 1),
    "AX_14_R1": (3, 3, 0),
    "AX_14_R2": (3, 3, 0),
    "AX_19_R1": (4, 4, 4),
    "BR_06_R1": (0, 2, 0),
    "BR_07_R1": (4, 3, 4),
    "BR_11_R1": (1, 0, 0),
    "BR_11_R2": (1, 0, 0),
    "BR_12_R1": (1, 2, 2),
    "BR_12_R2": (1, 2, 2),
    "BR_17_R1": (4, 4, 4),
    "BR_17_R2": (4, 4, 4),
    "BR_20_R2": (1, 1, 1),
    "BR_21_R1": (5, 6, 6),
    "BR_22_R1": (9, 9, 9),
    "BR_24_R1": (8, 8, 8),
    "LY_10_R1": (2, 2, 2),
    "LY_10_R2": (2, 2, 2),
    "LY_13_R1": (0, 0, 0),
    "LY_14_R1": (0, 2, 2),
    "LY_17_R1": (0, 5, 5),
    "LY_17_R2": (0, 5, 5),
    "LY_18_R1": (5, 0, 5),
    "LY_20_R1": (4, 4, 4),
}
