"""What a model would change in the soul: each edit is checked by itself, against the soul and what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.models.model_prompts import prompt_of
from clawgit.agents.soul_keeper.soul_keeper import MOST_EDITS, Suggested
from clawgit.history.provenance.principle_origins import Origin
from clawgit.identity.principle_edits import LEARNED, SKILLS, PrincipleEdit
from clawgit.memory.trust import HOST, OPERATOR
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.evidence.check_edit import Proposal, unfit
from clawgit.understanding.evidence.own_sentences import sentences_with
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.soul_keeper.keeping_material import Ground, KeepingMaterial
    from clawgit.capture.messages.message import ChatMessage

    Carries = Callable[[Proposal, ChatMessage], bool]

PRINCIPLE, GUARDRAIL, STRENGTHEN, SKILL = "PRINCIPLE", "GUARDRAIL", "STRENGTHEN", "SKILL"
REWORD, REMOVE, DRIFT = "REWORD", "REMOVE", "DRIFT"
LONGEST = 300
SAME = 75
SUPPORTED = 0.6  # of what a new text is about that is in what it cites, too
_CORRECTION = "x:"
_TEXT = {"type": "string", "maxLength": LONGEST}
_CITED = {
    "type": "object",
    "properties": {"id": {"type": "string", "maxLength": 80}, "quote": {**_TEXT, "minLength": 2}},
    "required": ["id", "quote"],
    "additionalProperties": False,
}
_EDIT = {
    "type": "object",
    "properties": {
        "do": {"type": "string", "enum": [PRINCIPLE, GUARDRAIL, STRENGTHEN, SKILL, REWORD, REMOVE, DRIFT]},
        "principle": {"type": "string", "maxLength": 20},
        "text": _TEXT,
        "why": {**_TEXT, "minLength": 3},
        "evidence": {"type": "array", "minItems": 1, "maxItems": 6, "items": _CITED},
    },
    "required": ["do", "why", "evidence"],
    "additionalProperties": False,
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"edits": {"type": "array", "maxItems": MOST_EDITS, "items": _EDIT}},
    "required": ["edits"],
    "additionalProperties": False,
}
_TASK = """\
The material is the agent's soul, principle by principle (s:1 and on), and what happened since you looked last. Say what should change
in the soul: at most three edits, one principle each, and mostly none. "do" is PRINCIPLE (the operator asked for it, or corrected the
agent so), GUARDRAIL (a mistake that came back: at least two pieces of evidence, or a correction), STRENGTHEN (what works and he
praised), SKILL (an ability that was shown at least twice), REWORD or REMOVE (an existing principle, named as "principle"), or DRIFT (the
agent acts otherwise than a principle says: nothing is changed, the operator is told). "text" is the new principle: one sentence,
in the operator's words as far as he said it. "why" is one sentence. Each piece of evidence is an id of the material with words that
stand there letter by letter. What carries nothing can be no evidence, but for DRIFT. Every name and value of the text stands
in the quotes."""


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
    edits, drift, refused = list[Checked](), list[str](), list[str]()
    for row in answer["edits"]:
        asked = _Asked.of(row, material)
        why_not = asked.objection()
        if why_not:
            refused.append(f"Refused of the model's answer: {asked.name} {why_not}")
        elif asked.do == DRIFT:
            drift.append(f"Drift: {asked.why} ({', '.join(each.evidence_id for each in asked.evidence)})")
        else:
            edits.append(asked.checked(carries))
    return Answer(tuple(edits), tuple(drift), tuple(refused))


class _Asked(NamedTuple):
    """One edit as the model wants it."""

    do: str
    old: str | None
    text: str
    why: str
    evidence: tuple[Evidence, ...]
    material: KeepingMaterial

    @classmethod
    def of(cls, row: dict[str, Any], material: KeepingMaterial) -> _Asked:
        named = folded(row.get("principle", ""))
        old = material.principles.get(named, None if named else "")
        evidence = tuple(Evidence(folded(each["id"]), folded(each["quote"])) for each in row["evidence"])
        text = "" if row["do"] in (REMOVE, DRIFT) else folded(row.get("text", ""))
        return cls(row["do"], old, text, folded(row["why"]), evidence, material)

    @property
    def name(self) -> str:
        """Return it in a few words."""
        return f"{self.do} {(self.text or self.old or '')[:60]!r}"

    @property
    def grounds(self) -> list[Ground]:
        """Return what it cites, as far as that exists."""
        known = self.material.grounds
        return [known[each.evidence_id] for each in self.evidence if each.evidence_id in known]

    def objection(self) -> str:
        """Return why it counts for nothing, empty if it counts."""
        if self.old is None or (self.do in (REWORD, REMOVE) and not self.old):
            return "names no principle that is there."
        checks = (self._unfounded, self._too_little, self._unfit_text, self._unsupported)
        return next(filter(None, (check() for check in checks)), "")

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
        basis = Origin.CORRECTION if self._corrects() else Origin.ORDER if is_said else Origin.INFERENCE
        trust = OPERATOR if is_said and his else HOST
        return Checked(Suggested(edit, self.evidence, self.why), str(basis.value), trust)


def _is_his_word(evidence_id: str) -> bool:
    return evidence_id.startswith((MESSAGE, _CORRECTION))
