"""Words that are no commands: the verbs of decision before there was one queue and of `runner start`, for one version, and `demo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clawgit.client import command_words

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOVED: Final = (
    ["soul", "pending"],
    ["soul", "approve"],
    ["soul", "reject"],
    ["conflicts", "resolve"],
    ["quarantine", "apply"],
    ["quarantine", "drop"],
)


def old_words(arguments: Sequence[str]) -> str:
    """Return the commands that do what a command line asks for, as a sentence; empty where it is none of these."""
    words = command_words(arguments) or []
    if words[:1] == ["demo"]:
        return (
            "The demo is no command: `make demo` in a checkout of clawgit runs it. To try clawgit itself: `clawgit init FOLDER`,"
            ' there `clawgit chat add "TEXT"`, `clawgit run memory-miner` and `clawgit digest --since today`.'
        )
    if list(words[:2]) == ["runner", "start"]:
        return "`clawgit up` does the jobs at their times, for all your workspaces; `clawgit runner once`, what is due now."
    is_answer = words[:1] == ["correct"] and any(word.startswith("x:") for word in words)
    if list(words[:2]) not in _MOVED and not is_answer:
        return ""
    return (
        "Everything that needs your decision is one queue now: `clawgit pending` lists it,"
        " `clawgit approve ID` says yes (of a conflict with A, B or both), and `clawgit reject ID` no."
    )
