"""What is edited and not committed, as a status tells it; loaded where something is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.bootstrap_ritual import ritual_is_open
from clawgit.history.authorship.intent import Intent
from clawgit.history.review.held_edits import hold_back
from clawgit.history.review.working_tree_edits import all_edits
from clawgit.text.safety.secrets import redact_path

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History, Tip
    from clawgit.history.guards.finding import Finding


class OpenEdits(NamedTuple):
    """What is edited, what is staged, and what is held back."""

    paths: tuple[str, ...]
    staged: tuple[str, ...]
    held: tuple[Finding, ...]


def read_open_edits(history: History, tip: Tip, now: datetime) -> OpenEdits:
    """Return the edits that wait, as of nobody known."""
    found = all_edits(history, tip)
    intent = Intent("status", UNKNOWN, now, soul_is_open=ritual_is_open(history, tip.commit_id))
    return OpenEdits(
        tuple(redact_path(edit.path) for edit in found.edits),
        tuple(redact_path(path) for path in found.staged),
        (*found.problems, *hold_back(history, tip, found.edits, intent, with_remarks=False).held),
    )
