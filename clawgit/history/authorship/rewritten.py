"""Copies of commits by a rebase, a pick or an amend of a parent: same author, date, message, and changed lines below the same headings and list items.

None of the identity or the settings: what was thrown away there comes back by the operator's word alone.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from clawgit.history.git.git_program import descends, git_output, git_tokens
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import heading_level, put_below

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

_DEEPEST = 7  # a heading has up to six #
CLAIMS = "Clawgit-Claims"
# one parent, as the lines of a merge are not its own
_COMMITS = ("rev-list", "--header", "--max-parents=1", "--encoding=none")
_MARKED = ("--extended-regexp", "--grep=^Clawgit-(Op|Vouched): ")
_CHANGES = ("diff-tree", "--stdin", "--root", "-p", "-U100000", "--binary", "--full-index")
_PLAINLY = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-indent-heuristic")
_PICKED = lazy_bytes_pattern(rb"\n +\(cherry picked from commit [0-9a-f]{40,64}\)\r?(?=\n|$)")
_GUARDED = lazy_bytes_pattern(rb"(?m)^diff --git .* b/(?:CONFIG|SOUL|IDENTITY)\.md$")
_NAME = lazy_bytes_pattern(rb"(?m)^([0-9a-f]{40})\n")


def rewritten_among(
    history: History, names: Collection[str], tips: Iterable[str], without: Iterable[str]
) -> frozenset[str]:
    """Return the commits among ``names`` that repeat a commit in the history of ``tips`` that is not among them.

    Not one that repeats its own ancestor: after a revert, whoever brings a change again is its author.
    """
    groups = _alike(history, names, *_MARKED, *tips, *without)
    changes = _changes(history, chain.from_iterable(groups))
    copies = set()
    for group in groups:
        for name in group.intersection(names):
            for original in group.difference(names):
                is_same = changes.get(name) == changes.get(original)
                if is_same and not descends(history, name, original):
                    copies.add(name)
    return frozenset(copies)


def claimed_in(history: History, commit: Commit) -> list[str]:
    """Return what a commit claims; of a claimed commit that was rewritten together with it, the copy too."""
    claimed = list(commit.trailers.all(CLAIMS))
    for name in tuple(claimed):
        if not history.objects.has_commit(name) or descends(history, commit.commit_id, name):
            continue
        for group in _alike(history, (name,), f"{name}...{commit.commit_id}"):
            changes = _changes(history, group)
            for copy in group - {name}:
                is_here = descends(history, commit.commit_id, copy)
                if is_here and changes.get(copy) == changes.get(name):
                    claimed.append(copy)
    return claimed


def commit_here(history: History, commit: Commit) -> Commit:
    """Return a commit, or if the branch was rewritten without it, the only one there with its author, date and message."""
    name, tip = commit.commit_id, history.tip().commit_id
    if tip is None or descends(history, tip, name):
        return commit
    copies: list[str] = []
    for group in _alike(history, (name,), f"{name}...{tip}"):
        copies += filter(partial(descends, history, tip), group)
    if len(copies) == 1:
        return history.objects.commit(copies[0])
    return commit


def _alike(history: History, names: Collection[str], *arguments: str) -> list[set[str]]:
    """Return groups of commits with one author, date and message, each with one of ``names`` and another one."""
    groups: dict[tuple[bytes, bytes], set[str]] = defaultdict(set)
    for raw in git_tokens(history, *_COMMITS, *arguments):
        head, _, message = raw.partition(b"\n\n")
        author = head.partition(b"\nauthor ")[2].partition(b"\n")[0]
        groups[author, _PICKED.sub(b"", message)].add(head.partition(b"\n")[0].decode())
    return [group for group in groups.values() if len(group) > 1 and not group.isdisjoint(names)]


def _changes(history: History, names: Iterable[str]) -> dict[str, list[bytes]]:
    """Return commit → its changed lines by file and place; none for a commit that changes nothing; of a guarded file it is like no other."""
    given = "".join(map("{}\n".format, names)).encode()
    if not given:
        return {}
    _, *parts = _NAME.split(git_output(history, *_CHANGES, *_PLAINLY, stdin=given))
    changes = {}
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        changes[name.decode()] = list(_in_place(part))
        if _GUARDED.search(part):
            changes[name.decode()] = [name]  # no other commit's
    return changes


def _in_place(part: bytes) -> Iterator[bytes]:
    """Yield the heads of a patch and its changed lines, each behind the headings and the items that it is below."""
    above: dict[int, bytes] = {}
    is_text = False
    for line in part.splitlines():
        if line.startswith((b"diff --git ", b"@@ ")):
            above = {}
            is_text = line.startswith(b"@@ ")
        text = line[1:]
        if is_text and text.strip():
            indent = len(text) - len(text.lstrip())
            put_below(above, heading_level(text) or _DEEPEST + indent, text)
        if line.startswith((b"index ", b"@@ ")):
            continue
        if not is_text:
            yield line
        elif not line.startswith(b" "):
            yield b"\n".join((*above.values(), line))
