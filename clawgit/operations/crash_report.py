"""The file that a bug leaves behind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from pathlib import Path


def bug_report(error: Exception) -> str:
    """Write what happened into a file, and return the sentence that says so."""
    return f"This is a bug in clawgit ({type(error).__name__}); what happened is in {write_crash(error)}."


def write_crash(error: Exception) -> Path:
    """Write what happened into the user's cache folder and return the file."""
    import traceback  # only now: nobody else has time for it

    from clawgit.text.safety.secrets import redact
    from clawgit.workspace.rewritten_record import write_private

    folder = cache_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"crash-{os.getpid()}.txt"
    text = redact("".join(traceback.format_exception(error)))
    write_private(path, text)
    return path
