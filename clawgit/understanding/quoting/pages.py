"""Texts that were put into a message from elsewhere, told by how their lines are laid out. Pure.

Nobody says a word about them, and few have words of their own kind: whoever talks to an agent writes sentences, and lists of
what is his; a page has a title and headings, minutes a head, verse lines that end no sentence, a story what somebody says,
an interview answers to its own questions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.markdown.dialogue_blocks import LABELS, label_of
from clawgit.text.words.script import HAN_OR_HANGUL
from clawgit.understanding.forms.exclusions import QUESTION, TASK
from clawgit.understanding.forms.fact_forms import states_a_fact
from clawgit.understanding.forms.phrase_forms import any_form
from clawgit.understanding.forms.sentence_forms import DECIDED
from clawgit.understanding.quoting.layouts import ITEM, STOP, Layout, is_his, is_labelled, is_own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LONGEST_TITLE, MOST_TITLE_WORDS = 60, 10
MOST_BLOCKS = 60  # that are looked at together
FEWEST_LINES_OF_OTHERS, OWN_IN = 4, 4  # of a text that is nobody's own; fewer than one of so many is
LONGEST_NAME, MOST_NAME_WORDS = 20, 2  # of who made a remark, of a part
LONGEST_VERSE = 48  # letters
FEWEST_LINES, FEWEST_STANZAS, STOPS_IN = 6, 2, 4  # of verse; one line of so many at most ends a sentence
FEWEST_IN_STANZA, FEWEST_COMMAS = 4, 2  # of one alone, whose lines go on in the next
FEWEST_WORDS = 3  # in a line that goes on
FEWEST_PARTS = 3  # of a story

_DECISIONS = ("decision", "决定", "決定", "결정")
_GOES_ON = re.compile(r"[.!?…。！？:：,，;；、][\"”」』)]?$")
_COMMA = re.compile(r"[,，、;；—]$")
_SENTENCE = re.compile(r"[.!?][\"”]?(?:\s|$)|[。！？]")
_ASKS = re.compile(r"[?？][\"”]?$")
_PERSON = any_form(
    r"\b(?:i|we|my|our|me|us|you|your|i['’]\w+|we['’]\w+|please)\b", "我|你|咱|您", "저는|나는|우리|저희"
)
_SPOKEN = any_form(
    r"^\W*(?:hi|hey|hello|good (?:morning|afternoon|evening)|morning|thanks?|ok(?:ay)?|so|well|also|btw|by the way|(?:quick |small )?(?:update|question|news)|heads[- ]up|fyi|yes|no|right)\b",
    "大家好|早上好|^(?:你好|您好|谢谢|謝謝)|[了吗嗎吧呢啊]$",
    r"안녕|^(?:감사|고맙)|(?:요|다|까|죠|줘|했어|할게)$",
)
_TO_SOMEBODY = any_form(
    r"[?？]|\b(?:you|your|please|remember|remind me|note that)\b",
    "你|您|请|請|帮我|幫我|记住",
    "줘|주세요|기억해",
)
_DIALOGUE = any_form(
    r"^[\"“][^\"”\n]{2,200}[\"”],?[ \t]+(?:[\w'’]+[ \t]+){0,4}(?:said|says|asked|told|replied|answered|whispered|shouted|cried|laughed|murmured|muttered|sighed)\b",
    '^[ \t]*["“「『][^"”」』\n]{1,100}["”」』][，,]?[^\n]{0,12}(?:[说說道问問喊答]|笑了)',
    r"^[\"“「『][^\"”」』\n]{1,100}[\"”」』],?[^\n]{0,20}(?:말했|물었|대답했|외쳤|속삭였|중얼거렸|웃었)",
)
_LETTERED = re.compile(r"\(?[a-hA-H]\)[ \t]*\S")
_DASHED = re.compile(r"—[ \t]*\S")
_HEADING = re.compile(
    r"(?:#{1,6}[ \t]+(\S[^\n]*)|\*\*([^*\n]+)\*\*:?|[\[【]([^\]】\n]{1,40})[\]】]|((?=[^\n]*[A-Z]{4})[^a-z\n]{4,40})|([^\n:：]{2,40})[:：])[ \t]*$"
)
_POSTED = re.compile(r"\(?\d{1,2}/(?:\d{1,2}\)?)?[ \t]+\S")
_CUE = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?[ \t]*-->")
_PROMPT = re.compile(
    r"(?:(?:[\w.-]+@[\w.-]+[:~ ][^\n$]{0,40})?[$❯][ \t]+[a-z./~]|>>> |PS [A-Z]:\\|[A-Z]:\\[^\n>]{0,60}>)"
)
_LOGGED = re.compile(
    r"(?:\[?[\d:T.,/ -]{5,30}Z?\]?[ \t]+|[a-z]{2,10}[ \t]+)?\[?(?:WARN|WARNING|ERROR|ERR!|INFO|DEBUG|FATAL|TRACE)\b"
)


def without_pages(text: str) -> str:
    """Return a message up to where such a text begins, without blocks that are nobody's own."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    layout = Layout([line.strip() for line in lines])
    begins = (at for find in _FINDERS if (at := find(layout)) is not None)
    end = min(begins, default=len(lines))
    left_out = frozenset(_strange(layout))
    return "\n".join(line for at, line in enumerate(lines[:end]) if at not in left_out)


