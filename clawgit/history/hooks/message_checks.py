"""What clawgit has against the message of a commit that git is about to make: its text, and trailers that only clawgit writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, VOUCHED, trust_of
from clawgit.history.git.reflogs import remembered_tips
from clawgit.history.guards.check import MESSAGE, check_text
from clawgit.history.guards.finding import Finding
from clawgit.text.trailers import PREFIX, Trailers, parse_trailers

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

FORGED = "forged-trailer"
_HEADS = ("HEAD", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD", "MERGE_HEAD")
_ID_LENGTH = 40


def check_message(history: History, message: str, intent: Intent) -> tuple[Finding, ...]:
    """Return what speaks against committing with ``message``: its text, and trailers that it must not have."""
    return (*check_text(history, message, intent), *_forged(history, message, intent))


def _forged(history: History, message: str, intent: Intent) -> list[Finding]:
    """Find trailers of clawgit's that no commit has: git copies them (amend, rebase, cherry-pick), people do not."""
    trailers = parse_trailers(message)
    ours = our_trailers(trailers)
    if not ours:
        return []
    if intent.actor != OPERATOR and ours == signature(intent.actor):
        return []  # put there by the hook before this one
    copied = any(
        our_trailers(commit.trailers) == ours for commit in history.objects.walk(_known_tips(history))
    )
    claims = trailers.first("Clawgit-Actor")
    if copied and (intent.actor == OPERATOR or claims == intent.actor):
        return []
    names = ", ".join(dict.fromkeys(name for name, _ in ours))
    sentence = (
        f"The commit message says what only clawgit writes ({names})."
        if not copied
        else f"The commit message says that the {claims or 'operator'} made this, but it runs for the {intent.actor}."
    )
    return [
        Finding(
            FORGED, MESSAGE, sentence, "Take these lines out of the message.", _line_of(message, ours[0][0])
        )
    ]


def signature(actor: str) -> tuple[tuple[str, str], ...]:
    """Return what a commit says that somebody else than the operator makes with git."""
    return ("Clawgit-Actor", actor), ("Clawgit-Trust", trust_of(actor))


def our_trailers(trailers: Trailers) -> tuple[tuple[str, str], ...]:
    """Return the trailers that are clawgit's, in their order; the word that vouches for one commit fits no other."""
    ours = (pair for pair in trailers.pairs if pair[0].lower().startswith(PREFIX.lower()))
    return tuple(pair for pair in ours if pair[0] != VOUCHED)


def _line_of(message: str, key: str) -> int:
    lines = message.split("\n")
    return next(
        number for number in range(len(lines), 0, -1) if lines[number - 1].lower().startswith(key.lower())
    )


def _known_tips(history: History) -> list[str]:
    """Return every commit that something in the repository names: git copies messages of such."""
    heads = [_pseudo(history, name) for name in _HEADS]
    named = [*heads, *history.refs("refs/").values(), *remembered_tips(history).values()]
    return [name for name in dict.fromkeys(named) if name and history.objects.has_commit(name)]


def _pseudo(history: History, name: str) -> str:
    try:
        said = (history.git_folder / name).read_text("ascii", "replace")
    except OSError:
        return ""
    return said[:_ID_LENGTH] if not said.startswith("ref:") else ""
