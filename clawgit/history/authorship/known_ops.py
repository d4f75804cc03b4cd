"""ops.json: which commits say which op, up to the tips that were read. A cache: thrown away, it comes back the same."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

CACHE = "ops.json"
MOST_UNKEPT = 32  # commits that each process reads again rather than write the cache for them
_OP_LINE = lazy_pattern(r"(?m)^Clawgit-Op: (.+)$")


def commits_saying(history: History, op: str, tips: frozenset[str]) -> list[str]:
    """Return the commits that ``tips`` reach and that say ``op``; an opened history reads each commit once."""
    memo = history.op_memo
    if not memo.is_opened:
        _open(history)
    _read_up_to(history, tips)
    if memo.unkept >= MOST_UNKEPT:
        _keep(history, tips)
    return memo.saying.get(op, [])


def _read_up_to(history: History, tips: frozenset[str]) -> None:
    memo, met = history.op_memo, set(tips)
    new = tips - memo.read
    for commit in history.objects.walk(sorted(new), hide=memo.read) if new else ():
        memo.read.add(commit.commit_id)
        memo.unkept += 1
        met.update(commit.parent_ids)
        for op in _OP_LINE.findall(commit.message):
            memo.saying.setdefault(op, []).append(commit.commit_id)
    is_proven, memo.unproven = memo.unproven <= met, frozenset()
    if not is_proven:  # nothing may reach what the cache knows, since a branch was deleted
        memo.read.clear()
        memo.saying.clear()
        _read_up_to(history, tips)


def _open(history: History) -> None:
    memo = history.op_memo
    memo.is_opened = True
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads((history.state / CACHE).read_bytes())
        saying = {str(op): [str(name) for name in names] for op, names in kept["ops"].items()}
        memo.unproven = frozenset(map(str, kept["tips"]))
        memo.read, memo.saying = set(memo.unproven), saying


def _keep(history: History, tips: frozenset[str]) -> None:
    """Write the cache; where there is no room for it, the next process reads the same again."""
    memo = history.op_memo
    memo.unkept = 0
    said = json.dumps({"tips": sorted(tips), "ops": memo.saying}, ensure_ascii=False)
    with suppress(OSError):
        write_file(history.state, CACHE, FileContent(said.encode()), fsync=False)
