"""The organizer: classes for new entries, near-duplicates archived, listings, and a MEMORY.md that stays short."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import filterfalse, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

from clawgit.agents.contradictions import SHARED, TextsByTerms
from clawgit.agents.models.model import TEXT, Asker, Material, one_list, one_of, refused
from clawgit.agents.run_agent import DONE, Agent, Agents, Means, Planned, RunReport, answer_to, digest_of
from clawgit.errors import ClawgitError
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import list_states, with_wish
from clawgit.history.reading.rearranged import compare_states
from clawgit.history.transaction.working_tree import draft_of
from clawgit.memory.entries.entries import EntryError, Tag, lines_saying, marks_in, read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CORE, INDEX, LESSONS, STRUCTURED, is_export
from clawgit.memory.entry_states import EntryState, came_back, is_the_operators, retire
from clawgit.memory.notes import is_output
from clawgit.memory.organizing import by_class, index, is_too_long, listing, shortened
from clawgit.memory.provenance.pieces import Seen
from clawgit.memory.trust import HOST, TRUSTS
from clawgit.plan import Edit, Plan
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import few
from clawgit.text.safety.secrets import redact_lines
from clawgit.understanding.evidence.own_sentences import own_text
from clawgit.understanding.facts.same_statement import Relation, Statements, overlap
from clawgit.understanding.forms.user_words import USER
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

Standing = tuple[str | None, str]  # an entry's id and text
NAME = "organizer"
AT_ONCE, MOST_PAIRS = 60, 20
MOST_ASKED = 300  # entries in a run; the rest in later runs
_MOST_NAMED = 3
PERSONAL, TASKS, AGENTS, SYSTEM = CLASSES = ("personal", "tasks", "agents", "system")
_TASK_FORM = re.compile(
    r"\[[ xX]\] |(?i:to-?do|action item|reminder|aufgabe|tarea|pendiente)\b[:：]?(?! (?i:lists?|apps?)\b)|待办|할 ?일"
)
# A deadline: by, before or until a day, and someone who has to act.
_DEADLINE = re.compile(
    r"(?i)\b(?:due (?:on|by|this|next|tomorrow)|(?:by|before|until|bis|antes del?|para el) (?=.*(?:day|tomorrow|week|month|noon|\d|tag|morgen|woche|lunes|martes|viernes)))"
    r"|까지|(?:之前|以前|前)(?=[^，。]{2})"
)
_DOING = re.compile(
    r"(?i)^(?:user |we |i )?(?:has to |have to |must |needs? to |should |is to |to )?(?:renew|submit|send|pay|book|call|buy|finish|file|order|fix|write|review|"
    r"prepare|update|check|reply|return|cancel|sign|ship|deliver|deploy|upload|hand in|follow up|schedule)\b|\bdue\b"
    r"|\b(?:erledigen|abgeben|bezahlen|schicken|verlängern|einreichen|entregar|pagar|enviar|renovar)\b|提交|完成|交|付|发|续|预约|买|(?:하기|내기|제출|해야|할 것|보내기)"
)
_ITEM_MARKS = "-*+ "  # list items
_AGAIN_AND_AGAIN = re.compile(r"(?i)\b(?:each|every|always|jeden?|jede[ms]?|cada)\b|每|매(?:주|월|달|일)")
_AGENT_FORM = re.compile(
    r"(?i)(?<!estate )(?<!travel )(?<!insurance )\b(?:sub-?)?agent(?:s|en|es|e)?\b(?!'s name)|에이전트|智能体|代理(?!人|商|服务器)"
)
_PERSONAL_FORM = re.compile(rf"(?:(?i:the )?(?i:{USER})\b|用户|用戶|사용자)")
_SYSTEM_FORM = re.compile(
    r"(?i)\b(?:port|gateway|server|host|database|cluster|daemon|cron(?:job)?|endpoint|firewall|backup|api|vpn|dns|router|docker|kubernetes|repo(?:sitory)?"
    r"|macos|linux|windows|ubuntu|servidor|puerto|datenbank)s?\b|服务器|端口|网关|数据库|서버|포트|게이트웨이|데이터베이스"
)
_SYSTEM_VALUES = {ValueKind.LINK, ValueKind.CODE, ValueKind.VERSION}
_CLASSES = one_list("classes", AT_ONCE, {"id": TEXT, "class": one_of(*CLASSES)})
_SAME = one_list("same", AT_ONCE, {"id": TEXT, "entry": TEXT})
_SCHEMA: dict[str, Any] = {
    **_CLASSES,
    "properties": _CLASSES["properties"] | _SAME["properties"],
    "required": ["classes", "same"],
}
_TASK = """\
The material is entries of memory. Give each one that is from "to be classed" its class in "classes". What is from "a pair" has two ids
with a space between them, and two statements that look alike: list in "same" those of which either could stand for both, with
the two ids as "id" and "entry". Where a number, a date, a name, a day or a "not" differs, or one says more, they are two.
Where you waver, take the class that lives longer: only what is to be done once and is then over is of tasks, only what agents are at
just now is of agents."""
Pair = tuple["EntryState", "EntryState"]


def near_duplicates(
    states: Sequence[EntryState], changed: Collection[str], before: Collection[Standing]
) -> list[Pair]:
    """Return near-duplicates of which one changed since ``before``, each with the entry that stays.

    Only an agent's entry gives way, and only if no fact differs; the conflict detector handles differences.
    """
    compared = [state for state in states if state.entry.entry_id and state.path != LESSONS]
    texts = [parted(state.entry.text).statement for state in compared]
    alike = TextsByTerms([frozenset(words(text)) for text in texts])
    same: dict[str | None, Pair] = {}
    for at, state in enumerate(compared):
        if state.path not in changed or (state.entry.entry_id, state.entry.text) in before:
            continue
        for other in alike.like(at):
            if overlap(texts[at], texts[other]) <= SHARED:
                continue
            pair = _in_order(state, compared[other])
            relation = next((how for _, how in Statements([texts[other]]).like(texts[at])), None)
            if relation is Relation.SAME and may_give_way(pair[0]) and not came_back(pair[1]):
                same.setdefault(pair[0].entry.entry_id, pair)
    return [pair for pair in same.values() if pair[1].entry.entry_id not in same]


def may_give_way(state: EntryState) -> bool:
    """Say whether an entry is an agent's, untouched by the operator."""
    return state.source in AGENT_NAMES and not is_the_operators(state)


