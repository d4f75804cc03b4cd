"""Brings back lines that an edit dropped from a file, beside all later changes: the operator's no to a loss."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.git.objects import RESTS_ON
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.guards.check import cut_short
from clawgit.history.review.keep import dropped_unseen
from clawgit.memory.entries.entries import lines_saying, marks_in
from clawgit.plan import Edit, Plan
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.block_structure import blocks_of_lines, rejoined
from clawgit.text.markdown.lines import line_end, split_lines
from clawgit.text.markdown.merge_lines import hunks
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.trailers import LOSS_MARK, REVERTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

_NAMED = 3
_NEW = b""  # placeholder for a later line: equal to none
_SAYS = lazy_bytes_pattern(rb"[^\W_]")


def bring_lines_back(history: History, commit_id: str, reason: str, intent: Intent) -> tuple[Recorded, str]:
    """Bring back, in one change, the lines that a commit dropped from the files that the operator is asked about; also return a sentence with their number.

    Raises:
        ClawgitError: Each of them is in some file of the folder.
    """
    commit = history.objects.commit(commit_id)
    _, sentence = _plan(history, commit, history.tip().tree, reason)
    done = apply_plan(history, lambda tree: _plan(history, commit, tree, reason)[0], intent)
    return done, sentence


def _plan(history: History, commit: Commit, tree: Tree, reason: str) -> tuple[Plan, str]:
    base, after = history.around(commit)
    was = Counter[bytes]()
    now = Counter[bytes]()
    for path in tree.changed(base):
        if path.endswith(".md"):
            was.update(lines_saying([base.read(path) or b""]))
            now.update(lines_saying([tree.read(path) or b""]))
    gone = was - now
    marks: set[str] = set()
    for path in entry_files(tree):
        marks |= marks_in(tree.read(path) or b"")
    edits = []
    count = 0
    paths = map(attrgetter("where"), cut_short(history, commit))
    for path in dict.fromkeys([*paths, *map(attrgetter("path"), dropped_unseen(history, commit))]):
        present = tree.read(path) or b""
        text = with_cut_lines(base.read(path) or b"", after.read(path) or b"", present, gone, marks)
        came = lines_saying([text]) - lines_saying([present])
        if came:
            edits.append(Edit(path, text))
            count += came.total()
            gone -= came
    if not edits:
        name = commit.commit_id[:12]
        hint = f"`clawgit approve l-{name}` ends the question."
        raise ClawgitError(f"Nothing that {name} dropped is missing.", hint=hint)
    are = "is" if count == 1 else "are"
    places = few(list(map(attrgetter("path"), edits)), _NAMED)
    sentence = f"{counted(count, 'line')} of {places} {are} back"
    # an undo of the commit takes these lines along, since it brings back its own
    trailers = ((REVERTS, LOSS_MARK + commit.commit_id), (RESTS_ON, commit.commit_id))
    return Plan(f"loss: {sentence}", tuple(edits), reason, trailers=trailers, verbatim=True), sentence


def with_cut_lines(
    before: bytes, after: bytes, present: bytes, gone: Counter[bytes], marks: Collection[str] = ()
) -> bytes:
    """Return ``present`` with the lines removed from ``before`` to ``after``, each in its place, behind present lines.

    None goes into a table or code block that came later. A line's words must be in ``gone``, and its entry not among
    ``marks``; headings and comments come back with the lines below them.
    """
    old = split_lines(before)
    new = split_lines(present)
    paired = list(new)
    ends = set()
    old_lines = set(old)
    for block in blocks_of_lines(present):
        if not any(line in old_lines and _SAYS.search(line) for line in new[block.first : block.last]):
            paired[block.first : block.last] = [_NEW] * (block.last - block.first)
            ends.add(block.last)
    cut = (Counter(old) - Counter(split_lines(after))) & (Counter(old) - Counter(paired))
    missing = Counter(gone)
    lines: list[bytes] = []
    at = 0
    for hunk in hunks(paired, old):
        lines += new[at : hunk.end]
        at = hunk.end
        back = []
        for line in hunk.lines:
            words = next(iter(lines_saying([line])), b"")
            is_there = bool(words) and not missing[words]
            if not line.strip() or (cut[line] and not is_there and not marks_in(line).intersection(marks)):
                back.append(line)
                cut[line] -= 1
                missing[words] -= 1
        if not any(map(bytes.strip, back)):
            continue
        if at in ends and back[0].strip():
            lines.append(line_end(present))
        lines += back
    return rejoined([*lines, *new[at:]], before, present)
