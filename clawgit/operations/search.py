"""Search in files and messages, now or as of a time, and in removed lines."""

from __future__ import annotations

import math
import re
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

from clawgit.capture.messages.open_messages import ask_briefly, has_messages, open_messages
from clawgit.context.said_later import with_his_words, with_taken_back
from clawgit.context.wanted_context import (
    FOR_MESSAGE,
    FOR_SEARCH,
    GROUP,
    Talk,
    WantedContext,
    group_asking,
    scope_of,
)
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import HOST, person_here, said_by, with_person
from clawgit.history.provenance.correction_files import corrected_by
from clawgit.history.provenance.entries_at_tip import states_below
from clawgit.history.provenance.trust_lookup import TrustLookup, dispute_note, keys_of_lines, open_trusts
from clawgit.memory.conflict_log import Contradiction, as_logged
from clawgit.memory.corrections.corrected_entries import MARK
from clawgit.memory.entries.statements import BY_LIKENESS, without_order
from clawgit.memory.trust import EXTERNAL, OPERATOR, UNDERSTOOD
from clawgit.operations.caller import Caller, Count, Range, Scope, Share
from clawgit.operations.memory import asked_workspaces
from clawgit.operations.wiring.vector_wiring import enhanced_vectors, reason_told
from clawgit.plan import MESSAGE
from clawgit.recall.index.places import SearchLimits
from clawgit.recall.index.searched_files import path_meant
from clawgit.recall.ranking.results import shortened
from clawgit.recall.recall_status import held_in_prompt, is_answered, kept_query, note_found, nothing_found
from clawgit.recall.search import refuse_blank, search, search_as_of
from clawgit.recall.search_messages import (
    ASSISTANT,
    below_corrections,
    below_turns,
    search_messages,
    with_messages,
)
from clawgit.recall.search_results import (
    HIGH,
    LOW,
    NOT_IN_FORCE,
    SURE,
    Beside,
    Hits,
    Query,
    Result,
    WorkspaceHits,
    how_many_fit,
    likeliest,
    merged,
)
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact
from clawgit.understanding.evidence.orders_to_forget import is_unwanted
from clawgit.understanding.evidence.own_sentences import is_mostly_pasted, is_question
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date, datetime, tzinfo
    from pathlib import Path

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.context.slots import Cut
    from clawgit.history.git.repository import History

    PastState: TypeAlias = tuple[datetime, str, bool]
    Answered: TypeAlias = tuple[WorkspaceHits, PastState | None]

MOST_RESULTS = 1000
MOST_BESIDE = 2  # lines of files beside memory for a prompt
MORE = 4  # times as many hits are read if none of the first is news
_TOOK_BACK = "took this back"
TAKEN_BACK = f"you {_TOOK_BACK}"
PASTED = "most of it counts as a pasted text"
FILES = ("memory", "extra")
OF_FILES = ("tier", "path", "category", "as_of", "deep")  # parameters that messages know nothing of

Results = Annotated[int, Range(1, MOST_RESULTS)]
Tier = Literal["T1", "T2"]
Source = Literal["all", "memory", "extra", "chat"]


class SearchRequest(NamedTuple):
    """A question, where to search, and how many results; None takes the setting.

    ``told`` is the most hits that a model is shown, None for all: these leave a receipt.
    """

    query: str = ""
    max_results: Results | None = None
    max_tokens: Count | None = None
    min_score: Share | None = None
    tier: Tier | None = None
    path: str | None = None
    category: str | None = None
    source: Source = "all"
    mmr: Share | None = None
    as_of: str | None = None
    deep: bool = False
    session: str = ""
    scope: Scope | None = None
    for_prompt: bool = False
    told: Count | None = None


class Reach(NamedTuple):
    """The other workspaces to search, and whether a model helps; only the command line sets them."""

    agent: str | None = None
    everywhere: bool = False
    smart: bool = False
    verbose: bool = False


