"""Conservation: text leaves a file only for another place, or with a word about why. A line that is only reworded is not lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import Finding, told
from clawgit.memory.entries.tiers import (
    RITUAL,
    WRITTEN_BY_OTHERS,
    is_correction_file,
    is_identity,
    is_standing,
    tier_of,
)
from clawgit.text.comparing import fuzzy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.guards.finding import State, Step

RULE = "loss"
MOST_PERCENT = 25
REWORDED = 60  # of 100: a line that is as like an old one as that is its new wording
MOST_PAIRS = 40_000  # lines compared with lines: 0.1 s; a file with more has no reworded lines
MOST_FILES = 5_000  # looked through for text that went: a second
_ARCHIVES = ("Archive/", "memory/archive/")

Lines = Counter[bytes]


def find_losses(step: Step) -> Iterator[Finding]:
    """Find files of which more than a quarter would be nowhere any more, without a word about why; other files are read only for these."""
    reasons = [*(step.intent.losses or {}).items()]
    for key, said in step.plan.trailers if step.plan is not None else ():
        if key == "Clawgit-Loss":
            reasons.append(said.partition(": ")[::2])
    declared = {path for path, why in reasons if why.strip()}
    lost: dict[str, Lines] = {}
    for path in step.shortened:
        if path.endswith(".md") and path not in declared and _is_kept(step, path):
            lost[path] = _gained(step.new, step.base, path)
    if not any(lost.values()):
        return
    come = Lines()
    for path in step.paths:
        come.update(_gained(step.base, step.new, path))
    left = {
        path: _not_reworded(_less(gone, come), _gained(step.base, step.new, path))
        for path, gone in lost.items()
        if gone
    }
    much = {path: gone for path, gone in left.items() if _percent(step, path, gone) > MOST_PERCENT}
    elsewhere = _elsewhere(step, much.values()) if much else Lines()
    for path, gone in much.items():
        percent = _percent(step, path, _less(gone, elsewhere))
        elsewhere -= gone
        if percent > MOST_PERCENT:
            said = f"{told(path)} would lose {percent} % of its text, and no other file would have it."
            done = f"{told(path)} lost {percent} % of its text, and no other file has it."
            way_out = "Move it instead, or say why it may go; what is committed stays in the history."
            back = "It stays in the history: `clawgit undo` of this change brings it back."
            yield Finding(RULE, path, said, way_out, done=done, way_back=back)


def _is_kept(step: Step, path: str) -> bool:
    """Say whether the file is one of memories, or, for the operator, of the soul: `soul_policy` is the others' guard there."""
    if is_identity(path) or is_standing(path):
        return step.intent.actor == OPERATOR and path != RITUAL
    # Corrections have a guard of their own, and what is rendered from elsewhere loses nothing.
    is_exempt = is_correction_file(path) or path.startswith(WRITTEN_BY_OTHERS)
    return tier_of(path) is not None and not is_exempt


def _gained(one: State, other: State, path: str) -> Lines:
    if not path.endswith(".md"):
        return Lines()
    old = one.read(path) or b""
    new = other.read(path) or b""
    if old.startswith(new):
        return Lines()
    if new.startswith(old) and old.endswith(b"\n"):
        return _said_lines(new[len(old) :])
    return _said_lines(new) - _said_lines(old)


def _said_lines(data: bytes) -> Lines:
    from clawgit.memory.entries.stale_rewrite import said_lines  # loads what compares, for few changes

    return said_lines(data)


def _less(lines: Lines, others: Lines) -> Lines:
    """Return ``lines - others``; what `Counter` does looks at all of ``others``, for each of a thousand files."""
    return Lines({line: left for line, count in lines.items() if (left := count - others[line]) > 0})


def _not_reworded(gone: Lines, come: Lines) -> Lines:
    """Return those of ``gone`` that are not like one of ``come``; each of these is the new wording of one line only."""
    choices = dict(enumerate(map(_plain, come)))
    if not choices or len(gone) * len(choices) > MOST_PAIRS:
        return gone
    left = Lines(gone)
    for line in gone:
        found = fuzzy.process.extractOne(
            _plain(line), choices, scorer=fuzzy.fuzz.ratio, score_cutoff=REWORDED
        )
        if found is not None:
            del choices[found[2]]
            left[line] -= 1
    return +left


def _plain(line: bytes) -> str:
    return line.decode("utf-8", "replace").lower()


def _percent(step: Step, path: str, gone: Lines) -> int:
    total = _count_words(_said_lines(step.base.read(path) or b""))
    if gone and total:
        return _count_words(gone) * 100 // total
    return 0


def _count_words(lines: Lines) -> int:
    from clawgit.text.comparing.similarity import words

    return sum(count * len(words(_plain(line))) for line, count in lines.items())


def _elsewhere(step: Step, gone: Iterable[Lines]) -> Lines:
    """Return those of the ``gone`` lines that files which stay as they are hold, archives first."""
    wanted = {line for lines in gone for line in lines}
    found = Lines()
    others = sorted(step.others(), key=lambda path: (not path.startswith(_ARCHIVES), path))
    for path in others[:MOST_FILES]:
        here = _said_lines(step.new.read(path) or b"").items()
        found.update({line: count for line, count in here if line in wanted})
    return found
