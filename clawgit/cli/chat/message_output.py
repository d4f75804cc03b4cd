"""Messages, and the outcome of a message, as JSON and in lines."""

from __future__ import annotations

import shlex
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked, same_data
from clawgit.history.authorship.actors import in_words
from clawgit.memory.entries.tiers import date_of
from clawgit.plan import MESSAGE
from clawgit.text.comparing.subjects import telling
from clawgit.text.safety.control_characters import begin_of, first_few, shown
from clawgit.text.safety.secrets import holds_a_secret
from clawgit.understanding.evidence.orders_to_forget import behind_forgetting, only_asks_to_forget
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.evidence.taking_back import is_of_before
from clawgit.understanding.patterns.pattern_rule import OPT_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from clawgit.agents.door.meant_entries import EntryCandidate
    from clawgit.agents.memory_miner import KeptSentence
    from clawgit.agents.takings_back import CorrectedLine
    from clawgit.capture.messages.message import ChatMessage, SignalNote
    from clawgit.capture.messages.message_store import Stats
    from clawgit.operations.messages import ForgottenLine, TakenDown

NAMED = 3  # entries that a message may correct, for people
GOING = 10  # messages that an order takes back: he must see what goes
LONGEST = 80  # characters of each
WORDS_FOR_A_PLACE = 200  # characters: a longer line without an id is named by its place
NEWS = "What else you say there was not written into MEMORY.md; search finds it as your message."
STILL_SHOWN = "Search still shows these words, as taken back."
SECRET_STAYS = 'Your message may still have it: say "forget what I said", and keep it in a password manager. If it is no secret, `clawgit remember` names the way.'
FATES = {
    "kept": "The next job keeps it in MEMORY.md.",
    "proposed": "The next job proposes it, and you decide (`clawgit pending`).",
    "read": "A model reads it with the next job.",
    "message": "Search finds it as your message.",
    "secret": "It looks like a secret, so no job puts it into memory. Keep it in a password manager, and remember where it is.",
}


def message_data(message: ChatMessage) -> dict[str, Any]:
    data = picked(message, "channel conversation message_id session role sender is_operator trust text")
    data["sent_at"] = message.sent_at.isoformat(timespec="milliseconds")
    data["received_at"] = message.received_at.isoformat(timespec="milliseconds")
    data["signal"] = signal_data(message.signal)
    return {"id": f"{MESSAGE}{message.chat_id}", **data, **picked(message, "priority mined_in validated_in")}


def signal_data(signal: SignalNote) -> dict[str, Any]:
    data = signal._asdict()
    if not signal.veto:
        del data["veto"]
    return data


def taken_data(taken: TakenDown) -> dict[str, Any]:
    message = taken.message
    if message is None:
        return {"outcome": "left out", "reason": taken.outcome}
    data = {
        "outcome": taken.outcome,
        "id": f"{MESSAGE}{message.chat_id}",
        **picked(message, "message_id trust"),
        "signal": signal_data(message.signal),
    }
    answer: dict[str, Any] = {
        "corrected": _rows(taken.corrected),
        **_back_data(taken),
        "forgotten": taken.forgotten and taken.forgotten._asdict(),
        "to_forget": None,
        "kept_out": list(map(attrgetter("chat_id"), taken.kept_out)) or None,
        "out_of_notes": _rows(taken.out_of_notes),
        "remembered": _rows(taken.remembered),
        "not_kept": taken.not_kept or None,
        "fate": taken.fate or None,
        "answered": _rows(taken.answered),
        "ended": [f"x:{each.correction_id}" for each in taken.ended] or None,
        "linked": [{"link": each.link, **_entry_data(each)} for each in taken.linked] or None,
        "maybe_corrects": None,
    }
    if taken.unwanted:
        answer["to_forget"] = [
            {"text": each.statement.words, **picked(each, "place command")} for each in taken.unwanted_lines
        ]
    if taken.may_correct is not None:
        answer["maybe_corrects"] = list(map(_entry_data, taken.may_correct))
    if taken.known is not None:
        answer["known"] = _entry_data(taken.known)
    return data | {name: value for name, value in answer.items() if value is not None} | same_data(taken.same)


