"""What every approval asks: a touched key, where the setting `approvals` says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.errors import ClawgitError
from clawgit.operations.paths import user_path

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History

sign_option = click.option(
    "--sign", "key", metavar="KEY", help="Sign with this SSH key; a security key shows your presence."
)


def approving(app: App, history: History, intent: Intent, key: str | None) -> Intent:
    """Return the intent of an approval.

    Raises:
        ClawgitError: Somebody has to be there, and no key is named, or a host's process asks.
    """
    from clawgit.history.authorship.approval_level import ALLOWED, signer_with, touched

    if history.settings.approvals != "present":
        return intent if key is None else intent._replace(sign=signer_with(user_path(key)))
    if intent.unattended:
        raise ClawgitError(
            f"approvals is present, and this runs in a host's process ({intent.unattended} is set).",
            hint="Approve in a terminal of your own.",
        )
    if key is None:
        raise ClawgitError(
            "approvals is present: an approval counts only with a touched key.",
            hint="`--sign KEY` with a security key of allowed_signers.",
        )
    signer = touched(signer_with(user_path(key)), app.trust_file.parent / ALLOWED)
    return intent._replace(sign=signer)


def prove_presence(app: App, history: History, key: str | None, what: str) -> None:
    """Ask for a touch before something is approved that makes no commit.

    Raises:
        ClawgitError: Somebody has to be there, and nobody shows it.
    """
    intent = approving(app, history, app.intent(history), key)
    if history.settings.approvals == "present" and intent.sign is not None:
        intent.sign(f"clawgit {what} in {history.root}\n".encode())
