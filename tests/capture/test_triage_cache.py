"""Triage starts from a cache that is right or not used: patterns in force, and ours as this Python compiled them.

Mutants that these tests caught: a cache that is written for an uncommitted CONFIG.md, one that is not compared with
the file, expressions of another Python taken, expressions that are not looked at once more by the engine, a
cache that is written again by everyone who asks.
"""

from __future__ import annotations

import marshal
import re
import subprocess
import sys

import pytest

from clawgit.capture.messages.incoming_message import patterns_in_force
from clawgit.capture.triage_cache import CACHE, cache_bytes, cached_patterns
from clawgit.history.authorship.settings_in_force import read_settings
from clawgit.history.git.repository import History, open_history
from clawgit.text import lazy_pattern as expressions
from clawgit.text.lazy_pattern import MADE_BY, all_compiled
from clawgit.understanding.triage.custom_patterns import read_patterns
from clawgit.understanding.triage.triage_message import triage

TEXT = "No, I already told you: don't forget, the port is 8443 now."


def opened(room) -> History:
    history = open_history(room.root)
    history.settings = read_settings(history, lambda _key, _value: False).settings
    return history


def asked(room) -> list[str]:
    """Look the patterns up in the history, as a new process does."""
    return [each.pattern for each in patterns_in_force(opened(room))]


def cached(room) -> list[str] | None:
    found = cached_patterns(str(room.root), str(room.history.state))
    return None if found is None else [each.pattern for each in found]


def set_patterns(room, written: str) -> None:
    room.write("CONFIG.md", f"```yaml\nheartbeat_custom_patterns: {written}\n```\n")


def test_what_was_looked_up_once_is_cached(room) -> None:
    assert cached(room) is None
    set_patterns(room, "[/a/, /b/]")
    room.git("commit", "-qam", "patterns")

    assert asked(room) == ["a", "b"]
    assert cached(room) == ["a", "b"]


def test_what_is_cached_is_not_written_again(room) -> None:
    asked(room)
    written = (room.history.state / CACHE).stat()
    asked(room)

    found = (room.history.state / CACHE).stat()
    assert (found.st_ino, found.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)


def test_an_edit_of_config_makes_it_look_again_until_it_is_committed(room) -> None:
    set_patterns(room, "[/a/]")
    room.git("commit", "-qam", "patterns")
    asked(room)
    set_patterns(room, "[/b/]")

    assert cached(room) is None
    assert asked(room) == ["a"]  # what nobody committed is not in force
    assert cached(room) is None
    room.git("commit", "-qam", "others")
    assert asked(room) == ["b"]
    assert cached(room) == ["b"]


def test_without_config_there_are_no_patterns_and_that_is_cached_too(room) -> None:
    room.git("rm", "-q", "CONFIG.md")
    room.git("commit", "-qm", "no settings")

    assert asked(room) == []
    assert cached(room) == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="emptied"),
        pytest.param(b"\0" * 100, id="zeros"),
        pytest.param(b"no cache", id="foreign"),
        pytest.param(marshal.dumps((0, b"", [], "", {})), id="of another format"),
        pytest.param(marshal.dumps([1, 2]), id="of another shape"),
        pytest.param(None, id="cut in half"),
    ],
)
def test_a_damaged_cache_is_as_none(room, data) -> None:
    asked(room)
    path = room.history.state / CACHE
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if data is None else data)

    assert cached(room) is None


def test_what_cannot_be_run_is_cached_with_its_problem(room) -> None:
    set_patterns(room, "[/(a/, /b/x]")
    room.git("commit", "-qam", "patterns")
    problems = [each.problem for each in patterns_in_force(opened(room))]

    found = cached_patterns(str(room.root), str(room.history.state))
    assert found is not None
    assert [each.problem for each in found] == problems
    assert all(problems)


def test_revived_expressions_are_the_compiled_ones() -> None:
    for (text, _), (flags, code, *groups) in all_compiled().items():
        revived = expressions._sre.compile(text, flags, memoryview(code).cast("I").tolist(), *groups)
        assert revived == re.compile(text)


def run_with(data: bytes, tmp_path, text: str = TEXT) -> tuple[str, set[str]]:
    """Triage in a process of its own that starts from this cache; return what it says and what it imported."""
    (tmp_path / CACHE).write_bytes(data)
    code = (
        "import sys; from clawgit.capture.triage_cache import cached_patterns; from clawgit.understanding.triage.triage_message import triage;"
        f"cached_patterns({str(tmp_path)!r}, {str(tmp_path)!r}); print(*triage({text!r}).matched, '|', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    said, _, modules = done.stdout.partition("|")
    return said.strip(), set(modules.split())


@pytest.mark.parametrize(
    "text", [TEXT, "아니야, 목요일이야.", "不对，是周四。"], ids=["English", "Korean", "Chinese"]
)
def test_with_the_cache_nothing_is_compiled(tmp_path, text: str) -> None:
    said, modules = run_with(cache_bytes(b"", []), tmp_path, text)

    assert said.split() == list(triage(text).matched)
    assert not {"re", "json", "enum"} & modules


def test_what_another_python_compiled_is_compiled_again(tmp_path) -> None:
    made = marshal.loads(cache_bytes(b"", []))
    nothing = expressions._taken_apart("(?!)", 0)
    wrong = dict.fromkeys(made[4], nothing)

    said, modules = run_with(marshal.dumps((*made[:3], f"{MADE_BY}x", wrong)), tmp_path)

    assert said.split() == list(triage(TEXT).matched)
    assert "re" in modules


def test_an_expression_that_the_engine_refuses_is_compiled_again(tmp_path) -> None:
    made = marshal.loads(cache_bytes(b"", read_patterns([])))
    wrong = {key: (row[0], row[1][:-8], *row[2:]) for key, row in made[4].items()}

    said, _ = run_with(marshal.dumps((*made[:4], wrong)), tmp_path)

    assert said.split() == list(triage(TEXT).matched)


def test_a_cache_of_other_expressions_is_as_none(room) -> None:
    asked(room)
    path = room.history.state / CACHE
    version, config, rows, made_by, kept = marshal.loads(path.read_bytes())
    kept.pop(next(iter(kept)))
    path.write_bytes(marshal.dumps((version, config, rows, made_by, kept)))

    assert cached(room) is None