class SearchAnswer(NamedTuple):
    """The hits; ``zone`` is that of the asking workspace.

    ``as_of`` is the past state that was searched: the day's end, the commit, and whether the records had it.
    ``nothing`` says where nothing was found, and where else the words are. A hit with less than the ``least`` score is a guess.
    """

    found: Hits
    zone: tzinfo | None
    as_of: PastState | None = None
    nothing: str = ""
    least: float = 0.0


def search_memory(caller: Caller, request: SearchRequest, reach: Reach | None = None) -> SearchAnswer:
    """Search this workspace and the shared one, the one named, or all of them."""
    reach = reach or Reach()
    workspaces = asked_workspaces(caller, reach.agent, everywhere=reach.everywhere)
    searches: list[_Search] = []

    def ask(history: History, agent: str) -> Answered:
        with open_trusts(history) as trusts:
            searches.append(_Search(caller, history, trusts, request, reach))
            return searches[-1].answer(agent)

    answers, missed = _ask_all(caller, workspaces, ask)
    answered = list(map(itemgetter(0), answers))
    hits = _one_answer(answered, missed)
    if (request.for_prompt or caller.actor == HOST) and reach.agent is None:
        searches[0].keep_receipt(hits)
    caller.say_each(filter(None, (*hits.notes, reason_told(hits.by, answered[0].agent), _weakness(hits))))
    nothing = ""
    is_plain = request == SearchRequest(request.query, session=request.session)
    now = caller.now(searches[0].history)
    if is_plain and not reach.everywhere and not is_answered(hits, request.query, now):
        nothing = _nothing(caller, request, searches[0].history, hits)
    return SearchAnswer(hits, answered[0].zone, answers[0][1], nothing, answered[0].wanted.min_score)


def _ask_all(
    caller: Caller, workspaces: dict[Path, str], ask: Callable[[History, str], Answered]
) -> tuple[list[Answered], list[str]]:
    answers: list[Answered] = []
    missed: list[str] = []
    failed: ClawgitError | None = None
    for root, agent in workspaces.items():
        try:
            answers.append(ask(caller.history(root), agent))
        except ClawgitError as error:
            if not agent:
                raise
            failed = failed or error
            missed.append(f"{agent} was not searched: {error}")
    if not answers and failed is not None:
        raise failed
    return answers, missed


def _one_answer(answers: list[WorkspaceHits], missed: list[str]) -> Hits:
    """Return the best of all answers; reasons of other workspaces become notes."""
    notes = [*missed, *(note for each in answers for note in each.found.notes)]
    notes += [reason_told(each.found.by, each.agent) for each in answers[1:]]
    results = tuple(result._replace(agent=agent) for agent, result in merged(answers))
    notes = list(dict.fromkeys(filter(None, notes)))
    return answers[0].found._replace(results=results, notes=tuple(notes), probability=likeliest(answers))


def _nothing(caller: Caller, request: SearchRequest, history: History, hits: Hits) -> str:
    """Say where nothing was found, and where the words are or were; nothing where others listen."""
    if group_asking(caller.environment, request.session) is not None:
        return ""
    in_prompt = held_in_prompt(history, request.query, caller.now(history), hits)
    elsewhere = [in_prompt, _gone(history, request.query)]
    if not hits.results:
        elsewhere.append(nothing_found(history, is_else=bool(in_prompt)))
    return " ".join(filter(None, elsewhere))


def _gone(history: History, query: str) -> str:
    """Return the line with the words that an edit removed, and the command that restores it; not a line that was forgotten."""
    from clawgit.history.authorship.commit_messages import KEEP_OP
    from clawgit.history.provenance.why import find_removed

    gone = find_removed(history, query)
    if gone is None or gone.removed is None or gone.by == BY_LIKENESS:
        return ""
    if gone.removed.op is not None and not gone.removed.op.startswith(KEEP_OP):
        return ""
    name = gone.removed.commit_id[:12]
    words = shown(redact(gone.words), keep_newlines=False)
    commit = f"{gone.removed.at[:10]}, {gone.removed.subject} ({name})"
    return f'"{words}" is no longer in any file: {commit}; {gone.way_back}.'


