"""`doctor`: finds what is wrong with a workspace without trusting it, and mends what is safe to mend.

This module checks git's files and objects: git's own checker names damaged and missing objects, which come back if a
copy is on this machine. git runs in a process with a time limit: libgit2 can hang on a damaged object.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.doctor import folder_checks
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.git_program import GitProgramError, git_program, run_git
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.leftovers import OLD_LOCK_SECONDS, present_locks
from clawgit.history.git.lock import WorkspaceBusyError, is_locked, left_autostash
from clawgit.history.git.objects import id_of
from clawgit.history.git.ordinary_repository import packed_refs
from clawgit.history.git.refs import BRANCHES, INTENT, OURS, RESCUE, delete_ref, remembered_tips
from clawgit.history.git.repository import History, RepositoryStateError, refuse_odd_state
from clawgit.history.transaction.staging import is_damaged, refuse_conflicts, refuse_unusual
from clawgit.history.transaction.transaction import pin_autostash, recover
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.safe_files import FileContent, UnsafePathError, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator


LOST = "lost-refs"
_ID = re.compile(r"[0-9a-f]{40}")
_MENDS = "`clawgit doctor --fix` does it."
FSCK_SECONDS = 3600  # a repository of code may have gigabytes
OBJECTS = "objects"  # subject of these complaints
_MISSING = re.compile(r"^missing (\w+) ([0-9a-f]{40})(?: \((.*)\))?$", re.MULTILINE)
_NAMED = re.compile(
    r"\b([0-9a-f]{40}): (?:object|hash|invalid)"
    r"|(?:Could not read|cannot unpack|mismatch for object|packed object|failed to parse commit) ([0-9a-f]{40})\b"
)
_PACK = re.compile(r"\b((?:pack|loose|clawgit-changes?)-[0-9a-f]{40})\.(pack|idx)\b(.*)$", re.MULTILINE)
DAMAGED = "damaged-objects"
_KINDS = {
    "blob": pygit2.enums.ObjectType.BLOB,
    "tree": pygit2.enums.ObjectType.TREE,
    "commit": pygit2.enums.ObjectType.COMMIT,
    "tag": pygit2.enums.ObjectType.TAG,
}
_URL = re.compile(r"remote\..*\.url")


def _check_locks(history: History) -> Iterator[Complaint]:
    for lock in present_locks(history):
        if not lock.is_ours:
            sentence = f"{lock.path} has been there for {lock.seconds} seconds, which blocks git and clawgit."
            way_out = "If no git command is running, `clawgit doctor --fix` removes it."
            yield Complaint("locks", sentence, way_out, mend=partial(_remove_lock, lock.path))
        elif not is_locked(history.state / "lock") and not history.refs(INTENT):
            sentence = f"An interrupted change left {lock.path}, which blocks git."
            way_out = "The next command that writes removes it; `clawgit doctor --fix` does it now."
            yield Complaint("locks", sentence, way_out, mend=partial(_locked, history, recover))


def _remove_lock(lock: Path) -> None:
    if time.time() - lock.stat().st_mtime < OLD_LOCK_SECONDS:
        raise WorkspaceBusyError(f"It is younger than {OLD_LOCK_SECONDS} seconds; somebody may be at work.")
    lock.unlink()


def _check_intents(history: History) -> Iterator[Complaint]:
    for name in history.refs(INTENT):
        sentence = f"A change on {name.removeprefix(INTENT)} was interrupted."
        way_out = "The next command that writes finishes it; `clawgit doctor --fix` does it now."
        yield Complaint("intents", sentence, way_out, mend=partial(_locked, history, recover))


def _check_unfinished(history: History) -> Iterator[Complaint]:
    """Check for what makes clawgit refuse every change: a merge, a rebase, conflicts."""
    try:
        refuse_odd_state(history)
        refuse_conflicts(history)
    except ClawgitError as error:
        left = left_autostash(history.git_folder)
        name = f"{RESCUE}{left[:16]}"
        if not left or not history.objects.has_commit(left):
            yield Complaint("state", error.message, error.hint)
        elif history.target(name) is not None:
            yield Complaint("state", error.message, f"They are kept as {name}. {error.hint}")
        else:
            way_out = f"`clawgit doctor --fix` keeps them as {name}. {error.hint}"
            yield Complaint("state", error.message, way_out, mend=partial(_locked, history, pin_autostash))


def _check_staging(history: History) -> Iterator[Complaint]:
    if history.tip().commit_id is not None and is_damaged(history):
        way_out = "The next command that writes rebuilds it; `clawgit doctor --fix` does it now."
        mend = partial(_locked, history, recover)
        yield Complaint("staging", "git's staging is empty or damaged.", way_out, mend=mend)
    try:
        refuse_unusual(history)
    except RepositoryStateError as error:
        yield Complaint("staging", error.message, error.hint)


def _locked(history: History, mend: Callable[[History], object]) -> None:
    with history.locked():
        mend(history)


def _check_branches(history: History) -> Iterator[Complaint]:
    """Check that HEAD and its branch lead to a commit; git's own log has their earlier commits."""
    try:
        history.tip()
    except ClawgitError as error:
        # HEAD names a sound commit, as in a rebase: nothing is lost
        if _is_commit(history, _text(history.git_folder / "HEAD").strip()):
            yield Complaint("references", error.message, error.hint)
            return
        yield from _head(history)
        seen = remembered_tips(history)
        for _, name in _loose(history, BRANCHES):
            seen[name] = _last_in_log(history, name) or seen.get(name, "")
        ways = [f"`git update-ref {name} {tip}`" for name, tip in seen.items() if tip]
        way_out = " or ".join(ways) + " puts back what was seen last." if ways else error.hint
        yield Complaint("references", error.message, way_out)
        return
    for path, name in _loose(history, BRANCHES):
        if not _leads_to_a_commit(history, path):
            last = _last_in_log(history, name)
            way_out = "Delete it if you can do without."
            if last:
                way_out = f"`git update-ref {name} {last}` puts back what git noted last."
            yield Complaint("references", f"The branch {name.removeprefix(BRANCHES)} leads nowhere.", way_out)


