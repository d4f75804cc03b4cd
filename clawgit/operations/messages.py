"""Taking a message: it is stored, and its orders, answers, corrections and withdrawals are done at once."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.capture.messages.forgotten_messages import taken_back
from clawgit.capture.messages.incoming_message import Rules, rules_in_force, take_down
from clawgit.capture.messages.message import ChatMessage, IncomingMessage, StoreOutcome
from clawgit.capture.messages.open_messages import forget_old, open_messages
from clawgit.capture.sessions.taken_back import LOOKED_BACK
from clawgit.context.wanted_context import GROUP, scope_of
from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.memory.entries.statements import says_changed
from clawgit.memory.trust import EXTERNAL, OPERATOR
from clawgit.operations.caller import Caller, Saying
from clawgit.plan import MESSAGE, Evidence
from clawgit.text.safety.secrets import holds_a_secret
from clawgit.understanding.evidence.orders_to_forget import (
    dropped_in,
    forgets_itself,
    is_unwanted,
    only_asks_to_forget,
    said_to_forget,
    to_forget_at_last,
)
from clawgit.understanding.evidence.own_sentences import denies, own_sentences
from clawgit.understanding.evidence.said_words import read
from clawgit.understanding.evidence.says_beyond import has_a_topic
from clawgit.understanding.evidence.taking_back import behind_opening, is_of_before, takes_back
from clawgit.understanding.forms.numbered_answers import begins_as_answer
from clawgit.understanding.forms.user_words import tells_of_himself
from clawgit.workspace.settings.setting_types import OFF
from clawgit.workspace.settings.settings import EXPLICIT, REVIEW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from clawgit.agents.door.exchanged_lines import SameLine
    from clawgit.agents.door.meant_entries import EntryCandidate
    from clawgit.agents.link_messages import LinesAbout
    from clawgit.agents.memory_miner import KeptSentence
    from clawgit.agents.takings_back import CorrectedLine, TakenBack
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.review.keep import KeepOutcome
    from clawgit.history.undo.forgetting import LinesMeant, StatementLine
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.pending.chat_answers import ChatAnswer

Role = Literal["user", "assistant", "tool", "system"]
Fate = Literal["", "kept", "proposed", "read", "message", "said", "back", "secret"]
MOST = 5  # lines to forget that an answer names
FEW = 3  # sentences of a host's message whose lines are looked for at once: a search takes 10 to 30 ms
REPEATED = "repeated"  # the store's word for a message that it has
OF_ITS_OWN = "the same message asks that something be not kept; say it in one of its own"
LINK, UNDO = "link", "undo"  # the next job links the message, or undoes what rests on what it takes back


class MessageRequest(NamedTuple):
    """A message; ``proved`` is its author as a connection proves it."""

    text: str
    role: Role = "user"
    channel: str = "cli"
    conversation: str = "main"
    id: str = ""
    session: str = ""
    sender: str = ""
    at: str | None = None
    group: bool = False
    external: bool = False
    proved: Literal["operator", "other"] | None = None


class ForgottenLine(NamedTuple):
    """A line that a message of the operator's removed, its place, and the commit to undo."""

    place: str
    text: str
    undo: str


class TakenDown(NamedTuple):
    """The outcome of a message; ``may_correct`` has the entries that it may correct, None if it is not a correction or they are not shown.

    ``linked`` are lines beside which its words stand, ``ended`` earlier words that stand beside a line no more. ``corrected`` are lines corrected at once, ``same`` other lines that still say so, ``remembered`` sentences that were kept, ``not_kept`` is why an order to remember was not followed.
    ``read_next`` has the signals that the next jobs may use, and `link`. ``fate`` is that of a plain fact that corrects nothing: the next job keeps or proposes it, a model reads it, it stays a message, it states no fact (`said`), it asks to undo what is not plain (`back`), or it is a `secret`. ``known`` is the line of memory that says it already.
    ``takes_back`` is the message taken back, ``back`` what was undone with it; ``answered`` are answers to clawgit's questions; ``unwanted`` is what to forget, ``forgotten`` the line removed at once, ``unwanted_lines`` lines that say so and stay, with ``unwanted_more`` others, and ``unwanted_links``; ``kept_out`` are earlier messages that the order takes back, ``out_of_notes`` their lines removed from notes of sessions.
    """

    message: ChatMessage | None
    outcome: str
    may_correct: Sequence[EntryCandidate] | None = None
    linked: Sequence[EntryCandidate] = ()
    ended: Sequence[Correction] = ()
    ended_by: str = ""
    read_next: Collection[str] = ()
    not_kept: str = ""
    answered: Sequence[ChatAnswer] = ()
    remembered: Sequence[KeptSentence] = ()
    unwanted: str = ""
    unwanted_lines: Sequence[StatementLine] = ()
    unwanted_more: int = 0
    unwanted_links: Sequence[Correction] = ()  # his words beside lines that say so
    corrected: Sequence[CorrectedLine] = ()
    same: Sequence[SameLine] = ()
    forgotten: ForgottenLine | None = None
    takes_back: str = ""
    back: TakenBack | None = None
    fate: Fate = ""
    too_old: ChatMessage | None = None  # meant to be taken back, but of another day
    known: EntryCandidate | None = None
    kept_out: Sequence[ChatMessage] = ()
    out_of_notes: Sequence[ForgottenLine] = ()