def _weakness(hits: Hits) -> str:
    if not hits.results or hits.confidence == HIGH or hits.results[0].score >= 1.0:
        return ""  # at 1.0 a line has all words of the question
    if hits.confidence != LOW:
        return "No line answers this for sure."
    sentence = "Nothing in memory seems to answer this; these are guesses."
    if hits.by.mode == "core":
        sentence += " `mode: enhanced` also looks for meaning (docs/enhanced.md)."
    return sentence


class _Search:
    def __init__(
        self, caller: Caller, history: History, trusts: TrustLookup, request: SearchRequest, reach: Reach
    ) -> None:
        self.caller = caller
        self.history = history
        self.trusts = trusts  # while it answers
        self.request = request
        self.reach = reach
        self.cuts: list[Cut] = []  # hits that a model does not get
        self.wanted = _wanted(history, request)
        self.now = caller.now(history)

    def answer(self, agent: str) -> Answered:
        """Return the hits; only searches of the workspace's own agent are noted."""
        hits, as_of = self._found(is_own=not agent)
        return WorkspaceHits(agent, hits, self.wanted, self.now.tzinfo), as_of

    def keep_receipt(self, hits: Hits) -> None:
        """Keep a receipt of what a model is shown; for a prompt, only of hits that answer it."""
        request, caller = self.request, self.caller
        shown = hits.results[: request.told]
        if not shown or (request.for_prompt and hits.confidence != HIGH):
            return
        from clawgit.context.hits_told import receipt_for

        part = FOR_MESSAGE if request.for_prompt else FOR_SEARCH
        receipt_request = WantedContext(kept_query(request.query), request.session, part, caller.connection)
        hits = hits._replace(results=shown)
        try:
            receipt_for(self.history, hits, receipt_request, self.wanted.tokens, self.now, self.cuts)
        except RecordsError as error:  # the hits are told all the same
            caller.say(f"No receipt was kept: {error}")

    def _found(self, *, is_own: bool) -> tuple[Hits, PastState | None]:
        request = self.request
        group = group_asking(self.caller.environment, request.session, request.scope or "")
        if group is not None:
            return search_in_group(self.caller, self.history, self.wanted, group), None
        if request.for_prompt:
            from clawgit.context.note_lines import is_greeting

            if is_unwanted(request.query) or is_greeting(request.query):
                return Hits(), None
        if request.source == "chat":
            return self._messages(), None
        if request.as_of is not None:
            return self._as_of(request.as_of)
        return self._now(is_own=is_own), None

    def _now(self, *, is_own: bool) -> Hits:
        hits = self._looked_for(self.wanted)
        if self.request.for_prompt or self.caller.actor == HOST:
            hits = self._for_model(hits)
        if self.request.for_prompt:
            hits = self._unasked(hits)
            if is_question(self.request.query):
                hits = self._with_files_beside(hits)
            hits = self._with_session(hits)
        hits = _with_entries(self.history, self.trusts, hits, None if self.request.deep else self.now.date())
        hits = _with_committers(self.history, self.trusts, hits)
        if is_own:
            try:
                note_found(self.history, self.wanted.query, self.request.session, hits, self.now)
            except RecordsError as error:
                self.caller.say(f"This search was not noted: {error}")
        return hits

    def _looked_for(self, question: Query) -> Hits:
        hits = self._with_messages(self._files(question), question)
        marked = with_taken_back(self.history, self.trusts, hits, TAKEN_BACK, self.now)
        return self._without_taken_back(marked)

    def _without_taken_back(self, hits: Hits) -> Hits:
        """Drop what the operator took back, where a model reads the hits."""
        if not (self.request.for_prompt or self.caller.actor == HOST):
            return hits
        from clawgit.context.hits_told import untold

        standing = [each for each in hits.results if not each.note.endswith(_TOOK_BACK)]
        self.cuts += untold(hits.results, standing, TAKEN_BACK)
        return hits._replace(results=tuple(standing))

    def _for_model(self, hits: Hits) -> Hits:
        """Return the hits for a model; if none of the first ones are news to it, those below them."""
        from clawgit.context.hits_told import NO_NEWS, telling, untold

        chosen = telling(self.history, hits.results, self.now)
        if hits.results and not chosen:
            more = self._looked_for(self.wanted._replace(most=MORE * self.wanted.most, tokens=0))
            chosen = telling(self.history, more.results, self.now)[: self.wanted.most]
            chosen = chosen[: how_many_fit(chosen, self.wanted.within(hits.probability).tokens)]
        self.cuts += untold(hits.results, chosen, NO_NEWS)
        return hits._replace(results=tuple(chosen))

    def _unasked(self, hits: Hits) -> Hits:
        """Return the hits for a prompt, which did not ask for them."""
        from clawgit.context.hits_told import NOT_UNASKED, told_unasked, untold

        unasked = told_unasked(hits.results, self.request.query, self.now)
        self.cuts += untold(hits.results, unasked, NOT_UNASKED)
        return hits._replace(results=unasked)

    def _with_files_beside(self, hits: Hits) -> Hits:
        """Return sure lines of files beside memory if memory has no sure one; else put those that answer better above it."""
        is_sure = hits.confidence == HIGH
        if self.request.source != "memory" or (is_sure and hits.results[0].score >= 1.0):
            return hits
        limits = self.wanted.limits._replace(source="extra")
        beside = self._unasked(self._files(self.wanted._replace(most=MOST_BESIDE, limits=limits)))
        if beside.confidence != HIGH:
            return hits
        if not is_sure:
            return beside
        better = [each for each in beside.results if each.score > hits.results[0].score]
        results = (*better, *hits.results)[: self.wanted.most]
        return hits._replace(results=results[: how_many_fit(results, self.wanted.tokens)])

    def _with_session(self, hits: Hits) -> Hits:
        """Put the operator's messages of this session above the hits: no note has them yet.

        Without hits, only a question gets them: the model has just read them.
        """
        request = self.request
        is_asked = is_question(request.query)
        if not (request.session and (hits.results or is_asked)):
            return hits
        from clawgit.context.note_lines import says_no_more
        from clawgit.context.session_talk import hits_in_session

        shown_text = ""
        for each in hits.results:
            shown_text += "\n".join((each.snippet, *each.told, ""))
        talk = Talk(self.wanted.query, scope_of(request.session), request.session)
        messages = []
        for each in hits_in_session(self.history, talk, self.now):
            if not says_no_more(each.snippet, shown_text, self.now):
                messages.append(each)
        probability = hits.probability
        if messages and not hits.results:
            probability = SURE
        return hits._replace(results=(*messages, *hits.results), probability=probability)

    def _files(self, question: Query) -> Hits:
        caller, history = self.caller, self.history
        beside = None
        if self.request.deep:
            from clawgit.recall.search_deep import Retired

            beside = Retired

        def find(search_question: Query, trusts: TrustLookup | None = None) -> Hits:
            vectors = enhanced_vectors(caller, history)
            return search(history, search_question, self.now, beside=beside, vectors=vectors, trusts=trusts)

        if not (self.reach.smart or history.settings.search_reranked):
            return find(question, self.trusts)  # which nobody holds open while a model is asked
        from clawgit.operations.wiring.model_wiring import smart_found

        reach = self.reach
        return smart_found(caller, history, find, question, verbose=reach.verbose, by_model=reach.smart)

    def _as_of(self, word: str) -> tuple[Hits, PastState]:
        caller, history = self.caller, self.history
        if self.request.deep:
            raise UsageError("--as-of and --deep ask for different things.", hint="Give one of them.")
        if self.reach.smart:
            raise UsageError("--smart searches memory as it is now.", hint="Leave out --as-of or --smart.")
        moment = caller.time_asked(word, history).last
        vectors = enhanced_vectors(caller, history)
        hits, state = search_as_of(history, self.wanted, moment, self.now, vectors=vectors)
        if not state.seen:
            caller.say("No records go back that far; only the dates of commits were used.")
        return hits, (moment, state.commit.commit_id, bool(state.seen))

    def _messages(self) -> Hits:
        unfit = self._named_of_files() + ["smart"] * self.reach.smart
        if unfit:
            sentence = f"--{unfit[0].replace('_', '-')} is about files, and --source chat about messages."
            raise UsageError(sentence, hint="Give one of them.")
        return self._without_taken_back(self._below_corrections(self._said()))

    def _named_of_files(self) -> list[str]:
        return [name for name in OF_FILES if getattr(self.request, name)]

    def _with_messages(self, notes: Hits, question: Query) -> Hits:
        """Put messages below the notes; the notes are returned also where messages cannot be read."""
        if self.request.source != "all" or self._named_of_files():
            return notes
        try:
            messages = self._said()
        except ClawgitError as error:
            self.caller.say(f"Messages were not searched: {error}")
            return notes
        notes, _ = with_his_words(self.history, self.trusts, question, notes, self.now)
        return self._below_corrections(with_messages(notes, messages, question))

    def _below_corrections(self, hits: Hits) -> Hits:
        return below_corrections(self.history, self.trusts, hits, self.wanted, self.now)

    def _said(self) -> Hits:
        if not has_messages(self.history):
            refuse_blank(self.wanted)  # all the same
            return Hits()
        return self._taken_back_last(*ask_briefly(self.history, self.now, self._asked))

    def _asked(self, store: MessageStore) -> tuple[Hits, list[ChatMessage]]:
        """Return the messages that answer, and the operator's among them that a later turn takes back."""
        from clawgit.capture.sessions.taken_back import corrected_next, followed

        hits = search_messages(store.candidates, self.wanted, self.now)
        agents = []
        his = []
        for each in hits.results:
            if each.message and each.message.role == ASSISTANT:
                agents.append(each.entry)
            elif each.trust == OPERATOR:
                his.append(each.entry)
        return below_turns(hits, corrected_next(store, agents)), followed(store, his)

    def _taken_back_last(self, hits: Hits, his: Sequence[ChatMessage]) -> Hits:
        """Return the messages that answer; those that the operator took back come last, marked."""
        from clawgit.capture.sessions.taken_back import taken_back_among

        gone = taken_back_among(self.trusts, his)
        standing = []
        last = []
        for each in hits.results:
            left = gone.get(each.entry)
            if left is not None:
                standing.append(_with_pasted(each._replace(snippet=shortened(left.text), message=left)))
            elif each.entry in gone:
                taker = self.trusts.takers.get(MESSAGE + each.entry, "")
                last.append(each._replace(note=with_person(TAKEN_BACK, taker)))
            else:
                standing.append(_with_pasted(each))
        return hits._replace(results=(*standing, *last))


