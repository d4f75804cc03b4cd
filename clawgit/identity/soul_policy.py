"""Who may change what in the soul without the operator's yes."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import NamedTuple

from clawgit.identity.additions import additions_only, is_addition
from clawgit.identity.drift import DriftKind, drift_between
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.tokens import count_pieces

__all__ = [
    "Objection",
    "SoulEdit",
    "SoulPolicy",
    "SoulView",
    "Verdict",
    "Why",
    "fills_blanks",
    "has_name",
    "is_addition",
    "judge_host_edit",
    "objection",
    "over_budget",
]

OPERATOR, HOST = "operator", "host"
OUTSIDERS = (HOST, "unknown", "runner")  # whoever else acts is the operator or one of clawgit's agents
EXTERNAL = "external"
SMALL_TOKENS = 120  # what one change of a worker's may add to a file of the soul: a principle or two
MOST_TOUCHED = 3  # principles that one change of a worker's may reword or take out
_ADDED = (DriftKind.ADDED,)
_HINT = lazy_pattern(r"_[^_]*_|\([^)]*\)")
_NAME = lazy_pattern(r"(?i)(?:[-*+]\s+)?(?:\*\*name:\*\*|\*\*name\*\*:|name:)(.*)")
# A field that nobody filled in, what says how to, a heading, a rule.
_BLANK = lazy_pattern(
    r"(?:[-*+]\s+)?(?:\*\*[^*:]{1,40}:\*\*|\*\*[^*:]{1,40}\*\*:|[\w /'’-]{1,40}:)\s*(?:_?\([^)]*\)_?)?"
    r"|_[^_]*_|\([^)]*\)|#{1,6}\s.*|-{3,}|(?i:fill this in)\b.*|"
)


class SoulPolicy(Enum):
    """The setting `soul_policy`."""

    EVOLVE = "evolve"
    REVIEW = "review"
    LOCKED = "locked"


class SoulEdit(NamedTuple):
    """One file of the soul (or a standing file), before and after (None: no file), by whom, and what that rests on.

    ``is_form``: it is still the form of a first conversation that ended without a name, so its blank fields are the host's to fill.
    """

    actor: str
    trust: str
    old: bytes | None
    new: bytes | None
    is_standing: bool = False
    is_form: bool = False


class SoulView(NamedTuple):
    """What an edit is judged by: the policy, and the words of the principles that came from a correction."""

    policy: SoulPolicy
    corrected: frozenset[tuple[str, ...]] = frozenset()


class Why(Enum):
    """What is against an edit: the soul is locked, the operator decides, or nobody may do that."""

    LOCKED = "locked"
    ASKS = "asks"
    REWRITES = "rewrites"
    CORRECTED = "corrected"


class Objection(NamedTuple):
    """Why an edit is not made as it is; ``principle`` is the one that it must not touch."""

    why: Why
    principle: str = ""


class Verdict(NamedTuple):
    """What becomes of an edit: the bytes that stay (None: no file), and whether its author has to be told.

    ``proposed``: the edit waits for the operator. ``restored``: the file is put back, wholly or in part.
    """

    kept: bytes | None
    proposed: bool
    restored: bool


def objection(edit: SoulEdit, view: SoulView) -> Objection | None:
    """Return why an edit may not be made by who wants it, None where it may.

    An agent makes small additions on the operator's word, and no large rewrite. It leaves a principle that came from a
    correction, unless the operator's newer word turns that round. A host and unknown people add to the soul; a host keeps up the standing files.
    """
    if edit.old == edit.new:
        return None
    if view.policy is SoulPolicy.LOCKED:
        return Objection(Why.LOCKED)
    if edit.actor == OPERATOR:
        return None
    if edit.actor not in OUTSIDERS:
        found = _large_or_corrected(edit, view)
        if found is not None:
            return found
    if view.policy is SoulPolicy.REVIEW or not _may_stay(edit):
        return Objection(Why.ASKS)
    return None


def judge_host_edit(
    policy: SoulPolicy,
    old: bytes | None,
    new: bytes | None,
    *,
    is_standing: bool = False,
    is_form: bool = False,
) -> Verdict:
    """Return what stays of a host's edit of one file; ``old`` or ``new`` is None where there is no file.

    Of what it may not make under *evolve*, its additions stay; one that was deleted comes back.
    """
    found = objection(SoulEdit(HOST, HOST, old, new, is_standing, is_form), SoulView(policy))
    if found is None:
        return Verdict(new, proposed=False, restored=False)
    if found.why is Why.LOCKED or policy is not SoulPolicy.EVOLVE:
        return Verdict(old, proposed=found.why is Why.ASKS, restored=True)
    kept = old if old is None or new is None else additions_only(old, new)
    return Verdict(kept, proposed=True, restored=True)


def over_budget(old: bytes | None, new: bytes | None, limit: int) -> int:
    """Return the tokens of ``new`` if they are more than ``limit`` and more than ``old`` had, else 0."""
    tokens = 0 if new is None else _tokens(new)
    return tokens if tokens > limit and tokens > _tokens(old or b"") else 0


def _may_stay(edit: SoulEdit) -> bool:
    old, new = edit.old, edit.new
    if edit.actor == HOST and edit.is_standing:
        return edit.trust != EXTERNAL
    if new is None:
        return False
    if edit.is_form and edit.trust != EXTERNAL and fills_blanks(old or b"", new):
        return True
    if edit.actor in OUTSIDERS:
        is_new_file = old is None and edit.actor == HOST
        return edit.trust != EXTERNAL and (is_new_file or is_addition(old or b"", new))
    small = _tokens(new) - _tokens(old or b"") <= SMALL_TOKENS
    return edit.trust == OPERATOR and is_addition(old or b"", new) and small


def _large_or_corrected(edit: SoulEdit, view: SoulView) -> Objection | None:
    """Return what no agent may even propose: a rewrite of the soul, and a correction's principle that is not turned round."""
    if edit.is_standing or edit.old is None:
        return None
    touched = [
        each for each in drift_between(edit.old, edit.new or b"").principles if each.kind not in _ADDED
    ]
    if len(touched) > MOST_TOUCHED or edit.new is None:
        return Objection(Why.REWRITES)
    for each in touched:
        is_turned = each.kind is DriftKind.CONTRADICTED and edit.trust == OPERATOR
        if each.old is not None and each.old.words in view.corrected and not is_turned:
            return Objection(Why.CORRECTED, each.old.text)
    return None


def fills_blanks(old: bytes, new: bytes) -> bool:
    """Say whether an edit takes nothing out of a form but blank fields, hints and headings."""
    left = Counter(map(str.strip, new.decode("utf-8", "replace").splitlines()))
    for line in old.decode("utf-8", "replace").splitlines():
        if left[line.strip()]:
            left[line.strip()] -= 1
        elif not _BLANK.fullmatch(line.strip()):
            return False
    return True


def has_name(identity: bytes) -> bool:
    """Say whether IDENTITY.md has a name; a hint in its place is none."""
    lines = identity.decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines):
        named = _NAME.fullmatch(line.strip())
        if named is not None:
            below = "".join(lines[number + 1 : number + 2])
            return _is_filled(named[1]) or (below.startswith((" ", "\t")) and _is_filled(below))
    return False


def _is_filled(value: str) -> bool:
    return bool(value.strip()) and _HINT.fullmatch(value.strip()) is None


def _tokens(data: bytes) -> int:
    return count_pieces(data.decode("utf-8", "replace"))