def take_message(caller: Caller, request: MessageRequest, *, is_typed: bool = False) -> TakenDown:
    """Store one message, on disk at return, and do its order to remember at once; ``is_typed``: with `chat add`."""
    if request.proved and not caller.connection:
        raise UsageError("Who said it can be proved by a connection of a host alone.")
    with open_talk(caller) as talk:
        by_hand = caller.actor == "operator" and not request.sender and request.channel == "cli"
        is_by_other = request.proved == "other" and request.role == "user"
        heard = IncomingMessage(
            text=request.text,
            role=request.role,
            channel=request.channel,
            conversation=request.conversation,
            message_id=request.id,
            session=request.session,
            sender=request.sender,
            sent_at=None if request.at is None else caller.moment(request.at, talk.history),
            group=request.group,
            external=request.external,
            by_operator=by_hand or request.proved == "operator",
            most_trust=EXTERNAL if is_by_other else OPERATOR,
        )
        taken = talk.take(heard, at_once=True)
        if taken.message is None:
            caller.say(f"Left out: {taken.outcome}.")
        if is_typed and not (by_hand or request.proved or request.external or request.group):
            talk.tell_of_senders(taken.message)
        return taken


def take_lines(caller: Caller, lines: Iterable[bytes]) -> Iterator[TakenDown]:
    """Store messages of JSON lines, each on disk when its outcome is yielded; the miner reads them later."""
    from clawgit.capture.transcripts.importing import read_line
    from clawgit.capture.transcripts.transcript_source import TranscriptSource

    source = TranscriptSource("jsonl", "cli", "main")
    senders_are_told = False
    with open_talk(caller) as talk:
        for number, line in enumerate(lines, 1):
            read = read_line(line, source)
            if read.problem:
                caller.exit_code = ExitCode.REFUSED
                caller.say(f"Line {number} is left out: {read.problem}.")
                yield TakenDown(None, read.problem)
            elif read.heard is not None:  # not an empty line
                taken = talk.take(read.heard)
                senders_are_told = senders_are_told or talk.tell_of_senders(taken.message)
                yield taken


@contextmanager
def open_talk(caller: Caller) -> Iterator[MessageDesk]:
    """Open the message store; at the end, delete messages older than the settings allow."""
    history = caller.history_for_talk()
    now = caller.now(history)
    rules = rules_in_force(history, now, "operator" if caller.connection else caller.actor)
    with open_messages(history, now) as store:
        yield MessageDesk(caller, history, store, rules)
        forget_old(store, history, now)


