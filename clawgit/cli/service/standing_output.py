"""How `status` says whether the service runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.service.standing import Standing


def standing_data(standing: Standing | None, root: Path) -> dict[str, Any]:
    """Return what other programs read."""
    if standing is None:
        return {"runs": False}
    return {
        "runs": True,
        "process": standing.process,
        "since": standing.since,
        "version": standing.version,
        "http": standing.http or None,
        "stale": standing.is_stale,
        "aside": standing.aside.get(str(root)),
        "problem": standing.problem or None,
        "worker": standing.worker or None,
    }


def standing_lines(standing: Standing | None, root: Path) -> list[str]:
    """Return what a person reads."""
    if standing is None:
        return ["! The service does not run (`clawgit up`)."]
    said = [f"  The service runs (process {standing.process}, since {standing.since})."]
    if standing.is_stale:
        said.append("! Its code is older than what is installed: `clawgit down`, then `clawgit up`.")
    if str(root) in standing.aside:
        said.append(f"! It leaves this workspace alone for now: {standing.aside[str(root)]}")
    said += [f"! {problem}" for problem in (standing.problem, standing.worker) if problem]
    return said
