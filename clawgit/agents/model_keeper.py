"""What a model reads before it proposes edits of the soul, and the check of each edit against what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.door.authorised_edits import is_his
from clawgit.agents.models.model_questions import (
    Material,
    as_read,
    one_list,
    one_object,
    one_of,
    prompt_of,
    refused,
)
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.principle_origins import Origin, principle_origins
from clawgit.identity.principle_edits import LEARNED, SKILLS, PrincipleEdit
from clawgit.memory.conflict_log import read_conflicts
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, LESSONS
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.evidence.check_edit import Proposal, unfit
from clawgit.understanding.evidence.own_sentences import own_sentences, sentences_with
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from clawgit.agents.models.ask_model import Asker
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

    Carries = Callable[[Proposal, ChatMessage], bool]


NAME = "soul-keeper"
SOUL = "SOUL.md"
MOST_EDITS = 3  # principles in one run: what comes faster nobody follows
MOST_MESSAGES, MOST_OTHERS = 200, 40
LONGEST = 1000  # characters of a message
PRINCIPLE, GUARDRAIL, STRENGTHEN, SKILL = "PRINCIPLE", "GUARDRAIL", "STRENGTHEN", "SKILL"
REWORD, REMOVE, DRIFT = "REWORD", "REMOVE", "DRIFT"
MOST_TEXT = 300  # characters of an edit
SAME = 75
SUPPORTED = 0.6  # of what a new text is about that is in what it cites, too
_CORRECTION = "x:"
_TEXT = {"type": "string", "maxLength": MOST_TEXT}
_CITED = one_object({"id": {"type": "string", "maxLength": 80}, "quote": {**_TEXT, "minLength": 2}})
_SCHEMA = one_list(
    "edits",
    MOST_EDITS,
    {
        "do": one_of(PRINCIPLE, GUARDRAIL, STRENGTHEN, SKILL, REWORD, REMOVE, DRIFT),
        "principle": {"type": "string", "maxLength": 20},
        "text": _TEXT,
        "why": {**_TEXT, "minLength": 3},
        "evidence": {"type": "array", "minItems": 1, "maxItems": 6, "items": _CITED},
    },
    *("principle", "text"),
)
_TASK = """\
The material is the agent's soul, principle by principle (s:1 and on), and what happened since you looked last. Say what should change
in the soul: at most three edits, one principle each, and mostly none. "do" is PRINCIPLE (the operator asked for it, or corrected the
agent so), GUARDRAIL (a mistake that came back: at least two pieces of evidence, or a correction), STRENGTHEN (what works and he
praised), SKILL (an ability that was shown at least twice), REWORD or REMOVE (an existing principle, named as "principle"), or DRIFT (the
agent acts otherwise than a principle says: nothing is changed, the operator is told). "text" is the new principle: one sentence,
in the operator's words as far as he said it. "why" is one sentence. Each piece of evidence is an id of the material with words that
stand there letter by letter. What carries nothing can be no evidence, but for DRIFT. Every name and value of the text stands
in the quotes."""


class Suggested(NamedTuple):
    """One edit, what it rests on, and why."""

    edit: PrincipleEdit
    evidence: tuple[Evidence, ...]
    why: str


class Ground(NamedTuple):
    """Something that was read; ``carries`` is the text that an edit may rest on, empty where none may."""

    material: Material
    carries: str = ""
    message: ChatMessage | None = None


class KeepingMaterial(NamedTuple):
    """The grounds by id, and the principles by the names that the model knows them by."""

    grounds: dict[str, Ground]
    principles: dict[str, str]
    said: bool

    @property
    def materials(self) -> list[Material]:
        """Return all of it for the prompt."""
        soul = [Material(name, SOUL, text) for name, text in self.principles.items()]
        return [*soul, *(each.material for each in self.grounds.values())]


def gather_material(
    history: History, records: Records, since: datetime, now: datetime, decided: Iterable[str]
) -> KeepingMaterial:
    """Return the messages, corrections, lessons, conflicts and runs since then, and the soul as it is.

    A message that an edit was rested on before carries none.
    """
    used = frozenset(decided)
    messages = list(_messages(history, since, now, used))
    grounds = [*messages, *_corrections(history, used), *_lessons(history, now), *_conflicts(history)]
    grounds += _runs(records, since)
    tip = history.tip().commit_id
    origins = [] if tip is None else principle_origins(history, SOUL, tip)
    principles = {f"s:{number}": each.principle.text for number, each in enumerate(origins, start=1)}
    return KeepingMaterial({each.material.material_id: each for each in grounds}, principles, bool(messages))


def _messages(history: History, since: datetime, now: datetime, used: frozenset[str]) -> Iterator[Ground]:
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        found = store.log(Asked(since=since, limit=MOST_MESSAGES))
    for message in found:
        name = f"{MESSAGE}{message.chat_id}"
        text = message.text[:LONGEST]
        at = message.sent_at.astimezone(now.tzinfo).date().isoformat()
        if is_his(message):
            own = "" if message.signal.veto or name in used else " ".join(own_sentences(text))
            yield Ground(Material(name, "User, the operator", text, at), as_read(own), message)
        elif message.role == "assistant":
            yield Ground(Material(name, "Agent, the agent itself: carries nothing", text, at))
        else:
            yield Ground(Material(name, "somebody else, not the operator: carries nothing", text, at))


def _corrections(history: History, used: frozenset[str]) -> Iterator[Ground]:
    held = [each for each in standing_corrections(history.tip().tree).values() if each.holds]
    for each in held[-MOST_OTHERS:]:
        name, text = f"x:{each.correction_id}", as_read(f"{each.trigger} | {each.said} | {each.correct}")
        yield Ground(
            Material(name, "a correction of the operator's", text, each.at), "" if name in used else text
        )


def _lessons(history: History, now: datetime) -> Iterator[Ground]:
    """Yield the lessons; one whose words came from outside carries nothing."""
    for state in [each for each in list_states(history, now.date()) if each.path == LESSONS][-MOST_OTHERS:]:
        if state.entry.entry_id:
            text = as_read(parted(state.entry.text).statement)
            told = Material(f"m:{state.entry.entry_id}", "a lesson", text, state.since.isoformat())
            yield Ground(told, "" if state.trust == EXTERNAL else text)


def _conflicts(history: History) -> Iterator[Ground]:
    for each in read_conflicts(history.tip().tree.read(CONFLICTS) or b"")[-MOST_OTHERS:]:
        yield Ground(Material(f"k:{each.conflict_id}", "a conflict of memory: carries nothing", each.rule))


def _runs(records: Records, since: datetime) -> Iterator[Ground]:
    for note in records.runs(limit=MOST_OTHERS):
        if note.at >= since and note.agent != NAME:
            text = f"{note.agent} ended {note.outcome.value}"
            yield Ground(Material(f"run:{note.run_id}", "a run: carries nothing", text, note.at.isoformat()))


class Checked(NamedTuple):
    """An edit that may be made or proposed: what it rests on and by whose words."""

    suggested: Suggested
    basis: str
    trust: str


class Answer(NamedTuple):
    """What is left of a model's answer: edits, what it flagged, and why the others were refused."""

    edits: tuple[Checked, ...]
    drift: tuple[str, ...]
    refused: tuple[str, ...]


