"""`clawgit page`: the link to the web page, only at a terminal, or Today as one file."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import Any

import click

from clawgit.cli.app import App, command
from clawgit.client import connected, reply_of
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.status import folder_of
from clawgit.service.daemon import REQUESTS
from clawgit.service.http_server import check_packages
from clawgit.service.page_server import LINK, REVOKE

SECONDS = 30.0  # for the service to answer


@command("page")
@click.option("--once", is_flag=True, help="Print Today as one HTML file, without links and buttons.")
@click.option("--revoke", is_flag=True, help="Sign every browser out.")
def page_command(app: App, once: bool, revoke: bool) -> None:
    """Open the web page, or print Today as a file.

    Prints a link that is good once, for two minutes, in one browser of this machine. There you are signed in for twelve
    hours, or until the service ends. The service has to run: `clawgit up`.

    \b
    Examples:
      clawgit page
      clawgit -w ~/agent page
      clawgit page --once > today.html
      clawgit page --revoke
    """
    if once and revoke:
        raise UsageError("--once and --revoke are different things.", hint="Give one of them.")
    if once:
        if sys.stdout.isatty():
            sentence = "What --once prints is a file of HTML."
            raise UsageError(sentence, hint="`clawgit page --once > today.html` keeps it.")
        app.take_only_one()
        check_packages("The page", "page", "jinja2")
        from clawgit.cli.service.page_operations import served_by
        from clawgit.page.page_views import static_today

        root = app.root()
        environment = dict(app.environment)
        if app.now_text:
            environment["CLAWGIT_NOW"] = app.now_text
        if app.rehearse:
            environment["CLAWGIT_REHEARSE"] = "1"
        served = served_by(environment, app.registry_file, [root])
        if served.look(root).settings.page == "off":
            sentence = "The setting `page` is off here."
            raise ClawgitError(sentence, hint="`clawgit config set page on` shows it.")
        click.echo(static_today(served, root), nl=False)
        return
    app.only_operator("open the page")
    if revoke:
        count = _asked(app, REVOKE, "")["signed_out"]
        app.say(f"{count} browsers are signed out.")
        app.report({"signed_out": count})
        return
    if app.as_json or not sys.stdout.isatty():
        hint = "Run `clawgit page` in a terminal of your own; `clawgit page --once` prints a file."
        raise ClawgitError("A link to the page is a key, so it is shown on a terminal alone.", hint=hint)
    app.take_only_one()
    link = _asked(app, LINK, str(app.root()))["link"]
    app.print(link)
    app.say("Good once, for two minutes, in a browser on this machine.")


def _asked(app: App, method: str, workspace: str) -> Any:
    path = folder_of(app.environment) / REQUESTS
    params = {"actor": "operator", "workspace": workspace}
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    try:
        with closing(connected(str(path))) as connection:
            answer = json.loads(reply_of(connection, json.dumps(request).encode() + b"\n", SECONDS))
    except (OSError, ValueError) as error:
        sentence = "No service runs, so there is no page."
        raise ClawgitError(sentence, hint="`clawgit up` starts it and prints the link.") from error
    if "error" in answer:
        refused = answer["error"]
        raise ClawgitError(refused["message"], hint=refused["data"]["hint"])
    return answer["result"]
