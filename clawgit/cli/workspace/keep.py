"""`clawgit keep`: commit edits that others made in the files."""

from __future__ import annotations

import sys

import click

from clawgit.cli.app import App, command, commit_lines, kept_data
from clawgit.errors import UsageError
from clawgit.operations.keep import claim, keep_edits


@command("keep")
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
def keep_command(
    app: App, commits: tuple[str, ...], who: str | None, reason: str, rules: tuple[str, ...]
) -> None:
    """Commit edits under their author's name.

    Commits uncommitted edits in the working tree. A file with staged changes is left to your `git commit`.

    At the end of your agent's turn (CLAWGIT_ACTOR=host, or in its shell) what is staged is kept as your agent's, too.
    An edit counts as yours with `--as operator`, by your own `git commit`, or where you set `edits_here: mine`. With
    COMMITs, claims earlier commits by an unknown author as yours. What a guard holds back stays as it is and is named with
    its RULE (docs/guards.md).

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
        done = claim(app, commits, who)
        app.report({"commit": done.commit_id, "op": done.op}, lambda: commit_lines(done.commit_id))
    else:
        asks = app.asks if sys.stdin.isatty() else None
        outcome = keep_edits(app, reason, author=who, overridden=rules, asks=asks)
        if outcome.commits:
            from clawgit.cli.soul.log import next_step, row_line
            from clawgit.history.provenance.set_back import corrections_set_back

            for row in corrections_set_back(app.history()).values():
                if row.commit_id in outcome.commits:
                    app.say(f"Against a correction: {row_line(row)} {next_step(row)}")
        app.report(kept_data(outcome), lambda: commit_lines(*outcome.commits))
