"""`make bench`."""

from __future__ import annotations

import platform
from datetime import UTC, datetime

from benchmarks.guards import guards
from benchmarks.hook_cost import hook_cost
from benchmarks.long_history import long_history
from benchmarks.one_change import one_change
from benchmarks.search_speed import search_speed

if __name__ == "__main__":
    print(f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}")
    one_change()
    hook_cost()
    guards()
    long_history()
    search_speed()
