"""The moments as they are written in `*.toml`, frozen before anything was tuned to them."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SUMS = FOLDER / "frozen.sha256"
NEVER = ("<!--", "# Session:", "messages:", "was:", "CrashLoopBackOff", '{"')


@dataclass(frozen=True, slots=True)
class Moment:
    """One question at one time; of a ``must`` and of each side of ``before`` any part between bars will do."""

    name: str
    now: str = ""  # the day after the last talk, if not given
    query: str = ""
    session: str = ""
    host: str = ""
    part: str = ""
    config: str = ""
    talk: tuple[tuple[str, ...], ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    before: tuple[tuple[str, str], ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A workspace and the moments that are judged in it."""

    name: str
    life: str
    begin: str
    files: dict[str, str]
    moments: tuple[Moment, ...]


def scenes() -> list[Scene]:
    """Read all scenes, in the order of their names."""
    return [_scene(path) for path in sorted(FOLDER.glob("*.toml"))]


def changed_files() -> list[str]:
    """Return the tables that do not read as when they were frozen."""
    sums = {}
    for line in SUMS.read_text("utf-8").splitlines():
        digest, name = line.split()
        sums[name] = digest
    read = {}
    for path in FOLDER.glob("*.toml"):
        read[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return sorted(name for name in {*read, *sums} if read.get(name) != sums.get(name))


def _scene(path: Path) -> Scene:
    table = tomllib.loads(path.read_text("utf-8"))
    files = {}
    for name, text in table.get("files", {}).items():
        files[name] = text.replace("<fill>", _fill(table))
    moments = tuple(_moment(each) for each in table["moment"])
    return Scene(path.stem, table.get("life", ""), table.get("begin", ""), files, moments)


def _fill(table: dict[str, Any]) -> str:
    lines = []
    for number in range(table.get("fill_lines", 0)):
        shelf = ("north", "south", "east", "west", "upper", "lower")[number % 6]
        lines.append(table["fill"].format(a=1000 + number, b=shelf, c=1 + number % 28))
    return "\n".join(lines)


def _moment(row: dict[str, Any]) -> Moment:
    for key in ("must", "must_not", "once"):
        row[key] = tuple(row.get(key, ()))
    for key in ("talk", "before"):
        row[key] = tuple(tuple(each) for each in row.get(key, ()))
    return Moment(**row)