def _head(history: History) -> Iterator[Complaint]:
    """Check HEAD and its branch as files; empty or garbled ones can be restored from git's log."""
    head = history.git_folder / "HEAD"
    text = _text(head)
    if text.startswith("ref: "):
        name = text.removeprefix("ref: ").strip()
        path = history.folder / name
        last = _last_in_log(history, name) or remembered_tips(history).get(name, "")
        if path.is_file() and _is_garbled(_text(path)) and last:
            yield _put_back(history, path, name, f"{last}\n")
    elif _is_garbled(text):
        branches = [name for _, name in _loose(history, BRANCHES)]
        if len(branches) == 1:
            yield _put_back(history, head, "HEAD", f"ref: {branches[0]}\n")


def _is_garbled(text: str) -> bool:
    """Say whether this is not a commit id; a missing commit may come back."""
    return not _ID.fullmatch(text.strip()) or not text.strip("0\n")


def _put_back(history: History, path: Path, name: str, text: str) -> Complaint:
    def replace() -> None:
        _keep_lost(history, path, name)
        path.write_text(text)

    way_out = f"It should read {text.strip()!r}; {_MENDS}"
    return Complaint("references", f"{name} is empty or garbled.", way_out, mend=replace)


def _check_own_references(history: History) -> Iterator[Complaint]:
    """Check for own references that lead to nothing: they stop every command that lists them."""
    lost = {}
    for path, name in _loose(history, OURS):
        if not _leads_to_a_commit(history, path):
            lost[name] = _text(path).strip()[:40]
    for name, object_id in packed_refs(history.folder):
        is_ours = name.startswith(OURS) and not (history.folder / name).exists()
        if is_ours and not _is_commit(history, object_id):
            lost[name] = object_id
    for name, object_id in lost.items():
        sentence = f"{name} leads to nothing that is there ({object_id or 'it is empty'})."
        mend = partial(_take_away, history, name, object_id)
        yield Complaint("references", sentence, f"It can be taken out of the way; {_MENDS}", mend=mend)


def _take_away(history: History, name: str, object_id: str) -> None:
    path = history.folder / name
    with history.locked():
        if path.exists():
            _keep_lost(history, path, name)
            path.unlink()
        else:
            _write_lost(history, name, f"{object_id}\n".encode())
            delete_ref(history, name)


def _keep_lost(history: History, path: Path, name: str) -> None:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ClawgitError(f"{path} cannot be read ({error.strerror}).") from error
    _write_lost(history, name, data)


