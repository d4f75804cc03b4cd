"""Decisions about parked changes: a proposal, an unseen addition, a change that a guard refused, a loss by an edit."""

from __future__ import annotations

import re
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import author_of
from clawgit.history.git.objects import RESTS_ON
from clawgit.history.git.trees import entry_files
from clawgit.history.guards.check import GuardError, cut_short
from clawgit.history.guards.conservation import MOST_PERCENT
from clawgit.history.guards.quarantine import Parked, drop_quarantined, find_quarantined, reason_of
from clawgit.history.reading.blame import BASIS, PrincipleOrigin
from clawgit.history.reading.git_log import SOUL_FILES, LoggedChange, read_named
from clawgit.history.review.keep import dropped_unseen
from clawgit.history.review.proposals import find_proposal, list_proposals, settle_proposal
from clawgit.history.review.unreviewed import unreviewed_commits, unreviewed_id
from clawgit.identity.principles import DriftKind, drift_between, edit_pieces, with_pieces
from clawgit.memory.entries.entries import lines_saying, marks_in, said_lines
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.block_structure import blocks_of_lines, rejoined
from clawgit.text.markdown.lines import line_end, split_lines
from clawgit.text.markdown.merge_lines import hunks, weave
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.trailers import LOSS_MARK, PROPOSAL, REVERTS
from clawgit.text.words.tokens import count_pieces
from clawgit.workspace.safe_files import data_of, read_file

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.identity.principles import EditPiece

REVIEWED = "Reviewed-by"
_EVIDENCE = re.compile(r'(\S+)(?: "(.*)")?', re.DOTALL)
_ITEM = re.compile(rb"\s*(?:[-*+]|\d+[.)])\s+")
_OWN = ("Clawgit-Op", "Clawgit-Actor", "Clawgit-Trust", "Clawgit-Run", "Clawgit-Slot", "Clawgit-Override")


class ProposedPiece(NamedTuple):
    """One principle's part of a proposal, with its number for `--only`."""

    number: int
    path: str
    piece: EditPiece

    @property
    def numbered_lines(self) -> list[str]:
        """Return the lines below the number that selects them."""
        return [f"  {self.number}. {self.path}:{self.piece.at + 1}", *map("     {}".format, self.piece.lines)]


class PendingEdit(NamedTuple):
    """A proposal with its present effect; ``is_stale``: later changes touch its lines; ``is_open``: still in the folder."""

    proposal: Parked
    reason: str
    evidence: tuple[Evidence, ...]
    pieces: tuple[ProposedPiece, ...] = ()
    tokens: int = 0
    loss: str = ""  # a sentence on files of which much would go
    is_stale: bool = False
    is_open: bool = False

    @property
    def may_lapse(self) -> bool:
        """Say whether it lapses: not the operator's own order, nor an edit that is still in the folder."""
        orders = (PrincipleOrigin.ORDER.value, PrincipleOrigin.CORRECTION.value)
        return not self.is_open and self.proposal.commit.trailers.first(BASIS) not in orders


def pending_edits(history: History) -> list[PendingEdit]:
    """Return the pending proposals, oldest first."""
    tree = history.tip().tree
    edits = [_pending(history, proposal, tree) for proposal in list_proposals(history)]
    return sorted(edits, key=lambda each: each.proposal.at)


def find_proposed(history: History, proposal_id: str) -> PendingEdit:
    return _pending(history, find_proposal(history, proposal_id), history.tip().tree)


def approve_proposal(
    history: History, proposal_id: str, intent: Intent, only: Collection[int] = (), words: str = ""
) -> Recorded:
    """Make the edit, or its pieces in ``only``, on top of later changes, as the operator's change.

    ``words`` replace the one line that is chosen. Pieces that are left stay in the proposal.
    """
    proposal = find_proposed(history, proposal_id)
    taken = [each for each in proposal.pieces if not only or each.number in only]
    if proposal.is_stale or not taken:
        raise _nothing_to_take(proposal)
    if words:
        hint = f"`clawgit pending show {proposal_id}` numbers its lines for --only."
        line = _only_line(proposal_id, taken, hint)
        text = history.tip().tree.read(line.path) or b""
        taken = [line._replace(piece=_reworded(line.piece, words, text))]
    done = apply_plan(history, lambda tree: _plan(history, proposal, tree, taken, intent), intent)
    before = history.tip().tree
    if done.commit_id is not None:
        before = history.tree_of(history.objects.commit(done.commit_id).parent_ids[0])
    if done.commit_id is not None or words:
        left: dict[str, bytes | None] = {}
        if len(taken) < len(proposal.pieces):
            left = _with_the_rest(history, proposal, taken, before)
        settle_proposal(history, proposal.proposal, left)
    return done


def _with_the_rest(
    history: History, pending: PendingEdit, taken: Sequence[ProposedPiece], before: Tree
) -> dict[str, bytes | None]:
    texts = {path: _wanted(history, pending.proposal, path, before) for path in pending.proposal.paths}
    for each in taken:
        if each not in pending.pieces:
            pieces = [each.piece]
            for other in pending.pieces:
                if other.path == each.path and other.number != each.number:
                    pieces.append(other.piece)
            texts[each.path] = with_pieces(before.read(each.path) or b"", pieces)
    return texts


