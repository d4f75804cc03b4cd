"""Moved, merged and removed lines between two states of memory, by count and place."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, filterfalse, groupby
from operator import attrgetter, itemgetter
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.history.authorship.actors import OPERATOR, WHOSE, in_words, with_person
from clawgit.history.authorship.commit_messages import FILES_ALONE, KEEP_OP
from clawgit.history.authorship.intent import INIT_OP
from clawgit.history.git.trees import Pair, Tree, entry_files
from clawgit.history.reading.git_log import LoggedChange, read_changes
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.entries import line_words, lines_saying, marks_in, read_entries
from clawgit.memory.entries.tiers import (
    CONFLICTS,
    RETIRED_ENTRIES,
    WRITTEN_BY_OTHERS,
    Tier,
    date_of,
    holds_entries,
    is_derived,
    is_identity,
    is_standing,
    tier_of,
)
from clawgit.memory.notes import CHRONICLES
from clawgit.text.markdown.lines import ENDINGS, line_changes, split_lines
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.trailers import LOSS_MARK, REVERTS
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

    Lines: TypeAlias = dict[str, Counter[bytes]]
    Reader: TypeAlias = Callable[[str], bytes | None]

MANY_LINES, MANY_FILES = 50, 20  # more of them are shown before other news
FEW_LINES = 10  # that somebody else than the operator removes
GONE = " removed"  # end of the sentence about one file
MOST_PAIRS = 10_000  # of removed and added files: with more, no edited file counts as renamed
MOST_NAMED = 3  # removed files of a folder; others are counted
_SHORT = 12
_SLOT = "Clawgit-Slot"
_REPEATS_NOT = (*WRITTEN_BY_OTHERS, CHRONICLES, CONFLICTS)  # they repeat other files


class Rearranged(NamedTuple):
    """What happened to some lines or files of one place."""

    verb: str  # moved, merged or removed
    unit: str  # line, daily note, note or file
    number: int
    source: str
    targets: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()  # the removed lines, if they are certain
    command: str = ""  # reverts it, if it was committed
    chronicles: int = 0  # new ones, which the same job wrote of moved notes
    whose: str = ""  # who did it, in words, if it was committed
    is_of_memory: bool = False  # of removed files

    @property
    def key(self) -> tuple[str, str, str, bool]:
        return self.verb, self.unit, self.source, self.is_loss

    @property
    def is_loss(self) -> bool:
        """Say whether an entry left memory: it was removed or retired."""
        is_retired = any(path.startswith(RETIRED_ENTRIES) for path in self.targets)
        return self.unit == "line" and (self.verb == "removed" or is_retired)

    @property
    def is_shrunk(self) -> bool:
        """Say whether a file lost lines that are in no other file."""
        return self.unit == "line" and not self.targets

    @property
    def is_dropped(self) -> bool:
        return self.verb == "removed" or self.is_loss

    @property
    def is_gone_file(self) -> bool:
        return self.verb == "removed" and self.unit == "file"

    @property
    def is_grave(self) -> bool:
        """Say whether somebody else than the operator removed files of memory, or many lines."""
        is_much = self.is_of_memory or (self.unit == "line" and self.number > FEW_LINES)
        return self.verb == "removed" and is_much and self.whose not in ("", WHOSE[OPERATOR])

    @property
    def sentence(self) -> str:
        if self.is_gone_file and self.number == 1:
            return self.source + GONE
        amount = f"{self.number:,} {self.unit}{'' if self.number == 1 else 's'}"
        if self.verb == "merged":
            return f"{amount} of {self.source} merged with equal lines"
        if not self.targets:
            return f"{amount} {self.verb} from {self.source}"
        place = next(iter(self.targets))
        if self.unit == "line" and len(self.targets) > 1:
            folders = sorted(set(map(_top, self.targets)))
            place = f"{len(self.targets)} files in {' and '.join(folders)}"
        moved = f"{amount} {self.verb} from {self.source} to {place}"
        if self.chronicles:
            moved += f", {counted(self.chronicles, 'new chronicle')}"
        return moved


def read_rearranged(base: Tree, tip: Tree) -> list[Rearranged]:
    """Return moves, merges and removals from ``base`` to ``tip``, the largest first; a reworded line is none of them."""
    if not any(map(_is_searched, tip.changed(base, only_there=True))):
        return []  # additions alone move nothing
    return compare_states(base, tip.changed(base), tip.read)


def texts_in(tree: Tree) -> set[str]:
    """Return the statements that stand in memory."""
    texts: set[str] = set()
    for path in entry_files(tree):
        texts.update(map(attrgetter("text"), read_entries(tree.read(path) or b"")))
    return texts


def compare_states(base: Tree, pairs: Mapping[str, Pair], after: Reader) -> list[Rearranged]:
    """Return the same for differing files, with their old and new entries, read by ``after``."""
    places, renamed = _new_places(pairs, base.read, after)
    whole = places.keys() | places.values()
    removed: set[str] = set()
    texts: dict[str, tuple[bytes, bytes]] = {}
    for path, (old, new) in pairs.items():
        if old and not new and path not in whole and path not in renamed and _is_searched(path):
            removed.add(path)
        if _is_memory(path) and path not in whole:
            texts[path] = (base.read(path) or b"", after(path) or b"")
    if any(len(now) < len(was) for was, now in texts.values()):  # an unchanged file may have the lines
        for path in filterfalse(pairs.__contains__, entry_files(base)):
            texts[path] = (base.read(path) or b"",) * 2
    rearranged = [*_files(places), *_lines(texts, removed)]
    for folder, own in groupby(sorted(removed), key=_folder):
        counts = dict.fromkeys(own, 1)
        is_of_memory = any(map(_is_memory, counts))
        if len(counts) > MOST_NAMED:
            counts = {folder: len(counts)}
        for place, number in counts.items():
            rearranged.append(Rearranged("removed", "file", number, place, is_of_memory=is_of_memory))
    return sorted(rearranged, key=lambda each: -each.number)


def read_new_places(base: Tree, tip: Tree) -> dict[str, str]:
    """Return old path → new path of searched texts that moved, also if reworded."""
    places, renamed = _new_places(tip.changed(base), base.read, tip.read)
    return places | renamed


def counted_files(pairs: Mapping[str, Pair], coming: str) -> str:
    """Return how many files came (``coming``: `back to`, `moved to`), changed and went, by folder; a moved file did not go."""
    came = {new.object_id for old, new in pairs.values() if new and not old}
    counts: Counter[tuple[str, str]] = Counter()
    for path, (old, new) in pairs.items():
        place = _top(path).lstrip("/") or "the folder itself"
        if old is None:
            counts[_unit(path), f"{coming} {place}"] += 1
        elif new is not None:
            counts[_unit(path), f"changed in {place}"] += 1
        elif old.object_id not in came:
            counts[_unit(path), f"removed from {place}"] += 1
    parts = (f"{count:,} {unit}{'s' * (count != 1)} {what}" for (unit, what), count in counts.most_common())
    return ", ".join(parts)


def moved_in_words(
    places: Mapping[str, str], files: Collection[str], base: Tree, tip: Tree, *, is_taking: bool
) -> tuple[str, str]:
    """Return the moves of some of the files in words (of many, only counts), and the new path of the last."""
    moved = []
    last = ""
    for source, target in places.items():
        if source in files or target in files:
            changed = max(line_changes(base.read(source) or b"", tip.read(target) or b""))
            lines = f", {changed:,} line{'s' * (changed != 1)} changed" * bool(changed)
            moved.append(f"{source} to {target}{lines}")
            last = target
    if len(moved) <= MOST_NAMED:
        return ", ".join(moved), last
    pairs = tip.changed(base)
    if is_taking:
        return counted_files(pairs, "back to"), last
    return counted_files({path: pairs[path] for path in places.values()}, "moved to"), last


def _unit(path: str) -> str:
    if path.startswith(CHRONICLES):
        return "chronicle"
    return "file" if date_of(path) is None else "note"


def _new_places(
    pairs: Mapping[str, Pair], before: Reader, after: Reader
) -> tuple[dict[str, str], dict[str, str]]:
    """Return old path → new path of searched files that moved, and of those that were reworded, too."""
    gone: dict[str, str] = {}
    by_blob: dict[str, list[str]] = defaultdict(list)  # of new files
    for path, (old, new) in pairs.items():
        if old and not new and _is_searched(path):
            gone[path] = old.object_id
        elif new and not old and _is_searched(path):
            by_blob[new.object_id].append(path)
    places: dict[str, str] = {}
    for path, blob in gone.items():
        targets = by_blob[blob]
        if targets:
            places[path] = next((each for each in targets if _name(each) == _name(path)), targets[0])
            targets.remove(places[path])
    news = {path: _words(after(path) or b"") for path in chain.from_iterable(by_blob.values())}
    rest = [path for path in gone if path not in places]
    renamed: dict[str, str] = {}
    for path in rest if len(rest) * len(news) <= MOST_PAIRS else ():
        lines = _words(before(path) or b"")
        shared = {target: (lines & words).total() for target, words in news.items()}
        target = max(sorted(shared), key=shared.__getitem__, default="")
        if target and 2 * shared[target] >= max(1, lines.total(), news[target].total()):
            renamed[path] = target
            del news[target]
    return places, renamed


class Moves(NamedTuple):
    """Moves, merges and removals; whether they are more than 50 lines or 20 files."""

    moves: tuple[Rearranged, ...] = ()
    is_large: bool = False


def read_moves(
    history: History, base_id: str | None, tip_id: str, lost_in: Callable[[History, Commit], set[str]]
) -> Moves:
    """Return moves, merges and removals between two commits, without the operator's own commands and what they took back.

    ``lost_in`` returns the files that a commit cut short: these are reported whole, not by line.
    """
    rearranged = read_rearranged(history.tree_of(base_id), history.tree_of(tip_id))
    if not rearranged:
        return Moves()
    made_between = list(_between(history, base_id, tip_id))
    undone = undone_among(made_between)
    commits: dict[tuple[str, str], list[LoggedChange]] = defaultdict(list)
    made_by_each: list[Rearranged] = []
    cut: Counter[tuple[str, str]] = Counter()
    for commit in made_between:
        done = read_rearranged(*history.around(commit))
        made_by_each += done
        lost = set()
        if any(map(attrgetter("is_shrunk"), done)):
            lost = lost_in(history, commit)
        for each in done:
            if each.is_shrunk and each.source in lost:
                cut[each.verb, each.source] += each.number
            else:
                commits[each.verb, each.source].append(commit)
    moves = []
    counts: Counter[bool] = Counter()
    added = history.tree_of(tip_id).changed(history.tree_of(base_id)).items()
    chronicles = sum(old is None and path.startswith(CHRONICLES) for path, (old, _) in added)
    for whole in _in_its_place(rearranged, made_by_each):
        each = whole._replace(number=whole.number - cut[whole.verb, whole.source])
        if each.number <= 0:
            continue  # it is reported as a loss
        made = commits[each.verb, each.source]
        news = []
        for commit in made:
            is_told = commit.op is not None and not commit.op.startswith(KEEP_OP)
            if commit.commit_id not in undone and (commit.actor != OPERATOR or not is_told):
                news.append(commit)
        is_settled = each.source == LEDGER and each.verb == "moved"  # such text goes to its own archive
        if is_settled or (made and not news):
            continue
        if each.unit == "daily note":
            news = _of_nights(made_between, news)
            each = each._replace(chronicles=chronicles)
        doers = dict.fromkeys(with_person(in_words(commit.actor), commit.committed_by) for commit in news)
        moves.append(each._replace(command=_undo_of(each, news), whose=" and ".join(doers)))
        counts[each.unit == "line"] += each.number
    return Moves(tuple(moves), counts[True] > MANY_LINES or counts[False] > MANY_FILES)


def _in_its_place(rearranged: Iterable[Rearranged], made: Iterable[Rearranged]) -> list[Rearranged]:
    """Return the changes with lines that were moved first: changed later, they count as moved; removed later, as removed from their new file."""
    by_commits: dict[tuple[str, str, str, bool], Rearranged] = {}
    targets: set[str] = set()
    for each in made:
        earlier = by_commits.get(each.key, each._replace(number=0))
        by_commits[each.key] = each._replace(number=earlier.number + each.number)
        targets |= each.targets
    places: dict[tuple[str, str, str, bool], Rearranged] = {}
    later: Counter[str] = Counter()
    for each in rearranged:
        places[each.key] = each
        there = by_commits.get(each.key, each._replace(number=0)).number
        if each.verb == "removed" and each.unit == "line" and there < each.number:
            later[_source(each.source)] += each.number - there
            places[each.key] = each._replace(number=there, lines=())
    if not later:
        return list(places.values())
    for key, each in by_commits.items():
        if each.verb == "removed" and each.source in targets:
            places[key] = each
        elif each.unit == "line" and not each.is_loss and later[each.source]:
            whole = places.get(key, each._replace(number=0))
            number = min(each.number, whole.number + later[each.source])
            places[key] = whole._replace(number=number)
            later[each.source] -= number - whole.number
    return list(places.values())


def _of_nights(commits: Iterable[LoggedChange], moving: Sequence[LoggedChange]) -> list[LoggedChange]:
    """Return the changes that move notes, and what else their job made for the same night: the chronicles of these notes."""
    nights = {(each.actor, each.trailers.first(_SLOT)) for each in moving}
    of_nights = list(moving)
    for commit in commits:
        night = commit.actor, commit.trailers.first(_SLOT)
        if night[1] and night in nights and commit not in moving:
            of_nights.append(commit)
    return of_nights


def count_new(base: Tree, tip: Tree) -> int:
    """Return how many lines with words a state has and an earlier one lacks, wherever they are."""
    paths = list(filter(_is_searched, tip.changed(base)))
    before = lines_saying(filter(None, map(base.read, paths)))
    return (lines_saying(filter(None, map(tip.read, paths))) - before).total()


def lines_back(count: int, reverted: str) -> str:
    """Return the sentence on returned lines; ``reverted`` names the changes that had removed them, if it was these."""
    names = [name.removeprefix(LOSS_MARK)[:_SHORT] for name in reverted.split()]
    are = "is" if count == 1 else "are"
    how = f"that {few(names, MOST_NAMED)} took out"
    return f"{counted(count, 'line')} {are} back {how * bool(names) or 'as before'}"


def undone_among(commits: Iterable[Commit]) -> set[str]:
    """Return what was undone and stays so, of commits from the newest; an undo of one file leaves the rest."""
    undone: set[str] = set()
    for commit in commits:
        if commit.commit_id not in undone and not commit.subject.startswith(FILES_ALONE):
            undone.update((commit.trailers.first(REVERTS) or "").split())
    return undone


def _between(history: History, base_id: str | None, tip_id: str) -> Iterable[LoggedChange]:
    span = [tip_id]
    if base_id is not None:
        span.append(f"^{base_id}")
    return read_changes(history, "--first-parent", *span)


def moves_since(
    history: History, tip_id: str, since: datetime, lost_in: Callable[[History, Commit], set[str]]
) -> Moves:
    """Return moves, merges and removals in the commits since a time, but not before the workspace was made."""
    for commit in history.objects.first_parents(tip_id):
        is_first = (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP)
        if is_first or commit.committed_at <= since.timestamp():
            return read_moves(history, commit.commit_id, tip_id, lost_in)
    return Moves()


def _undo_of(rearranged: Rearranged, commits: list[LoggedChange]) -> str:
    actors = set(map(attrgetter("actor"), commits))
    if len(commits) == 1:
        return commits[0].way_back
    if len(actors) == 1 and actors.issubset(AGENT_NAMES):
        return f"clawgit undo --since {commits[-1].moment:%Y-%m-%d} --actor {actors.pop()}"
    return f"clawgit log --file {quote(rearranged.source)}"


def is_text_beside(path: str) -> bool:
    """Say whether a file beside memory is searched."""
    is_own = is_standing(path) or is_identity(path) or is_derived(path) or path.startswith(_REPEATS_NOT)
    return path.endswith(ENDINGS) and not is_own


def _is_memory(path: str) -> bool:
    return tier_of(path) in (Tier.T1, Tier.T2) and not path.startswith(_REPEATS_NOT)


def _is_searched(path: str) -> bool:
    return _is_memory(path) or is_text_beside(path)


def _files(places: Mapping[str, str]) -> Iterable[Rearranged]:
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for path, target in places.items():
        if not _is_memory(path):
            continue
        unit = "file"
        if date_of(path) is not None:
            unit = "daily note" if _name(path) == f"{date_of(path)}.md" else "note"
        groups[unit, _folder(path), _top(target)].append(path)
    for (unit, folder, target), paths in groups.items():
        source = folder
        if len(paths) == 1:
            source = paths[0]
        yield Rearranged("moved", unit, len(paths), source, frozenset({target}))


def _lines(texts: Mapping[str, tuple[bytes, bytes]], removed: set[str]) -> Iterable[Rearranged]:
    """Yield the changes of lines in files of memory, and take those out of ``removed`` whose text other files have."""
    left: Lines = {}
    came: Lines = {}
    standing: set[bytes] = set()
    marks: set[str] = set()
    for path, (before, after) in texts.items():
        was = _words(before)
        now = _words(after)
        left[path] = was - now
        came[path] = now - was
        standing.update(now)
        marks |= marks_in(after)
    yield from _moved_lines(left, came)
    for path, lines in left.items():
        if standing.issuperset(lines):
            removed.discard(path)
        if not lines or not holds_entries(path) or path in removed:
            continue
        equal: Counter[bytes] = Counter()
        gone: Counter[bytes] = Counter()
        for words, count in lines.items():
            if words in standing:
                equal[words] = count
            else:
                gone[words] = count
        # heads of tables and lines of code are equal without a merge
        if equal:
            statements = set(map(itemgetter(1), _entries(texts[path][0], equal)))
            merged = sum(map(equal.__getitem__, statements))
            if merged:
                yield Rearranged("merged", "line", merged, path)
        lost, reworded = _lost_entries(texts[path], gone, came[path], marks)
        if len(lost) > reworded:
            named = () if reworded else tuple(lost)  # else it is uncertain which of them
            yield Rearranged("removed", "line", len(lost) - reworded, path, lines=named)


def _moved_lines(left: Lines, came: Lines) -> Iterable[Rearranged]:
    """Yield lines that are in another file now, and take them out of both counters."""
    by_words: dict[bytes, list[str]] = defaultdict(list)
    for path, lines in came.items():
        for words in lines:
            by_words[words].append(path)
    counts: Counter[tuple[str, bool]] = Counter()
    targets: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for path, lines in left.items():
        for words in list(lines):
            for target in by_words[words]:
                count = min(lines[words], came[target][words])
                key = (_source(path), target.startswith(RETIRED_ENTRIES))
                counts[key] += count
                if count:
                    targets[key].add(target)
                lines[words] -= count
                came[target][words] -= count
    for key, count in counts.items():
        if count:
            yield Rearranged("moved", "line", count, key[0], frozenset(targets[key]))


def _source(path: str) -> str:
    """Return the place that moved lines are counted for."""
    return _folder(path) if date_of(path) else path


def _lost_entries(
    texts: tuple[bytes, bytes], gone: Counter[bytes], came: Counter[bytes], marks: set[str]
) -> tuple[list[str], int]:
    """Return the entries among the lines ``gone`` without an id that is in ``marks``, and how many of them new entries replace."""
    before, after = texts
    marks_before = marks_in(before)
    lost = []
    without_id = 0
    for mark, words in _entries(before, gone):
        if mark is None or mark not in marks:
            lost.append(words.decode("utf-8", "replace"))
            without_id += mark is None
    new = sum(mark not in marks_before for mark, _ in _entries(after, came))
    return lost, min(without_id, new)


def _entries(data: bytes, lines: Counter[bytes]) -> Iterator[tuple[str | None, bytes]]:
    texts = split_lines(data)
    for entry in read_entries(data):
        words = line_words(texts[entry.first])
        if lines[words] > 0:
            yield entry.entry_id, words


def _words(data: bytes) -> Counter[bytes]:
    plain = map(line_words, split_lines(data))
    return Counter(line for line in plain if line and not line.startswith((b"#", b"<!--")))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0] + "/"


def _top(path: str) -> str:
    """Return the top folder of a path, the first two of a deeper one."""
    return "/".join(path.split("/")[:-1][:2]) + "/"