def _entry_data(entry: EntryCandidate) -> dict[str, Any]:
    return {"entry": _name(entry) or None, **picked(entry, "text=statement path line")}


def _rows(values: Sequence[Any]) -> list[dict[str, Any]] | None:
    return list(map(methodcaller("_asdict"), values)) or None


def _back_data(taken: TakenDown) -> dict[str, Any]:
    back = taken.back
    if back is not None:
        lines = _rows(back.lines) or []
        return {"took_back": {"lines": lines, "undo": back.undo, "notes": list(back.notes)}}
    if taken.takes_back and not taken.unwanted:
        return {"not_taken_back": _rests(taken)}
    if taken.fate == "back":
        return {"not_taken_back": _not_back(taken)}
    return {}


def _not_back(taken: TakenDown) -> str:
    old = taken.too_old
    if old is None:
        return "It takes nothing back: what it means is not plain. `clawgit log` lists each change, with its id for `clawgit undo`."
    quote = begin_of(old.text, LONGEST)
    sentence = f'It takes nothing back: "{quote}" is older than a day.'
    return f"{sentence} What rests on it: clawgit undo --source {MESSAGE}{old.chat_id}"


def _rests(taken: TakenDown) -> str:
    if "undo" in taken.read_next:
        return "The next job undoes what rests on it in memory (now: `clawgit run recall-validator`)."
    if taken.forgotten is not None:
        return ""
    if taken.unwanted_lines or taken.unwanted_more:
        return "Memory keeps its lines."
    return "Nothing in memory rests on it."


def taken_lines(taken: TakenDown) -> list[str]:
    message = taken.message
    if message is None:
        return []
    first = f"{MESSAGE}{message.chat_id} {taken.outcome}"
    if taken.fate == "said":
        first += "; nothing was written into MEMORY.md"
    back = _back_lines(taken)
    remembered = list(map(_remembered_line, taken.remembered))
    if taken.not_kept:
        remembered.append(f"Not remembered: {taken.not_kept.rstrip('.')}.")
        remembered += _ways_to_remember(taken.not_kept, message)
    if taken.corrected:
        from clawgit.agents.door.exchanged_lines import same_told

        corrected = [f"Corrected: {_change_words(each)} (undo {each.undo})" for each in taken.corrected]
        return [first, *back, *corrected, *same_told(taken.same), *remembered, *_forget_lines(taken)]
    if taken.known is not None:
        return [first, *back, f"Known: {_named(taken.known)}", *_forget_lines(taken)]
    offered = _lines_about(taken, message)
    news: list[str] = []
    is_taken_back = taken.takes_back or (taken.back and not taken.back.lines)
    if (remembered or is_taken_back) and not (offered or taken.unwanted):
        news = _news_lines(taken)
    return [
        first,
        *(f"{each.question} {each.word}: {each.says}" for each in taken.answered),
        *heard_lines(taken, message),
        *back,
        *remembered,
        *offered,
        *(_forget_lines(taken) or _unclear_order(taken, message) or _fate_lines(taken, message)),
        *news,
    ]


def _remembered_line(done: KeptSentence) -> str:
    line = f'"{done.text}"'
    if done.text.endswith('"'):  # memory writes the operator's words as `User: "…"`
        line = done.text
    where = ""
    if date_of(done.path):
        where = " for the day"
    return f"Remembered{where}: {done.path} {line} (undo {done.undo})"


def _ways_to_remember(not_kept: str, message: ChatMessage) -> list[str]:
    if not_kept.endswith("holds a secret"):
        return [SECRET_STAYS]
    if not not_kept.startswith("its message has"):
        return []
    from clawgit.understanding.corrections.ready_commands import remember_command
    from clawgit.understanding.facts.keepable_sentences import ordered_in

    quotes = map(attrgetter("quote"), ordered_in(message.text))
    return list(map("To have it in MEMORY.md: {}".format, filter(None, map(remember_command, quotes))))


