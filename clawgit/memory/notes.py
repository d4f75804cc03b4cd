"""Notes: lines of sessions' notes, old notes and their archives (`Archive/Daily`, quarters), chronicles. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import EntryError
from clawgit.memory.entries.tiers import date_of, day_in
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import ends_open, parted_at
from clawgit.text.markdown.dialogue_blocks import label_of
from clawgit.text.markdown.lines import as_utf8, gap_below, line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

TITLE, SOURCE, MESSAGES = "# Session: ", "- source: ", "- messages: "
USER, ASSISTANT = "user", "assistant"
TOLD_BY_MACHINES = frozenset(("tool", "system"))
_ABOUT = lazy_bytes_pattern(
    rb"\s*(?:- (?:\*\*)?(?:time|ended|source|messages|session (?:key|id))(?:\*\*)?:.*)?", re.IGNORECASE
)
_DAY_HEADING = lazy_bytes_pattern(rb"(?m)^## (\d{4}-\d\d-\d\d)[ \t]*\r?$")
_TIME = lazy_bytes_pattern(rb"\d{4}-\d\d-\d\d[ T]\d\d:\d\d")
_AGENT = frozenset((ASSISTANT, "agent", "ai", "bot", *TOLD_BY_MACHINES))
_SPEAKER = lazy_pattern(rf"(?:[-*+] )?({USER}|{ASSISTANT}|{'|'.join(sorted(TOLD_BY_MACHINES))}): ")
DRESS = "-*+ "  # list markers
_OUTPUT = lazy_pattern(
    r"(?:\$ |>>> |Traceback \(|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[]: ]"
    r"|(?i:(?:tool|stdout|stderr|output|exit (?:code|status))\b ?[:=\d]|\[?tool(?: (?:call|use|result|output)s?)?(?:\]|:\s))"
    r"|[{[]\s*[\"{[]|\s+at \S+\(|\d+ (?:passed|failed)\b"
    r"|File \"[^\"]+\", line \d|\w+(?:Error|Exception): |[][{}]+,?\Z"
    r"|\"[\w.-]+\"\s*:\s*(?:\"[^\"]*\"|-?[\d.]+|true|false|null|[{[])[]}]*,?\Z"  # a line of JSON
    r"|\S.*?(?: {3,}|\t+)\S.*?(?: {3,}|\t+)\S)"  # columns: people do not type two such gaps in a line
)
_BLOCK = lazy_pattern(r"(?s)```.*?(?:```\s*|\Z)")
NOTES = "memory/"
DAILY = "Archive/Daily/"
ARCHIVES = "memory/archive/"
_CLOSING = (b"```", b"~~~", b"````", b"-->")
CHRONICLES = "Archive/Chronicles/"
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NOTES = lazy_pattern(r"(?m)^<!-- notes: (.*) -->\r?$")
_PLAIN = lazy_pattern(r"\w+(?:[.-]\w+)*")
_HEAD = 16_000  # bytes with the headers of a mail
_TITLE_LINE = lazy_pattern(r"(?:\s|#[^\n]*\n)*")
_MAIL_HEADER = lazy_pattern(
    r"[>*_ \t]*(?P<name>[^\W\d_][\w-]{0,30})[*_]*[ ]?:[*_ \t]*(?P<value>\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)(?:\n|\Z)"
)
_SENDERS = "from von de da van fra från od от 差出人 发件人 보낸사람"
_SENDER = frozenset(_SENDERS.split())
_MAIL_FOLDERS = """
    mail mails email emails e-mail e-mails inbox posteingang correo correos courriel courriels posta
"""
_OF_OTHERS = frozenset(_MAIL_FOLDERS.split())
_HEADERS = """
    subject betreff asunto objet oggetto assunto onderwerp emne ämne temat předmět тема 件名 主题 제목 message-id received
"""
_OF_MAILS = frozenset(_HEADERS.split())
_MAIL_NAME = lazy_pattern(
    rf"(?:e-?)?mail[-_ ](?:{_SENDERS.replace(' ', '|')})[-_ ]|fwd[-_ ]"
)  # `mail-from-dell.md`
_SALUTATION = lazy_pattern(r"\s*[^\n]{1,60}[,!，！][ \t]*(?:\n|\Z)")


def lines_about(data: bytes) -> int:
    """Return the number of header lines of a session's note, 0 for any other file."""
    if not data.startswith(TITLE.encode()):
        return 0
    number = 1
    for line in data.split(b"\n")[1:]:
        if not _ABOUT.fullmatch(line.rstrip()):
            break
        number += 1
    return number


def time_of(data: bytes) -> str:
    """Return the time of a session note's last message, if given."""
    for line in split_lines(data)[: lines_about(data)]:
        times = _TIME.findall(line)
        if times:
            return str(times[-1].decode())
    return ""


def day_of_line(path: str, data: bytes, number: int) -> date | None:
    """Return the day of a note's line (from 1): that of the heading above it, else the note's; None for other files."""
    day = date_of(path)
    if day is not None:
        for heading in _DAY_HEADING.findall(b"".join(split_lines(data)[:number])):
            day = day_in(heading.decode()) or day
    return day


