"""`clawgit session compact` and `session prune`: a transcript as a shorter one, the original untouched."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, FormatChoice, picked
from clawgit.cli.new_file import new_file
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.paths import user_path
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.capture.sessions.compact_transcript import Compacted, Pruned
    from clawgit.history.git.repository import History

STDOUT = Path("-")


def _transcript(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        help="A new file for the result, or `-` for stdout.",
    )(command)
    formats = FormatChoice(written=True)
    command = click.option(
        "--format", "kind", type=formats, help="The format of TRANSCRIPT; the default is to detect it."
    )(command)
    return click.argument("transcript", type=click.Path(path_type=Path))(command)


@click.command("compact", cls=Command)
@_transcript
@click.option(
    "--keep-turns", type=click.IntRange(min=0), default=10, show_default=True, help="The last ones, whole."
)
@click.option(
    "--summary-tokens",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="At most so much for the rest.",
)
@click.option(
    "--summary", default="", help="A summary of your own, as from a model; `-` reads it from stdin."
)
@click.pass_obj
def compact_command(
    app: App, /, transcript: Path, kind: str | None, output: Path | None, summary: str, **shape: int
) -> None:
    """Shorten TRANSCRIPT: summarise its early turns.

    The late turns stay whole. The result has the same format.

    Without a summary of yours it is made of the turns' own sentences: what is lasting first, nothing reworded. Without -o, only
    what would become of it is told. TRANSCRIPT stays as it is. Flush memory first: what the summary leaves out is not in the
    prompt any more.

    \b
    Examples:
      clawgit session compact session.jsonl
      clawgit session compact session.jsonl --keep-turns 10 -o smaller.jsonl --json
    """
    from clawgit.capture.sessions.compact_transcript import Shape, compact_transcript

    _check_output(app, output)
    lines, found = _read(transcript, kind)
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if summary == "-" else summary
    done = compact_transcript(lines, found, Shape(**shape), summary=text.strip())
    _write(output, done.lines)
    app.say(_compacted_sentence(transcript, done) + _written(output, done.why_not))
    _report(app, output, _compacted_data(done, output), done.summary)


def _compacted_sentence(transcript: Path, done: Compacted) -> str:
    if done.why_not:
        return f"{transcript} stays as it is: {done.why_not}."
    return (
        f"{done.summarised:,} of {done.summarised + done.kept:,} turns summarised, {done.kept:,} whole: about {done.before:,} tokens become "
        f"{done.after:,}."
    )


def _compacted_data(done: Compacted, output: Path | None) -> dict[str, Any]:
    return {
        "compacted": not done.why_not,
        "why_not": done.why_not or None,
        **picked(done, "summarised kept tokens_before=before tokens_after=after summary"),
        "output": output,
    }


@click.command("prune", cls=Command)
@_transcript
@click.option(
    "--window", type=click.IntRange(min=1), default=200_000, show_default=True, help="The model's window."
)
@click.option(
    "--last-call", metavar="TIME", help="When the model answered last; the default is what TRANSCRIPT says."
)
@click.pass_obj
def prune_command(
    app: App,
    /,
    transcript: Path,
    kind: str | None,
    output: Path | None,
    window: int,
    last_call: str | None,
) -> None:
    """Cut old tool results in TRANSCRIPT.

    Keeps head and tail of each. Empties the oldest if that is not enough.

    Only once the prompt cache has lapsed (prune_mode, prune_ttl), so that it costs nothing. The results since the third-last answer
    (prune_keep_last_assistants) and what is before the first message of the user stay whole. Without -o, only what would
    become of it is told. TRANSCRIPT stays as it is.

    \b
    Examples:
      clawgit session prune session.jsonl --window 200000
      clawgit session prune session.jsonl --last-call 2026-03-19T10:00 -o pruned.jsonl --json
    """
    from clawgit.capture.sessions.compact_transcript import Pruned, policy_of, prune_transcript

    _check_output(app, output)
    history = app.history()
    lines, found = _read(transcript, kind)
    why_not = _why_no_pruning(app, history, (lines, found), last_call)
    if why_not:
        done = Pruned(tuple(lines), 0, 0, 0, 0)
    else:
        done = prune_transcript(lines, found, window, policy_of(history.settings))
        why_not = "" if done.trimmed or done.cleared else "no old result is long, or the prompt has room"
    _write(output, done.lines)
    app.say(_pruned_sentence(transcript, done, why_not) + _written(output, why_not))
    _report(app, output, _pruned_data(done, why_not, output), "")


def _why_no_pruning(
    app: App, history: History, read: tuple[Sequence[bytes], str], last_call: str | None
) -> str:
    """Return why nothing is pruned now, by the settings alone; empty if something may be."""
    from clawgit.capture.sessions.compact_transcript import cache_lapsed
    from clawgit.capture.sessions.compact_transcript import last_call as told_by

    settings = history.settings
    if settings.prune_mode == "off":
        return "prune_mode is off"
    called = told_by(*read) if last_call is None else app.moment(last_call, history)
    if called is not None and not cache_lapsed(called, app.now(history), settings.prune_ttl):
        return (
            f"the prompt cache is still good: the model answered less than {settings.prune_ttl} seconds ago"
        )
    return ""


def _pruned_sentence(transcript: Path, done: Pruned, why_not: str) -> str:
    if why_not:
        return f"{transcript} stays as it is: {why_not}."
    return (
        f"{done.trimmed:,} results are cut, {done.cleared:,} cleared: {done.before:,} characters become "
        f"{done.after:,}."
    )


def _pruned_data(done: Pruned, why_not: str, output: Path | None) -> dict[str, Any]:
    return {
        "pruned": not why_not,
        "why_not": why_not or None,
        **picked(done, "trimmed cleared chars_before=before chars_after=after"),
        "output": output,
    }


def _check_output(app: App, output: Path | None) -> None:
    if output == STDOUT and app.as_json:
        raise UsageError("With --json stdout is taken.", hint="Give -o a file.")


def _read(transcript: Path, kind: str | None) -> tuple[list[bytes], str]:
    from clawgit.capture.transcripts.importing import format_of, refuse_unwritable

    try:
        with open_regular(user_path(str(transcript))) as file:
            lines = list(file)
    except OSError as error:
        raise ClawgitError(f"{transcript} cannot be read ({error.strerror}).") from error
    found = kind or format_of(lines)
    refuse_unwritable(found, transcript)
    return lines, found


def _write(output: Path | None, lines: Sequence[bytes]) -> None:
    if output == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
    elif output is not None:
        with new_file(user_path(str(output))) as file:
            file.buffer.writelines(lines)


def _written(output: Path | None, why_not: str) -> str:
    return "" if output is not None or why_not else " Nothing was written: -o FILE does that."


def _report(app: App, output: Path | None, data: dict[str, Any], text: str) -> None:
    if output != STDOUT:
        app.report(data, lambda: [text] if text else [])
