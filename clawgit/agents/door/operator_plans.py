"""`correct` and `corrections archive`: plans of the operator's, made with the same rules as the validator's."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.door.authorised_edits import entry_meant
from clawgit.agents.door.correction_plans import TIME, Made, Prover, record, remembered, with_added
from clawgit.history.apply_plan import apply_plan
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    archive_of,
    keep_corrections,
    move_corrections,
)
from clawgit.memory.corrections.write_correction import (
    Verdict,
    WrittenDown,
    shortened,
    write_down,
)
from clawgit.memory.entries.entries import refuse_page
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.corrections.correct_by_hand import (
    CorrectError,
    is_whole,
    named,
    with_other_value,
)

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.write_correction import Remembered


BY_HAND = "by hand"
_NAME = re.compile(r"x:[0-9a-z]+")
_FRAGMENT = re.compile(r"(?i)(?:on|at|in|by|from|to|until|till|every|with|for|not|no|yes)\b(?!.*[.!]$)")


def correct(history: History, old: str, new: str, intent: Intent, *, entry: str | None = None) -> Made:
    """Set ``old`` right, in memory and in the ledger; an open correction (`x:…`) gets what is right."""
    refuse_page(new)

    def planned(tree: Tree) -> WrittenDown:
        if _NAME.fullmatch(old):
            return _completed(tree, old, new, entry, intent)
        return _made(tree, old, new, entry, intent)

    return record(Prover(history, intent.now), planned, intent)


def _made(tree: Tree, old: str, new: str, entry: str | None, intent: Intent) -> WrittenDown:
    memory = remembered(tree)
    verdict = named(old, new, memory.entries(), entry)
    same = (
        each
        for each in standing_corrections(tree).values()
        if each.holds and each.correct == shortened(verdict.correct) and each.said == shortened(verdict.said)
    )
    known = next(same, None)
    if known is not None and not verdict.wrong:
        return WrittenDown(known, {})
    note = Correction("", intent.now.strftime(TIME), BY_HAND)
    return write_down(verdict, note, memory, intent.op)


def _completed(tree: Tree, name: str, right: str, entry: str | None, intent: Intent) -> WrittenDown:
    memory = remembered(tree)
    words = folded(right)
    known = standing_corrections(tree).get(name.removeprefix("x:"))
    if known is None:
        raise CorrectError(f"There is no correction {name}.", hint="`clawgit corrections` lists them.")
    if not words:
        raise CorrectError("Say what is right.", hint=f'`clawgit approve {name} "…"`.')
    if known.correct == words:
        return WrittenDown(known, {})
    if known.correct or known.status is Status.WITHDRAWN:
        raise CorrectError(
            f"{name} is {known.status.value}, and says what is right.",
            hint='`clawgit correct "OLD" "NEW"` makes a new one.',
        )
    verdict = _answered(known, words, entry, memory)
    changes_none = not verdict.wrong and not verdict.right
    if changes_none and (known.may_correct or not is_whole(words) or _FRAGMENT.match(words)):
        raise CorrectError(
            f"{words!r} would leave memory as it is, and the question would be gone.",
            hint="Write the whole line that is right, with a full stop; --entry ID names the entry that shall say it.",
        )
    memory = replace(memory, ledger=tree.read(known.path) or b"")
    return write_down(verdict, _settled(known, intent), memory, intent.op)


def _settled(known: Correction, intent: Intent) -> Correction:
    return known._replace(at=intent.now.strftime(TIME), may_correct=(), proposed="")


def accept(history: History, name: str, intent: Intent) -> Made:
    """Let the entry say what an open item (`x:…`) proposes: the operator's yes."""

    def planned(tree: Tree) -> WrittenDown:
        known = _asking(tree, name)
        memory = remembered(tree)
        entry = f"m:{known.may_correct[0]}" if known.may_correct else known.said
        held = entry_meant(entry, memory)
        if held is None or not known.proposed:
            raise CorrectError(
                f"{name} proposes no line for an entry that is there.",
                hint=f'`clawgit approve {name} "NEW" --entry m:ID` says what is right, `clawgit reject {name}` drops the question.',
            )
        if shortened(held.parts.statement) != known.said:
            raise CorrectError(
                f"{entry} says something else since {name} was asked: {held.parts.statement!r}.",
                hint=f'`clawgit approve {name} "NEW" --entry {entry}` says what is right, `clawgit reject {name}` drops the question.',
            )
        verdict = Verdict(Status.APPLIED, held.parts.statement, known.proposed, ((held, known.proposed),))
        memory = replace(memory, ledger=tree.read(known.path) or b"")
        return write_down(verdict, _settled(known, intent), memory, intent.op)

    return record(Prover(history, intent.now), planned, intent)


