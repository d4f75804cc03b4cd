"""`clawgit keep`: commit what others wrote into the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import kept_data
from clawgit.errors import ExitCode, UsageError
from clawgit.operations.changes import say_kept

if TYPE_CHECKING:
    from clawgit.history.review.keep import Kept


@click.command("keep", cls=Command)
@click.argument("commits", nargs=-1, metavar="[COMMIT]...")
@click.option(
    "--as", "who", type=click.Choice(["operator", "host", "unknown"]), help="Whose edits these are."
)
@click.option("--reason", default="", help="One sentence; goes into the commit.")
@click.option(
    "--override",
    "rules",
    multiple=True,
    metavar="RULE",
    help="Let through what this guard holds back, with --as operator and a --reason.",
)
@click.pass_obj
def keep_command(
    app: App, commits: tuple[str, ...], who: str | None, reason: str, rules: tuple[str, ...]
) -> None:
    """Commit edits under their author's name.

    Commits uncommitted edits in the working tree. Staged changes are left alone.

    At the end of a host's turn (CLAWGIT_ACTOR=host, or in a host's shell) what is staged is kept as the host's, too.
    An edit counts as the operator's only with `--as operator` (or your own `git commit`). With COMMITs, claims
    earlier commits by an unknown author as the operator's. What a guard holds back stays as it is and is named with
    its RULE; docs/guards.md lists the rules, and which of them can be overridden.

    \b
    Examples:
      clawgit keep
      clawgit keep --as operator
      clawgit keep --as operator 1a2b3c4
      clawgit keep --as operator --override secret --reason "A made-up key, for the tests."
    """
    if commits and rules:
        raise UsageError("A claim has nothing to override.", hint="Give COMMITs or --override.")
    if commits:
        _claim(app, commits, who)
    else:
        _keep(app, who, reason, rules)


def _keep(app: App, who: str | None, reason: str, rules: tuple[str, ...]) -> None:
    from clawgit.history.authorship.actors import HOST, UNKNOWN
    from clawgit.history.claim_commits import may_act_as
    from clawgit.history.review.keep import keep
    from clawgit.history.review.overrides import overriding
    from clawgit.history.review.working_tree_edits import IN_USE

    history = app.history()
    actor = who or (HOST if app.actor == HOST else UNKNOWN)
    may_act_as(app.actor, actor)
    intent = overriding(app.intent(history, kind="keep", actor=actor), rules, reason)
    kept = keep(history, intent, reason=reason, of_turn=app.actor == HOST)
    app.note_tip(history)
    for finding in (*kept.held, *kept.remarks):
        app.say(f"{finding.sentence} {finding.way_out}")
    for sentence in kept.recovered:
        app.say(sentence)
    if any(finding.rule == IN_USE for finding in kept.held):
        app.exit_code = ExitCode.BUSY
    app.say(_told(actor, kept) if kept.paths else "There was nothing to keep.")
    app.report(kept_data(kept), lambda: list(kept.commits))


def _told(actor: str, kept: Kept) -> str:
    from clawgit.history.authorship.actors import UNKNOWN

    paths = ", ".join(kept.paths)
    if actor != UNKNOWN:
        return f"Committed as the {actor}'s: {paths}."
    claimed = " ".join(commit[:12] for commit in kept.commits)
    return f"Committed with an unknown author: {paths}. If you wrote it: clawgit keep --as operator {claimed}"


def _claim(app: App, commits: tuple[str, ...], who: str | None) -> None:
    from clawgit.history.claim_commits import claim_commits, may_act_as

    if who != "operator":
        raise UsageError("Only the operator claims commits.", hint="Say `--as operator`.")
    may_act_as(app.actor, who)
    history = app.history()
    done = claim_commits(history, commits, app.intent(history))
    say_kept(app, done.kept)
    app.say(f"Claimed as the operator's: {', '.join(commits)}.")
    app.report({"commit": done.commit_id, "op": done.op}, lambda: [done.commit_id or ""])