def _fate_lines(taken: TakenDown, message: ChatMessage) -> list[str]:
    if taken.fate in ("", "said"):
        return []
    if taken.fate == "back":
        return [_not_back(taken)]
    if taken.fate == "secret":
        return [FATES[taken.fate]]
    from clawgit.understanding.corrections.ready_commands import CORRECT_COMMAND, remember_command

    command = remember_command(message.text)
    if command and taken.fate == "message":
        return [f"{FATES['message']} To have it in MEMORY.md: {command}"]
    if command:
        return [f"{FATES[taken.fate]} Now: {command}"]
    return [f"{FATES[taken.fate]} If it corrects a line of memory: {CORRECT_COMMAND}"]


def _back_lines(taken: TakenDown) -> list[str]:
    ended = []
    for each in taken.ended:
        words = begin_of(each.trigger, LONGEST)
        beside = begin_of(each.said, LONGEST)
        ended.append(f'No longer beside "{beside}": "{words}" (undo {taken.ended_by[:12]}).')
    back = taken.back
    if back is None:
        return ended
    lines = [f"Taken back: {_change_words(each)} (undo {back.undo})" for each in back.lines]
    if not lines and back.undo:
        behind = "" if taken.kept_out else f". {STILL_SHOWN}"
        lines.append(
            f'Taken back: what rested on "{begin_of(back.text, LONGEST)}" (undo {back.undo}){behind}'
        )
    return [*ended, *lines, *back.notes]


def _change_words(done: CorrectedLine) -> str:
    if done.text and not done.before:
        return f'the day\'s note stays; new in {done.path}: "{done.text}"'
    return f'{done.path} "{done.before}" → "{done.text}"'


def _ways_to_forget(taken: TakenDown) -> list[str]:
    lines = []
    texts = list(map(attrgetter("statement.words"), taken.unwanted_lines))
    for line, words in zip(taken.unwanted_lines, texts, strict=True):
        row = f"  {line.command}   {begin_of(words, LONGEST)}"
        if not (line.mark or texts.count(words) > 1 or len(words) > LONGEST or holds_a_secret(words)):
            row = f"  clawgit forget {shlex.quote(words)}   {line.place}"  # the number of a line changes
        lines.append(row)
    for link in taken.unwanted_links:
        statement = begin_of(link.said, LONGEST)
        lines.append(f'  clawgit reject x:{link.correction_id}   beside "{statement}": {link.trigger}')
    return lines


def _forget_lines(taken: TakenDown) -> list[str]:
    if not taken.unwanted:
        return []
    from clawgit.understanding.corrections.ready_commands import in_shell

    lines = _ways_to_forget(taken)
    if taken.forgotten is not None or taken.takes_back or taken.back:
        if lines:
            lines.insert(0, "These may say so, too, and stay:")
        elif taken.unwanted_more:
            lines.append(f"Lines of memory may say so, too: clawgit forget {in_shell(taken.unwanted)}")
        if taken.forgotten is not None:
            lines.insert(0, f"Forgotten: {_gone_words(taken.forgotten)}")
        return lines + _news_lines(taken)
    sentence = f'You ask to forget "{begin_of(taken.unwanted, LONGEST)}". Nothing was removed.'
    if taken.kept_out:
        sentence = "What memory says of it stays, and is read on."
    if lines:
        lines.insert(0, f"{sentence} To remove what says so, or may:")
        if taken.unwanted_more:
            way = "clawgit forget WORDS, with more words of the line"
            lines.append(f"  and {taken.unwanted_more:,} more: {way}")
    elif not taken.kept_out:
        way = f"clawgit memory search {in_shell(taken.unwanted)}"
        lines = [f"{sentence} No line of Markdown was found that says so; messages stay. To look: {way}"]
    return lines + _news_lines(taken)


