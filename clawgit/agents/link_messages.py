"""Links messages to entries by search: a message of the operator's goes beside an entry if it adds something."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.contradictions import difference, two_names
from clawgit.agents.door.linkable import AT_HAND, answered_turn, remembered, stated_by
from clawgit.agents.door.meant_entries import (
    candidates,
    heard_in,
    is_said_before,
    line_contradicted,
    lines_near,
    meant_after,
    placed,
)
from clawgit.capture.messages.message import ChatMessage, talk_after, talk_before
from clawgit.capture.sessions.taken_back import is_as_before, without_withdrawn
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.history.provenance.trust_lookup import MOST_QUOTED
from clawgit.history.provenance.why import present_words
from clawgit.memory.corrections.correction_log import BY_HAND, LEDGER, Correction, Status
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries.statements import ASKED, says_changed
from clawgit.memory.entries.tiers import WRITTEN, holds_entries
from clawgit.memory.provenance.pieces import piece_of
from clawgit.memory.provenance.readings import is_verbatim
from clawgit.memory.trust import HOST
from clawgit.plan import MESSAGE
from clawgit.text.comparing.subjects import telling
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import names_a_secret
from clawgit.text.words.terms import english_stem
from clawgit.understanding.corrections.fitted_line import fitting_best
from clawgit.understanding.corrections.ready_commands import line_of_yes, line_proposed
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.evidence.orders_to_forget import dropped_in, to_forget, to_forget_at_last
from clawgit.understanding.evidence.own_sentences import denied, is_question, own_sentences
from clawgit.understanding.evidence.said_words import BESIDES, lacking, read
from clawgit.understanding.evidence.says_beyond import (
    NAMES,
    Heard,
    bearing,
    brings_its_own,
    brings_value,
    denies_of,
    denies_value_of,
    given_way,
    has_given_way,
    has_one,
    is_bare,
    is_taken_up,
    repeats_value,
    replaces_value,
    says_again,
    says_beyond,
    shared_words,
    telling_sentences,
    tied_most,
    words_shared,
)
from clawgit.understanding.evidence.taking_back import behind_opening, is_of_before, takes_back
from clawgit.understanding.facts.keepable_sentences import is_only_of_behaviour
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from clawgit.agents.door.authorised_edits import EvidenceEdit
    from clawgit.agents.door.meant_entries import EntryCandidate
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.memory.entries.entries import Entry

LOOKED_AT = 10  # entries that a search finds
MOST_OFFERED = 5  # lines that a message may correct
MOST_MEANT = 2  # entries that a message is linked to
FEW_SENTENCES = 3  # of a message about one thing


class Link(NamedTuple):
    """A message, the operator's own sentences in it, and the entry they are about; ``is_plain``: more than touched."""

    message: ChatMessage
    words: str
    entry_id: str
    statement: str
    is_plain: bool
    beside: str = ""  # the file beside memory, if it is a line and not an entry
    turn: str = ""  # right before: the agent's, or his own whose value a bare value replaces
    earlier: Sequence[ChatMessage] = ()  # of the conversation

    @property
    def evidence_id(self) -> str:
        return f"{MESSAGE}{self.message.chat_id}"

    @property
    def line_ready(self) -> str:
        """Return the line that a yes makes of the linked one; empty if that is unclear."""
        return line_of_yes(self.statement, self.words, self.turn)


class LinesAbout(NamedTuple):
    """The lines that a message is plainly about, those that it touches, and the links to either that are not made yet."""

    plain: Sequence[EntryCandidate] = ()
    touched: Sequence[EntryCandidate] = ()
    links: Sequence[Link] = ()

    def leads_to(self, offered: Iterable[EntryCandidate]) -> bool:
        """Say whether one of the links is to a line of these."""
        statements = map(attrgetter("statement"), offered)
        return not set(map(attrgetter("statement"), self.links)).isdisjoint(statements)


