"""The operator's sentences that are neither in memory nor in a link, each with the command that keeps it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.agents.door.linkable import answered_turn, links_in, remembered
from clawgit.agents.link_messages import says_correction
from clawgit.capture.messages.forgotten_messages import taken_back
from clawgit.capture.messages.message import ChatMessage, is_his, talk_after
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.sessions.taken_back import is_as_before, taken_back_by, without_withdrawn
from clawgit.history.decisions import pending_edits
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import note_lines, read_cited
from clawgit.history.undo.forgetting import forget_command, was_taken_out
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.statements import parted, sentences_of, without_order
from clawgit.memory.entries.tiers import WRITTEN
from clawgit.memory.provenance.contrasts import without_adverb
from clawgit.memory.trust import OPERATOR
from clawgit.operations.changed_news import News
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.safety.control_characters import counted, shown
from clawgit.text.safety.secrets import holds_a_secret, redact
from clawgit.understanding.corrections.ready_commands import (
    CORRECT_COMMAND,
    in_shell,
    line_after,
    link_commands,
    remember_command,
)
from clawgit.understanding.evidence.orders_to_forget import (
    behind_forgetting,
    dropped_in,
    only_asks_to_forget,
    to_forget_at_last,
)
from clawgit.understanding.evidence.says_beyond import is_bare, repeats_value, says_again, words_shared
from clawgit.understanding.evidence.taking_back import is_of_before, sets_back
from clawgit.understanding.facts.keepable_sentences import begins_with_pronoun, leans_on_talk, stated_in
from clawgit.understanding.facts.routing import day_path
from clawgit.understanding.facts.same_statement import Relation, Statements
from clawgit.understanding.triage.triage_message import triage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction

HEARD = timedelta(days=14)  # that these are news
TO_LET_IN = f"clawgit undo {MESSAGE}"
_WITHOUT_WORDS = "clawgit chat log --not-kept"
_BEGINNING = 100  # characters that identify a quotation, which may be cut


def heard_not_kept(history: History, now: datetime) -> dict[str, list[News]]:
    """Return statements of the operator that are neither in memory nor beside a line of it, by message, newest day first."""
    heard: dict[str, list[News]] = {}
    with open_messages(history, now) as store:
        messages = without_withdrawn(history, store.read_since(now - HEARD))
        messages += [each for each in store.vetoed() if only_asks_to_forget(each.text)]
        if not messages:
            return {}
        tree = history.tip().tree
        quotes = read_cited(history).quotes
        proposed: dict[str, list[str]] = {}  # quotes by message: the operator is asked about them
        for each in chain.from_iterable(map(attrgetter("evidence"), pending_edits(history))):
            proposed.setdefault(each.evidence_id, []).append(each.quote)
        lines = tuple(_statements(history, tree, now))
        memory = Statements(lines)
        links = links_in(history, tree)
        # the newest day first, and of a day the flagged messages
        messages.sort(key=lambda each: (each.sent_at.date(), each.signal.miner), reverse=True)
        for message in messages:
            name = f"{MESSAGE}{message.chat_id}"
            quoted = {*quotes.get(name, ()), *proposed.get(name, ())}
            is_unread = bool(message.signal.validator) and not message.validated_in
            if not is_his(message) or is_unread or "" in quoted or message.sent_at > now:
                continue
            stated = stated_in(message.text)
            if not stated or _takes_back(store, message) or taken_back_by(store, message) is not None:
                continue
            has = " ".join(quoted)
            beside = [each for each in links if name in each.evidence]
            for sentence in stated:
                statement, behind = _as_corrected_behind(store, message, sentence)
                related = chain.from_iterable(map(memory.like, map(without_order, {sentence, statement})))
                is_kept = any(how is Relation.SAME for _, how in related)
                is_kept = is_kept or redact(sentence)[:_BEGINNING] in has
                is_kept = is_kept or _is_done(history, sentence, message.sent_at.astimezone(now.tzinfo))
                is_kept = is_kept or _is_corrected_since(messages, message, without_order(sentence))
                is_kept = is_kept or _leaves_value(sentence, lines, now.date())
                if not to_forget_at_last(sentence):  # he remembered it in other words
                    is_kept = is_kept or any(map(partial(says_again, sentence, on=now.date()), lines))
                of_it = list(filter(partial(words_shared, message.text), lines))
                is_kept = is_kept or is_as_before(store, message, of_it)
                if not is_kept and not _is_settled_by_link(beside, sentence):
                    news = _heard(history, store, message, statement)
                    if behind:
                        news = news._replace(text=sentence, whose="then you said", quote=behind)
                    if news.command:
                        heard.setdefault(name, []).append(news)
    return heard


def _takes_back(store: MessageStore, message: ChatMessage) -> bool:
    """Say whether a message took earlier words back; an order that only asks to forget may mean a line of memory, too."""
    is_taking = is_of_before(message.text)
    if only_asks_to_forget(message.text):
        is_taking = sets_back(message.text) or bool(dropped_in(message.text))
    return is_taking and taken_back(store, message) is not None


def _statements(history: History, tree: Tree, now: datetime) -> Iterator[str]:
    """Yield the statements of memory, and the operator's statements in the notes of these days."""
    for entry in remembered(tree).entries():
        yield entry.parts.statement
    days = [day_path(now.date() - timedelta(days=back)) for back in range(HEARD.days + 1)]
    for line in note_lines(history, tree, list(filter(tree.entry, days))):
        if line.trust == OPERATOR:
            yield parted(line.words).statement