def _in_order(one: EntryState, other: EntryState) -> tuple[EntryState, EntryState]:
    """Return two entries, first the one that gives way: less trusted, else younger, else later."""

    def rank(state: EntryState) -> tuple[int, int, str, int]:
        trust = TRUSTS.index(state.trust) if state.trust in TRUSTS else -1
        return (-trust, state.since.toordinal(), state.path, state.entry.first)

    first, second = sorted((one, other), key=rank, reverse=True)
    if not may_give_way(first) and may_give_way(second) and first.trust == second.trust:
        return second, first
    return first, second


@dataclass(frozen=True)
class Organizer(Agent):
    """The agent for entry files changed since its cursor (a commit; empty: all)."""

    history: History
    now: datetime
    cursor: str = ""
    tip: str = ""
    classes: Mapping[str, str] = field(default_factory=dict)
    same: frozenset[frozenset[str]] | None = None
    may_move: bool = True
    name = NAME
    asks = True
    trust = HOST  # of titles and links; moved lines keep their origin

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        cursor = records.agent_cursors.of(NAME)
        try:
            cursor = cursor if cursor and history.tree_of(cursor).tree_id else ""
        except (ClawgitError, KeyError):
            cursor = ""
        yield cls(history, now, cursor, history.tip().commit_id or "", may_move=means.may_move)

    @cached_property
    def changed(self) -> dict[str, str]:
        before = _blobs(self.history.tree_of(self.cursor or None))
        now = _blobs(self.history.tip().tree)
        gone = dict.fromkeys(before.keys() - now.keys(), "")
        return {path: blob for path, blob in now.items() if before.get(path) != blob} | gone

    @property
    def input_id(self) -> str:
        """Return the digest of these files, empty if none changed; after a yes, the same files are a new input."""
        if not self.changed:
            return ""
        allowed = () if self.may_move else ("nothing moves",)
        files = (f"{path} {blob}" for path, blob in sorted(self.changed.items()))
        return digest_of(self.cursor, *allowed, *files)

    def ask(self, asker: Asker) -> Self:
        states = list_states(self.history, self.now.date())
        unclear = [state for state in _to_class(states) if not plain_class(state.entry.text)]
        unclear.sort(key=lambda state: state.words_since, reverse=True)
        same_pairs = self._pairs(states)[:MOST_PAIRS]
        pairs = {frozenset((one.mark, other.mark)): (one, other) for one, other in same_pairs}
        if not unclear and not pairs:
            return self
        classes: dict[str, str] = {}
        same: set[frozenset[str]] = set()
        notes: list[str] = []
        for first in range(0, max(1, min(len(unclear), MOST_ASKED)), AT_ONCE):
            batch = {state.mark: state for state in unclear[first : first + AT_ONCE]}
            pairs_asked = {} if first else pairs
            materials = [Material(name, "to be classed", state.entry.text) for name, state in batch.items()]
            for one, other in pairs_asked.values():
                both = f"{one.entry.text} / {other.entry.text}"
                materials.append(Material(f"{one.mark} {other.mark}", "a pair", both))
            answer = answer_to(asker, self.history, NAME, _TASK, materials, _SCHEMA)
            for row in answer["classes"]:
                state = batch.get(row["id"])
                if state is None:
                    notes.append(refused(f"{row['id'][:40]!r} was not given to it."))
                elif row["class"] in (TASKS, AGENTS) and _has_no_end(state):
                    notes.append(refused(f"{row['id'][:40]!r} is a decision or a lesson, so it has no end."))
                else:
                    classes[row["id"]] = row["class"]
            same |= {frozenset((row["id"], row["entry"])) for row in answer["same"]} & pairs_asked.keys()
        return replace(self, classes=classes, same=frozenset(same), notes=tuple(notes), tokens=asker.spent)

    def plan(self, tree: Tree) -> Planned:
        on = self.now.date()
        states = list_states(self.history, on)
        classes = self._given(states)
        same = []
        for pair in self._pairs(states):
            is_confirmed = self.same is None or {each.mark for each in pair} in self.same
            if self.may_move and is_confirmed:
                same.append(pair)
        leaving = [(going.path, going.entry.entry_id or "") for going, _ in same]
        texts, _ = retire(tree.read, leaving, on, "said elsewhere")
        notes = [*self.notes, *self._shorten(tree, texts)]
        after = map(partial(with_wish, self.history), _after(states, texts, classes))
        listings = self._listings(tree, list(after), notes)
        edits = tuple(starmap(Edit, (texts | listings).items()))
        trailers = tuple(
            ("Clawgit-Class", f"m:{name} {entry_class}") for name, entry_class in classes.items()
        )
        if not edits and not trailers:
            return Planned(None, tuple(notes))
        classed = [_statement(state) for state in states if state.entry.entry_id in classes]
        done = _moved(tree, edits)
        done += _done(classed, "classed") + _done([_statement(going) for going, _ in same], "merged")
        if not done and texts:
            done.append(f"{len(texts)} files of memory rearranged: {few(list(texts), _MOST_NAMED)}")
        if not done:
            before = _listed_in(map(tree.read, listings))
            now = _listed_in(listings.values())
            done += _done(list(filterfalse(before.__contains__, now)), "listed")
            done += _done(list(filterfalse(now.__contains__, before)), "no more listed")
        summary = f"organize: {', '.join(done) or few(list(listings), _MOST_NAMED)}"
        reason = "\n".join(f"{going.mark} says what {stays.mark} says" for going, stays in same)
        plan = Plan(summary, edits, reason, trailers=trailers, verbatim=True)
        return Planned(plan, tuple(notes))

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        if self.may_move and self.tip and report.note.outcome in DONE:
            records.agent_cursors.note(NAME, report.note.commit_id or self.tip, now)

    def _given(self, states: list[EntryState]) -> dict[str, str]:
        classes = {}
        for state in _to_class(states):
            entry_class = self.classes.get(state.mark, "")
            if not entry_class and state.path in self.changed:
                entry_class = plain_class(state.entry.text)
                if entry_class == TASKS and _has_no_end(state):
                    continue
            if entry_class:
                classes[state.entry.entry_id or ""] = entry_class
        return classes

    def _pairs(self, states: list[EntryState]) -> list[Pair]:
        before = set()
        tree = self.history.tree_of(self.cursor or None)
        for path in self.changed:
            for entry in read_entries(tree.read(path) or b""):
                before.add((entry.entry_id, entry.text))
        return near_duplicates(states, self.changed.keys(), before)

    def _shorten(self, tree: Tree, texts: dict[str, bytes]) -> list[str]:
        core = CORE if tree.entry(CORE) is not None else CORE.lower()
        data = texts.get(core, tree.read(core) or b"")
        most = self.history.settings.memory_max_lines
        if not is_too_long(data, most):
            return []
        data = _with_corrections(tree, data)
        if not self.may_move:
            return [f"{core} stays as long as it is: `clawgit approve t-{NAME}` lets lines move."]
        beside = frozenset(tree.names("memory"))
        try:
            done = shortened(data, lambda path: texts.get(path, tree.read(path)), beside, most)
        except EntryError as error:
            return [f"{core} stays as long as it is: {error.message}"]
        if done.data != data:
            texts |= {core: done.data, **done.others}
        if not is_too_long(done.data, most):
            return []
        return [
            f"{core} still has {len(split_lines(done.data)):,} lines: give its prose headings, and whole sections can move."
        ]

    def _listings(self, tree: Tree, states: list[EntryState], notes: list[str]) -> dict[str, bytes]:
        on = self.now.date()

        def listed_class(state: EntryState) -> str:
            return state.entry_class or ("" if state.was_classed else plain_class(state.entry.text))

        groups = by_class(states, listed_class)
        listings = {}
        for name, group in groups.items():
            listings[f"{STRUCTURED}{name}.md"] = (group, listing(name, group, on))
        listings[INDEX] = (states, index(groups, on))
        changed = {}
        for path, (listed, whole) in listings.items():
            data = redact_lines(
                whole.decode()
            ).encode()  # a listing with a key would be refused, and it is read by others
            folder, _, own = path.rpartition("/")
            alike = [each for each in tree.names(folder) if each.casefold() == own.casefold()]
            # the tree's spelling: many disks ignore case
            name = f"{folder}/{min(alike, key=lambda each: each != own, default=own)}"
            old = tree.read(path)
            if name != path or (old is not None and not is_export(path, old)):
                why_not = "is somebody's own, so it was left alone: rename it to have a listing there."
                notes.append(f"{name} {why_not}")
            elif old is None and listed and self.history.repo.path_is_ignored(path):
                notes.append(f"{path} is ignored by git, so there is no listing: take it out of .gitignore.")
            elif old is None and not self.may_move:
                continue  # existing content stays; nothing is added
            elif (old is not None or listed) and split_lines(old or b"")[1:] != split_lines(data)[1:]:
                changed[path] = data  # more than its day changed
        return changed