def links_of(
    history: History,
    store: MessageStore,
    messages: Iterable[ChatMessage],
    now: datetime,
    readings: Sequence[EvidenceEdit] = (),
) -> Iterator[Link]:
    """Yield the links of messages in time order; the message must be later than the entry.

    For a message that a model read, entries that its ``readings`` contradict are added, and entries are dropped
    that the readings show to be about something else.
    """
    tree = history.tip().tree
    entries = {entry.parts.statement: entry.entry for entry in remembered(tree).entries()}
    corrections = tuple(standing_corrections(tree).values())
    # by message: its words, the line beside which they stand, and the turn that names its topic
    linked: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for each in filter(lambda each: each.status is Status.LINKED, corrections):
        for name in each.evidence:
            linked[name].append((each.trigger, each.said, each.turn))
    for message in without_withdrawn(history, sorted(messages, key=lambda each: each.sent_at)):
        stated = stated_by(store, message)
        sent_at = message.sent_at.astimezone(now.tzinfo)
        on = sent_at.date()
        later = filter(lambda each: each.at >= f"{sent_at:{WRITTEN}}", corrections)
        by_hand = list(filter(lambda each: each.holds and each.trigger == BY_HAND, later))
        if not _tells_more(message, stated):
            continue
        spoken = talk_before(store, message)
        before = _said_just_before(message, spoken, on)
        of_it = [each for each in readings if each.chat_id == message.chat_id]
        named = _named(entries, of_it, on)
        followed, topic = _linked_before(message, spoken, Heard(stated, before, "", on), linked)
        named |= {statement: True for statement in entries if shortened(statement) == followed}
        answer = _answer_to(store, message)
        for words, sentence, said_before in _parts(message.text, stated, before):
            if any(map(partial(says_correction, sentence, on=on), by_hand)):
                continue
            heard = Heard(sentence, said_before, answer, on, message.signal.validator is not None)
            bare = Link(message, words, "", "", True, earlier=spoken)
            for link in _links_of(history, bare, heard, entries, named, now):
                is_elsewhere = is_told_elsewhere(link.statement, message.text, of_it, on)
                if is_elsewhere or is_as_before(store, message, [link.statement]):
                    continue
                was_settled = is_settled(link, corrections)
                if was_settled and not any(_is_against(each, link.statement, on) for each in of_it):
                    break  # what else the message may answer is a guess
                is_news = _is_news(link, heard, history, store, entries.get(link.statement))
                is_open = not was_settled and not _is_answered(link, corrections, on)
                if is_open and is_news:
                    turn = answered_turn(store, message, f"{words} {link.statement}")
                    if not turn and shortened(link.statement) == followed:
                        turn = topic
                    linked[MESSAGE + message.chat_id].append((words, shortened(link.statement), turn))
                    yield _with_what_follows(link._replace(turn=turn))


def _with_what_follows(link: Link) -> Link:
    """Return a link with the rest of its message as far as a note shows it, unless its words alone make a line: `the old one left. now Ada does it`."""
    if link.line_ready:
        return link
    sentences = list(map(folded, own_sentences(link.message.text)))
    if link.words not in sentences:
        return link
    quote = link.words
    for following in sentences[sentences.index(link.words) + 1 :]:
        longer = f"{quote} {following}"
        if len(longer) > MOST_QUOTED:
            break
        quote = longer
    return link._replace(words=quote)


def _tells_more(message: ChatMessage, stated: str) -> bool:
    """Say whether a message states something, and does not only take back or drop a matter."""
    text = message.text
    if not stated or dropped_in(text):
        return False
    is_taking = takes_back(text) or is_of_before(text)
    return not is_taking or bool(read(stated).values) or any(denied(stated))


def _is_answered(link: Link, corrections: Iterable[Correction], on: date) -> bool:
    """Say whether a correction made of the message says all that its words say, and the line has not the value that it replaced."""
    for each in corrections:
        was = read(each.said, on)
        gone = lacking(was, read(each.correct, on))
        is_of_it = each.holds and link.evidence_id in each.evidence
        is_said_by_line = not set(gone) <= set(lacking(was, read(link.statement, on)))
        if is_of_it and gone and not is_said_by_line and says_correction(link.words, each, on):
            return True
    return False