def _unclear_order(taken: TakenDown, message: ChatMessage) -> list[str]:
    """Return the command for an order to forget that names its thing by what others said of it: nothing is done by itself."""
    if not message.is_operator or message.is_vetoed or taken.takes_back or taken.back or taken.fate == "back":
        return []
    from clawgit.understanding.corrections.ready_commands import in_shell

    for sentence in own_sentences(message.text):
        named = behind_forgetting(sentence)
        if telling(named) and not sentence.endswith("?"):
            way = f"To see which lines may say so: clawgit forget {in_shell(named)}"
            return [f"Nothing was removed: such words alone forget nothing. {way}"]
    return []


def _news_lines(taken: TakenDown) -> list[str]:
    """Return what becomes of a message besides its orders to remember or to forget."""
    from clawgit.understanding.facts.keepable_sentences import kept_in, tells_or_orders

    message = taken.message
    lines = list(map(_beside_line, taken.linked[:NAMED]))
    if "link" in taken.read_next and not lines:
        lines = ["The next job puts your words beside the line."]
    is_read = bool(taken.read_next) and not (lines or taken.remembered)
    if message is None or message.is_vetoed or is_read or taken.corrected:
        return lines
    quotes = " ".join(map(attrgetter("quote"), kept_in(message.text)))
    for sentence in own_sentences(message.text):
        is_order = only_asks_to_forget(sentence) or (is_of_before(sentence) and not taken.unwanted)
        if tells_or_orders(sentence) and not (is_order or sentence in quotes):
            return lines or [NEWS]
    return lines


def _gone_words(gone: ForgottenLine) -> str:
    return f'{gone.place} "{begin_of(gone.text, LONGEST)}" (undo {gone.undo})'


def _lines_about(taken: TakenDown, message: ChatMessage) -> list[str]:
    """Return the lines beside which the words stand, else those that they may correct, each with its command."""
    beside: list[str] = []
    for each in taken.linked[:NAMED]:
        way = f"To rewrite the line: {_correct_command(each, message, is_one=True)}"
        if each.new:
            way = f'To make it "{each.new}": clawgit approve {each.link}'
        beside += [_beside_line(each), way]
    if taken.unwanted:
        beside = []  # said with what to forget
    return beside or _offered_lines(taken, message)


def _offered_lines(taken: TakenDown, message: ChatMessage) -> list[str]:
    entries = taken.may_correct or ()
    statements = list(map(attrgetter("statement"), entries))
    lines = []
    for each in entries[:NAMED]:
        command = _correct_command(each, message, is_one=statements.count(each.statement) == 1)
        lines.append(f"Your message may correct {_named(each)}. If so: {command}")
    so_far = "Nothing was changed."
    if "validator" in taken.read_next:
        so_far = "Nothing is changed yet; the next job reads it."
    elif "link" in taken.read_next:
        so_far = "Nothing was changed; the next job puts your words beside the line."
    if lines:
        lines[0] = f"{so_far} {lines[0]}"
    return lines


def _beside_line(entry: EntryCandidate) -> str:
    return f"Your words now stand beside {_named(entry)}: search and prompts show both (undo {entry.link})."


def _named(entry: EntryCandidate) -> str:
    return f'{entry.path}:{entry.line} "{begin_of(entry.statement, LONGEST)}"'


def _correct_command(entry: EntryCandidate, message: ChatMessage, *, is_one: bool) -> str:
    """Return the command for an offered line: by its link, which such a correction settles, its id or its words, since the number of a line moves."""
    from clawgit.understanding.corrections.correct_by_hand import is_whole
    from clawgit.understanding.corrections.ready_commands import BLANK, as_new, offered_line

    place = f"{entry.path}:{entry.line}"
    new = as_new(entry.new or offered_line(entry.statement, entry.words or message.text, entry.about))
    is_short = len(entry.statement) <= WORDS_FOR_A_PLACE or new != BLANK
    has_words = is_whole(entry.statement) or not entry.is_line
    old = entry.link or _name(entry) or (entry.statement if is_short and has_words and is_one else place)
    return f"clawgit correct {shlex.quote(old)} {new}"


