"""Bringing the fold up to the present: what came since, or all of it where history was rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.actors import OPERATOR
from clawgit.history.git_program import run_git
from clawgit.history.log import git_failed
from clawgit.history.patches import FORMAT, OPTIONS, Patch, read_patches
from clawgit.history.refs import PAST
from clawgit.history.tips import remembered_tips
from clawgit.memory.fold import fold_step
from clawgit.text.trailers import parse_trailers

if TYPE_CHECKING:
    from clawgit.history.fold_store import FoldStore
    from clawgit.history.repository import History

FOLD_SECONDS = 600


def renew_fold(history: History, store: FoldStore) -> None:
    """Read what the store has not read yet.

    Raises:
        ClawgitError: git could not read the history; the store stays as it was.
    """
    tips = _tips(history)
    known = store.tips()
    if tips == known:
        return
    patches = _patches(history, tips, known) if known and _grew(history, known, tips) else []
    if not patches or min(patch.committed_at for patch in patches) < store.newest():
        store.clear()  # the order of commits decides who was first, so an older one means to begin anew
        patches = _patches(history, tips, frozenset())
    newest = max((store.newest(), *(patch.committed_at for patch in patches)))
    for patch in patches:
        step = patch.step()
        store.take(fold_step(step, store.origin))
        if step.actor == OPERATOR:
            store.claim(parse_trailers(patch.message).all("Clawgit-Claims"))
    store.finish(tips, newest)


def _tips(history: History) -> frozenset[str]:
    """Return where reading starts: the branch, what was left out of it, and what may be left out by now."""
    found = [history.tip().commit_id, *history.refs(PAST).values(), *remembered_tips(history).values()]
    return frozenset(name for name in found if name is not None)


def _grew(history: History, known: frozenset[str], tips: frozenset[str]) -> bool:
    """Say whether everything read before is still there, so that only what is new needs to be read."""
    done = _git(history, "rev-list", "--max-count=1", *sorted(known), *(f"^{name}" for name in sorted(tips)))
    return not done.strip()


def _patches(history: History, tips: frozenset[str], known: frozenset[str]) -> list[Patch]:
    """Return the commits that ``tips`` reach and ``known`` do not, oldest first.

    What was seen earlier comes before the branch as it is now, whatever the dates say: a clock that went
    back makes nobody the first to have said something.
    """
    head = frozenset({history.tip().commit_id or ""}) & tips
    earlier = tips - head
    return [*_read(history, earlier, known), *_read(history, head, known | earlier)]


def _read(history: History, tips: frozenset[str], known: frozenset[str]) -> list[Patch]:
    if not tips:
        return []
    names = [*sorted(tips), *(f"^{name}" for name in sorted(known))]
    options = ["--reverse", "--date-order", f"--format={FORMAT}", *OPTIONS]
    return list(read_patches(_git(history, "log", *options, *names)))


def _git(history: History, *arguments: str) -> bytes:
    done = run_git(history, *arguments, seconds=FOLD_SECONDS)
    if done.returncode != 0:
        raise git_failed(done)
    return done.stdout
