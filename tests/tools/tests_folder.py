"""Where the tests lie, for those that read given data."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