def _strange(layout: Layout) -> Iterator[int]:
    """Yield the lines of blocks that are nobody's own, where hardly a line of a message is: a recipe, minutes, a table."""
    blocks = layout.blocks[:MOST_BLOCKS]
    numbers = [at for block in blocks for at in block]
    own = {at for at in numbers if _speaks(layout.lines[at])}
    if len(numbers) < FEWEST_LINES_OF_OTHERS or OWN_IN * len(own) >= len(numbers):
        return
    if layout.lines[numbers[0]].endswith((":", "：")):  # it says what the rest is
        return
    strange = (block for block in blocks if 2 * len(own.intersection(block)) < len(block))
    yield from (at for block in strange for at in block if not is_his(layout.lines[at]))


def _speaks(line: str) -> bool:
    """Say whether something in a line is said of oneself or to somebody, or is a fact of somebody's own."""
    said = (ITEM.sub("", sentence, count=1) for sentence in sentences_of(line))
    return any(
        is_own(each) or states_a_fact(each) or QUESTION.search(each) or TASK.search(each) for each in said
    )


def _titled(layout: Layout) -> int | None:
    """Find a title that stands alone, above a list, labels or paragraphs."""
    for number, block in enumerate(layout.blocks[:MOST_BLOCKS]):
        below = layout.blocks[number + 1 : MOST_BLOCKS]
        title = layout.lines[block.start]
        if len(block) > 1 or not below or not _is_title(title) or _is_label(title):
            continue
        if _is_article(layout, below) or (not _PERSON.search(title) and _has_parts(layout, below)):
            return block.start
    return None


def _parted(layout: Layout) -> int | None:
    """Find names or titles right above what they said or stand for: a page of remarks, a life in headings."""
    parts = [block for block in layout.blocks if len(block) > 1]
    heads = [block.start for block in parts if _is_name(layout.lines[block.start])]
    return heads[0] if len(heads) > 1 and len(heads) == len(parts) else None


def _is_name(line: str) -> bool:
    is_short = len(line) <= LONGEST_NAME and len(line.split()) <= MOST_NAME_WORDS
    is_known = line.startswith(("#", "*")) or line.casefold() in LABELS
    return is_short and _is_title(line) and not is_known and not _PERSON.search(line)


def _is_title(line: str) -> bool:
    has_size = len(line) <= LONGEST_TITLE and len(line.split()) <= MOST_TITLE_WORDS
    return has_size and not (_GOES_ON.search(line) or ITEM.match(line) or _SPOKEN.search(line))


def _is_label(title: str) -> bool:
    """Say whether a title says what of one's own is below it: `Todo`, `Decisions from today`."""
    return title.casefold() in LABELS or title.casefold().startswith(_DECISIONS)


def _is_article(layout: Layout, blocks: Sequence[range]) -> bool:
    """Say whether all that is below a title is paragraphs, which speak to nobody."""
    paragraphs = ["\n".join(layout.of(block)) for block in blocks]
    is_prose = all(len(_SENTENCE.findall(each)) > 1 and STOP.search(each) for each in paragraphs)
    return is_prose and len(paragraphs) > 1 and not any(map(_TO_SOMEBODY.search, paragraphs))