def _wanted(history: History, request: SearchRequest) -> Query:
    least = request.min_score
    if least is not None and math.isnan(least):
        raise UsageError("The score is not a number.", hint="Give one from 0 to 1.")
    settings, tokens = history.settings, request.max_tokens
    if tokens is None:
        tokens = 0 if request.max_results else settings.search_max_tokens
    query = request.query
    if request.for_prompt:
        query = without_order(query)
    return Query(
        query,
        request.max_results or settings.search_max_results,
        settings.search_min_score if least is None else least,
        _limits(history, request),
        trade=request.mmr,
        tokens=tokens,
        guesses=tokens > 0 and least is None,
    )


def _limits(history: History, request: SearchRequest) -> SearchLimits:
    for name, text in (("path", request.path), ("category", request.category)):
        try:
            (text or "").encode()
        except UnicodeEncodeError as error:  # the shell passes on any bytes, and nothing compares with them
            sentence = f"The {name} is not UTF-8, so nothing that is searched has it."
            raise UsageError(sentence, hint="Write it in UTF-8.") from error
    path = None
    if request.path:
        path = path_meant(history.root, f"{request.path}/").rstrip("/")
    category = (request.category or "").removeprefix("#")
    source = request.source if request.source in FILES else None
    return SearchLimits(request.tier, path or None, category or None, source)