def drop(history: History, name: str, intent: Intent, *, both: bool = False, reason: str = "") -> Made:
    """Withdraw an open item: the entry stays as it is, and the same message does not ask it again.

    With ``both``, what it proposes is so as well, and becomes an entry of its own.
    """

    def plan(tree: Tree) -> Plan:
        known = _asking(tree, name)
        archive = archive_of(known)
        texts = {path: tree.read(path) or b"" for path in (LEDGER, archive)}
        new, _ = keep_corrections(texts, texts, [known.correction_id])
        edits = [Edit(path, data) for path, data in new.items() if data != texts[path]]
        if not both:
            return Plan(
                f"correction dropped: {known.proposed or known.trigger or known.said}", tuple(edits), reason
            )
        if not known.proposed:
            raise CorrectError(
                f"{name} proposes no line.", hint=f'`clawgit approve {name} "…"` or `clawgit reject {name}`.'
            )
        held, data = with_added(tree, known.proposed, intent.now.date(), f"x:{known.correction_id}")
        evidence = tuple(Evidence(each, known.trigger) for each in known.evidence)
        return Plan(f"memory: {held.entry.text}", (*edits, Edit(held.path, data)), evidence=evidence)

    recorded = apply_plan(history, plan, intent)
    settled = standing_corrections(history.tip().tree).get(name.removeprefix("x:"))
    return Made(recorded, settled)


def _asking(tree: Tree, name: str) -> Correction:
    known = standing_corrections(tree).get(name.removeprefix("x:"))
    if known is None or known.status is not Status.OPEN:
        raise CorrectError(f"{name} asks nothing.", hint="`clawgit corrections --open` lists what is asked.")
    return known


def _answered(known: Correction, words: str, entry: str | None, memory: Remembered) -> Verdict:
    if entry is not None and is_whole(words):
        verdict = named(known.said or known.trigger, words, memory.entries(), entry)
        changed = [held.parts.statement for held, _ in verdict.wrong]
        return replace(verdict, said=changed[0] if changed else known.said)
    held = entry_meant(f"m:{known.may_correct[0]}" if known.may_correct else known.said, memory)
    is_one = len(values_in(words)) == 1
    lines = set(with_other_value(known.said, words, about=known.said)) if is_one else set[str]()
    if not lines and is_whole(words) and not _FRAGMENT.match(words) and subject(words) & subject(known.said):
        lines = {words}
    if held is None or len(lines) != 1 or shortened(held.parts.statement) != known.said:
        return Verdict(Status.LOGGED, known.said, words)
    line = lines.pop()
    return Verdict(Status.APPLIED, known.said, line, ((held, line),))


def old_corrections(tree: Tree, on: date, days: int) -> list[Correction]:
    """Return the corrections of the ledger that are ``days`` old, and settled."""
    before = (on - timedelta(days=days)).isoformat()
    return [
        each
        for each in standing_corrections(tree).values()
        if each.path == LEDGER and each.at[:10] <= before and _is_settled(each)
    ]


def _is_settled(correction: Correction) -> bool:
    """Say whether nothing is left to do for it: it is not open, and known to come first if it says what is right."""
    return correction.status is not Status.OPEN and (correction.re_embedded or not correction.correct)


def archive_old(history: History, intent: Intent) -> Recorded:
    """Move them to the archive, each into the file of its month; they count on."""
    days = history.settings.correction_archive_days
    return apply_plan(history, lambda tree: archive_plan(tree, intent.now.date(), days), intent)


def archive_plan(tree: Tree, on: date, days: int) -> Plan:
    """Return the ledger without its old corrections, and the archive with them."""
    texts = {LEDGER: tree.read(LEDGER) or b""}
    moved = old_corrections(tree, on, days)
    for each in moved:
        path = archive_of(each)
        archive = texts.get(path, tree.read(path) or b"")
        texts[LEDGER], texts[path] = move_corrections(texts[LEDGER], archive, [each.correction_id])
    edits = tuple(Edit(path, data) for path, data in texts.items())
    return Plan(f"corrections: {len(moved)} moved to the archive", edits if moved else ())
