"""What is pending beside proposals, under the same pair of verbs: additions to the soul that nobody saw, and guarded settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.change_output import report_change
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.unreviewed_additions import Unreviewed


def is_other(app: App, name: str) -> bool:
    """Say whether a name is one of these and no proposal's."""
    from clawgit.history.review.unreviewed import MARK

    return name.startswith(MARK) or name in waiting_settings(app)


def waiting_settings(app: App) -> list[str]:
    """Return the settings whose value in CONFIG.md is not in force."""
    return sorted(app.in_force.waiting) if app.in_force else []


def approve_other(app: App, history: History, name: str, intent: Intent) -> None:
    """Let an addition stay, or trust a value."""
    if name in waiting_settings(app):
        from clawgit.workspace.user.trusted_settings import trust_value

        assert app.in_force is not None
        if history.settings.approvals == "present" and intent.sign is not None:
            intent.sign(f"clawgit trust {name} in {history.root}\n".encode())
        trust_value(app.trust_file, app.root(), name, app.in_force.waiting[name])
        app.say(f"Trusted: {name}.")
        app.report({"setting": name, "approved": True}, list)
        return
    from clawgit.history.unreviewed_additions import approve_unreviewed, find_unreviewed

    found = find_unreviewed(history, name)
    done = approve_unreviewed(history, name, intent)
    report_change(app, done, f"Approved: {name}. Nothing in the files changed.", proposal=name)
    for text in found.added:
        app.say(f"     + {text}")


def reject_other(app: App, history: History, name: str, reason: str) -> None:
    """Take an addition back, or put the value in force back into CONFIG.md."""
    intent = app.intent(history)
    if name in waiting_settings(app):
        from clawgit.history.set_setting import set_setting

        assert app.in_force is not None
        value = getattr(app.in_force.settings, name)
        if not isinstance(value, (str, int, float)):
            raise ClawgitError(f"{name} has several values.", hint="Edit CONFIG.md and commit it.")
        written = str(value).lower() if isinstance(value, bool) else str(value)
        report_change(
            app, set_setting(history, name, written, intent), f"CONFIG.md says {name}: {written} again."
        )
        return
    from clawgit.history.undo.undo import find_undoing, undo
    from clawgit.history.unreviewed_additions import find_unreviewed

    found = find_unreviewed(history, name)
    done = undo(history, find_undoing(history, found.change.commit_id), reason, intent)
    report_change(app, done, f"Taken back: {found.change.summary}.", proposal=name)


def unreviewed_data(found: Unreviewed) -> dict[str, Any]:
    """Return one addition as JSON has it."""
    change = found.change
    return {
        "id": found.proposal_id,
        "commit": change.commit_id,
        "actor": change.actor,
        "at": change.at,
        "summary": change.summary,
        "added": list(found.added),
    }


def unreviewed_lines(found: Unreviewed) -> list[str]:
    """Return one addition for a person."""
    change = found.change
    return [
        f"{found.proposal_id}  added by the {change.actor} on {change.at[:10]}, unreviewed: {change.summary}",
        *(f"     + {text}" for text in found.added),
        f"  `clawgit soul approve {found.proposal_id}` lets it stay.",
        f"  `clawgit soul reject {found.proposal_id} --reason …` takes it back.",
        "",
    ]


def setting_line(key: str) -> str:
    """Return one value that waits."""
    return f"{key} in CONFIG.md has a new value: `clawgit soul approve {key}` (or `clawgit trust {key}`)"