def heard_for_digest(history: History, now: datetime) -> dict[str, list[News]]:
    """Return `heard_not_kept` without the words of orders to forget: a digest is sent and stays."""
    heard = heard_not_kept(history, now)
    first = {}
    with open_messages(history, now) as store:
        for message in store.vetoed():
            name = f"{MESSAGE}{message.chat_id}"
            if heard.pop(name, None) is None:
                continue
            at = message.sent_at.astimezone(now.tzinfo)
            where = shown(f"{message.channel} ({message.conversation})", keep_newlines=False)
            when = f"in {where} on {at:%Y-%m-%d} at {at:%H:%M}"
            text = f"You asked to forget something {when}, and no line of memory with those words is gone."
            first[name] = [News(f"{text} Your words, for a day", _WITHOUT_WORDS)]
            out = store.kept_out_by(message)
            if out:
                text = (
                    f"{counted(len(out), 'message')}, as you asked {when}: search and prompts have it no more"
                )
                first[name] = [News(text, f"{TO_LET_IN}{message.chat_id}")]
    return first | heard


def _leaves_value(sentence: str, lines: Iterable[str], on: date) -> bool:
    """Say whether an order to forget goes on with what stays: a value of a line with its words (`forget that about the fee, it stays 70`)."""
    unwanted = to_forget_at_last(sentence)
    if not unwanted:
        return False
    behind = sentence.partition(unwanted)[2]
    about_it = filter(partial(words_shared, unwanted), lines)
    return any(map(partial(repeats_value, behind, on=on), about_it))


def _is_done(history: History, sentence: str, since: datetime) -> bool:
    """Say whether the operator did what a sentence asks: the line is gone, or a correction has all that the sentence says, or he took the sentence away from its line."""
    if is_of_before(sentence):
        return was_taken_out(history, sentence, since)
    about = subject(sentence)
    is_correction = bool(triage(sentence).validator)
    for each in standing_corrections(history.tip().tree).values():
        if each.at < f"{since:{WRITTEN}}":
            continue
        if _is_rejected_link(each, sentence):
            return True
        if not each.holds:
            continue
        correction_text = f"{each.said} {each.correct}" if is_correction else each.said
        if about <= subject(correction_text) or says_correction(sentence, each, since.date()):
            return True
    return False


