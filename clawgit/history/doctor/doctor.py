"""`doctor`: what is wrong with a workspace, found without trusting any of it, and mended where that is safe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.doctor.folder_checks import (
    check_caches,
    check_connected,
    check_files,
    check_hooks,
    check_ignored,
    check_lost_records,
    check_permissions,
    check_private,
    check_program,
    check_records,
    check_settings,
    check_strange,
    check_views,
)
from clawgit.history.doctor.git_checks import (
    check_branches,
    check_intents,
    check_locks,
    check_own_references,
    check_staging,
    check_unfinished,
)
from clawgit.history.doctor.object_checks import check_objects
from clawgit.history.git import libgit2 as pygit2

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from clawgit.history.git.repository import History

CHECKS = (
    check_program,
    check_permissions,
    check_private,
    check_own_references,
    check_branches,
    check_locks,
    check_intents,
    check_unfinished,
    check_staging,
    check_settings,
    check_ignored,
    check_files,
    check_records,
    check_lost_records,
    check_caches,
    check_views,
    check_hooks,
    check_connected,
    check_objects,
)


def examine(
    history: History,
    *,
    fix: bool,
    trusted: Collection[str] = (),
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Complaint]:
    """Return what is wrong; with ``fix``, what could be mended without losing anything has been.

    ``trusted``: digests of the settings and hooks that the operator vouches for.
    """
    found: dict[str, Complaint] = {}  # what stops several checks is said once, by the first
    checks = (*CHECKS, lambda history: check_strange(history, trusted))
    for done, check in enumerate(checks):
        tell(done, len(checks))
        for complaint in _asked(check, history):
            if complaint.what not in found:
                found[complaint.what] = (
                    _mended(complaint) if fix and complaint.mend is not None else complaint
                )
    return list(found.values())


def _asked(check: Callable[[History], Iterator[Complaint]], history: History) -> Iterator[Complaint]:
    """Ask one check; what stops it is a complaint too, and stops no other."""
    try:
        yield from check(history)
    except ClawgitError as error:
        yield Complaint("reading", error.message, error.hint)
    except (OSError, pygit2.GitError) as error:
        yield Complaint("reading", f"The repository cannot be read: {error}.", "`git fsck` may say more.")


def _mended(complaint: Complaint) -> Complaint:
    assert complaint.mend is not None
    try:
        complaint.mend()
    except (ClawgitError, OSError) as error:
        return complaint._replace(way_out=f"It could not be mended: {error} {complaint.way_out}")
    return complaint._replace(mended=True)
