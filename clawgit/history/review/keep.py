"""Commits others' edits under their names; one edit does not block another."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import filterfalse, islice
from operator import add, attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, authorship
from clawgit.history.authorship.commit_messages import KEEP_OP, find_op, is_edit, new_op, refuse_reserved
from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.refs import PROPOSALS, delete_ref
from clawgit.history.git.trees import EXECUTABLE, FILE, Tree, build_tree
from clawgit.history.guards.check import check, check_cut, check_words, opened, refuse
from clawgit.history.guards.conservation import FORGED, NAMED_LENGTH, disputes, lost_corrected_entries
from clawgit.history.guards.conservation import RULE as LOSS
from clawgit.history.guards.finding import CUT_SHORT, Finding, GuardStep, Severity, told
from clawgit.history.review.arrivals import STALE_REWRITE
from clawgit.history.review.working_tree_edits import (
    WorkEdit,
    WorkEdits,
    all_edits,
    edits_of,
    hold_back,
    staged_entries,
    staged_paths,
)
from clawgit.history.transaction.pack_writing import maintain
from clawgit.history.transaction.staging import follow
from clawgit.history.transaction.transaction import Change, record_change, recover, until_settled
from clawgit.history.transaction.working_tree import Draft, SettledFiles, content_of, entry_of
from clawgit.history.views import refresh_views
from clawgit.memory.corrections.correction_log import with_correction, with_entry, without_corrections
from clawgit.memory.entries.entries import Entry, marks_in
from clawgit.memory.entries.stale_rewrite import missing_entries, unseen_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import (
    MEMORY_FILES,
    WRITTEN_BY_OTHERS,
    is_identity,
    is_standing,
    may_hold_corrections,
    tier_of,
)
from clawgit.memory.provenance.pieces import bare_words
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import begin_of, counted, folded
from clawgit.text.trailers import OP, PROPOSAL, SUBJECT_LIMIT
from clawgit.workspace.layout import CONFIG, PROMPTS
from clawgit.workspace.safe_files import FileContent, data_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History, Tip

MENDER = "recall-validator"  # the agent that writes CORRECTIONS.md
FEWEST_NAMED = 12  # characters of a line that mean something in a subject


def mend(
    history: History, before: Tip, findings: Iterable[Finding], intent: Intent
) -> tuple[str, tuple[Finding, ...]]:
    """Repair what ``findings`` report between ``before`` and the present tip; return the commit and remarks."""
    rules = set(map(attrgetter("rule"), findings))
    tip = history.tip()
    made = Draft(before.tree, {path: content_of(tip.tree, path) for path in tip.tree.changed(before.tree)})
    texts = _mended(GuardStep(before.tree, made, intent, history.settings), tip.tree, rules)
    contents = {path: FileContent(data) for path, data in texts.items() if data != tip.tree.read(path)}
    if not contents:
        return "", ()
    derived = (("Clawgit-Derived-From", tip.commit_id or ""),)
    plan = Plan(f"corrections: put right what the {intent.actor}'s edit changed", trailers=derived)
    intent = intent._replace(op=new_op("mend"), actor=MENDER, trust="", override="", losses=None, given=False)
    commit_id = record_change(history, tip, Change(Draft(tip.tree, contents), plan, intent))
    remarks = []
    for finding in findings:
        done = "taken out again" if finding.rule == FORGED else "put back"
        sentence = f"{finding.happened().sentence} The edit was kept, and this {done} ({commit_id[:12]})."
        remarks.append(finding._replace(sentence=sentence, severity=Severity.REMARK))
    return commit_id, tuple(remarks)


def _mended(step: GuardStep, tree: Tree, rules: set[str]) -> dict[str, bytes]:
    texts: dict[str, bytes] = {}
    for dispute in disputes(step):
        if dispute.rule not in rules:
            continue
        about, path = dispute.about, dispute.about.path
        present = texts.get(path, tree.read(path) or b"")
        if dispute.rule == FORGED:
            texts[path] = without_corrections(present, {about.correction_id})
        elif dispute.was is not None:
            old = step.base.read(dispute.was.path) or b""
            if tree.entry(path) or path in texts:
                texts[path] = with_correction(present, old, dispute.was)
            else:
                texts[path] = old
    for lost in lost_corrected_entries(step):
        if lost.entry is not None and "corrected-entry" in rules:
            present = texts.get(lost.path, tree.read(lost.path) or b"")
            texts[lost.path] = with_entry(present, step.base.read(lost.path) or b"", lost.entry)
    return texts


class KeepOutcome(NamedTuple):
    """The result for edits: commits, files left alone, remarks, and edits that wait."""

    commits: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    held: tuple[Finding, ...] = ()
    remarks: tuple[Finding, ...] = ()
    proposals: tuple[str, ...] = ()
    recovered: tuple[str, ...] = ()
    yours: tuple[str, ...] = ()  # of the paths, the operator's by `edits_here`
    staged: tuple[str, ...] = ()  # left to `git commit`, since something of them is staged

    def __or__(self, other: KeepOutcome) -> KeepOutcome:
        return KeepOutcome(*map(add, self, other))


def keep(history: History, intent: Intent, *, reason: str = "", of_turn: bool = False) -> KeepOutcome:
    """Commit each edit of the working tree that may be committed; staged changes stay staged.

    ``of_turn``: a host's turn is over, so staged changes are its own too, and none stays half staged.

    Raises:
        GuardError: The reason holds a secret; nothing was committed.
    """
    if reason and intent.actor == OPERATOR:
        intent = opened(history, intent, reason)
    refuse(check_words(Plan("", reason=reason), intent))
    refuse_reserved(intent._replace(op=intent.op.removeprefix(KEEP_OP)))

    def keep_once() -> KeepOutcome:
        tip = history.tip()
        edits = all_edits(history, tip, SettledFiles(history), staged_too=of_turn)
        result = keep_edits(history, tip, edits, intent, reason)
        if not of_turn:
            return result._replace(staged=edits.staged)
        if edits.staged:
            _stage_as_committed(history, edits.staged)
            return result._replace(staged=staged_paths(history))
        return result

    with history.locked():
        recovered = KeepOutcome(recovered=tuple(recover(history)))
        if intent.given and find_op(history, keep_op(intent.op)) is not None:
            return recovered._replace(staged=staged_paths(history))
        result = until_settled(history, keep_once)
        after = after_changes(history, intent.now, look=True)
    maintain(history)
    return recovered | result | after


def after_changes(history: History, now: datetime, *, look: bool = False) -> KeepOutcome:
    """Renew the views, and report what the disk left undone; callers hold the lock."""
    staging = Staging.of(history)
    remarks: tuple[Finding, ...] = ()
    if staging.is_ours():
        lock = str(staging.lock)
        sentence = f"The disk refused the last step. The change is committed, but git is blocked by {lock}."
        way_out = "Free space on the disk. The next command that writes finishes it"
        way_out += ", for example `clawgit keep`."
        remarks = (Finding("unpublished", lock, sentence, way_out, severity=Severity.REMARK),)
    return KeepOutcome(remarks=remarks + refresh_views(history, now, look=look))


def _stage_as_committed(history: History, paths: tuple[str, ...]) -> None:
    """Stage ``paths`` as in the tip if the folder has the same; the end of the next turn repeats what fails."""
    tip = history.tip()
    staged = staged_entries(history, paths)
    edits = edits_of(history, tip, paths)
    differing = {*map(attrgetter("path"), edits.edits), *map(attrgetter("where"), edits.problems)}
    behind = {}
    for path, entry in staged.items():
        now = tip.tree.entry(path)
        if path not in differing and entry != now and (now is None or now.mode in (FILE, EXECUTABLE)):
            behind[path] = entry
    if behind:
        old = Tree(history.objects, build_tree(history.repo, tip.tree, behind))
        with suppress(WorkspaceBusyError):
            follow(history, old, tip.tree, behind)


def keep_op(op: str) -> str:
    """Return the op as a kept edit's: recovery then leaves the files alone."""
    if op.startswith(KEEP_OP):
        return op
    return KEEP_OP + op


