"""How much an old note still weighs when temporal decay is switched on: ranking only. Pure."""

from __future__ import annotations

import math


def decay_weight(age_days: float, half_life_days: float) -> float:
    """Return exp(-ln 2 / half-life x age); 1 for the future and for a half-life of nothing."""
    if half_life_days <= 0:
        return 1.0
    return math.exp(-math.log(2) / half_life_days * max(0.0, age_days))