def is_about(item: str) -> bool:
    """Say whether an item is session data: "source: cli, conversation main"."""
    return _ABOUT.fullmatch(f"- {item}".encode()) is not None


def speaker_of(line: str) -> str:
    """Return the role that speaks in a note's line; empty without one."""
    match = _SPEAKER.match(line)
    return match[1] if match else ""


def is_agents_turn(line: str, agent: str) -> bool:
    """Say whether a line's label is the agent, by name (`**Quill:** …`) or role (`Assistant: …`)."""
    label = label_of(line.replace("**", "").replace("__", ""))
    names = {agent.casefold(), agent.casefold().partition(" ")[0]} - {""}
    return label in names | _AGENT


def words_of(line: str) -> str:
    match = _SPEAKER.match(line)
    return line[match.end() :] if match else line


def without_blocks(line: str) -> str:
    """Return a note's line, of the agent's turns without code blocks: a program's output follows the agent's words there."""
    if speaker_of(line) == ASSISTANT:
        return _BLOCK.sub("", line)
    return line


def is_output(line: str) -> bool:
    return bool(_OUTPUT.match(line.strip().lstrip(DRESS)))


def is_machines(text: str) -> bool:
    """Say whether all of a note's passage is from a tool."""
    return speaker_of(text) in TOLD_BY_MACHINES or all(map(is_output, words_of(text).splitlines()))