def keep_as_one(history: History, tip: Tip, edits: WorkEdits, intent: Intent, plan: Plan) -> str:
    draft = Draft(tip.tree, dict(edits.edits))
    refuse((*edits.problems, *check(tip.tree, draft, intent, history.settings, plan=plan)))
    return record_change(history, tip, Change(draft, plan, intent._replace(op=keep_op(intent.op))))


def keep_edits(history: History, tip: Tip, edits: WorkEdits, intent: Intent, reason: str = "") -> KeepOutcome:
    """Commit ``edits``, the operator's own by `edits_here` first, without those held back; callers hold the lock."""
    his = _his_edits(history, tip, edits.edits) if intent.actor == UNKNOWN else {}
    if not his:
        return _keep_as(history, tip, edits, intent, reason)
    operators = intent._replace(actor=OPERATOR, trust="")
    others = tuple(filterfalse(lambda each: each.path in his, edits.edits))
    if others:
        operators = operators._replace(op=new_op("keep"))
    his_edits = _keep_as(history, tip, WorkEdits(tuple(his.values()), ()), operators, reason)
    left = _keep_as(history, history.tip(), edits._replace(edits=others), intent, reason)
    return his_edits._replace(yours=his_edits.paths) | left


def may_be_his(path: str) -> bool:
    """Say whether `edits_here` applies to a file: never the settings, the soul, or agents' prompts."""
    return path != CONFIG and not is_identity(path) and not path.startswith(PROMPTS)


