"""`clawgit init`, `status` and `up`: the workspace as a whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import finding_data, kept_data, say_kept
from clawgit.cli.memory.corrections import open_data, open_lines
from clawgit.cli.startup_notices import hooks_lines, outside_data, outside_lines, read_outside
from clawgit.cli.workspace.adoption_output import names_of, unknown_commits, whose_lines
from clawgit.cli.workspace.backup import backup_data, backup_lines
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.cli.startup_notices import Outside
    from clawgit.history.adopt import Adopted, Preview
    from clawgit.history.backup.records_status import RecordsStatus
    from clawgit.history.git.repository import History
    from clawgit.history.transaction.leftovers import PresentLock
    from clawgit.history.workspace_status import Status


SHOWN = 20


@click.command("init", cls=Command)
@click.argument("path", required=False)
@click.option("--dry-run", is_flag=True, help="Say what would be done; change nothing.")
@click.option(
    "--trust",
    type=click.Choice(["operator", "unknown"]),
    help="Whose words the files are that are there already; asked on a terminal, else unknown.",
)
@click.pass_obj
def init_command(app: App, path: str | None, dry_run: bool, trust: str | None) -> None:
    """Make PATH (or this folder) a workspace, or adopt the one that is there.

    Nothing is overwritten. An existing git repository is kept, with or without commits. SOUL.md, MEMORY.md and the
    other files in the folder itself count as your words only if you say so; notes below memory/ and Archive/ count
    as of unknown origin until you claim their commit with `keep --as operator COMMIT`.

    \b
    Examples:
      clawgit init ~/agent
      clawgit init --trust operator ~/.openclaw/workspace
      clawgit init --dry-run ~/.openclaw/workspace
    """
    root = _init_root(app, path)
    if dry_run:
        _report_preview(app, root)
    else:
        _report_adopted(app, root, _adopt(app, root, trust))


def _init_root(app: App, path: str | None) -> Path:
    if path == "":
        raise UsageError("The path is empty.", hint="Give a folder, or leave it away for this one.")
    told = path or app.workspace or app.environment.get("CLAWGIT_WORKSPACE") or "."
    return Path(told).expanduser().absolute()


def _adopt(app: App, root: Path, trust: str | None) -> Adopted:
    from clawgit.history.adopt import adopt, preview_adoption

    app.only_operator("make a workspace")
    return adopt(root, app.now(), trust=trust or _asked_trust(preview_adoption(root).asked))


def _asked_trust(files: tuple[str, ...]) -> str:
    """Ask whose words the files are; nobody there to answer is no yes."""
    if not files or not sys.stdin.isatty():
        return "unknown"
    yours = click.confirm(f"Are {names_of(files)} your own words, or read by you?", err=True)
    return "operator" if yours else "unknown"


def _preview_data(root: Path, preview: Preview) -> dict[str, Any]:
    return {
        "workspace": str(root),
        "new": preview.is_new,
        "repository": preview.has_repository,
        "created": list(preview.created),
        "moved": list(preview.moved),
    }


def _report_preview(app: App, root: Path) -> None:
    from clawgit.history.adopt import preview_adoption

    preview = preview_adoption(root)
    app.report({**_preview_data(root, preview), "dry_run": True}, lambda: _preview_lines(root, preview))


def _preview_lines(root: Path, preview: Preview) -> list[str]:
    what = "a new workspace" if preview.is_new else "an existing folder, to be adopted as it stands"
    git = "kept" if preview.has_repository else "to be made"
    return [
        f"{root}: {what}; its git repository: {git}.",
        *(f"would move aside  {path}" for path in preview.moved),
        *(f"would create      {path}" for path in preview.created),
        *(
            (f"would ask whether {names_of(preview.asked)} are your words (--trust)",)
            if preview.asked
            else ()
        ),
        "Nothing was changed.",
    ]


def _report_adopted(app: App, root: Path, done: Adopted) -> None:
    say_kept(app, done.kept)
    for note in done.notes:
        app.say(note)
    from clawgit.history.authorship.actors import OPERATOR, author_of
    from clawgit.history.git.repository import open_history

    author = author_of(open_history(root), OPERATOR)
    if author.borrowed:
        app.say(
            f"git knows no user.name, so your commits carry the name {author.name} <{author.email}>."
            ' `git config --global user.name "Your Name"` changes that.'
        )
    data = {
        **_preview_data(root, done.preview),
        "commits": list(done.commits),
        "kept": kept_data(done.kept),
        "trust": done.trust,
        "unknown_commits": list(unknown_commits(done)),
    }
    app.report(data, lambda: _adopted_lines(root, done))


def _adopted_lines(root: Path, done: Adopted) -> list[str]:
    if not done.commits:
        return [f"{root} is a workspace already; nothing was missing."]
    created = len(done.preview.created)
    lines = [f"{root} is a clawgit workspace now ({created} file{'s' * (created != 1)} created)."]
    lines += whose_lines(done)
    if done.preview.is_new:
        lines.append("Next: let your agent read BOOTSTRAP.md, or remember a first thing with")
    else:
        lines.append("Next: `clawgit status` shows how it stands; remember something with")
    lines.append(f'  clawgit -w {root} memory add "..."')
    return lines


@click.command("status", cls=Command)
@click.pass_obj
def status_command(app: App) -> None:
    """Say how the workspace stands and what waits for you.

    \b
    Examples:
      clawgit status
      clawgit status --json
    """
    history = app.history()
    _report_status(app, history, list)


def _report_status(app: App, history: History, more: Callable[[], list[str]]) -> None:
    from clawgit.history.backup.records_status import read_records_status
    from clawgit.history.workspace_status import read_status

    now = app.now(history)
    status, records = read_status(history, now), read_records_status(history, now)
    outside = read_outside(app, history)
    data = (
        _status_data(app, history, status) | backup_data(records) | outside_data(outside) | open_data(history)
    )
    app.report(data, lambda: [*_status_lines(app, history, status, records, outside), *more()])


def _status_data(app: App, history: History, status: Status) -> dict[str, Any]:
    waiting = app.in_force.waiting if app.in_force else {}
    return {
        "workspace": str(history.root),
        "branch": status.branch.removeprefix("refs/heads/"),
        "commit": status.commit_id,
        "blocked": status.blocked,
        "uncommitted": list(status.edits),
        "staged": list(status.staged),
        "held": [finding_data(finding) for finding in status.held],
        "proposals": [
            {"id": item.proposal_id, "actor": item.actor, "paths": list(item.paths), "commit": item.commit_id}
            for item in status.proposals
        ],
        "settings_waiting": sorted(waiting),
        "interrupted": status.interrupted,
        "rescued": status.rescued,
        "paused": status.paused,
        "ritual_open": status.ritual,
        "quarantined": status.quarantined,
        "locks": [
            {"path": str(lock.path), "seconds": lock.seconds, "ours": lock.is_ours} for lock in status.locks
        ],
    }


def _status_lines(
    app: App, history: History, status: Status, records: RecordsStatus, outside: Outside
) -> list[str]:
    commit = status.commit_id[:12] if status.commit_id else "no commit yet"
    branch = status.branch.removeprefix("refs/heads/") or "no branch"
    waiting = _waiting_lines(app, status) + ([f"! {records.problem}"] if records.problem else [])
    waiting += [*outside_lines(outside), *open_lines(history)]
    return [
        f"{history.root} on {branch} at {commit}",
        *(waiting or ["Nothing waits; everything is committed."]),
        *backup_lines(records),
        *hooks_lines(outside),
    ]


def _lock_line(lock: PresentLock) -> str:
    if lock.is_ours:
        return f"! {lock.path} was left by an interrupted change, and git waits for it: `clawgit keep` removes it."
    return (
        f"! {lock.path} has been there for {lock.seconds} seconds, and git and clawgit wait for it:"
        " if no git command is running, `clawgit doctor --fix` removes it."
    )


def _waiting_lines(app: App, status: Status) -> list[str]:
    lines = []
    if status.blocked:
        lines.append(f"! {status.blocked}")
    if status.paused:
        lines.append(f"! The agents are paused since {status.paused}. `clawgit resume` lets them go on.")
    if status.interrupted:
        lines.append(
            "! A change was interrupted; the next command that writes finishes it, or `clawgit keep`."
        )
    lines += [_lock_line(lock) for lock in status.locks]
    if status.ritual:
        lines.append("  The first conversation is open: BOOTSTRAP.md is still there.")
    held = {finding.path for finding in status.held}
    lines += [f"! {finding.sentence} {finding.way_out}" for finding in status.held]
    open_edits = [path for path in status.edits if path not in held]
    lines += [f"  not committed: {path} (`clawgit keep`)" for path in open_edits[:SHOWN]]
    if len(open_edits) > SHOWN:
        lines.append(f"  ... and {len(open_edits) - SHOWN} more files that are not committed")
    lines += [f"  staged, for your `git commit`: {path}" for path in status.staged[:SHOWN]]
    lines += [
        f"? {item.proposal_id}: an edit of {', '.join(item.paths)} by the {item.actor} waits for you"
        f" (`git show {item.commit_id[:12]}`)"
        for item in status.proposals
    ]
    lines += [
        f"? CONFIG.md: the new value of {key} waits for you (`clawgit trust {key}`)"
        for key in sorted(app.in_force.waiting if app.in_force else ())
    ]
    if status.quarantined:
        lines.append(
            f"? {status.quarantined} refused change(s) lie in quarantine (`clawgit quarantine list`)."
        )
    if status.rescued:
        lines.append(f"  {status.rescued} dropped change(s) are kept under refs/clawgit/rescue/.")
    return lines


@click.command("up", cls=Command)
@click.pass_obj
def up_command(app: App) -> None:
    """Make the workspace if need be, do one round in it, and say what to do next.

    \b
    Example:
      clawgit -w ~/agent up
    """
    from clawgit.history.review.keep import keep

    root = _init_root(app, None)
    _report_adopted_for_up(app, root)
    app.workspace = str(root)
    history = app.history()
    from clawgit.history.authorship.actors import UNKNOWN

    say_kept(app, keep(history, app.intent(history, kind="keep", actor=UNKNOWN)))
    _report_status(app, history, lambda: _next(root))


def _report_adopted_for_up(app: App, root: Path) -> None:
    done = _adopt(app, root, None)
    say_kept(app, done.kept)
    for line in (*_adopted_lines(root, done)[:1], *whose_lines(done)):
        app.say(line)


def _next(root: Path) -> list[str]:
    return [
        "",
        "What to do next:",
        f'  clawgit -w {root} memory add "Something worth remembering."',
        f"  git -C {root} log        # every change, by whom and why",
        f"  clawgit -w {root} status",
    ]
