"""The message of a change, read back by our parser, libgit2's and, if it is not plain, git's; and the commit of an op.

The same op is applied at most once.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice, takewhile
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import COMMITTER, VOUCHED, is_as_written, named_by_git, silent_past
from clawgit.history.authorship.intent import FIRST_MOVES_OP, INIT_OP, Intent
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import bare_environment, git_program
from clawgit.history.git.giving_way import OWN
from clawgit.history.git.objects import FOLLOWED, Commit, DamagedObjectError
from clawgit.history.git.refs import BRANCHES, PAST
from clawgit.plan import MAX_QUOTE, Evidence, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.trailers import AT, OP, compose_message, is_plain, parse_trailers
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History


READ_SECONDS = 10


def message_of(
    plan: Plan, intent: Intent, *, not_before: int = 0, word: str = "", person: str = ""
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the message for ``plan`` and the trailers that it must be read as, without secrets.

    A commit dated ``not_before`` a later parent has the true time in it. ``word`` vouches for the commit while a host is
    connected. A change that rests on a message, or by a host or an unknown author, names the ``person`` who runs clawgit here.
    """
    pairs = list(intent.trailers())
    if int(intent.now.timestamp()) < not_before:
        pairs.append((AT, intent.now.isoformat(timespec="seconds")))
    pairs += [("Clawgit-Evidence", cited(item)) for item in plan.evidence]
    pairs += plan.trailers
    if person:
        pairs.append((COMMITTER, person))
    if word:
        pairs.append((VOUCHED, word))
    trailers = tuple((key, folded(redact(value))) for key, value in pairs)
    return compose_message(redact(plan.summary), redact(plan.reason), trailers), trailers


def cited(evidence: Evidence) -> str:
    """Return the id of a piece of evidence and the beginning of its quote, as a message has them."""
    quote = folded(redact(evidence.quote))[:MAX_QUOTE]  # redacted first: a cut secret would not be recognized
    if quote:
        return f'{evidence.evidence_id} "{quote}"'
    return evidence.evidence_id


