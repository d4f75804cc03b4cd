"""`python -m benchmarks.moments`: what a context holds in thirty moments, against what it must and must not hold.

Written and frozen before the assembler was looked at, so that no rule is tuned to a sentence. It ends with 1 where the aims are missed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.moments.judge import moments


def main() -> int:
    """Print a line for each moment and the sums."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moments", description=__doc__)
    parser.add_argument("--scenes", nargs="+", help="only these: house, long, tongues, young, jorun, velka")
    parser.add_argument("--only", help="only moments with these words in their names")
    parser.add_argument("--show", action="store_true", help="also the context of each moment that fails")
    parser.add_argument("--keep", type=Path, help="a folder in which lives are kept, and found again")
    chosen = parser.parse_args()
    return moments(chosen.scenes, chosen.only or "", chosen.keep, show=chosen.show)


if __name__ == "__main__":
    raise SystemExit(main())
