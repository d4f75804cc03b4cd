"""Messages beside notes, in `clawgit memory search` and `memory get`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.memory.cited_messages import cited_messages, saying_data
from clawgit.errors import ClawgitError, UsageError

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History
    from clawgit.recall.get_lines import Got
    from clawgit.recall.search_results import Found, Wanted

OF_FILES = ("tier", "path", "category", "as_of", "deep")  # options that messages know nothing of


def messages_found(app: App, history: History, wanted: Wanted, options: dict[str, Any]) -> Found:
    """Search messages alone."""
    unfit = [name for name in (*OF_FILES, "smart") if options[name]]
    if unfit:
        raise UsageError(
            f"--{unfit[0].replace('_', '-')} is about files, and --source chat about messages.",
            hint="Give one of them.",
        )
    from clawgit.recall.search_messages import below_corrections

    return below_corrections(history, _searched(app, history, wanted), wanted, app.now(history))


def with_messages_found(
    app: App, history: History, notes: Found, wanted: Wanted, options: dict[str, Any]
) -> Found:
    """Put messages below the notes that were found; notes are shown also where messages cannot be read."""
    from clawgit.recall.search_messages import below_corrections, with_messages

    if options["source"] != "all" or any(options[name] for name in OF_FILES):
        return notes
    try:
        said = _searched(app, history, wanted)
    except ClawgitError as error:
        app.say(f"Messages were not searched: {error}")
        return notes
    return below_corrections(history, with_messages(notes, said, wanted), wanted, app.now(history))


def get_message(
    app: App, history: History, cited: str, first: int | None, count: int | None
) -> tuple[Got, dict[str, Any]]:
    """Return lines of a message, and who said it when; one that is not kept has none."""
    from clawgit.recall.get_lines import lines_got

    message = cited_messages(app, history, [cited]).get(cited)
    text = "" if message is None else message.text
    told = {} if message is None else {"source": "chat", "message": saying_data(message)}
    return lines_got(cited, text.encode("utf-8", "replace"), first, count), told


def _searched(app: App, history: History, wanted: Wanted) -> Found:
    from clawgit.capture.messages.open_messages import ask_briefly, has_messages
    from clawgit.recall.search import refuse_blank
    from clawgit.recall.search_messages import search_messages
    from clawgit.recall.search_results import Found

    now = app.now(history)
    if not has_messages(history):
        refuse_blank(wanted)  # all the same
        return Found()
    return ask_briefly(history, now, lambda store: search_messages(store, wanted, now))
