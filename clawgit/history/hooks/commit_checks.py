"""What clawgit has against a commit that git is about to make, its files and its message, and against what leaves with a push.

The files are those of the index that git really uses. What only a commit over a change of clawgit's own, or
`git commit --amend`, needs is loaded then. Of a push, every commit that is not over there yet is looked at once more.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, VOUCHED, trust_of, vouched_word
from clawgit.history.authorship.intent import in_ritual
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, run_git
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.refs import OURS, remembered_tips
from clawgit.history.git.repository import RepositoryStateError
from clawgit.history.git.trees import Compared, Tree, build_tree
from clawgit.history.guards.check import MESSAGE, check, check_text
from clawgit.history.guards.finding import Finding
from clawgit.history.review.commit_check import check_commit, lets_through
from clawgit.text.trailers import PREFIX, Trailers, parse_trailers
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hook_call import HookCall


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
    from clawgit.history.review.commit_check import is_overridden

    amended = history.objects.commit(head)
    if is_overridden(history, amended):
        return head
    return amended.parent_ids[0] if amended.parent_ids else None


def vouching_word(history: History, call: HookCall, staged: Tree) -> str:
    """Return the word that fits the commit that git is about to make."""
    head = history.tip().commit_id
    if head is not None and call.amends:
        head = next(iter(history.objects.commit(head).parent_ids), None)
    return vouched_word(head, staged.tree_id)


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
    changed = staged.changed(tree).items()
    older = {
        path: entry for path, (_, entry) in changed if entry and _in_folder(call, path) == tree.read(path)
    }
    if not older:
        return []
    from clawgit.history.authorship.op_lookup import replaced_by_own
    from clawgit.history.transaction.staging import follow

    behind = [path for path, entry in older.items() if entry.object_id in replaced_by_own(history, path)]
    if not behind:
        return []
    with suppress(WorkspaceBusyError), history.locked():
        follow(history, tree, tree, behind)
        return behind
    return []


def _is_gits_own(history: History, call: HookCall) -> bool:
    """Say whether git commits from its own index: that of `git commit -a` is made from the files, and held by git."""
    try:
        return Path(call.index_file).samefile(history.git_folder / "index")
    except OSError:
        return False


def _in_folder(call: HookCall, path: str) -> bytes | None:
    try:
        with open_regular(call.in_root(path)) as file:
            return file.read()
    except OSError:
        return None


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


TAG_MESSAGE = "the tag's message"
PRIVATE, UNREAD = "private-ref", "unread-tag"
# Whatever else was committed is there already, and harms nobody elsewhere.
STOPPING = frozenset({PRIVATE, UNREAD, "secret"})
LIST_SECONDS = 120
_NOTHING = "0" * 40


@dataclass(frozen=True, slots=True)
class PushedRef:
    """One line of what `git push` tells: what goes where, and what is there."""

    local_ref: str
    local_id: str
    remote_ref: str
    remote_id: str

    @property
    def deletes(self) -> bool:
        """Say whether nothing is sent, but a reference goes over there."""
        return self.local_id == _NOTHING


@dataclass(frozen=True, slots=True)
class Leaving:
    """A finding in something that is about to leave, and where: a commit, a tag or a reference."""

    where: str
    finding: Finding

    @property
    def stops(self) -> bool:
        """Say whether it must not leave; anything else is only worth a word."""
        return self.finding.rule in STOPPING


def read_pushed(text: str) -> tuple[PushedRef, ...]:
    """Read what `git push` writes to its hook; names hold no white space."""
    return tuple(PushedRef(*words) for line in text.splitlines() if len(words := line.split(" ")) == 4)


def check_push(
    history: History, remote: str, pushed: Iterable[PushedRef], intent: Intent, *, url: str
) -> Iterator[Leaving]:
    """Yield what speaks against a push: references that are clawgit's own, and findings in commits and tags.

    What the operator let through with a commit is passed over. ``remote`` is the name under which it is known. To a
    ``url`` of `mirror_urls` clawgit's own references may go, their commits looked at as any others.
    """
    sent = [ref for ref in pushed if not ref.deletes]
    for ref in sent:
        if url not in history.settings.mirror_urls and OURS in (
            ref.local_ref[: len(OURS)],
            ref.remote_ref[: len(OURS)],
        ):
            yield Leaving(ref.local_ref, _private(ref))
        yield from _tag(history, ref, intent)
    for commit_id in _new_commits(history, remote, sent):
        commit = history.objects.commit(commit_id)
        for finding in check_commit(history, commit):
            if not lets_through(history, commit, finding):
                yield Leaving(commit_id[:12], finding)


def _private(ref: PushedRef) -> Finding:
    return Finding(
        PRIVATE,
        ref.local_ref,
        f"{ref.remote_ref} is clawgit's own: dropped changes, proposals and refused edits are kept there.",
        "Push branches and tags by name; if it is a private repository of yours, list its address in mirror_urls.",
    )


def _tag(history: History, ref: PushedRef, intent: Intent) -> Iterator[Leaving]:
    """Look at the message of an annotated tag, and whether a commit is at its end; tags within tags are not read."""
    history.objects.check(ref.local_id)
    found = history.repo.get(ref.local_id)
    if isinstance(found, pygit2.Tag):
        for finding in check_text(history, found.message or "", intent, name=TAG_MESSAGE):
            yield Leaving(ref.local_ref, finding)
    end = found.peel(None) if isinstance(found, pygit2.Tag) else found
    if not isinstance(end, pygit2.Commit):
        yield Leaving(ref.local_ref, _unread(ref))


def _unread(ref: PushedRef) -> Finding:
    return Finding(
        UNREAD,
        ref.local_ref,
        f"{ref.local_ref} names no commit, so what it holds was not looked at.",
        "Tag a commit that holds the file.",
    )


def _new_commits(history: History, remote: str, sent: list[PushedRef]) -> list[str]:
    """Return the commits that go over, oldest first: not below what is there, or was seen there last."""
    known = {ref.remote_id for ref in sent} | set(history.refs(f"refs/remotes/{remote}/").values())
    there = [f"^{name}" for name in known if name != _NOTHING and history.objects.has_commit(name)]
    wanted = [ref.local_id for ref in sent]
    if not wanted:
        return []
    stdin = "".join(f"{name}\n" for name in (*wanted, *there)).encode()
    done = run_git(
        history, "rev-list", "--topo-order", "--reverse", "--stdin", stdin=stdin, seconds=LIST_SECONDS
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise GitProgramError(f"git could not list what is new for {remote}: {said}")
    return done.stdout.decode().split()