def says_correction(sentence: str, correction: Correction, on: date) -> bool:
    """Say whether a sentence replaces what a correction replaced by the same, and has no other value or name."""
    was = read(correction.said, on)
    new = read(correction.correct, on)
    reading = read(sentence, on)
    is_same = lacking(new, was) and not lacking(new, was, reading)  # a name, too
    is_same = is_same or replaces_value(sentence, correction.said, on)
    if not is_same or not words_shared(correction.said, sentence):
        return False
    if denies_value_of(Heard(sentence, "", "", on), correction.correct):
        return False
    fresh = lacking(reading, was, new)
    return reading.names.union(map(attrgetter("shown"), reading.values)).isdisjoint(fresh)


def _named(entries: Iterable[str], readings: Iterable[EvidenceEdit], on: date) -> dict[str, bool]:
    """Return the statements that new facts contradict, as plain."""
    added = [each for each in readings if not each.entry_id]
    against = filter(lambda statement: any(_is_against(each, statement, on) for each in added), entries)
    return dict.fromkeys(against, True)


def _links_of(
    history: History,
    bare: Link,
    heard: Heard,
    entries: Mapping[str, Entry],
    named: Mapping[str, bool],
    now: datetime,
) -> Iterator[Link]:
    """Yield what sentences may be about: a line beside memory that they contradict, or else entries."""
    meant = _meant(history, heard, now)
    if not named:
        plain = [each for each, is_plain in meant if is_plain and says_beyond(heard.said, each, heard.on)]
        line = line_contradicted(history, heard, plain, now)
        if line is not None:
            if is_said_before(history, line.path, line.line, bare.message.sent_at):
                yield bare._replace(statement=line.statement, beside=line.path)
            for statement, same in entries.items():
                if _says_as_much(statement, line.statement, heard):
                    yield bare._replace(entry_id=same.entry_id or "", statement=statement)
            return
    for statement, is_plain in {**named, **dict(meant)}.items():
        entry = entries.get(statement)  # deleted during the search
        if entry is None or numbers_another(heard.said, statement, entries):
            continue
        is_instead = says_changed(heard.said) and denies_of(heard.said, statement)  # `instead of by car`
        if is_instead or not is_only_of_behaviour(bare.message.text, statement):
            yield bare._replace(entry_id=entry.entry_id or "", statement=statement, is_plain=is_plain)


def _says_as_much(statement: str, line: str, heard: Heard) -> bool:
    """Say whether an entry has the value of a contradicted line and the same topic."""
    if shared_words(statement, line) < 2 or not repeats_value(statement, line, heard.on):
        return False
    return shared_words(statement, heard.said) > 1 and replaces_value(heard.said, statement, heard.on)


def _is_news(link: Link, heard: Heard, history: History, store: MessageStore, entry: Entry | None) -> bool:
    """Say whether a message is later than the entry and adds to it; a line of a file was found by that test."""
    if link.beside or entry is None:
        return True
    is_news = heard.is_flagged or says_beyond(heard.said, link.statement, heard.on)
    return is_news and not _repeats(heard, link.statement) and _is_later(link, heard, history, store, entry)


def link_to(
    store: MessageStore, message: ChatMessage, line: EntryCandidate, *, is_plain: bool = False
) -> Iterator[Link]:
    """Yield the link of a message to one line that its own search may not find; none if it must not be kept."""
    if stated_by(store, message):
        words = folded(" ".join(own_sentences(message.text)))
        beside = line.path if line.is_line else ""
        spoken = talk_before(store, message)
        yield Link(message, words, line.entry_id, line.statement, is_plain, beside, line.turn, spoken)


def lines_beside(history: History, message: ChatMessage) -> list[EntryCandidate]:
    """Return the lines beside which a message stands, with their links and what a yes to these makes of them."""
    lines = []
    for correction_id, each in standing_corrections(history.tip().tree).items():
        is_of_it = f"{MESSAGE}{message.chat_id}" in each.evidence
        if is_of_it and each.status is Status.LINKED and each.path == LEDGER:
            for line in placed(history, each.said, each.beside):
                beside = line._replace(link=f"x:{correction_id}", new=line_proposed(each), words=each.trigger)
                lines.append(beside)
    return lines


def lines_about(history: History, store: MessageStore, message: ChatMessage, now: datetime) -> LinesAbout:
    """Return the lines that a message is about: those beside which it stands, else those that a search finds."""
    plain = lines_beside(history, message)
    if plain:
        return LinesAbout(plain)
    links = list(links_of(history, store, [message], now))
    touched: list[EntryCandidate] = []
    for link in links:
        lines = placed(history, link.statement, link.beside)
        if link.is_plain:
            plain += lines
        else:
            touched += lines
    return LinesAbout(plain, touched, links)


