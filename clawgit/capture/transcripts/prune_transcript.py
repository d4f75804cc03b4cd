"""A transcript with old results of tools cut or cleared, as other lines. Pure: the original is not touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.capture.transcripts.prompt_turns import prompt_of, with_results
from clawgit.capture.transcripts.prune_rules import PruningPolicy, prune

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.capture.transcripts.transcript_source import Format
    from clawgit.workspace.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Pruned:
    """The lines of the shorter transcript, and what was done: results trimmed, cleared, and characters of the prompt."""

    lines: tuple[bytes, ...]
    trimmed: int
    cleared: int
    before: int
    after: int


def policy_of(settings: Settings) -> PruningPolicy:
    """Return the policy that the settings ask for."""
    return PruningPolicy(
        keep_last_assistants=settings.prune_keep_last_assistants,
        max_chars=settings.prune_soft_max_chars,
        head_chars=settings.prune_soft_head_chars,
        tail_chars=settings.prune_soft_tail_chars,
        hard_clear=settings.prune_hard_clear,
        placeholder=settings.prune_placeholder,
    )


def prune_transcript(lines: Sequence[bytes], kind: Format, window: int, policy: PruningPolicy) -> Pruned:
    """Return the transcript as it should be for a prompt in a window of so many tokens."""
    placed = prompt_of(lines, kind)
    turns = [each.turn for each in placed]
    pruned = prune(turns, window, policy)
    changed: dict[int, dict[int | None, str]] = {}
    cleared = trimmed = 0
    for each, now in zip(placed, pruned, strict=True):
        if now.text != each.turn.text:
            changed.setdefault(each.line, {})[each.block] = now.text
            cleared += now.text == policy.placeholder
            trimmed += now.text != policy.placeholder
    result = [
        with_results(line, kind, changed[number]) if number in changed else line
        for number, line in enumerate(lines)
    ]
    before, after = (sum(len(turn.text) for turn in some) for some in (turns, pruned))
    return Pruned(tuple(result), trimmed, cleared, before, after)