def _is_rejected_link(correction: Correction, sentence: str) -> bool:
    """Say whether a correction is a link that the operator withdrew, and a sentence is its words about that line, and no fact beside it."""
    is_link = correction.status is Status.WITHDRAWN and not correction.correct
    way, *_ = link_commands("", correction.said, correction.trigger)
    if way.startswith("clawgit remember "):
        return False
    is_sentence = redact(sentence)[:_BEGINNING] in correction.trigger
    return is_link and is_sentence and bool(words_shared(correction.said, sentence))


def _is_corrected_since(messages: Sequence[ChatMessage], message: ChatMessage, statement: str) -> bool:
    """Say whether a later message gives another value for a statement and shares a word with it."""
    for each in messages:
        corrects = is_his(each) and each.signal.validator and each.sent_at > message.sent_at
        if corrects and words_shared(statement, each.text) and line_after(statement, each.text):
            return True
    return False


def _as_corrected_behind(store: MessageStore, message: ChatMessage, sentence: str) -> tuple[str, str]:
    """Return a sentence with the value of the operator's next turn, and that turn if it is only a value: `no wait, wednesdays`."""
    for turn in talk_after(store, message, None, "user")[:1]:
        if is_his(turn) and is_bare(without_adverb(turn.text)):
            line = line_after(sentence, turn.text)
            if line:
                return line, turn.text
    return sentence, ""


def _is_settled_by_link(beside: Sequence[Correction], sentence: str) -> bool:
    """Say whether a sentence stands beside a line, or a link's command does what it asks."""
    about = subject(to_forget_at_last(sentence))
    if about:
        return any(2 * len(about & subject(each.said)) > len(about) for each in beside)
    return any(redact(sentence)[:_BEGINNING] in each.trigger for each in beside)


def _is_only_correction(sentence: str) -> bool:
    signal = triage(sentence)
    return bool(signal.validator) and not signal.miner


def _heard(history: History, store: MessageStore, message: ChatMessage, sentence: str) -> News:
    name = f"{MESSAGE}{message.chat_id}"
    together = sentence
    before, _, rest = message.text.partition(sentence)
    behind = sentences_of(rest)
    leading = sentences_of(before)[-1:]
    if leading and leading[0] not in stated_in(message.text) and begins_with_pronoun(sentence):
        together = f"{leading[0]} {sentence}"
    elif behind and is_bare(behind[0]):  # `Not on the 10th. 17th`
        together = f"{sentence} {behind[0]}"
    if holds_a_secret(together):
        return News("Something that looks like a secret was left out", f"clawgit memory get {name}")
    unwanted = to_forget_at_last(sentence)
    if unwanted:
        return News(sentence, forget_command(history, unwanted, message.sent_at))
    unwanted = behind_forgetting(sentence)
    if unwanted and not is_of_before(sentence):
        return News(sentence, f"clawgit memory search {in_shell(unwanted)}")
    is_fragment = leans_on_talk(sentence) or not remember_command(sentence)
    if is_of_before(sentence) or (_is_only_correction(sentence) and is_fragment):
        return _fragment(store, message, sentence)
    if len(words(sentence)) < 2:
        return News(sentence, "")  # `decided`: it says nothing alone
    return News(together, f"clawgit remember {in_shell(without_order(together))}")


def _fragment(store: MessageStore, message: ChatMessage, sentence: str) -> News:
    """Return a sentence that says nothing alone, with the sentence before it or the agent's turn that it answers."""
    before = sentences_of(message.text.partition(sentence)[0])
    if before and not holds_a_secret(before[-1]):
        return News(f"{before[-1]} {sentence}", CORRECT_COMMAND)
    turn = answered_turn(store, message, sentence, least=0)
    if before or not turn:
        return News(sentence, CORRECT_COMMAND)
    return News(sentence, CORRECT_COMMAND, "your agent said", turn)