class MessageDesk(NamedTuple):
    """The open message store of a workspace, with the rules for its messages."""

    caller: Caller
    history: History
    store: MessageStore
    rules: Rules

    def take(self, heard: IncomingMessage, *, at_once: bool = False) -> TakenDown:
        """Store a message, and ``at_once`` do what it orders; a group gets no lines of memory."""
        message = take_down(heard, self.rules, self.caller.now(self.history))
        if isinstance(message, str):
            return TakenDown(None, message)
        is_of_group = heard.group or scope_of(heard.session) == GROUP
        (added,) = self.store.add([message], forgets=not is_of_group)
        if added.chat_id != message.chat_id:
            message = message.set_apart()
        if is_of_group:
            return TakenDown(message, added.outcome)
        out_of_notes: Sequence[ForgottenLine] = ()
        if added.forgotten:
            from clawgit.history.guards.quarantine import drop_taken_back

            drop_taken_back(self.history, map(attrgetter("chat_id"), added.forgotten))
            if at_once:
                out_of_notes = self._out_of_notes(message, added.forgotten)
        taken = self._heard(heard, message, added, at_once=at_once)
        return taken._replace(kept_out=added.forgotten, out_of_notes=out_of_notes)

    def _heard(
        self, heard: IncomingMessage, message: ChatMessage, added: StoreOutcome, *, at_once: bool
    ) -> TakenDown:
        corrected: Sequence[CorrectedLine] = ()
        back = None
        is_acted_on = at_once and added.outcome != REPEATED and not message.is_old
        if is_acted_on and message.is_operator:
            back = self._took_back(message)
            corrected = self._corrected(message)
        if corrected:
            from clawgit.agents.door.exchanged_lines import still_said

            same: list[SameLine] = []
            for each in corrected:
                same += still_said(self.history, each.before, each.text)
            taken = TakenDown(message, added.outcome, corrected=corrected, same=same, back=back)
            if len(own_sentences(message.text)) > 1:
                taken = self._with_unwanted(taken, message, is_acted_on=is_acted_on)
                taken = self._with_orders(taken, message, is_acted_on=is_acted_on)
            return taken
        is_by_hand = at_once and self.caller.actor == "operator" and heard.channel == "cli"
        answered = self._answered(message)
        taken = TakenDown(message, added.outcome, answered=answered, back=back, kept_out=added.forgotten)
        if at_once and back is None:
            taken = self._with_taken_back(taken, message)
        if message.is_operator:
            taken = self._with_unwanted(taken, message, is_acted_on=is_acted_on)
            if taken.unwanted:
                from clawgit.agents.door.linkable import links_saying

                with Saying(self.caller, "which links say so is not known"):
                    links = links_saying(self.history, taken.unwanted)
                    taken = taken._replace(unwanted_links=links)
            taken = self._with_orders(taken, message, is_acted_on=is_acted_on)
        taken = self._with_lines(taken, message, is_acted_on=is_acted_on, is_by_hand=is_by_hand)
        taken = taken._replace(read_next=[*taken.read_next, *self._read_next(message, at_once=at_once)])
        named = taken.linked or taken.may_correct or back or taken.remembered or taken.not_kept
        is_told = bool(named or taken.unwanted or taken.takes_back)
        if not is_told and (is_by_hand or (at_once and is_of_before(message.text))):
            fate = self._fate(message)
            if fate != "back" or not taken.ended:
                taken = taken._replace(fate=fate)
        if taken.fate == "back" and taken_back(self.store, message) is None:
            taken = taken._replace(too_old=taken_back(self.store, message, LOOKED_BACK))
        is_for_a_line = taken.may_correct is not None or taken.not_kept or taken.fate
        if is_by_hand and is_for_a_line and not (taken.remembered or back or taken.linked):
            from clawgit.agents.link_messages import line_that_says

            with suppress(ClawgitError):  # that it could not be searched is said
                line = line_that_says(self.history, message.text, self.caller.now(self.history))
                taken = taken._replace(known=line)
        return taken

    def _with_lines(
        self, taken: TakenDown, message: ChatMessage, *, is_acted_on: bool, is_by_hand: bool
    ) -> TakenDown:
        """Put the message beside the lines that it is about, and name those that it may correct."""
        if is_acted_on and message.is_operator:
            ended, commit_id = self._ended(message)
            taken = taken._replace(ended=ended, ended_by=commit_id)
        about = None
        is_told_again = is_by_hand and taken.outcome == REPEATED
        is_short = is_by_hand or len(own_sentences(message.text)) <= FEW
        if (is_acted_on or is_told_again) and message.is_operator and is_short:
            with suppress(ClawgitError):  # that it could not be searched is said below
                about = self._about(message)
        may_correct = self._may_correct(message, about, is_by_hand=is_by_hand)
        linked: Sequence[EntryCandidate] = ()
        if about is not None:
            linked = self._put_beside(message, about, may_correct or (), is_acted_on=is_acted_on)
            is_left = about.leads_to(may_correct or ()) or (taken.unwanted and about.plain)
            if is_left and not linked:
                taken = taken._replace(read_next=[*taken.read_next, LINK])
        if may_correct:
            made = set(map(attrgetter("text"), taken.remembered))
            may_correct = [each for each in may_correct if each.statement not in made]
        return taken._replace(may_correct=may_correct, linked=linked)

    @property
    def _is_mined(self) -> bool:
        """Say whether a job keeps the operator's statements without an order."""
        settings = self.history.settings
        return settings.memory_policy != EXPLICIT and settings.cron_memory_miner != OFF

    def _read_next(self, message: ChatMessage, *, at_once: bool) -> Collection[str]:
        """Return the signals that the next jobs may use; what rules can do was done at once."""
        from clawgit.understanding.facts.keepable_sentences import kept_in

        is_for_a_reader = bool(self.history.settings.model) or not at_once or message.is_old
        signals = []
        may_keep = message.is_operator and (self._is_mined or not at_once or message.is_old)
        is_kept = may_keep and (is_for_a_reader or kept_in(message.text))
        if message.signal.miner and is_kept:
            signals.append("miner")
        if message.signal.validator and message.is_operator and is_for_a_reader:
            signals.append("validator")
        return signals

    def _with_orders(self, taken: TakenDown, message: ChatMessage, *, is_acted_on: bool) -> TakenDown:
        if not (message.signal.miner or message.is_vetoed):
            return taken
        from clawgit.understanding.facts.keepable_sentences import ordered_in

        orders = ordered_in(message.text)
        if not orders:
            return taken
        if message.is_vetoed:
            return taken._replace(not_kept=OF_ITS_OWN)
        if not is_acted_on:
            return taken._replace(not_kept=next((each.why_not for each in orders if each.why_not), ""))
        from clawgit.agents.link_messages import LinesAbout, certain_links
        from clawgit.agents.memory_miner import AFTER_VALIDATOR, LEFT, remember_at_once

        if message.signal.validator and not all(map(attrgetter("why_not"), orders)):
            stored = self.store.get(message.chat_id)
            about = None
            with suppress(ClawgitError):  # that it could not be searched is said below
                about = self._about(message)
            offered = self._may_correct(message, about, is_by_hand=False) or ()
            links = certain_links(self.store, message, about or LinesAbout(), offered)
            says_otherwise = bool(offered) and not all(map(attrgetter("beside"), links))
            leans = any(map(attrgetter("leans_on_talk"), orders))
            if (says_otherwise or leans) and not (stored and stored.validated_in):
                return taken._replace(not_kept=AFTER_VALIDATOR)
        try:
            history = self.caller.history()
            now = self.caller.now(history)
            remembered, why_not = remember_at_once(history, self.store, message, orders, now, self._tell)
        except ClawgitError as error:
            return taken._replace(not_kept=f"{error} {LEFT}")
        return taken._replace(remembered=remembered, not_kept=why_not)

    def _with_taken_back(self, taken: TakenDown, message: ChatMessage) -> TakenDown:
        meant = taken_back(self.store, message)
        if meant is None or (meant.is_vetoed and not taken.kept_out):
            return taken  # it is gone already
        from clawgit.agents.takings_back import words_taken_back

        words, is_ground = words_taken_back(self.history, self.store, message, meant)
        return taken._replace(takes_back=words, read_next=[UNDO] * bool(words and is_ground))

    def _fate(self, message: ChatMessage) -> Fate:
        if not message.is_operator or message.signal.veto:
            return ""
        is_of_last = is_of_before(message.text) and not dropped_in(message.text)
        if is_of_last or takes_back(message.text):
            return "back"
        from clawgit.understanding.facts import keepable_sentences as sentences

        if not sentences.stated_in(message.text):
            if message.signal.validator or not sentences.tells_or_orders(message.text):
                return ""
            return "said"
        if holds_a_secret(message.text):
            return "secret"
        if self._is_mined and self.history.settings.model:
            return "read"
        fate: Fate = "message"
        facts = sentences.kept_in(message.text)
        reading = read(message.text)
        is_heard = bool(facts or sentences.standing_order_in(message.text))
        is_heard = is_heard or message.signal.miner or message.signal.validator is not None
        is_heard = is_heard or any(map(sentences.wishes, own_sentences(message.text)))
        if tells_of_himself(message.text) and not (is_heard or reading.values or reading.names):
            fate = "said"  # `I slept so badly`
        elif facts and all(map(attrgetter("why_not"), facts)):
            fate = ""
        elif facts and self._is_mined:
            fate = "proposed" if self.history.settings.memory_policy == REVIEW else "kept"
        return fate

    def _took_back(self, message: ChatMessage) -> TakenBack | None:
        if taken_back(self.store, message) is None and not is_unwanted(message.text):
            return None
        with Saying(self.caller, "took nothing back yet"):
            from clawgit.operations.undo import take_back_in_chat

            return take_back_in_chat(self.caller.history(), self.store, message, self._tell)
        return None

    def _corrected(self, message: ChatMessage) -> Sequence[CorrectedLine]:
        text = message.text
        if message.is_vetoed or not (message.signal.validator or denies(text) or says_changed(text)):
            return ()
        from clawgit.agents.recall_validator import correct_at_once

        with Saying(self.caller, "corrected nothing yet"):
            history = self.caller.history()
            return correct_at_once(history, self.store, message, self.caller.now(history), self._tell)
        return ()

    def _with_unwanted(self, taken: TakenDown, message: ChatMessage, *, is_acted_on: bool) -> TakenDown:
        """Remove the line that says what to forget and nothing else; name other lines that may be meant."""
        own_words = forgets_itself(message.text)
        unwanted = to_forget_at_last(message.text) or own_words
        if not unwanted:
            return taken
        from clawgit.agents.takings_back import line_made_of
        from clawgit.history.undo import forgetting

        history = self.caller.history()
        made = line_made_of(history, message, taken.kept_out)
        is_of_words = bool(said_to_forget(message.text))
        is_only_order = bool(own_words) or only_asks_to_forget(message.text)
        if made is None and taken.back and taken.back.undo and (is_of_words or not is_only_order):
            return taken._replace(unwanted=unwanted)  # what he said is undone, and what was before is to stay
        is_taking = bool(own_words or taken.takes_back or taken.back)
        meant = made or self._lines_meant(unwanted, message, is_taking=is_taking)
        if own_words and not meant.lines:
            return taken
        if not meant.lines or (made is None and is_of_words and is_taking):
            return taken._replace(unwanted=unwanted, unwanted_more=len(meant.lines))
        if len(meant.lines) > 1:
            lines = forgetting.from_the_end(meant.lines[:MOST])
            more = len(meant.lines) - len(lines)
            return taken._replace(unwanted=unwanted, unwanted_lines=lines, unwanted_more=more)
        (line,) = meant.lines
        forgotten = None
        is_plain = meant.is_sure and is_only_order and forgetting.says_no_more(line, unwanted)
        if is_acted_on and (made or is_plain):
            forgotten = self._without(line, message)
        lines = []
        if meant.is_sure or forgetting.has_words(line, unwanted):  # what is like a guess is none
            lines = forgetting.find_same(history, line)
        if forgotten is None:
            others = filter(lambda each: each.place != line.place, lines)
            lines = forgetting.from_the_end([line, *others])
        return taken._replace(unwanted=unwanted, unwanted_lines=lines, forgotten=forgotten)

    def _lines_meant(self, unwanted: str, message: ChatMessage, *, is_taking: bool) -> LinesMeant:
        """Return the lines that say what to forget; where it takes back his words, too, no guess."""
        from clawgit.history.undo import forgetting
        from clawgit.operations.meant_statement import has_all, lines_like

        history = self.caller.history()
        meant = forgetting.LinesMeant((), is_sure=False)
        with suppress(ClawgitError):
            meant = lines_like(history, unwanted, self.caller.now(history))
        if is_taking and not meant.is_sure:
            meant = meant._replace(lines=tuple(filter(partial(has_all, unwanted), meant.lines)))
        return meant

    def _out_of_notes(self, order: ChatMessage, messages: Sequence[ChatMessage]) -> Sequence[ForgottenLine]:
        """Remove forgotten messages from notes of sessions; the message store has them no more."""
        from clawgit.agents.takings_back import note_lines_of

        gone = []
        with Saying(self.caller, "a note of the session still has it"):
            history = self.caller.history()
            for line in note_lines_of(history, order, messages):
                done = self._without(line, order, f"what you said, in {line.path}")
                if done is not None:
                    gone.append(done)
        return gone

    def _without(self, line: StatementLine, order: ChatMessage, name: str = "") -> ForgottenLine | None:
        """Remove a line on which nothing rests; the commit has its words, or a ``name`` that does not repeat them."""
        from clawgit.history.undo import forgetting
        from clawgit.history.undo.undo import undo
        from clawgit.pending.chat_answers import IN_CHAT

        history = self.caller.history()
        if history.settings.approvals == "present":
            return None
        intent = Intent(new_op("op"), OPERATOR, self.caller.now(history), unattended=IN_CHAT)
        with Saying(self.caller, "nothing was removed"):
            undoing = forgetting.find_forgetting(history, line)
            if undoing.along or undoing.taken.conflicts or undoing.taken.refusals:
                return None
            if name:
                undoing = undoing._replace(taking=undoing.taking._replace(name=name))
            cited = (Evidence(MESSAGE + order.chat_id, ""),)
            done = undo(history, undoing, "You asked in chat to forget it.", intent, cited)
            self._tell(done.kept)
            if done.commit_id is not None:
                return ForgottenLine(line.place, line.statement.words, done.commit_id[:12])
        return None

    def _tell(self, outcome: KeepOutcome) -> None:
        """Print what was committed before a change that a message made at once."""
        from clawgit.operations.changes import say_kept

        say_kept(self.caller, outcome)

    def _answered(self, message: ChatMessage) -> Sequence[ChatAnswer]:
        if not begins_as_answer(message.text):
            return ()
        from clawgit.pending.chat_answers import answer_in_chat

        with Saying(self.caller, "what it answers could not be done"):
            history, trust_file = self.caller.history(), self.caller.trust_file
            return answer_in_chat(history, self.store, message, self.caller.now(history), trust_file)
        return ()

    def _may_correct(
        self, message: ChatMessage, about: LinesAbout | None = None, *, is_by_hand: bool
    ) -> Sequence[EntryCandidate] | None:
        """Return the entries that a message may correct unless they say the same; None where triage found no correction.

        For a message typed by hand, None where it is plainly about no entry either. A second word is about the one
        line of the turn before it.
        """
        if behind_opening(message.text):
            from clawgit.agents.takings_back import line_said_again

            again = line_said_again(self.history, self.store, message)
            if again is not None:
                return [again]
        is_flagged = message.signal.validator is not None
        is_taking = takes_back(message.text) or is_of_before(message.text)
        is_order = bool(to_forget_at_last(message.text)) or (is_taking and not read(message.text).values)
        if is_order or not (is_flagged or is_by_hand):
            return None
        with Saying(self.caller, "memory could not be searched for what it may correct"):
            from clawgit.agents.link_messages import lines_offered

            now = self.caller.now(self.history)
            entries = lines_offered(self.history, self.store, message, about or self._about(message), now)
            if is_flagged or entries:
                return entries
        return None

    def _about(self, message: ChatMessage) -> LinesAbout | None:
        """Return the lines that a message is about; None if it states nothing of its own."""
        if not has_a_topic(message.text):
            return None
        from clawgit.agents.link_messages import lines_about

        return lines_about(self.history, self.store, message, self.caller.now(self.history))

    def _put_beside(
        self, message: ChatMessage, about: LinesAbout, offered: Sequence[EntryCandidate], *, is_acted_on: bool
    ) -> Sequence[EntryCandidate]:
        """Link a message to the lines that it plainly contradicts; return all beside which it stands. The job links the rest."""
        from clawgit.agents.link_messages import certain_links, lines_beside

        links = certain_links(self.store, message, about, offered)
        if links and is_acted_on:
            from clawgit.agents.linking import Linking, link_at_once

            with Saying(self.caller, "it stands beside no line yet"):
                history = self.caller.history()
                now = self.caller.now(history)
                link_at_once(history, Linking(links=tuple(links), now=now), now, self._tell)
        return lines_beside(self.history, message)

    def _ended(self, message: ChatMessage) -> tuple[Sequence[Correction], str]:
        """End the links to lines that a message says again; return them, and the commit."""
        from clawgit.history.provenance.correction_files import standing_corrections

        with Saying(self.caller, "earlier words still stand beside the line"):
            history = self.caller.history()
            links = standing_corrections(history.tip().tree)
            if not links:
                return (), ""
            from clawgit.agents.linking import Linking, link_at_once, links_said_against

            ids = links_said_against(history, self.store, message)
            now = self.caller.now(history)
            if not ids:
                return (), ""
            commit_id = link_at_once(history, Linking(links=(), now=now, ended=ids), now, self._tell)
            if commit_id:
                return list(map(links.__getitem__, ids)), commit_id
        return (), ""

    def tell_of_senders(self, message: ChatMessage | None) -> bool:
        """Say why a user's message cannot count as the operator's, and the way out; return whether this was said."""
        if message is None or message.role != "user" or message.trust != EXTERNAL:
            return False
        if message.sender and self.rules.operator_ids:
            return False
        why = "it names no sender"
        way_out = "Give each its sender's id (`sender`), and say which is you: `clawgit config set operator_ids CHANNEL:SENDER`."
        if message.sender:
            why = "operator_ids is empty"
            way_out = f"If that is you: `clawgit config set operator_ids {message.channel}:{message.sender}`."
        sentence = f"A user's message counts as external, because {why}; so does every other like it."
        self.caller.say(f"{sentence} {way_out}")
        return True
