"""What a run could leave behind."""

from __future__ import annotations

from typing import Any


def left_behind(room: Any) -> tuple[str, dict[str, bytes]]:
    """Return the references, and the files of the workspace."""
    paths = (path for path in room.root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return room.git("for-each-ref"), {str(path): path.read_bytes() for path in paths}
