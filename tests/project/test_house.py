"""The rules of the house that no linter knows: sizes, names, and documents that match the code."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from demo.generated_docs import all_commands, renewed

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "clawgit").rglob("*.py"))
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}
EMPTY_LOCALS = {
    "said",
    "told",
    "found",
    "known",
    "asked",
    "kept",
    "held",
    "wanted",
}  # each stood for forty things


def test_no_module_is_longer_than_600_lines() -> None:
    assert {path.name: n for path in MODULES if (n := len(path.read_text().splitlines())) > 600} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in MODULES if EMPTY_NAMES & {*path.parts[:-1], path.stem}] == []


def test_functions_are_short_and_names_say_one_thing() -> None:
    """A function of 60 lines at most, a local with a name that says something, a class name for one thing.

    One test, for what takes long is reading all modules.
    """
    long, vague, classes = [], [], Counter[str]()
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        for node in (node for function in outer_functions(tree) for node in ast.walk(function)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if (node.end_lineno or 0) - node.lineno >= 60:
                    long.append(f"{path.name}:{node.name}")
            elif name_given(node) in EMPTY_LOCALS:
                vague.append(f"{path.name}:{node.lineno} {name_given(node)}")
        classes.update(
            node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"
        )
    assert (long, vague) == ([], [])
    assert [name for name, count in classes.items() if count > 1] == []


def outer_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the functions that are in no other one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        else:
            yield from outer_functions(node)


def name_given(node: ast.AST) -> str:
    """Return the name that a parameter or an assignment gives."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return ""


def test_every_package_says_what_it_is() -> None:
    silent = [
        p for p in MODULES if p.name == "__init__.py" and not ast.get_docstring(ast.parse(p.read_text()))
    ]
    assert silent == []


@pytest.mark.parametrize("words", [words for words, _ in all_commands()])
def test_every_command_has_help_with_a_sentence(words: str) -> None:
    command = dict(all_commands())[words]
    assert command.help
    assert command.get_short_help_str(200).endswith(".")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_lists_made_from_the_code_are_up_to_date(path: Path) -> None:
    text = path.read_text("utf-8")
    assert renewed(text) == text, f"python -m demo.generated_docs {path.name}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_files_that_exist(path: Path) -> None:
    named = re.findall(
        r"`((?:clawgit|docs|hooks|tests|templates|benchmarks)/[\w./-]+)`", path.read_text("utf-8")
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_links_of_documents_lead_somewhere() -> None:
    """A file that exists, and a heading that it has."""
    texts = {
        path: re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for path in DOCUMENTS
    }
    dead = []
    for path, text in texts.items():
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            name, _, anchor = link.partition("#")
            goal = (path.parent / name).resolve() if name else path
            headings = re.findall(r"^#+ (.+)$", texts.get(goal, ""), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}
            if not goal.exists() or (anchor and anchor not in anchors):
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_tables_of_documents_have_no_gap() -> None:
    gap = re.compile(r"^\|.*\n\n(\|.*)\n(?!\|[ :|-]+\n)", re.MULTILINE)
    assert [(path.name, row) for path in DOCUMENTS for row in gap.findall(path.read_text("utf-8"))] == []


def test_contributing_names_only_what_exists() -> None:
    """A module by its name alone, a target of the Makefile, and each name of the code."""
    source = "\n".join(path.read_text("utf-8") for path in (*MODULES, *ROOT.glob("tests/**/*.py")))
    words = set(re.findall(r"\w+", source))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    files = {path.name for path in (*MODULES, *ROOT.glob("tests/**/*.py"))}
    missing = []
    for name in re.findall(r"`([^`\n]+)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        if name.startswith("make "):
            is_there = re.search(rf"^{name[5:]}:", makefile, re.MULTILINE) is not None
        elif re.fullmatch(r"\w+\.py", name):
            is_there = name in files or name == "x_lines.py"  # the importer that is to be added
        elif re.fullmatch(r"\w+", name):
            is_there = name in words
        else:
            continue
        if not is_there:
            missing.append(name)
    assert missing == []


def test_benchmarks_and_the_demo_import_what_is_there() -> None:
    missing = []
    for path in (*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("demo/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("clawgit"):
                place = ROOT.joinpath(*node.module.split("."))
                for name in node.names:
                    if not (place / f"{name.name}.py").exists() and not _has(place, name.name):
                        missing.append(f"{path.name}: {node.module}.{name.name}")
    assert missing == []


def _has(place: Path, name: str) -> bool:
    """Say whether a module has a name of its own; nothing is run."""
    module = place / "__init__.py"
    if place.with_suffix(".py").exists():
        module = place.with_suffix(".py")
    if not module.exists():
        return False
    own = rf"^(?:def|class|async def) {name}\b|^[\w, ]*\b{name}\b[^()\n]* =|^(?:from|import) .*\b{name}\b|^    {name},$"
    return bool(re.search(own, module.read_text("utf-8"), re.MULTILINE))


def test_the_readme_shows_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "make up" in text
    assert "make test" in text


def test_every_target_of_the_makefile_explains_itself() -> None:
    done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, check=True, text=True)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [target for target in targets if target not in done.stdout] == []