def ask_for_edits(asker: Asker, prompt: str, material: KeepingMaterial, carries: Carries) -> Answer:
    """Return what a model would change, as far as it may.

    ``carries`` says whether a message of the operator's says by itself what a new principle says.

    Raises:
        ModelError: It gave no answer of the shape that was asked for.
    """
    answer = asker.complete(prompt_of(prompt, _TASK, material.materials, _SCHEMA), _SCHEMA)
    edits: list[Checked] = []
    drift: list[str] = []
    refusals: list[str] = []
    for row in answer["edits"]:
        edit = _ModelEdit.of(row, material)
        why_not = edit.objection()
        if why_not:
            refusals.append(refused(f"{edit.name} {why_not}"))
        elif edit.do == DRIFT:
            cited = ", ".join(each.evidence_id for each in edit.evidence)
            drift.append(f"Drift: {edit.why} ({cited})")
        else:
            edits.append(edit.checked(carries))
    return Answer(tuple(edits), tuple(drift), tuple(refusals))


class _ModelEdit(NamedTuple):
    """One edit as the model wants it."""

    do: str
    old: str | None
    text: str
    why: str
    evidence: tuple[Evidence, ...]
    material: KeepingMaterial

    @classmethod
    def of(cls, row: dict[str, Any], material: KeepingMaterial) -> _ModelEdit:
        named = folded(row.get("principle", ""))
        old = material.principles.get(named, None if named else "")
        evidence = tuple(Evidence(folded(each["id"]), folded(each["quote"])) for each in row["evidence"])
        text = "" if row["do"] in (REMOVE, DRIFT) else folded(row.get("text", ""))
        return cls(row["do"], old, text, folded(row["why"]), evidence, material)

    @property
    def name(self) -> str:
        return f"{self.do} {(self.text or self.old or '')[:60]!r}"

    @property
    def grounds(self) -> list[Ground]:
        known = self.material.grounds
        return [known[each.evidence_id] for each in self.evidence if each.evidence_id in known]

    def objection(self) -> str:
        if self.old is None or (self.do in (REWORD, REMOVE) and not self.old):
            return "names no principle that is there."
        return self._unfounded() or self._too_little() or self._unfit_text() or self._unsupported()

    def _unfounded(self) -> str:
        for each in self.evidence:
            ground = self.material.grounds.get(each.evidence_id)
            if ground is None:
                return f"cites {each.evidence_id[:40]!r}, which is not there."
            where = ground.material.text if self.do == DRIFT else ground.carries
            if not where:
                return f"rests on {each.evidence_id[:40]} ({ground.material.origin})."
            stands = each.quote in where if self.do == DRIFT else sentences_with(each.quote, (where,))
            if not stands:
                return f"quotes {each.quote[:60]!r}, which is not in {each.evidence_id[:40]}."
        return ""

    def _too_little(self) -> str:
        ids = {each.evidence_id for each in self.evidence}
        if self.do == SKILL or (self.do == GUARDRAIL and not self._corrects()):
            return "" if len(ids) > 1 else "rests on one thing alone; twice is a pattern."
        if self.do in (PRINCIPLE, STRENGTHEN, REWORD, REMOVE) and not any(map(_is_his_word, ids)):
            return "rests on no words of the operator's."
        return ""

    def _unfit_text(self) -> str:
        if self.do in (REMOVE, DRIFT):
            return ""
        if says := unfit(self.text):
            return says
        if is_forbidden(self.text):
            return "speaks of instructions, of the agent's own files or of secrets."
        known = (each for each in self.material.principles.values() if each != self.old)
        same = (likeness(each, self.text) >= SAME and not facts_differ(each, self.text) for each in known)
        return "says what the soul says already." if any(same) else ""

    def _unsupported(self) -> str:
        if self.do in (REMOVE, DRIFT):
            return ""
        quotes = " ".join(each.quote for each in self.evidence)
        there = f"{quotes} {self.old}".casefold()
        added = next((each.text for each in values_in(self.text) if each.text.casefold() not in there), "")
        if added:
            return f"names {added!r}, which is in none of its quotes."
        about = subject(self.text)
        shared = about & subject(f"{quotes} {self.old}")
        is_said = len(shared) >= SUPPORTED * len(about) and bool(about & subject(quotes))
        return "" if is_said else "says what its quotes do not speak of."

    def _corrects(self) -> bool:
        signals = (each.message.signal.validator for each in self.grounds if each.message is not None)
        return any(each.evidence_id.startswith(_CORRECTION) for each in self.evidence) or any(signals)

    def checked(self, carries: Carries) -> Checked:
        """Return the edit: one that a message says by itself is made, any other waits."""
        headings = {SKILL: SKILLS, GUARDRAIL: LEARNED, STRENGTHEN: LEARNED, PRINCIPLE: LEARNED}
        edit = PrincipleEdit(self.old or "", self.text, headings.get(self.do, LEARNED))
        is_said = not self.old and any(
            each.message is not None and carries(Proposal("", self.text, quote.quote), each.message)
            for each, quote in zip(self.grounds, self.evidence, strict=True)
        )
        his = all(each.evidence_id.startswith(MESSAGE) for each in self.evidence)
        basis = Origin.ORDER if is_said else Origin.INFERENCE
        if self._corrects():
            basis = Origin.CORRECTION
        trust = OPERATOR if is_said and his else HOST
        return Checked(Suggested(edit, self.evidence, self.why), str(basis.value), trust)


def _is_his_word(evidence_id: str) -> bool:
    return evidence_id.startswith((MESSAGE, _CORRECTION))