def _only_line(name: str, pieces: Sequence[ProposedPiece], hint: str) -> ProposedPiece:
    if len(pieces) != 1 or not any(line.strip() for line in pieces[0].piece.come):
        raise ClawgitError(f"{name} is no single line, so no words can take its place.", hint=hint)
    return pieces[0]


def _reworded(piece: EditPiece, words: str, text: bytes) -> EditPiece:
    """Return a piece with its one line in other words; a heading above it and blank lines stay."""
    lines = piece.come
    filled = [number for number, line in enumerate(lines) if line.strip()]
    first = next((number for number in filled if _ITEM.match(lines[number])), filled[-1])
    mark = _ITEM.match(lines[first])
    line = (mark[0] if mark else b"") + words.encode("utf-8", "surrogateescape") + line_end(text)
    return piece._replace(come=(*lines[:first], line, *lines[filled[-1] + 1 :]))


def _pending(history: History, proposal: Parked, tree: Tree) -> PendingEdit:
    reason = "\n".join(proposal.commit.body).strip()
    proposed = history.tree_of(proposal.commit_id)
    is_open = True
    for path in proposal.paths:
        content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
        is_open = is_open and data_of(content) == proposed.read(path)
    bare = PendingEdit(proposal, reason, _evidence_of(proposal.commit), is_open=is_open)
    pieces: list[ProposedPiece] = []
    tokens = 0
    loss = ""
    for path in proposal.paths:
        try:
            proposed_text = _wanted(history, proposal, path, tree) or b""
        except OverlaidError:
            return bare._replace(is_stale=True)
        present = tree.read(path) or b""
        tokens += _tokens(proposed_text) - _tokens(present)
        lines = said_lines(present)
        gone = (lines - said_lines(proposed_text)).total()
        if gone * 100 > MOST_PERCENT * lines.total():
            loss += f" It would remove or reword {gone * 100 // lines.total()} % of {path}."
        for piece in edit_pieces(present, proposed_text):
            pieces.append(ProposedPiece(len(pieces) + 1, path, piece))
    return bare._replace(pieces=tuple(pieces), tokens=tokens, loss=loss)


def _wanted(history: History, proposal: Parked, path: str, tree: Tree) -> bytes | None:
    base, edited = history.around(proposal.commit)
    return _laid_over(path, base.read(path), tree.read(path), edited.read(path))


def _plan(
    history: History, pending: PendingEdit, tree: Tree, taken: Sequence[ProposedPiece], intent: Intent
) -> Plan:
    now = _pending(history, pending.proposal, tree)
    if now.is_stale or [each.piece for each in now.pieces] != [each.piece for each in pending.pieces]:
        raise _nothing_to_take(now._replace(is_stale=True))
    edits = []
    for path in pending.proposal.paths:
        whole = [each.piece for each in pending.pieces if each.path == path]
        pieces = [each.piece for each in taken if each.path == path]
        if pieces == whole:
            edits.append(Edit(path, _wanted(history, pending.proposal, path, tree)))
        elif pieces:
            edits.append(Edit(path, with_pieces(tree.read(path) or b"", pieces)))
    summary = f"approved: {pending.proposal.summary}"
    reviewed = reviewed_by(history, pending.proposal.parked_id, intent)
    if not set(taken) <= set(pending.pieces):
        # the operator's own words do not rest on the proposal's evidence
        return Plan(summary, tuple(edits), pending.reason, trailers=reviewed)
    return Plan(
        summary,
        tuple(edits),
        pending.reason,
        evidence=pending.evidence,
        trailers=(*_other_trailers(pending.proposal.commit), *reviewed),
        verbatim=True,
    )


def reviewed_by(history: History, proposal_id: str, intent: Intent) -> tuple[tuple[str, str], ...]:
    who = author_of(history, intent.actor)
    return (PROPOSAL, proposal_id), (REVIEWED, f"{who.name} <{who.email}>")


def _nothing_to_take(pending: PendingEdit) -> ClawgitError:
    name = pending.proposal.parked_id
    if pending.is_stale:
        hint = f"`git show {pending.proposal.commit_id[:12]}` has its text; `clawgit reject {name}` drops it."
        sentence = f"Later changes touch the lines that {name} is about, so nothing was changed."
        return ClawgitError(sentence, hint=hint)
    hint = f"`clawgit pending show {name}` numbers them."
    return ClawgitError(f"{name} has no such piece; nothing was changed.", hint=hint)


def _tokens(data: bytes) -> int:
    return count_pieces(data.decode("utf-8", "replace"))


def apply_quarantined(history: History, quarantine_id: str, intent: Intent) -> Recorded:
    """Make the change on top of later ones, through the guards, with its own evidence."""
    quarantined = find_quarantined(history, quarantine_id)

    intent = intent._replace(trust=quarantined.commit.trailers.first("Clawgit-Trust") or "")
    try:
        done = apply_plan(history, lambda tree: _refused_plan(history, quarantined, tree), intent)
    except GuardError as error:
        raise GuardError(error.findings, quarantine_id) from error
    drop_quarantined(history, quarantine_id)
    return done


