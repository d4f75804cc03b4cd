"""Corrections that an undo would remove: they are withdrawn into the archive, and never vanish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import (
    ARCHIVE,
    LEDGER,
    Correction,
    Status,
    move_corrections,
    read_corrections,
    render_correction,
)
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import trim_blank
from clawgit.text.markdown.lines import joined, line_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_MONTH = lazy_pattern(r"\d{4}-(?:0[1-9]|1[0-2])")
_NO_MONTH = "undated"
_STATUS = lazy_bytes_pattern(rb"[ \t]*[-*+][ \t]+status[ \t]*:", re.IGNORECASE)


def archive_of(correction: Correction) -> str:
    """Return the archive's file for a correction: where it is already, or that of its own month."""
    if correction.path != LEDGER:
        return correction.path
    found = _MONTH.match(correction.at)
    return f"{ARCHIVE}{found[0] if found else _NO_MONTH}.md"


def standing(texts: Mapping[str, bytes]) -> dict[str, Correction]:
    """Return the corrections of all files by id; where one occurs twice, as the ledger has it."""
    found: dict[str, Correction] = {}
    for path in sorted(texts, key=lambda name: (name != LEDGER, name)):
        for correction in read_corrections(texts[path], path):
            found.setdefault(correction.correction_id, correction)
    return found


def keep_corrections(
    old: Mapping[str, bytes], new: Mapping[str, bytes], taken: Collection[str]
) -> tuple[dict[str, bytes], tuple[Correction, ...]]:
    """Return ``new`` with every correction of ``old`` in it, and those that were withdrawn.

    Withdrawn is what ``taken`` names, and what ``new`` lacks; it goes to the archive in its present form. What is
    back in the ledger leaves the archive.
    """
    texts = dict(new)
    before = standing(old)
    after = standing(new)
    lost = [each for key, each in before.items() if key not in after]
    in_force = [after[key] for key in taken if key in after and after[key].status is not Status.WITHDRAWN]
    for correction, source in (*((each, old) for each in lost), *((each, new) for each in in_force)):
        _archive(texts, correction, _withdrawn(source[correction.path], correction))
    back = _ids(texts.get(LEDGER, b"")) - _ids(old.get(LEDGER, b""))
    for path in [path for path in texts if path != LEDGER]:
        texts[path] = _without(texts[path], back)
    return texts, tuple(each for each in (*lost, *in_force) if each.status is not Status.WITHDRAWN)


def restored(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> tuple[Correction, ...]:
    """Return the corrections that are withdrawn in ``old`` and in force in ``new``."""
    before = standing(old)
    return tuple(
        each
        for key, each in standing(new).items()
        if each.status is not Status.WITHDRAWN and key in before and before[key].status is Status.WITHDRAWN
    )


def _archive(texts: dict[str, bytes], correction: Correction, block: list[bytes]) -> None:
    """Put a correction's lines into the archive, in its place there, or at the end."""
    texts[LEDGER] = _without(texts.get(LEDGER, b""), {correction.correction_id})
    path = archive_of(correction)
    lines = split_lines(texts.get(path, b""))
    for known in read_corrections(texts.get(path, b"")):
        if known.correction_id == correction.correction_id:
            lines[known.first : trim_blank(lines, known.first, known.last)] = block
            break
    else:
        lines += [*([b"\n"] if lines and lines[-1].strip() else []), *block]
    texts[path] = joined(lines)


def _withdrawn(text: bytes, correction: Correction) -> list[bytes]:
    """Return the lines of a correction with its state changed; all else that was written there stays.

    A state that is not on one line, or missing, gets a line of its own above the others: the first counts.
    """
    lines = split_lines(text)
    end = line_end(text)
    own = lines[correction.first : trim_blank(lines, correction.first, correction.last)]
    own = split_lines(joined([*own, b""], end))
    status = b"- status: " + Status.WITHDRAWN.value.encode() + end
    for at in [number for number, line in enumerate(own) if _STATUS.match(line)][:1]:
        changed = [*own[:at], status, *own[at + 1 :]]
        if _is_withdrawn(changed):
            return changed
    changed = [own[0], end, status, *own[1:]]
    if _is_withdrawn(changed):
        return changed
    return split_lines(render_correction(correction._replace(status=Status.WITHDRAWN)))


def _is_withdrawn(lines: list[bytes]) -> bool:
    return [each.status for each in read_corrections(joined(lines))] == [Status.WITHDRAWN]


def _without(text: bytes, ids: Collection[str]) -> bytes:
    return move_corrections(text, b"", ids)[0] if ids else text


def _ids(text: bytes) -> set[str]:
    return {correction.correction_id for correction in read_corrections(text)}
