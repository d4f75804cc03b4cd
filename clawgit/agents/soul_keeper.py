"""The soul keeper: turns standing orders of the operator and a model's suggestions into edits of SOUL.md or proposals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.door.authorised_edits import Authority
from clawgit.agents.door.correction_plans import drop
from clawgit.agents.models.model import Material, ModelError, as_read, one_list, one_object, one_of, refused
from clawgit.agents.run_agent import Agent, Agents, Means, Planned, answer_to, digest_of
from clawgit.capture.messages.message import ChatMessage, MessageQuery, is_his
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.authorship.actors import OPERATOR as OPERATOR_ACTOR
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent, paused_since
from clawgit.history.decisions import pending_edits
from clawgit.history.git.refs import PROPOSALS, REJECTED
from clawgit.history.guards.conservation import KEEPER, LAPSES
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.history.reading.blame import BASIS, PrincipleOrigin
from clawgit.history.reading.git_log import read_changes
from clawgit.history.review.proposals import LAPSED, reject_proposal
from clawgit.identity.principle_edits import (
    LEARNED,
    SKILLS,
    GivenOrder,
    OrderedPrinciple,
    PrincipleEdit,
    ordered_principles,
    same_order,
    says_already,
    spoken,
    turned_round,
    with_edits,
    withdrawn,
)
from clawgit.identity.principles import read_principles
from clawgit.memory.corrections.correction_log import BY_HAND, Status
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import LESSONS, time_in
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, UNDERSTOOD
from clawgit.plan import MESSAGE, Edit, Evidence, Plan
from clawgit.text.comparing.similarity import is_close
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.safety.control_characters import folded
from clawgit.text.trailers import PROPOSAL
from clawgit.text.words.tokens import count_pieces
from clawgit.understanding.evidence.check_edit import ProposedEdit, unfit
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.understanding.evidence.own_sentences import own_sentences, sentences_with
from clawgit.understanding.facts.keepable_sentences import is_no_principle, standing_order_in, withdrawal_in
from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.agents.models.model import Askers
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import Records

NAME = "soul-keeper"
SOUL = "SOUL.md"
MOST_EDITS = 3  # principles in one run, few enough to follow
MOST_MESSAGES, MOST_OTHERS = 200, 40
LONGEST = 1000  # characters of a message
PRINCIPLE, GUARDRAIL, STRENGTHEN, SKILL = "PRINCIPLE", "GUARDRAIL", "STRENGTHEN", "SKILL"
REWORD, REMOVE, DRIFT = "REWORD", "REMOVE", "DRIFT"
MOST_TEXT = 300  # characters of an edit
SAME = 75
SUPPORTED = 0.6  # share of a new text's terms that its citations must have
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
LOOKS_BACK = timedelta(days=180)
FIRST_LOOK = timedelta(days=7)
AT_ONCE = 20_000  # messages
_ASKED = {  # by whether one of the requests corrected the agent
    False: "The operator asked for this more than once.",
    True: "The operator asked for this when he corrected the agent.",
}
_WITHDRAWN = "The operator took this back."
_TURNED = "The operator asked for the opposite since."
_UNSURE = "The operator said this more than once. Only he can say whether it is an order for good."


class Suggested(NamedTuple):
    """One edit, its grounds, and why."""

    edit: PrincipleEdit
    evidence: tuple[Evidence, ...]
    why: str


class SoulEvidence(NamedTuple):
    """A text that was read; ``carries`` is the part an edit may rest on, empty if none."""

    material: Material
    carries: str = ""
    message: ChatMessage | None = None


class KeepingMaterial(NamedTuple):
    """The grounds by id, and the principles by their names in the prompt."""

    grounds: dict[str, SoulEvidence]
    principles: dict[str, str]
    said: bool


def gather_material(
    history: History, since: datetime, now: datetime, decided: Iterable[str]
) -> KeepingMaterial:
    """Return the messages, corrections and lessons since a time, and the present soul."""
    used = frozenset(decided)
    messages = list(_messages(history, since, now, used))
    grounds = [*messages, *_corrections(history, used), *_lessons(history, now)]
    soul = read_principles(history.tip().tree.read(SOUL) or b"")
    principles = {f"s:{number}": each.text for number, each in enumerate(soul, start=1)}
    return KeepingMaterial({each.material.material_id: each for each in grounds}, principles, bool(messages))


def _messages(
    history: History, since: datetime, now: datetime, used: frozenset[str]
) -> Iterator[SoulEvidence]:
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        messages = store.log(MessageQuery(since=since, limit=MOST_MESSAGES))
    for message in messages:
        name = f"{MESSAGE}{message.chat_id}"
        text = message.text[:LONGEST]
        at = message.sent_at.astimezone(now.tzinfo).date().isoformat()
        if is_his(message):
            own = "" if message.signal.veto or name in used else " ".join(own_sentences(text))
            yield SoulEvidence(Material(name, "User, the operator", text, at), as_read(own), message)
        elif message.role == "assistant":
            yield SoulEvidence(Material(name, "Agent, the agent itself: carries nothing", text, at))
        else:
            yield SoulEvidence(Material(name, "somebody else, not the operator: carries nothing", text, at))


def _corrections(history: History, used: frozenset[str]) -> Iterator[SoulEvidence]:
    corrections = corrections_held(history, history.tip().tree).values()
    standing = [each for each in corrections if each.holds and each.status is not Status.UNDERSTOOD]
    for each in standing[-MOST_OTHERS:]:
        name, text = f"x:{each.correction_id}", as_read(f"{each.trigger} | {each.said} | {each.correct}")
        own = as_read(each.correct if each.trigger == BY_HAND else each.trigger)
        if name in used:
            own = ""
        yield SoulEvidence(Material(name, "a correction of the operator's", text, each.at), own)


def _lessons(history: History, now: datetime) -> Iterator[SoulEvidence]:
    for state in [each for each in list_states(history, now.date()) if each.path == LESSONS][-MOST_OTHERS:]:
        if state.entry.entry_id:
            text = as_read(parted(state.entry.text).statement)
            lesson = Material(f"m:{state.entry.entry_id}", "a lesson", text, state.since.isoformat())
            yield SoulEvidence(lesson, "" if state.trust in (EXTERNAL, UNDERSTOOD) else text)


class _ModelEdit(NamedTuple):
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
    def grounds(self) -> list[SoulEvidence]:
        grounds = self.material.grounds
        return [grounds[each.evidence_id] for each in self.evidence if each.evidence_id in grounds]

    def objection(self) -> str:
        if self.old is None or (self.do in (REWORD, REMOVE) and not self.old):
            return "names no principle that is there."
        complaint = self._unfounded() or self._too_little()
        if complaint or self.do in (REMOVE, DRIFT):
            return complaint
        return self._unfit_text() or self._unsupported()

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
            if len(ids) > 1:
                return ""
            return "rests on one thing alone; twice is a pattern."
        is_his_word = any(each.startswith((MESSAGE, _CORRECTION)) for each in ids)
        if is_his_word or self.do not in (PRINCIPLE, STRENGTHEN, REWORD, REMOVE):
            return ""
        return "rests on no words of the operator's."

    def _unfit_text(self) -> str:
        if says := unfit(self.text):
            return says
        if is_no_principle(self.text):
            return "speaks of instructions, of the agent's own files or of secrets."
        others = (each for each in self.material.principles.values() if each != self.old)
        if any(is_close(each, self.text, SAME) for each in others):
            return "says what the soul says already."
        return ""

    def _unsupported(self) -> str:
        quotes = " ".join(map(attrgetter("quote"), self.evidence))
        there = f"{quotes} {self.old}".casefold()
        added = next((each.text for each in values_in(self.text) if each.text.casefold() not in there), "")
        if added:
            return f"names {added!r}, which is in none of its quotes."
        about = subject(self.text)
        shared = about & subject(f"{quotes} {self.old}")
        is_said = len(shared) >= SUPPORTED * len(about) and bool(about & subject(quotes))
        if is_said:
            return ""
        return "says what its quotes do not speak of."

    def _corrects(self) -> bool:
        signals = (each.message.signal.validator for each in self.grounds if each.message is not None)
        return any(each.evidence_id.startswith(_CORRECTION) for each in self.evidence) or any(signals)

    def keeper(self, authority: Authority) -> SoulKeeper:
        edit = PrincipleEdit(self.old or "", self.text, SKILLS if self.do == SKILL else LEARNED)
        is_said = False
        for each, quote in zip(self.grounds, self.evidence, strict=True):
            if not self.old and each.message is not None and not is_said:
                proposal = ProposedEdit("", self.text, quote.quote)
                is_said = authority.ground(proposal, each.message).level in (OPERATOR, UNDERSTOOD)
        basis = PrincipleOrigin.INFERENCE
        if self._corrects():
            basis = PrincipleOrigin.CORRECTION
        elif is_said:
            basis = PrincipleOrigin.ORDER
        is_his = is_said and all(each.evidence_id.startswith(MESSAGE) for each in self.evidence)
        suggested = (Suggested(edit, self.evidence, self.why),)
        return SoulKeeper(suggested, str(basis.value), OPERATOR if is_his else HOST)


@dataclass(frozen=True)
class SoulKeeper(Agent):
    """Edits with the same kind of ground (``basis``); one model answer may make several agents."""

    edits: tuple[Suggested, ...]
    basis: str = ""
    trust: str = OPERATOR
    question: str = ""  # the question to a model that had no result
    refuses: bool = False  # no part of a model's answer may be applied; the run says why
    unread: bool = False  # no answer
    name = NAME
    lets_others_go_on = True

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        if not means.rehearses and paused_since(history) is None:
            lapse_items(history, now)
        yield from _rule_keepers(history, now)
        askers = means.askers()
        if askers is None or (not means.rehearses and paused_since(history) is not None):
            return
        keepers = _model_keepers(history, records, now, askers)
        yield from keepers
        if keepers and not keepers[0].unread and not means.rehearses:
            records.agent_cursors.note(NAME, utc_text(now), now)

    @property
    def input_id(self) -> str:
        if not self.edits:
            return self.question
        parts = []
        for each in self.edits:
            parts += [f"{one.evidence_id} {one.quote}" for one in each.evidence]
            parts.append(f" {each.edit.new}")
        return digest_of(*parts)

    @property
    def label(self) -> str:
        return self.input_id[:12]

    def plan(self, tree: Tree) -> Planned:
        if self.refuses:
            raise ModelError(" ".join(self.notes))
        if not self.edits:
            return Planned(None, self.notes)
        before = tree.read(SOUL)
        if before is None:
            return Planned(None, ("There is no SOUL.md.", *self.notes))
        after = with_edits(before, list(map(attrgetter("edit"), self.edits)))
        if after is None:
            gone = "A principle that an edit is about is not in SOUL.md any more."
            return Planned(None, (gone, *self.notes))
        evidence = tuple(dict.fromkeys(one for each in self.edits for one in each.evidence))
        why = " ".join(dict.fromkeys(map(attrgetter("why"), self.edits)))
        edit = self.edits[0].edit
        what = edit.new or f"without {edit.old!r}"
        if len(self.edits) > 1:
            what = f"{len(self.edits)} principles"
        plan = Plan(f"soul: {what}", (Edit(SOUL, after),), why, evidence, ((BASIS, self.basis),))
        return Planned(plan, self.notes)


def _rule_keepers(history: History, now: datetime) -> list[SoulKeeper]:
    given = list(_given(history, now))
    soul = history.tip().tree.read(SOUL)
    if not given or soul is None:
        return []
    decided = _decided(history)
    fresh = [each for each in given if each.evidence_id not in decided]
    coming, going = _pending_lines(history)
    limit = history.settings.soul_max_tokens
    fitting: list[OrderedPrinciple] = []
    turning: list[SoulKeeper] = []
    unsure: list[SoulKeeper] = []
    crowded: list[SoulKeeper] = []
    for order in ordered_principles(fresh):
        if not order.carries or says_already(soul, order) or says_already(coming, order):
            continue
        turned = turned_round(soul, order)
        if turned is not None:
            turning.append(SoulKeeper((_suggested(order, turned.text, _TURNED),), _basis(order.corrects)))
        elif not order.is_plain:
            unsure.append(SoulKeeper((_suggested(order, "", _UNSURE),), _basis(order.corrects), HOST))
        elif not _fits(soul, [PrincipleEdit("", each.text) for each in (*fitting, order)], limit):
            crowded.append(SoulKeeper((_suggested(order),), _basis(order.corrects)))
        elif len(fitting) < MOST_EDITS:
            fitting.append(order)
    keepers = []
    for corrects in (False, True):
        suggested = [_suggested(order) for order in fitting if order.corrects == corrects]
        if suggested:
            keepers.append(SoulKeeper(tuple(suggested), _basis(corrects)))
    proposed = [*_withdrawing(soul, fresh, going), *turning, *unsure, *crowded]
    return [*keepers, *proposed[:MOST_EDITS]]


def _given(history: History, now: datetime) -> Iterator[GivenOrder]:
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        query = MessageQuery(role="user", since=now - LOOKS_BACK, limit=AT_ONCE, vetoed=True)
        messages = list(filter(is_his, store.log(query)))
    for message in messages:
        name = f"{MESSAGE}{message.chat_id}"
        day = message.sent_at.astimezone(now.tzinfo).date()
        if message.signal.veto:  # which is quoted nowhere
            yield GivenOrder(name, "", to_forget(message.text), day, withdraws=True)
            continue
        withdrawal = withdrawal_in(message.text)
        order = withdrawal or standing_order_in(message.text)
        if order is not None:
            given = (name, order.quote, order.says, day, order.corrects)
            yield GivenOrder(*given, order.is_plain, withdraws=withdrawal is not None)


def _pending_lines(history: History) -> tuple[bytes, bytes]:
    """Return the lines that pending proposals would add to SOUL.md, and those they would remove."""
    come = gone = b""
    for edit in pending_edits(history):
        for each in edit.pieces:
            if each.path == SOUL:
                come += b"".join(each.piece.come)
                gone += b"".join(each.piece.gone)
    return come, gone


def _withdrawing(soul: bytes, given: list[GivenOrder], gone: bytes) -> Iterator[SoulKeeper]:
    """Yield a proposal for each principle that the operator took back and did not order again."""
    for number, each in enumerate(given):
        principle = withdrawn(soul, each) if each.withdraws else None
        if principle is None or principle.text.encode() in gone:
            continue
        if any(same_order(spoken(principle.text), later.says) for later in given[number + 1 :]):
            continue
        evidence = (Evidence(each.evidence_id, each.quote),)
        suggested = Suggested(PrincipleEdit(principle.text, ""), evidence, _WITHDRAWN)
        yield SoulKeeper((suggested,), _basis(corrects=True))


def _decided(history: History) -> frozenset[str]:
    """Return the messages already used for a principle: made, approved, pending, rejected or undone."""
    parked = [*history.refs(PROPOSALS).values(), *history.refs(REJECTED).values()]
    tips = filter(None, (history.tip().commit_id, *parked))
    patterns = (f"--grep=^Clawgit-Actor: {NAME}$", f"--grep=^{PROPOSAL}: ")
    cited: set[str] = set()
    for change in read_changes(history, *patterns, *tips):
        is_approved = change.actor == OPERATOR_ACTOR and change.trailers.first(PROPOSAL) is not None
        if change.actor == NAME or is_approved:
            cited |= {each.partition(" ")[0] for each in change.evidence}
    return frozenset(cited)


def _fits(soul: bytes, edits: list[PrincipleEdit], limit: int) -> bool:
    """Say whether the edits apply within the soul's size limit; additions always do."""
    after = with_edits(soul, edits)
    return after is not None and count_pieces(after.decode("utf-8", "replace")) <= limit


