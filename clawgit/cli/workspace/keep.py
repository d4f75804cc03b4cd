"""`clawgit keep`: commit what others wrote into the files."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command, kept_data, kept_lines
from clawgit.errors import UsageError
from clawgit.operations.keep import KeepRequest, claim, keep_edits


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
        done = claim(app, commits, who)
        app.report({"commit": done.commit_id, "op": done.op}, lambda: [done.commit_id or ""])
    else:
        kept = keep_edits(app, KeepRequest(reason), author=who, overridden=rules)
        app.report(kept_data(kept), lambda: kept_lines(kept))