def _write_lost(history: History, name: str, data: bytes) -> None:
    write_file(history.state, f"{LOST}/{name.replace('/', '-')}", FileContent(data))


def _last_in_log(history: History, name: str) -> str:
    for line in reversed(_text(history.folder / "logs" / name).splitlines()):
        for commit_id in reversed(line.split(" ")[:2]):
            if _is_commit(history, commit_id):
                return commit_id
    return ""


def _loose(history: History, prefix: str) -> Iterator[tuple[Path, str]]:
    for folder, _, names in os.walk(history.folder / prefix):
        for name in sorted(names):
            path = history.folder / folder / name
            if path.suffix != ".lock":
                yield path, path.relative_to(history.folder).as_posix()


def _leads_to_a_commit(history: History, path: Path) -> bool:
    text = _text(path).strip()
    return text.startswith("ref: ") or _is_commit(history, text)


def _is_commit(history: History, name: str) -> bool:
    return _ID.fullmatch(name) is not None and history.objects.has_commit(name)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _check_objects(history: History) -> Iterator[Complaint]:
    """Check each object that branches and own references reach."""
    if git_program() is None:
        return
    tips = {commit for prefix in (BRANCHES, OURS) for commit in history.refs(prefix).values()}
    if not tips:
        return
    try:
        words = ("fsck", "--full", "--no-dangling", "--no-progress", "--name-objects", *sorted(tips))
        done = run_git(history, *words, seconds=FSCK_SECONDS)
    except GitProgramError as error:
        yield Complaint(OBJECTS, error.message, "Run `git fsck --full` in the workspace.")
        return
    report = (done.stderr + done.stdout).decode("utf-8", "replace")
    if done.returncode == 0 or not report:
        return
    yield from _packs(history, report)
    places = {object_id: name for _, object_id, name in _MISSING.findall(report)}
    for one, other in _NAMED.findall(report):
        places.setdefault(one or other, "")  # git names no place
    for object_id, name in sorted(places.items()):
        yield _complaint(history, object_id, name)
    if not places and not _PACK.search(report):
        yield Complaint(OBJECTS, f"git found damage: {report.strip()[:300]}", "`git fsck --full` says more.")


def _complaint(history: History, object_id: str, name: str) -> Complaint:
    """Return the complaint about an object; ``name`` is `COMMIT:PATH` if git knows a place."""
    path = name.partition(":")[2]
    shown = f" ({path or name})" if name else ""
    return Complaint(
        OBJECTS,
        f"The git object {object_id}{shown} is damaged or missing.",
        "`clawgit doctor --fix` brings it back from the folder, the staging or a remote on this machine, if one of"
        f" them has it. Else copy .git/objects/{object_id[:2]}/{object_id[2:]} from a clone or a backup, or"
        " `git fetch --refetch` from a remote.",
        mend=partial(_bring_back, history, object_id, path),
    )


def _packs(history: History, output: str) -> Iterator[Complaint]:
    """Yield the damaged packs; a damaged or missing index is rebuilt from its pack."""
    folder = history.folder / "objects/pack"
    packs = (path for path in folder.glob("*.pack") if _PACK.fullmatch(path.name))
    lacking = {path.stem for path in packs if not path.with_suffix(".idx").exists()}
    for name in sorted({match[0] for match in _PACK.findall(output)} | lacking):
        if f"{name}.idx" in output or name in lacking:
            what = f"{name}.idx in .git/objects/pack is damaged or missing."
            mend = partial(_index_pack, history, name)
            yield Complaint(OBJECTS, what, "`clawgit doctor --fix` rebuilds it.", mend=mend)
        else:
            way_out = "Copy the file from a clone or a backup, or `git fetch --refetch` from a remote."
            yield Complaint(OBJECTS, f"{name}.pack in .git/objects/pack is damaged.", way_out)


def _index_pack(history: History, name: str) -> None:
    """Make a pack's index; a damaged one stays until that has worked."""
    folder = history.folder / "objects/pack"
    new = history.state / f"{name}.idx"
    done = run_git(history, "index-pack", "-o", str(new), str(folder / f"{name}.pack"), seconds=FSCK_SECONDS)
    if done.returncode != 0:
        raise ClawgitError(done.stderr.decode("utf-8", "replace").strip())
    new.replace(folder / new.name)
    for beside in (folder / f"{name}.rev", new.with_suffix(".rev")):
        beside.unlink(missing_ok=True)