def lines_offered(
    history: History, store: MessageStore, message: ChatMessage, about: LinesAbout | None, now: datetime
) -> Sequence[EntryCandidate]:
    """Return the lines that a message may correct; with words of a correction also those that it touches or that are near. None that says the same, or was made of it."""
    about = about or LinesAbout()
    entries = about.plain[:MOST_OFFERED]
    on = message.sent_at.date()
    sentences = telling_sentences(message.text)
    is_flagged = message.signal.validator is not None
    if not is_flagged and BESIDES.search(message.text.lower()):
        return ()  # `Nora is allergic to walnuts too`
    if is_flagged and not entries and sentences:
        entries = meant_after(history, store, message, now, MOST_OFFERED)
    if is_flagged and not entries:
        own = telling(message.text)
        is_told = bool(read(message.text, on).values) or any(map(str.strip, denied(message.text)))
        touched = about.touched[:MOST_OFFERED]
        entries = [each for each in touched if is_told or not own <= telling(each.statement)]
    for each in entries:
        if says_again(" ".join(sentences), each.statement, on):
            return ()
    cited = read_cited(history).by_entry
    offered = []
    for each in entries:
        is_own = MESSAGE + message.chat_id in cited.get(each.entry_id.removeprefix("m:"), ())
        if not is_own and not is_as_before(store, message, [each.statement]):
            offered.append(each)
    return offered


def certain_links(
    store: MessageStore, message: ChatMessage, about: LinesAbout, offered: Sequence[EntryCandidate]
) -> list[Link]:
    """Return the links to make while the operator looks on: to lines that his words plainly contradict, or the only one ``offered``."""
    if any(map(attrgetter("turn"), offered)):
        return list(link_to(store, message, offered[0], is_plain=True))
    links: Iterable[Link] = about.links
    if not links and len(offered) == 1 and not offered[0].link:
        links = link_to(store, message, offered[0])
    statements = set(map(attrgetter("statement"), offered))
    certain: dict[str, list[Link]] = defaultdict(list)  # by their words
    for each in links:
        if _is_certain(each, is_offered=each.statement in statements):
            certain[each.words].append(each)
    of_parts = []
    for of_part in certain.values():  # words that make one line anew are not about the others
        of_parts.append(list(filter(attrgetter("line_ready"), of_part)) or of_part)
    return list(chain.from_iterable(of_parts))


def _is_certain(link: Link, *, is_offered: bool) -> bool:
    """Say whether the words of a link put something else in the line's place, or deny it; those that ask to forget, or speak of a secret, wait for the job."""
    if to_forget_at_last(link.message.text) or names_a_secret(link.words):
        return False  # the next message may take it back, and git keeps what is committed
    on = link.message.sent_at.date()
    is_other = brings_value(link.words, link.statement, on) or denies_of(link.words, link.statement)
    if link.message.signal.validator is not None:
        return link.is_plain or (is_offered and (is_other or is_bare(link.words)))
    if link.beside or (link.is_plain and is_other and len(words_shared(link.statement, link.words)) > 1):
        return True
    return bool(link.line_ready)


def line_that_says(history: History, text: str, now: datetime) -> EntryCandidate | None:
    """Return the entry, or the line of memory, that contains all of a one-sentence message, or None."""
    heard = heard_in(text, now)
    if heard.said and len(own_sentences(text)) == 1:
        entries = candidates(history, heard.said, (), now, most=LOOKED_AT)
        for each in chain(entries, lines_near(history, heard.said, now, has_user=False)):
            is_of_memory = not each.is_line or holds_entries(each.path)
            own = set(read(text).words)
            is_named = own and (not behind_opening(text) or own & set(read(each.statement).words))
            is_other = numbers_another(heard.said, each.statement, new=each.statement)
            if is_of_memory and is_named and not is_other and _repeats(heard, each.statement):
                return each
    return None


