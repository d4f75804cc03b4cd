"""Code is written as statements: counts of what folds a decision into an expression, as ceilings that only fall.

A change that needs a higher ceiling is written in another way; one that leaves a count well below lowers it.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "clawgit").rglob("*.py"))
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IMPORTED_BY_NAME = re.compile(r"[a-z_][\w.]*:[a-z_]\w*")
SHORT = 60  # lines of a module
IMPORTERS = ROOT / "clawgit/capture/transcripts"  # each is a module of its own, however few lines it has

CEILINGS = {
    "a conditional expression within another": 0,
    "an assignment of two calls to two names": 0,
    "a function named by a string": 1,  # an event of OpenClaw's
    "a parameter or attribute looked up by a name that is computed": 26,
    "a comprehension with two conditions": 0,
    "a module of less than 60 lines": 11,
    "a conditional expression": 1163,
    "a comprehension": 2255,
}


def folds(tree: ast.AST) -> Iterator[tuple[str, int]]:
    nodes = [*ast.walk(tree)]
    commands = _commands(nodes)
    for node in nodes:
        if isinstance(node, ast.IfExp):
            yield "a conditional expression", node.lineno
            if any(isinstance(child, ast.IfExp) for child in ast.iter_child_nodes(node)):
                yield "a conditional expression within another", node.lineno
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            calls = sum(isinstance(value, ast.Call) for value in node.value.elts)
            if calls > 1 and isinstance(node.targets[0], ast.Tuple):
                yield "an assignment of two calls to two names", node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if IMPORTED_BY_NAME.fullmatch(node.value) and node not in commands:
                yield "a function named by a string", node.lineno
        elif isinstance(node, ast.Call) and _is_lookup(node):
            yield "a parameter or attribute looked up by a name that is computed", node.lineno
        elif isinstance(node, COMPREHENSIONS):
            yield "a comprehension", node.lineno
            if sum(len(part.ifs) for part in node.generators) > 1:
                yield "a comprehension with two conditions", node.lineno


def _commands(nodes: list[ast.AST]) -> set[ast.AST]:
    """Return the places in a table of commands, each beside its help: what a command line loads is one of them."""
    return {
        node.elts[0]
        for node in nodes
        if isinstance(node, ast.Tuple)
        and len(node.elts) == 2
        and all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in node.elts)
    }


def _is_lookup(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("signature", "import_module"):
        return True
    is_computed = len(call.args) > 1 and not isinstance(call.args[1], ast.Constant)
    return name in ("getattr", "setattr") and is_computed


def places() -> dict[str, list[str]]:
    """Return where each of these stands."""
    places_by_fold: dict[str, list[str]] = {what: [] for what in CEILINGS}
    for path in MODULES:
        text = path.read_text("utf-8")
        name = str(path.relative_to(ROOT))
        for what, line in folds(ast.parse(text)):
            places_by_fold[what].append(f"{name}:{line}")
        if len(text.splitlines()) < SHORT and path.name != "__init__.py" and path.parent != IMPORTERS:
            places_by_fold["a module of less than 60 lines"].append(name)
    return places_by_fold


def test_no_more_is_folded_than_was() -> None:
    """One test for all of them: each process that had a part of them would read all modules."""
    too_many = {what: at for what, at in places().items() if len(at) > CEILINGS[what]}
    assert too_many == {}, "\n".join(
        line for what, at in too_many.items() for line in (what, *(_in_changed_files(at) or at))
    )


def _in_changed_files(at: list[str]) -> list[str]:
    """Return the places in files that differ from the last commit but one: among thousands, what was added is there."""
    listed = subprocess.run(
        ["git", "diff", "--name-only", "HEAD~1"], check=False, cwd=ROOT, capture_output=True, text=True
    )
    return [place for place in at if place.partition(":")[0] in listed.stdout.splitlines()]


def test_the_counts_see_what_they_count() -> None:
    """Mutant: a check whose pattern meets nothing."""
    verse = """
a = 1 if x else (2 if y else 3)
b, c = f(), g()
LOADED = {"add": "memory.memory:add_command"}
d = getattr(settings, name)
e = [each for each in found if each if each > 1]
"""
    counted = Counter(what for what, _ in folds(ast.parse(verse)))
    assert counted == dict.fromkeys(list(CEILINGS)[:5], 1) | {
        "a conditional expression": 2,
        "a comprehension": 1,
    }