def _gits_trailers(message: str) -> list[tuple[str, str]] | None:
    """Return the trailers as git reads them; None for a plain message, where readers cannot differ, and without git."""
    program = None if is_plain(message) else git_program()
    if program is None:
        return None
    import subprocess

    command = [program, "interpret-trailers", "--parse", "--no-divider"]
    try:
        done = subprocess.run(
            command,
            input=message.encode(),
            capture_output=True,
            check=False,
            env=bare_environment(),
            cwd=os.sep,
            timeout=READ_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ClawgitError("git did not read the commit message in time.") from error
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    return [(key, value) for key, mark, value in (line.partition(": ") for line in lines) if mark]


def check_message(repo: pygit2.Repository, commit_id: str, expected: Sequence[tuple[str, str]]) -> None:
    """Refuse a commit if a reader reads its trailers otherwise; a GitError if it did not reach the disk."""
    try:
        commit = repo[commit_id].peel(pygit2.Commit)
    except KeyError as error:  # libgit2 returns the id although it could not write
        raise pygit2.GitError("the commit was not stored") from error
    ours = list(parse_trailers(commit.message).pairs)
    theirs = dict(commit.message_trailers)
    gits = _gits_trailers(commit.message)
    lacking = list(expected)
    if ours != lacking or theirs != dict(lacking) or gits not in (None, lacking):
        raise ClawgitError("The commit message would be read in more than one way, so nothing was changed.")


KEEP_OP = "keep-"
FILES_ALONE = "revert: "  # begins the subject of an undo of single files
FIRST_MOVES_FILE = "first-rearrangements.json"  # beside the history: the moves that wait for that yes
RESERVED = (KEEP_OP, INIT_OP, FIRST_MOVES_OP)
MOST_KEPT = 2000
MOST_LOOKED_AT = 64
_LINE = 41


def new_op(kind: str = "op") -> str:
    return f"{kind}-{os.urandom(10).hex()}"


def is_edit(op: str | None) -> bool:
    """Say whether a commit with this op is somebody's edit of files, and no command of clawgit's."""
    return not op or op.startswith(KEEP_OP)


def refuse_reserved(intent: Intent) -> None:
    if intent.given and intent.op.startswith(RESERVED):
        sentence = f"The op {intent.op} begins like one of clawgit's own."
        raise ClawgitError(sentence, hint=f"Choose one that does not begin with {' or '.join(RESERVED)}.")


def find_op(history: History, op: str) -> str | None:
    """Return the commit of ``op`` that a branch or a pinned tip reaches, None if there is none.

    A change that a person rebased or squashed is found by the pinned first form. Only a commit as clawgit writes it
    counts: a message can be copied or made up.
    """
    for name in _naming(history, f"{OP}: {op}"):
        commit = history.objects.commit(name)
        if is_as_written(commit) and is_of_op(history, commit, op):
            return name
    return None


def ops_beginning(history: History, words: str) -> frozenset[str]:
    """Return the ops that begin so in commit messages; `find_op` proves one."""
    ops = set()
    for name in _naming(history, f"{OP}: {words}"):
        ops.add(history.objects.commit(name).trailers.first(OP) or "")
    return frozenset(ops)


def _naming(history: History, words: str) -> list[str]:
    """Return the commits with the words in their message, the latest first."""
    tips = sorted({*history.refs(BRANCHES).values(), *history.refs(PAST).values()})
    if not tips:
        return []
    silent = silent_past(history)
    with suppress(DamagedObjectError):  # git says which, or does not need it
        walk = history.objects.walk(tips, map(methodcaller("removeprefix", "^"), silent))
        commits = list(islice(walk, FOLLOWED + 1))
        if len(commits) <= FOLLOWED:
            commits.sort(key=attrgetter("git_date"), reverse=True)
            return [commit.commit_id for commit in commits if words in commit.message]
    arguments = ("log", "--format=%H", "--fixed-strings", f"--grep={words}", *silent)
    return named_by_git(history, *arguments, *tips, "--")


def is_of_op(history: History, commit: Commit, op: str) -> bool:
    """Say whether each of the readers finds ``op`` as the commit's first op."""
    if commit.trailers.first(OP) != op:
        return False
    own = history.repo[commit.commit_id].peel(pygit2.Commit)
    gits = _gits_trailers(own.message)
    values = {parse_trailers(own.message).first(OP), dict(own.message_trailers).get(OP)}
    if gits is not None:
        values.add(next((value for name, value in gits if name == OP), None))
    return values == {op}


def note_own(history: History, commit_id: str) -> None:
    """Note a commit that was just made, unless the disk is full; callers hold the workspace lock."""
    with suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(history.state / OWN, flags, 0o600)
        try:
            os.write(handle, f"{commit_id}\n".encode())
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size > 2 * MOST_KEPT * _LINE:
            latest = (history.state / OWN).read_bytes()[-MOST_KEPT * _LINE :]
            write_file(history.state, OWN, FileContent(latest), fsync=False)


def own_commits(history: History) -> frozenset[str]:
    with suppress(OSError):
        return frozenset((history.state / OWN).read_text("ascii", "replace").split())
    return frozenset()


def count_own(history: History) -> int:
    with suppress(OSError):
        return (history.state / OWN).stat().st_size // _LINE
    return 0


def replaced_by_own(history: History, path: str) -> frozenset[str]:
    """Return the blobs of ``path`` that the latest unbroken run of clawgit's own changes replaced."""
    own = own_commits(history)
    latest = history.objects.first_parents(history.tip().commit_id)
    object_ids = set()
    for commit in takewhile(lambda commit: commit.commit_id in own, islice(latest, MOST_LOOKED_AT)):
        before = history.tree_of(commit.first_parent).entry(path)
        if before is not None:
            object_ids.add(before.object_id)
    return frozenset(object_ids)
