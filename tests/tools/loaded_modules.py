"""Which modules a command loads: the program runs as it is, and tells when it ends."""

from __future__ import annotations

TELLS_MODULES = (
    "import sys; from clawgit.__main__ import main; sys.argv = ['clawgit', *sys.argv[1:]]; code = main();"
    "sys.stderr.write('\\n|' + ' '.join(sys.modules)); sys.exit(code)"
)


def told_modules(said: str) -> tuple[str, set[str]]:
    """Return what a command said, and the modules that it told of."""
    err, _, modules = said.rpartition("\n|")
    return err, set(modules.split())