def _bring_back(history: History, object_id: str, path: str) -> None:
    """Restore an object, of ``path`` if known; a damaged file is kept in clawgit's own folder."""
    loose = history.folder / "objects" / object_id[:2] / object_id[2:]
    aside = history.state / DAMAGED / object_id
    with history.locked():
        aside.parent.mkdir(mode=0o700, exist_ok=True)
        if loose.exists():
            loose.replace(aside)
        if _is_packed(history, object_id) or _is_written(history, object_id, path):
            return
        if aside.exists():
            aside.replace(loose)
    raise ClawgitError("No copy of it was found on this machine.")


def _is_packed(history: History, object_id: str) -> bool:
    return run_git(history, "cat-file", "-t", object_id).returncode == 0


def _is_written(history: History, object_id: str, path: str) -> bool:
    for kind, data in _copies(history, object_id, path):
        if id_of(kind.encode(), data) == object_id:
            history.repo.write(_KINDS[kind], data)
            return True
    copy = history.state / "doctor-index"
    with suppress(OSError):  # git writes the trees of a copy of the staging
        copy.write_bytes((history.git_folder / "index").read_bytes())
        run_git(history, "write-tree", "--missing-ok", index=copy)
        copy.unlink()
    return _is_packed(history, object_id)


def _copies(history: History, object_id: str, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield what may be the object, from the nearest places first."""
    names = {path: None}
    with suppress(OSError, UnreadableIndexError):
        files, _ = read_index((history.git_folder / "index").read_bytes())
        names |= dict.fromkeys(map(os.fsdecode, files))
    for name in filter(None, names):
        with suppress(UnsafePathError, OSError):
            content = read_file(history.root, name)
            if content is not None:
                yield "blob", content.data
    for entry in history.repo.config:  # remotes on this machine
        if not _URL.fullmatch(str(entry.name)):
            continue
        url = urlsplit(str(entry.value))
        place = Path(url.path) if url.scheme == "file" else Path(with_home(str(entry.value)))
        for objects in (history.root / place / "objects", history.root / place / ".git" / "objects"):
            if objects.is_dir():
                kind = run_git(history, "cat-file", "-t", object_id, objects=objects).stdout.decode().strip()
                if kind in _KINDS:
                    yield kind, run_git(history, "cat-file", kind, object_id, objects=objects).stdout


CHECKS = (
    folder_checks.check_program,
    folder_checks.check_space,
    folder_checks.check_permissions,
    folder_checks.check_private,
    _check_own_references,
    _check_branches,
    _check_locks,
    _check_intents,
    _check_unfinished,
    _check_staging,
    folder_checks.check_settings,
    folder_checks.check_ignored,
    folder_checks.check_files,
    folder_checks.check_corrections,
    folder_checks.check_records,
    folder_checks.check_lost_records,
    folder_checks.check_hooks,
    folder_checks.check_connected,
    _check_objects,
)


def examine(
    history: History,
    *,
    fix: bool,
    trusted: Collection[str] = (),
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Complaint]:
    """Return what is wrong, with ``fix`` mended if that loses nothing; ``trusted`` are digests."""
    complaints: dict[str, Complaint] = {}  # several checks hit the same obstacle; the first reports
    checks: tuple[Callable[[History], Iterator[Complaint]], ...] = (
        *CHECKS,
        lambda history: folder_checks.check_strange(history, trusted),
    )
    for done, check in enumerate(checks):
        tell(done, len(checks))
        for complaint in _complaints(check, history):
            if complaint.what not in complaints:
                complaints[complaint.what] = _mended(complaint) if fix else complaint
    return list(complaints.values())


def _complaints(check: Callable[[History], Iterator[Complaint]], history: History) -> Iterator[Complaint]:
    """Run one check; an error in it is a complaint too, and stops no other check."""
    try:
        yield from check(history)
    except ClawgitError as error:
        yield Complaint("reading", error.message, error.hint)
    except (OSError, pygit2.GitError) as error:
        yield Complaint("reading", f"The repository cannot be read: {error}.", "`git fsck` may say more.")


def _mended(complaint: Complaint) -> Complaint:
    if complaint.mend is None:
        return complaint
    try:
        complaint.mend()
    except (ClawgitError, OSError) as error:
        return complaint._replace(way_out=f"It could not be mended: {error} {complaint.way_out}")
    return complaint._replace(mended=True)
