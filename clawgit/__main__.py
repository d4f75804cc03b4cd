"""The start of every command, and the one boundary at which errors become exit codes."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a checkout can be started with any
    sys.exit(f"clawgit needs Python 3.11 or newer; this is Python {sys.version.split()[0]}.")

# More objects than a command makes; with Python's own 700, collecting took a tenth of that.
OBJECTS_BETWEEN_COLLECTIONS = 100_000
# Commands that the service may do.
MAY_BE_SERVED = frozenset(
    {"status", "triage", "log", "search", "remember", "memory", "chat", "soul", "context"}
    | {"pending", "correct", "why", "keep", "changelog", "conflicts", "corrections", "digest"}
    | {"runs", "config", "workspaces", "quarantine", "receipts"}
)


def program() -> None:
    """Run the command line as a process, which ends with its exit status."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        status = main()
    except KeyboardInterrupt:  # while it began
        status = 130
    if _can_just_end():
        os._exit(status)  # Python takes 10 ms to take apart what it is about to forget
    sys.exit(status)


def _can_just_end() -> bool:
    """Say whether the process can end without Python's clean-up: output is flushed, no thread, no exit handler."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    threading = sys.modules.get("threading")
    return atexit._ncallbacks() == 0 and (threading is None or threading.active_count() == 1)


def main() -> int:
    """Run the command line and return its exit status."""
    if sys.platform == "win32":
        sys.stderr.write("clawgit runs on Linux and macOS; on Windows, use it inside WSL.\n")
        return 1
    if isinstance(sys.stdout, io.TextIOWrapper):  # letters that it has not are spelt: no reason to stop
        sys.stdout.reconfigure(errors="backslashreplace")
    words = sys.argv[1:]
    if words[:2] == ["hooks", "run"] and len(words) > 2 and not words[2].startswith("-"):
        from clawgit.cli.workspace.hook_run import run_hook
        from clawgit.history.authorship.host_signs import bear_sign_from_above

        bear_sign_from_above(os.environ)
        refused = run_hook(words[2:])
        if not refused:
            os._exit(0)  # Python takes 20 ms to take apart what it is about to forget
        return refused
    status = _done_early(words)
    if status is not None:
        return status
    from clawgit.cli.main import run
    from clawgit.history.authorship.host_signs import bear_sign_from_above

    bear_sign_from_above(os.environ)
    return run(words, dict(os.environ))


def _done_early(words: list[str]) -> int | None:
    """Return the exit status of a command without click, done by the service or triage; None for others."""
    status = None
    if not MAY_BE_SERVED.isdisjoint(words):
        from clawgit.client import served

        status = served(words, os.environ)
    if status is None and "triage" in words:
        from clawgit.cli.chat.triage_start import start_triage

        status = start_triage(words, os.environ)
    return status


if __name__ == "__main__":
    program()