def _suggested(order: OrderedPrinciple, old: str = "", why: str = "") -> Suggested:
    evidence = tuple(Evidence(each.evidence_id, each.quote) for each in order.given)
    return Suggested(PrincipleEdit(old, order.text), evidence, why or _ASKED[order.corrects])


def _basis(corrects: bool) -> str:
    return str((PrincipleOrigin.CORRECTION if corrects else PrincipleOrigin.ORDER).value)


def _model_keepers(history: History, records: Records, now: datetime, askers: Askers) -> list[SoulKeeper]:
    cursor = records.agent_cursors.of(NAME)
    since = datetime.fromisoformat(cursor) if cursor else now - FIRST_LOOK
    material = gather_material(history, since, now, _decided(history))
    if not material.said:
        return []
    question = digest_of(repr((since, sorted(material.grounds), material.principles)))
    asker = askers(f"{NAME}-{question[:10]}")
    if asker is None:
        return []
    materials = [Material(name, SOUL, text) for name, text in material.principles.items()]
    materials += map(attrgetter("material"), material.grounds.values())
    try:
        answer = answer_to(asker, history, NAME, _TASK, materials, _SCHEMA)
    except ModelError as error:
        notes = (error.message,)
        return [SoulKeeper((), question=question, refuses=True, unread=True, notes=notes, tokens=error.spent)]
    keepers: list[SoulKeeper] = []
    drift: list[str] = []
    refusals: list[str] = []
    proposed = [spoken(each.text) for each in read_principles(_pending_lines(history)[0])]
    with open_messages(history, now) as store:
        authority = Authority(history, store, now)
        for row in answer["edits"]:
            edit = _ModelEdit.of(row, material)
            why_not = edit.objection()
            if why_not:
                refusals.append(refused(f"{edit.name} {why_not}"))
            elif edit.do == DRIFT:
                cited = ", ".join(map(attrgetter("evidence_id"), edit.evidence))
                drift.append(f"Drift: {edit.why} ({cited})")
            elif any(same_order(text, edit.text) for text in proposed):
                drift.append(f"{edit.name} is proposed already.")
            else:
                keepers.append(edit.keeper(authority))
                proposed.append(edit.text)
    if not keepers:
        keepers.append(SoulKeeper((), question=question, refuses=bool(refusals)))
    keepers[0] = replace(keepers[0], notes=(*drift, *refusals), tokens=asker.spent)
    return keepers


def lapse_items(history: History, now: datetime) -> None:
    """Reject proposals and drop questions that stayed undecided too long; edits in the folder and the operator's orders stay."""
    for edit in pending_edits(history):
        if edit.may_lapse and now - edit.proposal.at >= LAPSES:
            reject_proposal(history, edit.proposal.parked_id, LAPSED, Intent(new_op("lapse"), NAME, now))
    for name, question in standing_corrections(history.tip().tree).items():
        if question.status is not Status.OPEN:
            continue
        since = time_in(question.at, now.tzinfo)
        if since is not None and now - since >= LAPSES:
            drop(history, f"x:{name}", Intent(new_op("lapse"), KEEPER, now), reason=LAPSED)
