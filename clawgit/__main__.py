"""Where every command starts, and the one boundary at which errors become exit codes."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line and return its exit status."""
    if sys.platform == "win32":
        sys.stderr.write("clawgit runs on Linux and macOS; on Windows, use it inside WSL.\n")
        return 1
    if sys.argv[1:3] == ["hooks", "run"] and len(sys.argv) > 3 and not sys.argv[3].startswith("-"):
        from clawgit.cli.hook_run import run_hook  # noqa: PLC0415 - before click is imported

        return run_hook(sys.argv[3:])
    from clawgit.cli.main import run  # noqa: PLC0415 - hooks and triage branch off before click is imported

    return run(sys.argv[1:], dict(os.environ))


if __name__ == "__main__":
    sys.exit(main())
