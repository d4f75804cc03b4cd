"""What clawgit has against a commit that git is about to make: its files (of the index that git really uses), and its message."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, VOUCHED, trust_of, vouched_word
from clawgit.history.authorship.intent import in_ritual
from clawgit.history.authorship.op_lookup import replaced_by_own
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.leftovers import Staging
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.reflogs import remembered_tips
from clawgit.history.git.repository import RepositoryStateError
from clawgit.history.git.trees import Compared, Tree, build_tree
from clawgit.history.guards.check import check
from clawgit.history.guards.finding import Finding
from clawgit.history.review.commit_check import MESSAGE, check_message_text, is_overridden
from clawgit.history.transaction.staging import follow
from clawgit.text.trailers import PREFIX, Trailers, parse_trailers
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hook_call import HookCall

FORGED = "forged-trailer"
_HEADS = ("HEAD", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD", "MERGE_HEAD")
_ID_LENGTH = 40


def check_staged(history: History, call: HookCall, intent: Intent, staged: Tree) -> tuple[Finding, ...]:
    """Return what speaks against committing ``staged``.

    It is compared with HEAD; under `git commit --amend`, with what the amended commit was made on, unless the
    operator let that one through.
    """
    under = _base(history, call)
    base = history.tree_of(under)
    return check(base, Compared(base, staged), in_ritual(history, under, intent), history.settings)


def _base(history: History, call: HookCall) -> str | None:
    head = history.tip().commit_id
    if head is None or not call.amends:
        return head
    amended = history.objects.commit(head)
    if is_overridden(history, amended):
        return head
    return amended.parent_ids[0] if amended.parent_ids else None


def check_message(history: History, message: str, intent: Intent) -> tuple[Finding, ...]:
    """Return what speaks against committing with ``message``: its text, and trailers that it must not have."""
    return (*check_message_text(history, message, intent), *_forged(history, message, intent))


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


def vouching_word(history: History, call: HookCall, staged: Tree) -> str:
    """Return the word that fits the commit that git is about to make."""
    head = history.tip().commit_id
    if head is not None and call.amends:
        head = next(iter(history.objects.commit(head).parent_ids), None)
    return vouched_word(head, staged.tree_id)


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


def staged_tree(history: History, index: Path) -> Tree:
    """Return what a commit of ``index`` would hold.

    git notes the id of the whole tree in the index; where it has not (a merge, a hook that staged something),
    the tree's folders are written as git is about to write them itself.
    """
    try:
        staged, tree_id = read_index(index.read_bytes())
    except FileNotFoundError:
        staged, tree_id = {}, None
    except (OSError, UnreadableIndexError) as error:
        raise RepositoryStateError(
            f"git's staging ({index.name}) is of a kind that clawgit does not read: {type(error).__name__}.",
            hint="`git update-index --no-split-index`, or `git sparse-checkout disable`, makes it an ordinary one.",
        ) from error
    if tree_id is not None and _is_there(history, tree_id):
        return Tree(history.objects, tree_id)
    named = {os.fsdecode(name): file.entry for name, file in staged.items()}
    return Tree(history.objects, build_tree(history.repo, Tree(history.objects, None), named))


def _is_there(history: History, tree_id: str) -> bool:
    try:
        history.objects.tree(tree_id)
    except DamagedObjectError:
        return False
    return True


def mend_overtaken(history: History, call: HookCall, staged: Tree) -> list[str]:
    """Stage what HEAD has where git is about to commit what clawgit has just replaced; return the paths.

    git reads the staging once more after this hook. Where the file in the folder is not as HEAD has it, somebody went
    back to the earlier state and means it.
    """
    if not history.tip().branch or call.amends or not _is_gits_own(history, call):
        return []
    tree = history.tip().tree
    behind = [
        path
        for path, (_, entry) in staged.changed(tree).items()
        if entry is not None
        and entry.object_id in replaced_by_own(history, path)
        and _in_folder(call, path) == tree.read(path)
    ]
    if not behind:
        return []
    with suppress(WorkspaceBusyError), history.locked():
        follow(history, tree, tree, behind)
        return behind
    return []


def _is_gits_own(history: History, call: HookCall) -> bool:
    """Say whether git commits from its own index: that of `git commit -a` is made from the files, and held by git."""
    try:
        return Path(call.index_file).samefile(Staging.of(history).index)
    except OSError:
        return False


def _in_folder(call: HookCall, path: str) -> bytes | None:
    try:
        with open_regular(call.in_root(path)) as file:
            return file.read()
    except OSError:
        return None
