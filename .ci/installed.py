"""Say whether the clawgit that is installed here is the one of a checkout, and needs nothing that is not installed with it.

Takes the checkout's folder. What tests then prove of the checkout's files holds of the installed ones.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import clawgit

PLACES = {"clawgit": "", "docs": "_data/docs", "hooks": "_data/hooks", "templates": "_data/templates"}
SHIPPED = ("clawgit", "docs/*.md", "hooks", "templates")
OF_EXTRAS = (  # each is loaded where its extra is there, and nowhere else
    "clawgit.recall.embedders",
    "clawgit.recall.vectors",
    "clawgit.capture.messages.postgres_messages",
    "clawgit.service.http_server",
    "clawgit.page.",
)
OPTIONAL = {"tokenizers"}  # used where the operator has installed it


def differing(checkout: Path, package: Path) -> list[str]:
    """Return the files that are missing, differ or are there beside those of the checkout."""
    listed = subprocess.run(
        ["git", "ls-files", *SHIPPED], cwd=checkout, check=True, capture_output=True, text=True
    )
    wanted = {}
    for name in listed.stdout.splitlines():
        folder, _, rest = name.partition("/")
        wanted[Path(PLACES[folder], rest).as_posix()] = (checkout / name).read_bytes()
    there = {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def missing(package: Path) -> list[str]:
    """Return the imports, wherever they stand in a module, of what is not installed; modules of extras aside."""
    found = []
    for path in sorted(package.rglob("*.py")):
        name = ".".join(("clawgit", *path.relative_to(package).with_suffix("").parts)).removesuffix(
            ".__init__"
        )
        if name.startswith(OF_EXTRAS):
            continue
        importlib.import_module(name) if not name.endswith("__main__") else None
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            tops = {each.partition(".")[0] for each in names}
            absent = (top for top in tops - OPTIONAL if importlib.util.find_spec(top) is None)
            found += [f"{name}: {top}" for top in absent]
    return found


if __name__ == "__main__":
    package = Path(clawgit.__file__).parent
    wrong = {"differs": differing(Path(sys.argv[1]), package), "not installed": missing(package)}
    for what, names in wrong.items():
        for each in names:
            sys.stdout.write(f"{what}: {each}\n")
    sys.exit(any(wrong.values()))