def _with_entries(history: History, trusts: TrustLookup, hits: Hits, on: date | None) -> Hits:
    """Return hits with the open conflicts of their entries and, given ``on``, their confidence on that day."""
    paths = {hit.entry.removeprefix("m:"): hit.path for hit in hits.results if hit.entry.startswith("m:")}
    if not any(map(attrgetter("entries"), hits.results)):
        return hits
    disputed = trusts.waiting(history.tip().tree)
    confidences = {}
    if on is not None:
        for state in states_below(history, sorted(set(paths.values())), on, only=set(paths)):
            confidences[f"m:{state.entry.entry_id}"] = state.confidence
    results = []
    for each in hits.results:
        note = each.note
        if note == NOT_IN_FORCE:
            note = f"{note}: {trusts.why_not_held(each.entry)}."
        doubts = tuple(_doubts(each, disputed))
        confidence = confidences.get(each.entry)
        results.append(each._replace(note=note, disputed=doubts, entry_confidence=confidence))
    return hits._replace(results=tuple(results))


def _with_pasted(hit: Result) -> Result:
    if hit.message is None or hit.trust != OPERATOR or not is_mostly_pasted(hit.message.text):
        return hit
    return hit._replace(trust=EXTERNAL, note=PASTED)


def _with_committers(history: History, trusts: TrustLookup, hits: Hits) -> Hits:
    """Add the committer to lines of an agent's, or that count as the operator's, where git names somebody else, if it names the operator here."""
    if not person_here(history):
        return hits
    results = list(hits.results)
    for at, each in enumerate(results):
        if each.entry.startswith(MARK):
            results[at] = _with_correctors(history, trusts, each)
        is_plain = each.trust in (UNDERSTOOD, HOST) or (each.trust == OPERATOR and not each.notes)
        data = hits.texts.get(each.path)
        if not is_plain or each.is_correction or each.message or each.retirement or data is None:
            continue
        keys = keys_of_lines(data, each.first, each.last)
        trusts.look_up(keys)
        origins = filter(None, map(trusts.origin, sorted(keys)))
        whose = filter(lambda origin: origin.trust == each.trust, origins)
        names = dict.fromkeys(map(partial(said_by, history), whose))
        named = ", ".join(filter(None, names))
        part = "in part " * ("" in names)
        if named:
            results[at] = each._replace(committers=f"{part}committed by {named}")
    return hits._replace(results=tuple(results))


