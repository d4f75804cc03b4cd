"""How a host gets a change of memory through, and what it is told: made, or asked with the diff."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from clawgit.cli.change_output import change_data, say_change, say_kept
from clawgit.cli.memory.entry_output import correction_data
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.agents.message_door import Door, Passed
    from clawgit.cli.app import App


@contextmanager
def open_door(app: App) -> Iterator[Door]:
    """Open the messages and the history for a change that rests on the operator's message.

    Raises:
        ClawgitError: This runs for somebody who is no host.
    """
    from clawgit.agents.authorised_edits import Authority
    from clawgit.agents.message_door import Door
    from clawgit.capture.messages.open_messages import open_messages

    if app.actor not in ("host", "operator"):
        raise ClawgitError(f"This runs for the {app.actor}, who has no way to memory but its own plans.")
    history = app.history()
    now = app.now(history)
    with open_messages(history, now) as store:
        yield Door(Authority(history, store, now, asks_always=True), app.intent(history))


def report_passed(app: App, passed: Passed) -> None:
    """Tell what became of it; that it is asked is no failure."""
    data: dict[str, Any] = change_data(passed.recorded) | {"outcome": passed.outcome}
    data |= correction_data(passed.correction) if passed.correction else {}
    if passed.added is not None:
        data |= {"path": passed.added.path, "entry": passed.added.entry_id}
    if passed.objection is not None:
        data["why"] = passed.objection.says
    _say(app, passed)
    app.report(data, lambda: [passed.recorded.commit_id] if passed.recorded.commit_id else [])


def _say(app: App, passed: Passed) -> None:
    correction, why = passed.correction, passed.objection.says if passed.objection else ""
    if passed.outcome == "asks" and correction is not None:
        say_kept(app, passed.recorded.kept)
        app.say(f"The operator is asked (x:{correction.correction_id}): {why}")
        app.say(f"- {correction.said}\n+ {correction.proposed}")
        app.say(
            f"`clawgit approve x:{correction.correction_id}` is the operator's; leave MEMORY.md as it is."
        )
    elif passed.added is not None:
        said = f"Remembered in {passed.added.path}: {passed.added.line}"
        say_change(app, passed.recorded, said)
        if why:
            app.say(f"It rests on the host's words, since the message does not carry it: {why}")
    elif correction is not None and passed.recorded.commit_id:
        said = f"x:{correction.correction_id}: the entry says now: {correction.correct}"
        say_change(app, passed.recorded, said)
    elif correction is not None and passed.outcome == "applied":
        app.say(
            f"x:{correction.correction_id}: done before, by the same message. It reads now: {correction.correct}"
        )
    else:
        say_kept(app, passed.recorded.kept)
        app.say(why or "Nothing was changed.")
    for note in passed.notes:
        app.say(note)