def _his_edits(history: History, tip: Tip, edits: Iterable[WorkEdit]) -> dict[str, WorkEdit]:
    """Return the operator's edits by path: text that git has not seen, or that moves from file to file."""
    may_be: list[WorkEdit] = []
    moved = set[str]()
    for each in edits:
        if may_be_his(each.path) and history.is_his_edit(history, each.path, each.content):
            may_be.append(each)
            before = tip.tree.entry(each.path)
            if before is not None:
                moved.add(before.object_id)
    his = {}
    for each in may_be:
        entry = entry_of(each.content)
        if entry is None or entry.object_id in moved or entry.object_id not in history.repo:
            his[each.path] = each
    return his


def _keep_as(history: History, tip: Tip, edits: WorkEdits, intent: Intent, reason: str) -> KeepOutcome:
    """Commit ``edits`` as one author's; a second change repairs what an edit did to corrections."""
    from clawgit.history.review.proposals import settle_memory_edits, settle_soul_edits

    checked = hold_back(history, tip, edits.edits, intent._replace(soul_is_open=True, memory_is_open=True))
    settled = settle_soul_edits(history, tip, checked.edits, intent)
    reviewed = settle_memory_edits(history, tip, settled.edits, intent)
    held_back = (*edits.problems, *checked.held, *settled.held)
    result = KeepOutcome(held=held_back, proposals=settled.proposals + reviewed.proposals)
    lost = {}
    if LOSS in map(attrgetter("rule"), checked.remarks):
        draft = Draft(tip.tree, dict(reviewed.edits))
        for each in check_cut(tip.tree, draft, intent, history.settings):
            lost[each.where] = each.sentence
    commit_id = ""
    if reviewed.edits:
        made = _keep_checked(history, dict(reviewed.edits), intent, reason, lost)
        (commit_id,) = made.commits
        result |= made
    went_back = set(map(attrgetter("path"), filterfalse(reviewed.edits.__contains__, checked.edits)))
    told_of = []
    for finding in filterfalse(lambda each: each.where in went_back, checked.remarks):
        is_asked = finding.rule == LOSS and finding.where in lost  # the operator is asked about these losses
        rule = CUT_SHORT if is_asked else finding.rule
        told_of.append(finding._replace(rule=rule).happened(commit_id))
    result = result._replace(remarks=(*told_of, *reviewed.held, *result.remarks))
    if checked.to_mend:
        commit_id, remarks = mend(history, tip, checked.to_mend, intent)
        result |= KeepOutcome((commit_id,) if commit_id else (), remarks=remarks)
    return result


def _keep_checked(
    history: History,
    contents: dict[str, FileContent | None],
    intent: Intent,
    reason: str,
    lost: Mapping[str, str],
) -> KeepOutcome:
    from clawgit.history.review.proposals import proposal_id_of

    tip = history.tip()
    intent = intent._replace(op=keep_op(intent.op))
    decided = []
    for path, content in contents.items():
        proposal_id = proposal_id_of({path: content})
        if intent.actor == OPERATOR and history.target(PROPOSALS + proposal_id) is not None:
            decided.append((PROPOSAL, proposal_id))
    plan = Plan(_summary(tip.tree, contents, lost), reason=reason, trailers=tuple(decided))
    commit_id = record_change(history, tip, Change(Draft(tip.tree, contents), plan, intent))
    for _, proposal_id in decided:
        delete_ref(history, PROPOSALS + proposal_id)
    remarks = find_stale_rewrites(history, history.objects.commit(commit_id))
    return KeepOutcome((commit_id,), tuple(contents), remarks=remarks)


def _summary(tree: Tree, contents: Mapping[str, FileContent | None], lost: Mapping[str, str]) -> str:
    paths = sorted(
        contents, key=lambda path: (path not in lost, tier_of(path) is None, path not in MEMORY_FILES)
    )
    rest = ""
    if paths[1:]:
        rest = f"; {counted(len(paths) - 1, 'more file')}"
    if paths[0] in lost:
        loss = lost[paths[0]].rstrip(".")
        if len(loss) > SUBJECT_LIMIT - len(rest):
            loss = loss.partition(",")[0]
        return loss + rest
    came, went = _line_changes(tree, paths[0], contents[paths[0]])
    named = _counted(paths[0], came, went)
    words = next(filter(None, map(_plain, (*came, *went))), "")
    room = SUBJECT_LIMIT - len(named) - len(rest) - len(': ""')
    if not words or room < FEWEST_NAMED:
        return named + rest
    if len(words) > room:
        words = f"{words[: room - 1].rstrip()}…"
    return f'{named}: "{words}"{rest}'