def _refused_plan(history: History, quarantined: Parked, tree: Tree) -> Plan:
    commit = quarantined.commit
    base, refused = history.around(commit)
    shows = f"`clawgit pending show {quarantined.parked_id}` has the text"
    hint = f"{shows}; copy what you want into the file."
    edits = []
    for path in quarantined.paths:
        edits.append(Edit(path, _laid_over(path, base.read(path), tree.read(path), refused.read(path), hint)))
    return Plan(
        quarantined.summary,
        tuple(edits),
        reason_of(commit),
        evidence=_evidence_of(commit),
        trailers=_other_trailers(commit),
        verbatim=True,
    )


def list_unreviewed(history: History) -> list[tuple[LoggedChange, tuple[str, ...]]]:
    """Return the changes of the soul in force that the operator has not seen, each with the principles that it added."""
    named = unreviewed_commits(history)
    changes = read_named(history, named) if named else {}
    unreviewed = []
    for name in named:
        before, now = history.around(changes[name])
        added: list[str] = []
        for path in SOUL_FILES:
            drift = drift_between(before.read(path) or b"", now.read(path) or b"")
            added += [each.new.text for each in drift.principles if each.kind is DriftKind.ADDED and each.new]
        unreviewed.append((changes[name], tuple(added)))
    return unreviewed


def approve_unreviewed(history: History, commit: Commit, intent: Intent) -> Recorded:
    """Record that the operator saw a change and lets it stay; the tree is unchanged."""
    trailers = reviewed_by(history, unreviewed_id(commit.commit_id), intent)
    return apply_plan(history, lambda _: Plan(f"reviewed: {commit.subject}", trailers=trailers), intent)


def reword_unreviewed(history: History, commit: Commit, words: str, intent: Intent) -> Recorded:
    """Replace the one line that a change added to the soul with the operator's words."""
    name = unreviewed_id(commit.commit_id)
    before, now = history.around(commit)
    pieces: list[ProposedPiece] = []
    for path in SOUL_FILES:
        for piece in edit_pieces(before.read(path) or b"", now.read(path) or b""):
            pieces.append(ProposedPiece(len(pieces) + 1, path, piece))
    only = _only_line(name, pieces, f"`clawgit reject {name}` takes it back.")
    base = before.read(only.path) or b""
    text = with_pieces(base, [_reworded(only.piece, words, base)])

    def planned(tree: Tree) -> Plan:
        hint = f"Edit it there; `clawgit approve {name}` says that you saw it."
        edit = Edit(only.path, _laid_over(only.path, now.read(only.path), tree.read(only.path), text, hint))
        return Plan(f"reworded: {commit.subject}", (edit,), trailers=reviewed_by(history, name, intent))

    return apply_plan(history, planned, intent)


class OverlaidError(ClawgitError):
    """Later changes touch the same lines."""


def _laid_over(
    path: str, base: bytes | None, present: bytes | None, proposed: bytes | None, hint: str = ""
) -> bytes | None:
    """Return the ``present`` text with what ``proposed`` changed of ``base``; None for no file."""
    if present == base or proposed == present:
        return proposed
    woven = None if present is None or proposed is None else weave(base, present, proposed)
    if woven is None or woven.conflicts:
        sentence = f"Later changes touch the same lines of {path}, so nothing was changed."
        raise OverlaidError(sentence, hint=hint)
    return woven.data


def _evidence_of(commit: Commit) -> tuple[Evidence, ...]:
    read = map(_EVIDENCE.fullmatch, commit.evidence)
    return tuple(Evidence(match[1], match[2] or "") for match in read if match is not None)


def _other_trailers(commit: Commit) -> tuple[tuple[str, str], ...]:
    """Return a commit's trailers without those that each commit gets: who makes it, when and why."""
    left_out = (*_OWN, "Clawgit-Evidence", "Clawgit-Loss")
    return tuple((key, value) for key, value in commit.trailers.pairs if key not in left_out)


_NAMED = 3
_NEW = b""  # placeholder for a later line: equal to none
_SAYS = lazy_bytes_pattern(rb"[^\W_]")


def bring_lines_back(history: History, commit_id: str, reason: str, intent: Intent) -> tuple[Recorded, str]:
    """Bring back, in one change, the lines that a commit dropped from the files that the operator is asked about; also return a sentence with their number.

    Raises:
        ClawgitError: Each of them is in some file of the folder.
    """
    commit = history.objects.commit(commit_id)
    _, sentence = _plan_of_lines(history, commit, history.tip().tree, reason)
    done = apply_plan(history, lambda tree: _plan_of_lines(history, commit, tree, reason)[0], intent)
    return done, sentence


def _plan_of_lines(history: History, commit: Commit, tree: Tree, reason: str) -> tuple[Plan, str]:
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
