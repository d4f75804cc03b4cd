"""`clawgit keep`: commit what others wrote into the files."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.backup import note_tip
from clawgit.cli.said import kept_data, say_kept
from clawgit.errors import UsageError


@click.command("keep", cls=Command)
@click.argument("commits", nargs=-1, metavar="[COMMIT]...")
@click.option(
    "--as", "who", type=click.Choice(["operator", "host", "unknown"]), help="Whose edits these are."
)
@click.option("--reason", default="", help="One sentence; goes into the commit.")
@click.pass_obj
def keep_command(app: App, commits: tuple[str, ...], who: str | None, reason: str) -> None:
    """Commit the edits in the working tree; what you have staged stays staged.

    An edit counts as the operator's only with `--as operator` (or your own `git commit`). With COMMITs, claims
    earlier commits of unknown origin as the operator's.

    \b
    Examples:
      clawgit keep
      clawgit keep --as operator
      clawgit keep --as operator 1a2b3c4
    """
    if commits:
        _claim(app, commits, who)
    else:
        _keep(app, who, reason)


def _keep(app: App, who: str | None, reason: str) -> None:
    from clawgit.history.actors import HOST, UNKNOWN
    from clawgit.history.claims import may_act_as
    from clawgit.history.keep import keep

    history = app.history()
    actor = who or (HOST if app.actor == HOST else UNKNOWN)
    may_act_as(app.actor, actor)
    kept = keep(history, app.intent(history, kind="keep", actor=actor), reason=reason)
    note_tip(app, history)
    for finding in (*kept.held, *kept.remarks):
        app.say(f"{finding.sentence} {finding.way_out}")
    for sentence in kept.recovered:
        app.say(sentence)
    whose = "as of unknown origin" if actor == UNKNOWN else f"as the {actor}'s"
    app.say(f"Kept {whose}: {', '.join(kept.paths)}." if kept.paths else "There was nothing to keep.")
    app.report(kept_data(kept), lambda: list(kept.commits))


def _claim(app: App, commits: tuple[str, ...], who: str | None) -> None:
    from clawgit.history.claims import claim_commits, may_act_as

    if who != "operator":
        raise UsageError("Only the operator claims commits.", hint="Say `--as operator`.")
    may_act_as(app.actor, who)
    history = app.history()
    done = claim_commits(history, commits, app.intent(history))
    say_kept(app, done.kept)
    app.say(f"Claimed as the operator's: {', '.join(commits)}.")
    app.report({"commit": done.commit_id, "op": done.op}, lambda: [done.commit_id or ""])