def _with_correctors(history: History, trusts: TrustLookup, result: Result) -> Result:
    """Return a correction with the other person who made it, and with those who made the corrections that it replaces."""

    def person(name: str) -> str:
        return trusts.ask(lambda store: corrected_by(history, store, name))

    replaced = []
    for each in result.instead_of:
        replaced.append(each._replace(person=person(each.entry)))
    return result._replace(person=person(result.entry), instead_of=tuple(replaced))


def _doubts(result: Result, disputed: Sequence[Contradiction]) -> Iterator[Beside]:
    """Yield the open conflicts in which lines of a hit are a side."""
    if result.retirement is not None:
        return
    ends = [match.start() for match in re.finditer(r"\n|\Z", result.snippet)]
    for each in disputed:
        for side in (each.a, each.b):
            if f"m:{side.entry_id}" not in result.entries:
                continue
            for at, end in enumerate(ends):
                if side.statement in as_logged(result.snippet[:end]):
                    yield Beside(at, dispute_note(each, side), f"k:{each.conflict_id}")
                    break


def search_in_group(caller: Caller, history: History, question: Query, group: str) -> Hits:
    refuse_blank(question)
    now = caller.now(history)
    if scope_of(group) != GROUP or not has_messages(history):
        return Hits()
    with open_messages(history, now) as store:
        return search_messages(partial(store.candidates, session=group), question, now)