def _repeats(heard: Heard, statement: str) -> bool:
    """Say whether a message repeats a statement, maybe after a lead-in: `Exactly, …`, `As I said, …`."""
    opening, _, rest = heard.said.partition(", ")
    reading = read(opening, heard.on)
    is_behind_a_word = len(opening.split()) == 1 or not reading.items
    if is_behind_a_word and not reading.values and is_verbatim(statement, rest):
        return True
    return is_verbatim(statement, heard.said) or says_again(heard.said, statement, heard.on)


def _parts(text: str, stated: str, before: str) -> Iterator[tuple[str, str, str]]:
    """Yield the quotes of a message, the reading of each, and the turn before; a long message is split into sentences."""
    sentences = own_sentences(text)
    if len(sentences) <= FEW_SENTENCES:
        yield folded(" ".join(sentences)), stated, before
        return
    for each in sentences:
        for sentence in telling_sentences(each):
            yield folded(each), sentence, before
        before = ""


def _is_against(reading: EvidenceEdit, statement: str, on: date) -> bool:
    return bool(two_names(statement, reading.statement) or difference(statement, reading.statement, on))


def is_told_elsewhere(statement: str, text: str, readings: Iterable[EvidenceEdit], on: date) -> bool:
    """Say whether readings make each sentence that shares a word with the entry into new facts about something else."""
    added = [each for each in readings if not each.entry_id]
    for sentence in telling_sentences(text):
        is_read = any(sentence in each.quote or shared_words(each.statement, sentence) > 1 for each in added)
        if words_shared(statement, sentence) and not is_read:
            return False
    for each in added:
        if shared_words(statement, each.statement) > 1 or _is_against(each, statement, on):
            return False
    return bool(added)


def _said_just_before(message: ChatMessage, spoken: Sequence[ChatMessage], on: date) -> str:
    """Return the agent's preceding turn, and the operator's before that if the agent took it up or answered it; empty for an order."""
    if ASKED.search(message.text) or to_forget(message.text):
        return ""
    if not spoken or spoken[-1].role != "assistant":
        return ""
    said_at, answer = spoken[-1].sent_at, own_words(spoken[-1].text)
    bare = " ".join(filter(is_bare, own_sentences(message.text)))
    if message.sent_at - said_at > AT_HAND and not replaces_value(bare, answer, on):
        return ""  # a bare value replaces the last one, also on the next day
    his = next((each for each in reversed(spoken) if each.role != "assistant"), None)
    if his is None or said_at - his.sent_at > AT_HAND:
        return answer
    his_words = own_words(his.text)
    is_of_both = not brings_its_own(his_words, answer)  # else the agent's alone is meant
    is_answer = is_question(his_words) and not is_question(answer)  # `Behind the sofa.`
    is_answer = is_answer or is_taken_up(Heard(his_words, "", answer, on))
    if is_answer or (is_of_both and replaces_value(bare, his_words, on)):
        return f"{his_words}; {answer}"
    return answer


def _linked_before(
    message: ChatMessage,
    spoken: Sequence[ChatMessage],
    heard: Heard,
    linked: Mapping[str, Sequence[tuple[str, str, str]]],
) -> tuple[str, str]:
    """Return the line beside which his words of the turn before stand whose value a bare value replaces (`no, 21`), or that he denies (`it's not cancelled`), and what names its topic; empty if none."""
    sentences = own_sentences(heard.said)
    his = next(filter(lambda each: each.role != "assistant", reversed(spoken)), None)
    if his is None:
        return "", ""
    for words, statement, _ in linked.get(MESSAGE + his.chat_id, ()):
        if any(map(partial(words_shared, words), denied(heard.said))):
            return statement, words
    if any(map(is_bare, (*sentences, *map(behind_opening, sentences)))):
        if his is spoken[-1] and message.sent_at - his.sent_at <= AT_HAND:
            heard = heard._replace(before=own_words(his.text))
        gone = given_way(heard)[1]
        for words, statement, turn in linked.get(MESSAGE + his.chat_id, ()):
            if has_one(gone, read(words, heard.on)):
                topic = words
                if not words_shared(statement, words):
                    topic = turn
                return statement, topic
    return "", ""


def _answer_to(store: MessageStore, message: ChatMessage) -> str:
    for following in talk_after(store, message, message.sent_at + AT_HAND)[:1]:
        if following.role == "assistant":
            return own_words(following.text)
    return ""


