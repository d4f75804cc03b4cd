"""`clawgit soul bisect`: the change after which something is otherwise than before."""

from __future__ import annotations

import os
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import logged_data
from clawgit.errors import UsageError
from clawgit.operations.paths import workspace_path
from clawgit.operations.soul import say_otherwise

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.states.soul_bisect import Bisected, Flip, Question

_FIRST_HITS = 6
_ANSWERS = {  # what is said of a no, and of a yes
    "contains": ("lacks the text", "holds the text"),
    "lacks": ("holds the text", "lacks the text"),
    "query": ("is not found", "is found"),
    "program": ("fails", "passes"),
}


@click.command("bisect", cls=Command)
@click.option("--contains", metavar="TEXT", help="When did the file begin to hold TEXT?")
@click.option("--lacks", metavar="TEXT", help="When did the file stop holding TEXT?")
@click.option("--query", metavar="Q", help="When did a search for Q begin to bring up the text of --expect?")
@click.option("--expect", metavar="TEXT", help="With --query: text that one of the first six hits holds.")
@click.option(
    "--run", "program", metavar="CMD", help="When did CMD, run in a copy of the files, begin to end with 0?"
)
@click.option(
    "--file",
    "path",
    metavar="PATH",
    default="SOUL.md",
    show_default=True,
    help="File of --contains and --lacks.",
)
@click.option("--since", metavar="REV|DATE", help="Where to begin; the default is the first commit.")
@click.option("--all", "every", is_flag=True, help="Look at every change and list each turn, also back.")
@click.pass_obj
def bisect_command(app: App, /, since: str | None, *, every: bool, **options: Any) -> None:
    """Find the change that made an answer differ.

    Use it to find when a belief came or went, or when a search got worse.

    Halves the history with each look. CMD runs without a shell: `sh -c '…'` for pipes; 1 to 124 is a no.

    \b
    Examples:
      clawgit soul bisect --contains "in your operator's name"
      clawgit soul bisect --lacks "Ask before" --since 2026-03-01
      clawgit soul bisect --query "which port" --expect 9443
      clawgit soul bisect --run "grep -q Lisbon MEMORY.md" --all
    """
    from clawgit.history.states.revisions import find_revision
    from clawgit.history.states.soul_bisect import bisect

    history = app.history()
    question = _question(app, history, options)
    start = None
    if since is not None:
        revision = find_revision(history, since, app.now(history).tzinfo)
        say_otherwise(app, revision, since)
        start = revision.commit
    found = bisect(history, question, start, every=every)
    answers = next(said for kind, said in _ANSWERS.items() if options[kind] is not None)
    app.report(_data(found), lambda: _lines(found, answers))


def _question(app: App, history: History, options: dict[str, Any]) -> Question:
    from clawgit.history.states.soul_bisect import Question

    asked = [name for name in _ANSWERS if options[name] is not None]
    if len(asked) != 1 or (options["query"] is None) != (options["expect"] is None):
        raise UsageError(
            "Ask one thing: --contains, --lacks, --run, or --query with --expect.",
            hint='Such as --contains "Ask before".',
        )
    (kind,) = asked
    if kind == "query":
        return Question(partial(_brings_up, history, options["query"], options["expect"]))
    if kind == "program":
        return _trial_question(app, history, options["program"])
    path = workspace_path(history.root, options["path"])
    holds = partial(_reads, history, path, options[kind], kind == "contains")
    return Question(holds, (path,), at_first=kind == "lacks", word=options[kind])


def _trial_question(app: App, history: History, program: str) -> Question:
    from clawgit.history.states.soul_bisect import Question
    from clawgit.history.states.tree_trial import Trial, passes

    app.only_operator("run a program")
    try:
        argv = shlex.split(program)
    except ValueError as error:
        raise UsageError(f"{program} is no command ({error}).") from error
    if not argv:
        raise UsageError("--run needs a command.", hint='Such as --run "grep -q Lisbon MEMORY.md".')
    trial = Trial(argv, os.environ)
    return Question(lambda commit_id: passes(history, commit_id, trial))


def _reads(history: History, path: str, text: str, wanted: bool, commit_id: str) -> bool:
    data = history.tree_of(commit_id).read(path) or b""
    return (text.casefold() in data.decode("utf-8", "replace").casefold()) == wanted


def _brings_up(history: History, query: str, expected: str, commit_id: str) -> bool:
    from datetime import UTC, datetime

    from clawgit.recall.search_as_of import search_tree
    from clawgit.recall.search_results import Wanted

    at = datetime.fromtimestamp(history.objects.commit(commit_id).committed_at, UTC)
    found = search_tree(history, history.tree_of(commit_id), Wanted(query, _FIRST_HITS), at)
    return any(expected.casefold() in hit.snippet.casefold() for hit in found.results)


def _data(found: Bisected) -> dict[str, Any]:
    return {
        "start": found.start,
        "end": found.end,
        "changes": found.changes,
        "looks": found.looks,
        "found": [logged_data(flip.change) | {"holds": flip.holds} for flip in found.flips],
    }


def _lines(found: Bisected, answers: tuple[str, str]) -> list[str]:
    looked = f"{found.looks} of {found.changes} change{'s' * (found.changes != 1)} looked at."
    if found.flips:
        return [*(line for flip in found.flips for line in _flip_lines(flip, answers)), looked]
    said = f"It {answers[found.end]} at both ends. {looked}"
    if found.looks < found.changes:
        said += " In between it may have changed and changed back: --all looks at every change."
    return [said]


def _flip_lines(flip: Flip, answers: tuple[str, str]) -> list[str]:
    change = flip.change
    lines = [
        f"It {answers[flip.holds]} since {change.commit_id[:12]}  {change.at[:16]}  {change.signed}: {change.summary}"
    ]
    lines += [f"  why: {change.reason}"] if change.reason else []
    lines += [f"  evidence: {item}" for item in change.evidence]
    return lines + ([f"  `clawgit undo {change.commit_id[:12]}` takes it back."] if change.parent_ids else [])
