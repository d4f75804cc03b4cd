"""The rooms of the house: how many modules a folder has, which of them others may import, names that occur once."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from demo.generated_docs import public_modules

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clawgit"
FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")})
ROOMS = [folder for folder in FOLDERS if folder != PACKAGE and "cli" not in folder.parts]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for path in PACKAGE.rglob("*.py")
    if path.name != "__init__.py"
}


def imported_by(path: Path) -> set[str]:
    """Return the modules of clawgit that a file imports, for types alone too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("clawgit"):
            names = {f"{node.module}.{each.name}" for each in node.names}
            found |= {name if name in MODULES else str(node.module) for name in names}
    return found & MODULES.keys()


def package_of(module: str) -> str:
    return module.split(".")[1]


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports; all of them are read when a test asks, not when tests are collected."""
    return {module: imported_by(path) for module, path in MODULES.items()}


@cache
def from_outside() -> set[str]:
    """Return the modules that other packages import."""
    return {
        used
        for module, imported in imports().items()
        for used in imported
        if package_of(module) != package_of(used)
    }


def test_a_folder_names_the_modules_that_other_packages_import() -> None:
    """One test for all of them: each process that had a part of them would read all modules."""
    used: dict[str, set[str]] = {name_of(folder): set() for folder in ROOMS}
    for module in from_outside():
        folder, _, name = module.rpartition(".")
        if folder in used:
            used[folder].add(name)
    assert {name_of(folder): set(public_modules(folder)) for folder in ROOMS} == used


def name_of(folder: Path) -> str:
    return ".".join(folder.relative_to(ROOT).parts)


def test_a_folder_has_at_most_25_modules_and_its_init_imports_nothing() -> None:
    for folder in FOLDERS:
        assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= 25, folder
        init = ast.parse((folder / "__init__.py").read_text("utf-8"))
        imported = [node for node in ast.walk(init) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert imported == [], folder


PURE = ("text", "memory", "identity", "understanding", "plan")
DOES_IO = {
    "os",
    "pathlib",
    "io",
    "shutil",
    "subprocess",
    "socket",
    "sqlite3",
    "tempfile",
    "time",
    "urllib",
    "pygit2",
}


def test_pure_packages_import_nothing_that_does_io() -> None:
    found = {
        (module, name)
        for module, path in MODULES.items()
        if package_of(module) in PURE
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
        if name.partition(".")[0] in DOES_IO
    }
    assert found == set()


def test_operations_know_no_words_of_the_command_line() -> None:
    found = [
        module
        for module, path in MODULES.items()
        if package_of(module) == "operations"
        and re.search(r"^\s*(?:import|from) click", path.read_text(), re.M)
    ]
    assert found == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Types counted: a type that two modules need stands in the lower one."""
    left = {module: set(imported) for module, imported in imports().items()}
    while free := [module for module, imported in left.items() if not imported & left.keys()]:
        for module in free:
            del left[module]
    assert sorted(left) == []


def test_no_name_of_a_module_is_used_twice() -> None:
    """But where the command line or an operation mirrors an action, and where a guard or an undo is of the thing of that name."""
    stems = Counter(
        module.rpartition(".")[2]
        for module in MODULES
        if package_of(module) not in ("cli", "operations")
        and not module.startswith("clawgit.history.guards.")
    )
    assert {stem: count for stem, count in stems.items() if count > 1} == {}


def test_test_folders_have_at_most_25_modules() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert {f.name: n for f in folders if (n := len(list(f.glob("*.py")))) > 25} == {}


def test_the_map_of_the_rooms_is_complete() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    rooms = re.findall(r"^\| `(clawgit/[\w/]+)/` \|", text, re.MULTILINE)
    assert rooms == [f.relative_to(ROOT).as_posix() for f in FOLDERS if f != PACKAGE]