def _meant(history: History, heard: Heard, now: datetime) -> list[tuple[str, bool]]:
    """Return the statements that a message is about, and whether that is plain; none about another numbered thing.

    Besides its plain topic, it may answer the conversation about another: `it's the 30th now. stand-up can stay`.
    """
    texts = (f"{heard.said} {heard.before}", f"{heard.said} {heard.answer}")
    best = candidates(history, texts[0], (), now, most=LOOKED_AT)
    near = best
    if texts[1] != texts[0]:
        near = candidates(history, texts[0], texts[1:], now, most=LOOKED_AT)
    own = {each.statement: words_shared(each.statement, heard.said) for each in near}
    others = set(filter(partial(numbers_another, heard.said, beside=own), own))
    shared = Counter(chain.from_iterable(own.values()))
    names = map(english_stem, read(heard.said, heard.on).names)
    is_named = not shared.keys().isdisjoint(names) and not is_bare(heard.said) and not given_way(heard)[1]
    is_known = is_named or any(map(partial(is_verbatim, heard.said), own))
    likely = []
    is_of_itself = False
    for each in near:
        if each.statement in others or not has_given_way(heard, each.statement):
            continue
        if is_known and not own[each.statement]:
            continue  # an entry has exactly that, or the name: not an answer about another
        is_best = bool(best) and best[0].statement == each.statement
        is_only = all(shared[word] == 1 for word in own[each.statement])
        how = bearing(heard, each.statement, is_best=is_best, is_only=is_only)
        if how is not None:
            likely.append((how, each.score, each.statement))
            is_of_itself = is_of_itself or denies_of(heard.said, each.statement)
    if not any(map(attrgetter("is_plain"), map(itemgetter(0), likely))):
        fitting = fitting_best(heard.said, filterfalse(others.__contains__, own))
        if fitting:
            return [(fitting, True)]
    if is_of_itself:  # the message names its topic
        likely = list(filter(lambda each: own[each[2]], likely))
    likely = tied_most(heard, likely)
    meant: list[tuple[str, bool]] = []
    for how, _, statement in likely[:MOST_MEANT]:
        most, _, first = likely[0]
        is_of_other_words = not own[statement] or not own[statement] <= own[first]
        is_besides = is_of_other_words and (how.rank == NAMES or how.rank < most.rank)
        if statement == first or (how.is_plain and (is_besides or how == most)):
            meant.append((statement, how.is_plain))
    return meant


def _is_later(link: Link, heard: Heard, history: History, store: MessageStore, entry: Entry) -> bool:
    """Say whether a message is later than the entry's present words, or than the agent's turn whose value an entry of the agent repeats, and is not their source."""
    present = present_words(history, piece_of(entry).words, entry.entry_id or "")
    if present.trust == HOST and has_one(given_way(heard)[1], read(link.statement, heard.on)):
        return True
    cited = [store.get(each.removeprefix(MESSAGE)) for each in present.messages]
    moments = [each.sent_at for each in cited if each is not None] or [present.at]
    if max(moments) > link.message.sent_at and denies_value_of(heard, link.statement):
        return _is_still_denied(link, heard, history)
    return max(moments) <= link.message.sent_at and link.evidence_id not in present.messages


def _is_still_denied(link: Link, heard: Heard, history: History) -> bool:
    """Say whether a correction made the line of one that had the denied value, too: `15, not 14` says nothing about Fridays."""
    for each in standing_corrections(history.tip().tree).values():
        if each.holds and each.correct == link.statement and denies_value_of(heard, each.said):
            return True
    return False


def is_settled(link: Link, corrections: Iterable[Correction]) -> bool:
    """Say whether the message corrected that entry or is already linked to it; open questions do not count, they may be declined."""
    statement = shortened(link.statement)
    for each in corrections:
        if each.trigger == link.words and each.said == statement and each.status is Status.LINKED:
            return True  # said again
        if link.evidence_id not in each.evidence:
            continue
        if each.correct and (link.entry_id in each.corrects or statement == each.correct):
            return True
        is_link = each.status in (Status.LINKED, Status.WITHDRAWN) and not each.proposed
        if is_link and each.said == statement:
            return True
    return False
