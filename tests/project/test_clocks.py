"""No test asserts how long something took: a busy machine, not the code, would make it fail.

What hangs is ended by `faulthandler_timeout`; figures are what `make bench` is for.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests_folder import TESTS

if TYPE_CHECKING:
    from collections.abc import Iterator

CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns"}
CLOCKS |= {"thread_time", "thread_time_ns", "time", "time_ns"}


def timed_assertions(text: str) -> list[int]:
    """Return the lines of assertions that rest on a clock, at first hand or through names and functions of the file."""
    if "import time" not in text and "from time" not in text:
        return []
    tree = ast.parse(text)
    imported = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "time"
        for name in node.names
        if name.name in CLOCKS
    }
    timed = set(imported)
    while found := {name for name in names_of_readings(tree, timed) if name not in timed}:
        timed |= found
    return [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and reads(node.test, timed)
    ]


def names_of_readings(tree: ast.Module, timed: set[str]) -> Iterator[str]:
    """Return the names that are given what a clock says, and the functions that return it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value and reads(node.value, timed):
            yield from (
                each.name
                for each in ast.walk(tree)
                if isinstance(each, ast.FunctionDef) and node in ast.walk(each)
            )
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = [each for target in targets for each in getattr(target, "elts", [target])]
            if reads(node.value, timed):
                yield from (each.id for each in named if isinstance(each, ast.Name))


def reads(expression: ast.expr, timed: set[str]) -> bool:
    """Say whether a value comes from a clock: a name of ``timed``, or `time.x` itself."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and node.id in timed:
            return True
        is_of_time = (
            isinstance(node, ast.Attribute) and node.attr in CLOCKS and isinstance(node.value, ast.Name)
        )
        if is_of_time and node.value.id == "time":
            return True
    return False


@pytest.mark.parametrize(
    "text",
    [
        "import time\nstart = time.monotonic()\nwork()\nassert time.monotonic() - start < 3",
        "import time\ndef f():\n    a = time.time()\n    took = time.time() - a\n    assert took < 3",
        "from time import process_time as now\nassert now() < 3",
        "import time\ndef took():\n    return time.monotonic()\ndef f():\n    code, seconds = took()\n    assert seconds < 3",
    ],
    ids=["a difference", "through a name", "another name of the clock", "through a function"],
)
def test_a_timed_assertion_is_found(text: str) -> None:
    assert timed_assertions(text) == [text.count("\n") + 1]


@pytest.mark.parametrize(
    "text",
    [
        "import time\nwhile time.monotonic() < until():\n    pass\nassert done()",
        "import os, time\nos.utime(path, (time.time() - 75, time.time() - 75))\nassert 'for 7' in said()",
        "assert self.clock.monotonic() == 3",
    ],
    ids=["a loop", "a file's age", "a clock of the test's own"],
)
def test_what_only_waits_is_none(text: str) -> None:
    assert timed_assertions(text) == []


def test_no_test_asserts_a_moment_or_a_duration() -> None:
    found = {
        path.relative_to(TESTS).as_posix(): lines
        for path in TESTS.rglob("*.py")
        if (lines := timed_assertions(path.read_text("utf-8")))
    }
    assert found == {}