def edit_lines(tree: Tree, edit: WorkEdit, most: int) -> list[str]:
    """Return an edit for display: the file, and ``most`` of its removed and added lines."""
    came, went = _line_changes(tree, edit.path, edit.content)
    lines = [*map("  - {}".format, map(_plain, went)), *map("  + {}".format, map(_plain, came))]
    shown = [_counted(edit.path, came, went), *lines[:most]]
    if len(lines) > most:
        shown.append(f"  ... and {len(lines) - most:,} more lines")
    return shown


def _line_changes(tree: Tree, path: str, content: FileContent | None) -> tuple[list[bytes], list[bytes]]:
    old = tree.read(path) or b""
    new = data_of(content) or b""
    if b"\0" in old or b"\0" in new:
        return [], []
    before = Counter(split_lines(old))
    after = Counter(split_lines(new))
    return list((after - before).elements()), list((before - after).elements())


def _counted(path: str, came: Sequence[bytes], went: Sequence[bytes]) -> str:
    added = f" +{len(came)}" if came else ""
    removed = f" -{len(went)}" if went else ""
    return path + added + removed


def _plain(line: bytes) -> str:
    return folded(bare_words(line))


STEPS_LOOKED_AT = 500  # commits before the edit; further back, an older copy counts as the writer's own text


class Dropped(NamedTuple):
    """Entries that an edit dropped unread, and the text of the file that had them."""

    path: str
    text: bytes
    entries: tuple[Entry, ...]

    def missing_in(self, tree: Tree) -> list[Entry]:
        """Return those that the file lacks in ``tree``, and that no other file has by id."""
        absent = missing_entries(self.text, tree.read(self.path) or b"")
        absent = [entry for entry in self.entries if entry in absent]
        ids: set[str] = set()
        for path, _ in tree.files() if absent else ():
            if _is_remembered(path):
                ids |= marks_in(tree.read(path) or b"")
        return [entry for entry in absent if entry.entry_id not in ids]


def find_stale_rewrites(history: History, commit: Commit) -> tuple[Finding, ...]:
    """Return a remark for each file that ``commit``, another author's edit, wrote from an older copy."""
    findings = []
    for dropped in dropped_unseen(history, commit):
        what, them, end = f"{len(dropped.entries):,} entries that were added since are gone", "them", ", …"
        if len(dropped.entries) == 1:
            what, them, end = "1 entry that was added since is gone", "it", "."
        first = begin_of(parted(dropped.entries[0].text).statement.rstrip("."), NAMED_LENGTH)
        sentence = f"{told(dropped.path)} was written from an older copy: {what}."
        way_out = f'`clawgit undo {commit.commit_id[:12]}` brings {them} back: "{first}"{end}'
        findings.append(Finding(STALE_REWRITE, dropped.path, sentence, way_out, severity=Severity.REMARK))
    return tuple(findings)


def dropped_unseen(history: History, commit: Commit) -> list[Dropped]:
    """Return the entries that ``commit`` dropped unread; none for a change of clawgit's or a merge."""
    if len(commit.parent_ids) != 1 or not is_edit(commit.trailers.first(OP)):
        return []
    base, new = history.around(commit)
    dropped = []
    for path in filter(_is_remembered, new.changed(base, only_there=True)):
        old = base.read(path) or b""
        lost = unseen_entries(old, new.read(path) or b"", _steps(history, commit, path))
        for moved_to in filter(_is_remembered, new.changed(base)) if lost else ():
            absent = missing_entries(old, new.read(moved_to) or b"")
            lost = [entry for entry in lost if entry in absent]
        if lost:
            dropped.append(Dropped(path, old, tuple(lost)))
    return dropped


def _steps(history: History, commit: Commit, path: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the steps of a file before ``commit``, newest first, back to its author's last edit."""
    authors = authorship(history)
    actor = authors.actor(commit)
    for step in islice(history.objects.first_parents(commit.parent_ids[0]), STEPS_LOOKED_AT):
        before, after = history.around(step)
        if before.entry(path) == after.entry(path):
            continue
        text = after.read(path) or b""
        if is_edit(step.trailers.first(OP)) and authors.actor(step) == actor:
            yield b"", text  # authors have read their own text
            return
        yield before.read(path) or b"", text


def _is_remembered(path: str) -> bool:
    """Say whether statements are added to ``path``; corrections and the soul have their own guards."""
    is_guarded = is_identity(path) or may_hold_corrections(path) or path.startswith(WRITTEN_BY_OTHERS)
    return not is_guarded and (tier_of(path) is not None or is_standing(path))
