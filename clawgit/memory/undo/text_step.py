"""One change of one text, and what it took out and wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from clawgit.memory.entries.entry_marks import marks_in, without_marks
from clawgit.text.markdown.lines import line_end, split_lines

_END = re.compile(rb"\r\n|\n|\r")


def line_words(line: bytes) -> bytes:
    """Return a line without ids and the white space around it."""
    return without_marks(line).strip()


@dataclass(frozen=True, slots=True)
class TextStep:
    """What one change did to one file's text; ids that stand ``elsewhere`` by now are not brought back.

    An entry of ``yielding`` that was reworded since stays as it is; of any other that is a conflict.
    """

    before: bytes
    made: bytes
    path: str = "MEMORY.md"
    elsewhere: frozenset[str] = frozenset()
    yielding: frozenset[str] = frozenset()

    def gone_ids(self) -> frozenset[str]:
        """Return the ids on lines that the change took out and that none of its own lines has."""
        made = frozenset(split_lines(self.made))
        gone = marks_in(b"".join(line for line in split_lines(self.before) if line not in made))
        return gone - marks_in(self.made) if gone else gone

    def written_ids(self) -> frozenset[str]:
        """Return the ids on lines that the change wrote."""
        before = frozenset(split_lines(self.before))
        return marks_in(b"".join(line for line in split_lines(self.made) if line not in before))

    def written_words(self) -> frozenset[bytes]:
        """Return the lines that the change wrote, without ids and the white space around them."""
        before = frozenset(split_lines(self.before))
        written = (line_words(line) for line in split_lines(self.made) if line not in before)
        return frozenset(words for words in written if words)

    def in_line_ends_of(self, text: bytes) -> TextStep:
        """Return the step in the line ends of ``text``: an editor may have changed them since."""
        end = line_end(text)
        if line_end(self.made) == end or not self.made:
            return self
        return replace(self, before=_END.sub(end, self.before), made=_END.sub(end, self.made))