def turns_apart(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the runs of an item's lines, as begin and end.

    Markdown joins an unmarked line to the item above; here a speaker's turn, or program output, is a run of its own.
    """
    begins = [0]
    for at in range(1, len(lines)):
        if speaker_of(lines[at].lstrip()) or is_output(lines[at]) or is_output(lines[at - 1]):
            begins.append(at)
    return list(zip(begins, [*begins[1:], len(lines)], strict=True))


class OldNote(NamedTuple):
    """A dated note past its age; ``place``: its archive path if the usual one has another text."""

    path: str
    day: date
    place: str = ""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        return (self.place or self.path).rpartition("/")[2].removesuffix(".md")


def old_notes(paths: Iterable[str], on: date, days: int) -> list[OldNote]:
    """Return the dated notes among ``paths`` that are more than ``days`` old, oldest first."""
    dated = ((path, date_of(path)) for path in paths)
    notes = [OldNote(path, day) for path, day in dated if day is not None and (on - day).days > days]
    return sorted(notes, key=lambda note: (note.day, note.path))


def archived_path(note: OldNote) -> str:
    """Return the archive path of a note: `Archive/Daily/2026/03/2026-03-19.md`."""
    return f"{DAILY}{note.day:%Y/%m}/{note.name}"


def free_place(note: OldNote, data: bytes, read: Callable[[str], bytes | None]) -> str:
    """Return a free archive path for a note (`….md`, `…-2.md` …), or one that has its bytes already."""
    place, number = archived_path(note), 1
    while (there := read(place)) is not None and there != data:
        number += 1
        place = f"{archived_path(note).removesuffix('.md')}-{number}.md"
    return place


def quarter_of(day: date) -> str:
    """Return the calendar quarter of a day: `2026-Q1`."""
    return f"{day.year:04}-Q{(day.month + 2) // 3}"


def archive_path(note: OldNote) -> str:
    return f"{ARCHIVES}{quarter_of(note.day)}.md"


def section_of(note: OldNote, data: bytes) -> bytes:
    """Return a note in its archive's form: a heading with its name, its bytes, and a line end."""
    end = line_end(data)
    title = f"# {note.stem}".encode("utf-8", "surrogateescape")
    first = data.removeprefix(b"\xef\xbb\xbf").split(end, 1)[0].rstrip()
    head = b"" if first == title else title + 2 * end
    return head + data + (b"" if data.endswith((b"\n", b"\r")) else end)


def is_archived(note: OldNote, data: bytes, archive: bytes) -> bool:
    """Say whether an archive has the note's present text; marks beside it do not count."""
    section = section_of(note, data)
    at = archive.find(section)
    while at > 0 and archive[at - 1 : at] not in (b"\n", b"\r"):
        at = archive.find(section, at + 1)
    return at >= 0


def grown_archive(data: bytes, quarter: str, notes: Sequence[tuple[OldNote, bytes]]) -> bytes:
    """Return a quarter's archive with these notes appended, open code closed; `EntryError` if that is not possible."""
    missing = [(note, text) for note, text in notes if not is_archived(note, text, data)]
    if not missing:
        return data
    if ends_open(data):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    data = data or f"# Archive of {quarter}\n\nOld notes, word for word, the oldest first.\n".encode()
    for note, text in missing:
        end = line_end(data)
        data += gap_below(data, end) + _closed(note, section_of(note, text))
    return data


def _closed(note: OldNote, section: bytes) -> bytes:
    if not ends_open(section):
        return section
    end = line_end(section)
    tried = (section + closing + end for closing in _CLOSING)
    closed = next((text for text in tried if not ends_open(text)), None)
    if closed is None:
        raise EntryError(f"{note.path} ends inside an open code block or comment.", hint="Close it there.")
    return closed


class Week(NamedTuple):
    """The days of a week within one month."""

    first: date
    last: date

    @property
    def title(self) -> str:
        return f"{self.first} to {self.last}"


class WeekSummary(NamedTuple):
    """A week in a chronicle: lines, and the notes that they were taken from."""

    week: Week
    lines: tuple[str, ...]
    notes: tuple[OldNote, ...]


def week_of(day: date) -> Week:
    """Return the week of a day, cut at the month's ends."""
    monday = day - timedelta(days=day.weekday())
    begins = day.replace(day=1)
    ends = (begins + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    return Week(max(monday, begins), min(monday + timedelta(days=6), ends))


def chronicle_path(day: date) -> str:
    return f"{CHRONICLES}{day.year:04}-{MONTHS[day.month - 1]}.md"


def told_in(chronicle: bytes) -> frozenset[str]:
    return frozenset(
        name for names in _NOTES.findall(chronicle.decode("utf-8", "replace")) for name in names.split(", ")
    )


def name_of(note: OldNote) -> str:
    """Return the name by which a chronicle lists a note as covered."""
    return note.stem if _PLAIN.fullmatch(note.stem) else note.stem.encode("utf-8", "surrogatepass").hex()


def grown_chronicle(data: bytes, statements: Sequence[WeekSummary]) -> bytes:
    """Return a month's chronicle with more lines below its weeks' headings, none twice; `EntryError` where it ends in open code."""
    if ends_open(data):
        raise EntryError("It ends inside an open code block or comment.", hint="Close it first.")
    if not data:
        day = statements[0].week.first
        where = f"Archive/Daily/{day:%Y/%m}/"
        title = f"# {MONTHS[day.month - 1]} {day.year}"
        says = f"What was noted in this month, by week. The notes themselves are in {where}, word for word."
        data = f"{title}\n\n{says}\n".encode()
    for each in statements:
        end = line_end(data)
        head, body, rest = parted_at(data, each.week.title)
        there = set(map(without_end, split_lines(body)))
        items = [item for line in each.lines if (item := f"- {line}".encode()) not in there]
        named = told_in(body)
        names = [name for note in each.notes if (name := name_of(note)) not in named]
        new = [end.join(items)] if items else []
        if names:
            new.append(f"<!-- notes: {', '.join(names)} -->".encode())
        if new:
            before = head.rstrip(b"\r\n") + 2 * end + (body.strip(b"\r\n") + 2 * end if body.strip() else b"")
            data = before + (2 * end).join(new) + end + (end if rest else b"") + rest
    return data


def session_of_note(data: bytes) -> str | None:
    """Return the session of a session's note; None for other files, or without one."""
    header = _header(data.decode("utf-8", "replace").splitlines())
    source = next((line for line in header if line.startswith(SOURCE)), "")
    _, named, session = source.partition(", transcript ")[0].rpartition(", session ")
    if named:
        return session
    return None


def strangers_lines(data: bytes) -> frozenset[int] | None:
    """Return the lines (from 1) of a session's note from outsiders or answering them; None for other files."""
    lines = data.decode("utf-8", "replace").splitlines()
    header = _header(lines)
    if not header:
        return None
    numbers, is_his = set[int](), False
    for number, line in enumerate(lines[len(header) :], len(header) + 1):
        speaker, says, _ = line.partition(": ")
        if says and speaker == USER:
            is_his = True
        elif says and speaker != ASSISTANT and speaker not in TOLD_BY_MACHINES:
            is_his = False
        if not is_his:
            numbers.add(number)
    return frozenset(numbers)


def _header(lines: Sequence[str]) -> Sequence[str]:
    if not lines or not lines[0].startswith(TITLE):
        return ()
    end = next((at for at, line in enumerate(lines) if line.startswith(MESSAGES)), -1)
    return lines[: end + 1]


def is_mail(data: bytes, path: str) -> bool:
    """Say whether a file is a mail by its folder or name, or begins as one: who sent it, and a subject, an address, or a salutation; or a quoted sender."""
    *folders, name = path.casefold().split("/")
    if not _OF_OTHERS.isdisjoint(folders) or _MAIL_NAME.match(name):
        return True
    at = 0
    head = as_utf8(data[:_HEAD]).decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    title = _TITLE_LINE.match(head)
    if title is not None:
        at = title.end()
    is_quoted = head.startswith(">", at)
    names: list[str] = []
    has_address = False
    while (header := _MAIL_HEADER.match(head, at)) is not None:
        at = header.end()
        field = header["name"].casefold()
        names.append(field)
        has_address = has_address or (field in _SENDER and "@" in header["value"])
    if _SENDER.isdisjoint(names):
        return False
    is_headed = has_address or is_quoted or not _OF_MAILS.isdisjoint(names)
    return is_headed or _SALUTATION.match(head, at) is not None
