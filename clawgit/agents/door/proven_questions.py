"""Questions that a correction was proven with: no later job may put anything before it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.memory.corrections.corrected_entries import entries_set_back
from clawgit.memory.entries.tiers import Tier, holds_entries, is_correction_file, is_export
from clawgit.recall.correction_proof import Claim, unmet_by_words
from clawgit.recall.index.searched_files import is_searched, tier_found
from clawgit.text.comparing.subjects import subject
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.plan import Plan
    from clawgit.workspace.records.records import Records


MOST = 100  # questions about what changes, those kept last: about a second for an agent's change
MOST_KEPT = 5_000


def refuse_regressions(history: History, records: Records, now: datetime, plan: Plan, tree: Tree) -> None:
    """Refuse a plan that sets a corrected entry back, or after which a question would not bring its correction first."""
    _refuse_set_back(history, plan, tree)
    texts = {}
    for edit in plan.edits:
        if is_searched(edit.path) and not is_export(edit.path, edit.data or b""):
            texts[edit.path] = edit.data or b""
    coming = _terms_coming(tree, texts)
    # less than half of what is asked for comes before no correction
    near = (
        Claim(name, (query,))
        for query, name in records.kept_queries(most=MOST_KEPT if coming else 0)
        if any(_may_answer(query, terms) for terms in coming)
    )
    claims = list(islice(near, MOST))
    failed = unmet_by_words(history, texts, claims, now) if claims else {}
    before = unmet_by_words(history, {}, failed, now) if failed else {}
    for claim, why_not in failed.items():
        if claim not in before:
            raise ClawgitError(
                f"A correction would not come first any more. {why_not}",
                hint="Leave what it corrects as it is, or name the correction.",
            )


def _refuse_set_back(history: History, plan: Plan, tree: Tree) -> None:
    edits = [edit for edit in plan.edits if holds_entries(edit.path) and edit.data is not None]
    corrections = list(corrections_held(history, tree).values()) if edits else []
    for edit in edits:
        back = entries_set_back(tree.read(edit.path) or b"", edit.data or b"", corrections)
        for entry_id, correction in back:
            raise ClawgitError(
                f"m:{entry_id} would not say any more what x:{correction.correction_id} set right.",
                hint="A correction wins over what is found elsewhere.",
            )


def _may_answer(query: str, terms: frozenset[str]) -> bool:
    asked = subject(query)
    return 0 < len(asked) <= 2 * len(asked & terms)


def _terms_coming(tree: Tree, texts: Mapping[str, bytes]) -> list[frozenset[str]]:
    """Return of each file the terms of the lines that come, and did not go from one of its tier; of a ledger, of those that go too."""
    changed: dict[str, set[bytes]] = {}
    going: dict[Tier, set[bytes]] = {}
    for path, data in texts.items():
        old = set(split_lines(tree.read(path) or b""))
        new = set(split_lines(data))
        changed[path] = old ^ new if is_correction_file(path) else new - old
        going.setdefault(tier_found(path), set()).update(old - new)
    coming = []
    for path, lines in changed.items():
        left = lines if is_correction_file(path) else lines - going[tier_found(path)]
        coming.append(frozenset().union(*(subject(line.decode("utf-8", "replace")) for line in left)))
    return coming