def plain_class(text: str) -> str:
    """Return the class of an entry if its form and values show it, else empty."""
    statement = parted(text).statement
    is_once = _AGAIN_AND_AGAIN.search(statement) is None
    if _TASK_FORM.match(statement) or (is_once and _DEADLINE.search(statement) and _DOING.search(statement)):
        return TASKS
    if _PERSONAL_FORM.match(statement):
        return PERSONAL
    if _AGENT_FORM.search(statement):
        return AGENTS
    is_system = any(value.kind in _SYSTEM_VALUES for value in values_in(statement))
    if is_system or _SYSTEM_FORM.search(statement):
        return SYSTEM
    return ""


def is_noise(text: str) -> bool:
    """Say whether every line is tool output, a task, or pasted."""
    own = own_text(text)
    lines = [line.strip().lstrip(_ITEM_MARKS) for line in own.splitlines()]
    return not any(line and not is_output(line) and plain_class(line) != TASKS for line in lines)


def _to_class(states: list[EntryState]) -> list[EntryState]:
    return [state for state in states if state.entry.entry_id and not state.was_classed]


def _statement(state: EntryState) -> str:
    return parted(state.entry.text).statement


def _with_corrections(tree: Tree, data: bytes) -> bytes:
    """Return MEMORY.md with the present words of lines that an old copy brought back, and that were moved and corrected."""
    corrections = sorted(
        filter(attrgetter("wrong"), standing_corrections(tree).values()), key=attrgetter("at")
    )
    others = lines_saying(tree.read(path) or b"" for path in entry_files(tree)[1:])
    lines = split_lines(data)
    for at, line in enumerate(lines):
        now = line
        for each in corrections:
            now = now.replace(each.wrong.encode(), each.correct.encode())
        if lines_saying([now]).keys() & others.keys():
            lines[at] = now
    return b"".join(lines)


