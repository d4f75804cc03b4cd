"""Which lines of a paragraph are statements of their own, and which were only wrapped. Pure."""

from __future__ import annotations

from clawgit.memory.entries.entry_marks import without_sources
from clawgit.text.lazy_pattern import lazy_pattern

WRAPPED_WIDTH = 40  # narrower text is not wrapped by an editor

# Between backticks it is an example.
_COMMENT_END = lazy_pattern(r"-->(?!`)")
# `Ada: …`, `**Ada** (10:30): …`, `[10:30] Ada: …`, `用户：…`
_SAID = lazy_pattern(
    r"\W{0,4}(?:\d{1,2}:\d{2}\W{1,3})?\w[\w .'&-]{0,30}(?:\W{0,2}\([^()]{1,30}\))?\W{0,2}(?::\W?\s|：)"
)
_ENDED = lazy_pattern(r"""[.!?。！？…][)\]"'”’」』*_`]*\Z|(?: {2}|\\)\Z""")


def without_comments(text: str) -> str:
    """Return ``text`` without HTML comments and a host's notes; lines stay where they are, as does a comment that never ends."""
    if "<!--" not in text:
        return without_sources(text)
    kept: list[str] = []
    done = begin = 0
    while (begin := text.find("<!--", begin)) >= 0:
        if text[begin - 1 : begin] == "`":
            begin += 1
            continue
        end = _COMMENT_END.search(text, begin + 2)  # `<!-->` is one, too
        if end is None:
            break
        kept += [text[done:begin], "\n" * text.count("\n", begin, end.end())]
        done = begin = end.end()
    return without_sources("".join([*kept, text[done:]]))


def lines_apart(lines: list[str]) -> list[tuple[int, int]]:
    """Return the runs of lines that belong together, as begin and end.

    A line goes on with the one before if an editor wrapped it there: neither a sentence nor a hard break
    ends before it, it does not begin with who says it, and its first word had no room in the line before.
    """
    width = max(map(len, lines), default=0)
    runs: list[tuple[int, int]] = []
    begin = 0
    for at in range(1, len(lines)):
        if not _is_wrapped(lines[at - 1], lines[at], width):
            runs.append((begin, at))
            begin = at
    return [*runs, (begin, len(lines))] if lines else []


def _is_wrapped(before: str, line: str, width: int) -> bool:
    if width < WRAPPED_WIDTH or _ENDED.search(before) or _SAID.match(line):
        return False
    word = line.split(None, 1)[0] if line.strip() else ""
    if word[:1] > "\u2e7f":
        word = word[:1]  # written without spaces: one character would have had room
    return len(before.rstrip()) + 1 + len(word) > width
