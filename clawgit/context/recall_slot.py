"""What memory has to say about the conversation: the lines that a search finds, as they are in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.assembly import STRANGERS, fence_of, is_strangers
from clawgit.context.audience import MAIN
from clawgit.context.context_passages import ITEM, Passage, plain_lines, sentence_ends
from clawgit.context.note_slots import correction_passage
from clawgit.context.slot_text import Cut, SlotText
from clawgit.context.slots import RECALL
from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.entry_marks import mark_of
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, MEMORY_FILES
from clawgit.recall.ranking.snippets import CUT
from clawgit.recall.search import search
from clawgit.recall.search_results import Found, Wanted
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact
from clawgit.text.words.terms import index_terms
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from clawgit.context.assembly import Assembly
    from clawgit.recall.search_results import Result
    from clawgit.recall.vector_search import Vectors

CORRECTION = "x:"
MOST_HITS = 200
SHORTEST_HIT = 20  # tokens: more hits than the budget holds of these are not asked for
LONGEST = 1200  # characters of a line; of more, sentences that the search shows


class Finder(NamedTuple):
    """What searches memory for an assembly: in the present, or in the state that the assembly is of."""

    assembly: Assembly
    now: datetime
    is_past: bool = False
    vectors: Vectors | None = None

    def found(self, query: str) -> Found:
        """Return what a search with the slot's budget finds; nothing is asked for without words."""
        settings = self.assembly.history.settings
        tokens = settings.semantic_recall_tokens
        if not query.strip() or not tokens:
            return Found()
        most = min(MOST_HITS, max(settings.search_max_results, tokens // SHORTEST_HIT))
        wanted = Wanted(query, most, settings.search_min_score, tokens=tokens)
        if self.is_past:
            from clawgit.recall.search_as_of import search_tree

            tree = self.assembly.tree
            return search_tree(self.assembly.history, tree, wanted, self.now, vectors=self.vectors)
        return search(self.assembly.history, wanted, self.now, vectors=self.vectors)


def recall_slot(finder: Finder, found: Found, told: Iterable[Passage], scope: str) -> SlotText:
    """Return what was found as passages, the best first, without what ``told`` (the other slots) says already."""
    passages: list[Passage] = []
    cuts: list[Cut] = []
    assembly, said = finder.assembly, _Told(told)
    files = _Files(assembly, is_past=finder.is_past)
    for place, hit in enumerate(found.results):
        if scope != MAIN and hit.path in MEMORY_FILES:
            continue
        for passage in _passages(assembly, hit, files):
            why = "said above" if said.holds(passage) else assembly.untrue.objection(passage)
            if is_strangers(assembly, passage.blob, passage, passage.trust):
                why = STRANGERS
            if why:
                cuts.append(Cut(passage.place, why))
            else:
                note = assembly.untrue.doubt(passage)
                passages.append(passage._replace(rank=(place,), note=note))
    return SlotText(RECALL, tuple(_by_file(passages)), tuple(cuts), notes=found.notes)


class _Told:
    """The lines and entries that other slots hold, and what corrections among them say."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._lines: set[tuple[str, int]] = set()
        self._entries: set[str] = set()
        self._corrections: set[str] = set()
        for each in passages:
            if each.entry:
                self._entries.add(each.entry)
            if each.entry.startswith(CORRECTION):
                self._corrections.add(_statement(each))
            if not each.until:
                self._lines |= {(each.path, line) for line in range(each.first, each.last + 1)}

    def holds(self, passage: Passage) -> bool:
        """Say whether all of a passage is told."""
        lines = range(passage.first, passage.last + 1)
        if _statement(passage) in self._corrections:
            return True
        return passage.entry in self._entries or all((passage.path, line) in self._lines for line in lines)


def _statement(passage: Passage) -> str:
    """Return the terms of what a line says, without its date and tags."""
    return index_terms(parted(passage.text.lstrip("-*+ ")).statement)


def _by_file(passages: Sequence[Passage]) -> Iterable[Passage]:
    """Return passages of one file and trust side by side, in the order of their best ones."""
    groups: dict[tuple[str, str], list[Passage]] = {}
    for each in passages:
        groups.setdefault((each.path, each.trust), []).append(each)
    return (each for group in groups.values() for each in group)


def _passages(assembly: Assembly, hit: Result, files: _Files) -> list[Passage]:
    """Return a hit as it is told, line by line; nothing of what is no memory or in no force."""
    if hit.is_correction:
        return _correction(assembly, hit.entry)
    if is_correction_file(hit.path) or hit.path == CONFLICTS or hit.note or hit.retirement is not None:
        return []
    trust, known = fence_of(hit.trust), files.lines(hit.path)
    if known is None:
        text = redact(hit.snippet)  # nobody has looked at it: no commit holds it
        return [Passage(text, ITEM, hit.path, hit.first, hit.last, entry=hit.entry, trust=trust)]
    blob, lines = known
    found = []
    for at, line in enumerate(lines[hit.first - 1 : hit.last], hit.first):
        text = plain_lines([line])
        if text.strip():
            named = mark_of([line])
            passage = Passage(text, ITEM, hit.path, at, at, blob, f"m:{named}" if named else "", trust)
            found.append(_shortened(passage, hit.snippet))
    return found


def _correction(assembly: Assembly, name: str) -> list[Passage]:
    known = assembly.corrections.get(name.removeprefix("x:"))
    entry = None if known is None else assembly.tree.entry(known.path)
    if known is None or entry is None:
        return []
    return [correction_passage(known)._replace(blob=entry.object_id)]


def _shortened(passage: Passage, snippet: str) -> Passage:
    """Return a passage; of one long line, the whole sentences in what the search shows of it."""
    if len(passage.text) <= LONGEST:
        return passage
    shown = snippet.strip(CUT)
    begin = max(0, passage.text.find(shown))
    ends = [0, *sentence_ends(passage.text)]
    whole = [end for end in ends if begin <= end <= begin + len(shown)]
    return passage._replace(since=whole[0], until=whole[-1]) if whole[1:] else passage


class _Files:
    """The files of the tree that hits are in, each looked at once."""

    def __init__(self, assembly: Assembly, *, is_past: bool) -> None:
        self._assembly, self._is_past = assembly, is_past
        self._known: dict[str, tuple[str, list[bytes]] | None] = {}

    def lines(self, path: str) -> tuple[str, list[bytes]] | None:
        """Return the blob and the lines of a file, None where the folder has it otherwise than the tree."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> tuple[str, list[bytes]] | None:
        entry = self._assembly.tree.entry(path)
        data = self._assembly.tree.content(entry)
        if entry is None or data is None or not (self._is_past or self._is_as_committed(path, data)):
            return None
        return entry.object_id, split_lines(data)

    def _is_as_committed(self, path: str, data: bytes) -> bool:
        history = self._assembly.history
        try:
            content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
        except (ClawgitError, OSError):
            return False
        return content is not None and content.data == data