def _name(entry: EntryCandidate) -> str:
    return entry.entry_id and f"m:{entry.entry_id}"


def heard_lines(taken: TakenDown, message: ChatMessage) -> list[str]:
    heard = []
    if taken.kept_out or message.signal.veto == OPT_OUT:
        heard = _kept_out_lines(taken, message)
    if taken.takes_back:
        words = begin_of(taken.takes_back, LONGEST)
        taking = f'It takes back "{words}". {_rests(taken)}'.rstrip()
        if not taken.kept_out:
            taking += f" {STILL_SHOWN}"
        heard.append(taking)
    if message.signal.veto == OPT_OUT:
        return heard
    if message.signal.veto:
        return [f"Triage leaves it alone ({message.signal.veto})."]
    if "miner" in taken.read_next and not (taken.fate or taken.remembered or taken.not_kept):
        heard.append("The next job reads it for memory (now: `clawgit run memory-miner`).")
    is_named = taken.may_correct or taken.fate or taken.remembered or taken.ended
    if message.signal.validator and not (is_named or taken.takes_back or taken.back or taken.unwanted):
        heard.append(_correction_line(taken))
    if message.signal.custom:
        heard.append(f"It fits your pattern for {', '.join(message.signal.custom)}.")
    return heard


def _kept_out_lines(taken: TakenDown, message: ChatMessage) -> list[str]:
    """Return what notes, search and prompts leave out until it is deleted; an order to forget alone forgets nothing that it names."""
    if taken.kept_out:
        messages = [f'  {each.role}: "{begin_of(each.text, LONGEST)}"' for each in taken.kept_out]
        return [
            "From now on no job, search or prompt reads the messages that you take back; after a day they are deleted:",
            *first_few(messages, GOING, "  and {} more messages"),
            f"Until then `clawgit undo {MESSAGE}{message.chat_id}` brings them back.",
            *(f"Out of the note: {_gone_words(gone)}" for gone in taken.out_of_notes),
        ]
    return ["This message is in no note, search or prompt, and is deleted after a day."]


def _correction_line(taken: TakenDown) -> str:
    from clawgit.understanding.corrections.ready_commands import CORRECT_COMMAND

    if "validator" in taken.read_next:
        return "Sounds like a correction; the next job reads it (now: `clawgit run recall-validator`)."
    way = f"If it corrects a line of memory: {CORRECT_COMMAND}"
    return f"Sounds like a correction; nothing was changed. {way}"


def message_line(message: ChatMessage, zone: tzinfo | None) -> str:
    at = message.sent_at.astimezone(zone)
    who = shown(f"{message.channel}  {message.sender or message.role}", keep_newlines=False)
    if message.trust != ("host" if message.role == "assistant" else "operator"):
        who += f" ({in_words(message.trust)})"
    flags = ["to remember"] * message.signal.miner
    if message.signal.validator:
        flags.append("may correct")
    flags += message.signal.custom
    text = " ".join(message.text.split())
    if flags:
        text += f"  [{', '.join(flags)}]"
    return f"{at:%Y-%m-%d %H:%M}  {who}: {text}  chat:{message.chat_id}"


def stats_lines(stats: Stats, zone: tzinfo | None) -> list[str]:
    if stats.first is None or stats.last is None:
        return ["No messages yet."]
    span = f"{stats.first.astimezone(zone):%Y-%m-%d %H:%M} to {stats.last.astimezone(zone):%Y-%m-%d %H:%M}"
    lines = [f"{stats.messages:,} messages, {span}"]
    groups = {"roles": stats.by_role, "channels": stats.by_channel, "words of": stats.by_trust}
    for name, group in groups.items():
        lines.append(f"  {name}: {', '.join(f'{key} {count:,}' for key, count in group.items())}")
    lines.append(f"  to be read for memory: {stats.to_mine:,}, {stats.flagged:,} of them flagged")
    return [*lines, f"  to be read as corrections: {stats.to_validate:,}"]