def _has_parts(layout: Layout, blocks: Sequence[range]) -> bool:
    lines = [line for block in blocks for line in layout.of(block)]
    items = [line[found.end() :] for line in lines if (found := ITEM.match(line))]
    has_second_title = len(blocks) > 1 and len(blocks[0]) == 1 and _is_title(lines[0])
    is_nobodys = not any(map(is_own if has_second_title else is_his, (lines[0], *items)))
    is_nobodys = is_nobodys and not DECIDED.search(ITEM.sub("", lines[0], count=1))
    return is_nobodys and (has_second_title or len(items) > 1 or any(map(is_labelled, lines)))


def _headed(layout: Layout) -> int | None:
    """Find headings of parts that are nobody's own."""
    heads = [at for at, line in enumerate(layout.lines) if _is_heading(line) and _is_nobodys_part(layout, at)]
    return heads[0] if len(heads) > 1 else None


def _is_heading(line: str) -> bool:
    found = _HEADING.match(line)
    words = next(filter(None, found.groups()), "").strip() if found else ""
    is_known = words.casefold() in LABELS or is_his(words) or _SPOKEN.search(words)
    return bool(words) and not is_known and not ITEM.match(line)


def _is_nobodys_part(layout: Layout, heading: int) -> bool:
    below = next((line for line in layout.lines[heading + 1 :] if line), "")
    is_in_brackets = layout.lines[heading].startswith(("[", "【"))
    return bool(below) and (is_in_brackets or not is_own(ITEM.sub("", below, count=1)))


def _versed(layout: Layout) -> int | None:
    """Find stanzas: short lines that end no sentence, or one whose lines go on in the next."""
    begin, lines, stanzas = 0, 0, 0
    for block in layout.blocks:
        verse = layout.of(block)
        if _is_short(verse) and _is_enjambed(verse):
            return block.start
        if not _is_short(verse) or STOPS_IN * sum(bool(STOP.search(line)) for line in verse) > len(verse):
            lines, stanzas = 0, 0
            continue
        begin = begin if stanzas else block.start
        lines, stanzas = lines + len(block), stanzas + 1
        if stanzas >= FEWEST_STANZAS and lines >= FEWEST_LINES:
            return begin
    return None


def _is_short(lines: Sequence[str]) -> bool:
    is_plain = all(not ITEM.match(line) and not label_of(line) for line in lines)
    return is_plain and len(lines) > 1 and all(len(line) <= LONGEST_VERSE for line in lines)


def _is_enjambed(lines: Sequence[str]) -> bool:
    commas = sum(bool(_COMMA.search(line)) for line in lines if not _is_greeting(line))
    return len(lines) >= FEWEST_IN_STANZA and commas >= FEWEST_COMMAS


def _is_greeting(line: str) -> bool:
    """Say whether a line ends in a comma as the head and the end of a letter do."""
    is_short = len(line.split()) < FEWEST_WORDS and not HAN_OR_HANGUL.search(line)
    return is_short or _SPOKEN.search(line) is not None


def _told(layout: Layout) -> int | None:
    """Find a story: what somebody says stands there as a paragraph, and who says it."""
    is_spoken = layout.found(_DIALOGUE) or len(layout.found(_DASHED)) > 1
    return 0 if len(layout.blocks) >= FEWEST_PARTS and is_spoken else None


def _asked(layout: Layout) -> int | None:
    """Find questions with their answers right below them, which nobody has twice, or the questions of an exercise."""
    if sum(bool(_ASKS.search(layout.lines[at])) for at in layout.found(_LETTERED)) > 1:
        return 0
    asked = [
        block.start
        for block in layout.blocks
        if len(block) > 1
        and _ASKS.search(layout.lines[block.start])
        and not is_his(layout.lines[block.start + 1])
    ]
    return asked[0] if len(asked) > 1 else None


def _posted(layout: Layout) -> int | None:
    """Find posts that are numbered: `1/`, `2/`."""
    posts = layout.found(_POSTED)
    return posts[0] if len(posts) > 1 else None


def _put_out(layout: Layout) -> int | None:
    """Find what a program printed, or plays."""
    return min((at for form in (_PROMPT, _LOGGED, _CUE) for at in layout.found(form)), default=None)


_FINDERS: tuple[Callable[[Layout], int | None], ...] = (
    _titled,
    _parted,
    _headed,
    _versed,
    _told,
    _asked,
    _posted,
    _put_out,
)