def _moved(tree: Tree, edits: Iterable[Edit]) -> list[str]:
    draft = draft_of(tree, edits)
    rearranged = compare_states(tree, draft.changed(tree), draft.read)
    return list(map(attrgetter("sentence"), filterfalse(attrgetter("is_dropped"), rearranged)))


def _done(statements: list[str], what: str) -> list[str]:
    """Return a line about what was done to entries, naming the first; empty without entries."""
    if len(statements) > 1:
        return [f'{len(statements):,} {what}, the first "{statements[0]}"']
    return [f'"{each}" {what}' for each in statements]


def _listed_in(listings: Iterable[bytes | None]) -> dict[str, None]:
    statements: dict[str, None] = {}
    for data in listings:
        for line in split_lines(data or b""):
            if line.startswith(b"- ") and b" (" in line:
                statements[line[2:].decode("utf-8", "replace").rpartition(" (")[0]] = None
    return statements


def _has_no_end(state: EntryState) -> bool:
    return state.entry.tag in (Tag.DECISION, Tag.SKILL)


def _blobs(tree: Tree) -> dict[str, str]:
    return {path: entry.object_id for path in entry_files(tree) if (entry := tree.entry(path)) is not None}


def _after(
    states: list[EntryState], texts: Mapping[str, bytes], classes: Mapping[str, str]
) -> list[EntryState]:
    places: dict[str, str] = {}  # by id
    holders: dict[str, list[str]] = {}  # by text
    for path, data in texts.items():
        if not path.startswith("Archive/"):
            places |= dict.fromkeys(marks_in(data), path)
            for entry in read_entries(data):
                holders.setdefault(entry.text, []).append(path)
    standing = []
    before = set(map(attrgetter("path", "entry.text"), states))
    for state in states:
        name, path = state.entry.entry_id or "", state.path
        seen = state.seen
        if name in classes:
            seen = (*seen, Seen(name, "class", "", "", classes[name]))
        if path in texts:
            holding = holders.get(state.entry.text, [])
            if name:
                path = places.get(name, "")
            elif path not in holding:  # where an equal line was before, that one is listed
                path = next(filter(lambda each: (each, state.entry.text) not in before, holding), "")
        if path:
            standing.append(state._replace(path=path, seen=seen))
    return standing
