"""Checks a commit's message (its text and clawgit's own trailers) and the commits of a push."""

from __future__ import annotations

from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, VOUCHED, trust_of
from clawgit.history.authorship.commit_messages import own_commits
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import git_output, range_lines
from clawgit.history.git.refs import OURS, remembered_tips
from clawgit.history.guards.check import MESSAGE, check_commit, check_text, lets_through
from clawgit.history.guards.finding import Finding
from clawgit.text.trailers import PREFIX, Trailers, parse_trailers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

FORGED = "forged-trailer"
_HEADS = ("HEAD", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD", "MERGE_HEAD")
_ID_LENGTH = 40
TAG_MESSAGE = "the tag's message"
PRIVATE, UNREAD = "private-ref", "unread-tag"
# Other findings are in the history already, and do no harm elsewhere.
STOPPING = frozenset({PRIVATE, UNREAD, "secret"})
_NOTHING = "0" * 40


def check_message(history: History, message: str, intent: Intent) -> tuple[Finding, ...]:
    return (*check_text(history, message, intent), *_forged(history, message, intent))


def _forged(history: History, message: str, intent: Intent) -> list[Finding]:
    """Find trailers of clawgit's that exist in no commit: git copies them (amend, rebase, cherry-pick), people do not."""
    trailers = parse_trailers(message)
    ours = _our_trailers(trailers)
    if not ours or (intent.actor != OPERATOR and ours == signature(intent.actor)):
        return []  # an earlier hook wrote the signature
    named = [*history.refs("refs/").values(), *remembered_tips(history).values()]
    for name in _HEADS:
        with suppress(OSError):
            named.append((history.git_folder / name).read_text("ascii", "replace")[:_ID_LENGTH])
    tips = filter(history.objects.has_commit, dict.fromkeys(named))
    copied = any(_our_trailers(commit.trailers) == ours for commit in history.objects.walk(tips))
    claims = trailers.first("Clawgit-Actor")
    if copied and (intent.actor == OPERATOR or claims == intent.actor):
        return []
    names = ", ".join(dict.fromkeys(name for name, _ in ours))
    sentence = f"The commit message says what only clawgit writes ({names})."
    if copied:
        sentence = f"The commit message says that the {claims or 'operator'} made this, but it runs for the {intent.actor}."
    key = ours[0][0].lower()
    lines = enumerate(message.split("\n"), 1)
    last = max(number for number, line in lines if line.lower().startswith(key))
    return [Finding(FORGED, MESSAGE, sentence, "Take these lines out of the message.", last)]


def signature(actor: str) -> tuple[tuple[str, str], ...]:
    """Return the trailers of a commit that an actor other than the operator makes with git."""
    return ("Clawgit-Actor", actor), ("Clawgit-Trust", trust_of(actor))


def _our_trailers(trailers: Trailers) -> tuple[tuple[str, str], ...]:
    """Return clawgit's trailers in order, without the word that vouches for one commit only."""
    ours = (pair for pair in trailers.pairs if pair[0].lower().startswith(PREFIX.lower()))
    return tuple(pair for pair in ours if pair[0] != VOUCHED)


class PushedRef(NamedTuple):
    """One line of `git push`'s input: what goes where, and what is there."""

    local_ref: str
    local_id: str
    remote_ref: str
    remote_id: str

    @property
    def deletes(self) -> bool:
        return self.local_id == _NOTHING


class PushFinding(NamedTuple):
    """A finding in something that is being pushed, and where: a commit, a tag or a reference."""

    where: str
    finding: Finding

    @property
    def stops(self) -> bool:
        return self.finding.rule in STOPPING


def read_pushed(text: str) -> tuple[PushedRef, ...]:
    lines = (line.split(" ") for line in text.splitlines())  # names hold no white space
    return tuple(PushedRef(*words) for words in lines if len(words) == 4)


def check_push(
    history: History, remote: str, pushed: Iterable[PushedRef], intent: Intent, *, url: str
) -> Iterator[PushFinding]:
    """Yield the findings in a push to ``remote``: own references, and contents of commits and tags."""
    sent = [ref for ref in pushed if not ref.deletes]
    for ref in sent:
        is_ours = ref.local_ref.startswith(OURS) or ref.remote_ref.startswith(OURS)
        if is_ours and url not in history.settings.mirror_urls:
            sentence = f"{ref.remote_ref} is clawgit's own: dropped changes, proposals and refused edits are kept there."
            way_out = "Push branches and tags by name; if it is a private repository of yours, list its address in mirror_urls."
            yield PushFinding(ref.local_ref, Finding(PRIVATE, ref.local_ref, sentence, way_out))
        yield from _tag(history, ref, intent)
    if not sent:
        return
    # without what the remote has, or had when it was last seen
    remote_ids = {*map(attrgetter("remote_id"), sent), *history.refs(f"refs/remotes/{remote}/").values()}
    there = filter(history.objects.has_commit, remote_ids - {_NOTHING})
    stdin = range_lines(map(attrgetter("local_id"), sent), there)
    listed = git_output(history, "rev-list", "--topo-order", "--reverse", "--stdin", stdin=stdin)
    own = own_commits(history)  # these were checked when they were made
    for commit_id in listed.decode().split():
        commit = history.objects.commit(commit_id)
        for finding in check_commit(history, commit):
            leaving = PushFinding(commit_id[:12], finding.happened())
            if (leaving.stops or commit_id not in own) and not lets_through(history, commit, finding):
                yield leaving


def _tag(history: History, ref: PushedRef, intent: Intent) -> Iterator[PushFinding]:
    """Check the message of an annotated tag, and that it leads to a commit; nested tags are not read."""
    history.objects.loose(ref.local_id)
    named = history.repo.get(ref.local_id)
    end: object = named
    if isinstance(named, pygit2.Tag):
        for finding in check_text(history, named.message or "", intent, name=TAG_MESSAGE):
            yield PushFinding(ref.local_ref, finding)
        end = named.peel(None)
    if not isinstance(end, pygit2.Commit):
        sentence = f"{ref.local_ref} names no commit, so what it holds was not looked at."
        finding = Finding(UNREAD, ref.local_ref, sentence, "Tag a commit that holds the file.")
        yield PushFinding(ref.local_ref, finding)
