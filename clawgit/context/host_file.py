"""A file of memory as a host's model reads it, in the place of the file itself: line by line whose words it is.

A host puts such files into its prompt raw, with ids and earlier wordings, or leaves a whole file out for one line of it. This is the same file as
it holds: what was corrected as it is right, the operator's words beside readings, and what nobody vouches for fenced as data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.context.assemble_context import open_assembly
from clawgit.context.assembly import WHOSE, read_passages, told_apart
from clawgit.context.context_passages import HEADING, passages_in
from clawgit.context.slots import LONGTERM, SlotText
from clawgit.memory.trust import HOST, OPERATOR, UNDERSTOOD

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.context.assembly import Assembly, ReadFile
    from clawgit.context.context_passages import Passage
    from clawgit.history.git.repository import History

# What a host calls the author of a file; of the last it puts nothing into a prompt.
OWNER, AGENT, UNTRUSTED = "owner", "agent", "untrusted"
ELIGIBLE: Final = (OPERATOR, UNDERSTOOD, HOST)


class HostFile(NamedTuple):
    """A file at the tip: whose it is as a whole, its text for the prompt, and the passages that nobody vouches for."""

    origin: str
    text: str
    data: bytes
    doubtful: tuple[Passage, ...] = ()

    def gained(self, before: bytes) -> bool:
        """Say whether a passage that nobody vouches for was not in an earlier text of the file."""
        texts = set()
        for passage in self.doubtful:
            texts.add(passage.text)
        for passage in passages_in(before):
            texts.discard(passage.text)
        return bool(texts)


def read_host_file(history: History, path: str, now: datetime) -> HostFile | None:
    """Return a file of the tip as it is put into a prompt; None where no commit has it."""
    tip = history.tip()
    with open_assembly(history, tip.tree, now) as assembly:
        read = read_passages(assembly, path, keep_end=True)
        data = tip.tree.read(path)
        if data is None:
            return None
        holding, _ = told_apart(assembly, read, to_strangers=True)
        shown = []
        for each in holding:
            if each.trust == WHOSE[HOST]:
                shown.append(each._replace(trust=""))  # as eligible as the host takes its agent's words for
            else:
                shown.append(each)
        longer: tuple[str, ...] = ()
        if read.part.is_cut:
            longer = (path,)
        origin, doubtful = _whose(assembly, read)
        return HostFile(
            origin,
            SlotText(LONGTERM._replace(names_files=False), tuple(shown), longer=longer).text,
            data,
            doubtful,
        )


def _whose(assembly: Assembly, read: ReadFile) -> tuple[str, tuple[Passage, ...]]:
    """Return whose a file is as a whole, and what of it is neither the operator's nor the agent's own."""
    origin = OWNER
    doubtful = []
    for each in read.passages:
        first, last = each.first - read.part.offset, each.last - read.part.offset
        trust = assembly.trusts.of_lines(read.blob, read.part.data, first, last)
        if trust not in ELIGIBLE and each.kind != HEADING:
            doubtful.append(each)
        if trust not in ELIGIBLE:
            origin = UNTRUSTED
        elif trust != OPERATOR and origin == OWNER:
            origin = AGENT
    return origin, tuple(doubtful)
