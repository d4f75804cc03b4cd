"""Expressions that one command compiled are there for the next, or are compiled again.

Mutants: a file of another version is taken, one that others can write, one that is cut off.
"""

from __future__ import annotations

import marshal
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from clawgit import __version__
from clawgit.text.lazy_pattern import MADE_BY, compiled_here, kept_forms, lazy_bytes_pattern, lazy_pattern
from clawgit.workspace.user.pattern_cache import FILE, keep_patterns, revive_patterns
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

LONG = "|".join(f"box {number} of shelf {number * 7}(?P<of_{number}>[a-zä])?" for number in range(40))
NEXT = (
    "from clawgit.text.lazy_pattern import compiled_here, lazy_pattern;"
    "from clawgit.workspace.user.pattern_cache import keep_patterns, revive_patterns; import re;"
    "revive_patterns(); found = lazy_pattern({text!r}, re.IGNORECASE).search('on BOX 7 of shelf 49ä');"
    "print(found[0], found['of_7'], len(compiled_here)); keep_patterns()"
)


def next_command(text: str = LONG) -> str:
    """Look something up in a process of its own; return what it found and how many expressions it compiled."""
    done = subprocess.run(
        [sys.executable, "-c", NEXT.format(text=text)], capture_output=True, check=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def cache() -> Path:
    """Return the file, as a command left it that compiled one long expression."""
    assert next_command() == "BOX 7 of shelf 49ä ä 1"
    return cache_folder() / FILE


def test_what_one_command_compiled_the_next_takes_from_the_cache(cache) -> None:
    assert next_command() == "BOX 7 of shelf 49ä ä 0"
    assert cache.stat().st_mode & 0o077 == 0


def test_what_takes_no_time_is_not_worth_a_file() -> None:
    revive_patterns()
    assert lazy_pattern("box 42").search("box 42")
    keep_patterns()

    assert not (cache_folder() / FILE).exists()


def test_what_is_new_comes_to_what_is_there(cache) -> None:
    assert next_command(f"{LONG}|more") == "BOX 7 of shelf 49ä ä 1"

    assert next_command() == "BOX 7 of shelf 49ä ä 0"
    assert next_command(f"{LONG}|more") == "BOX 7 of shelf 49ä ä 0"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="emptied"),
        pytest.param(b"\0" * 100, id="zeros"),
        pytest.param(marshal.dumps([1, 2]), id="of another shape"),
        pytest.param(marshal.dumps(("0", MADE_BY, {(LONG, re.I.value): ()})), id="of another version"),
        pytest.param(marshal.dumps((__version__, "x", {(LONG, re.I.value): ()})), id="of another Python"),
        pytest.param(
            marshal.dumps((__version__, MADE_BY, {(LONG, re.I.value): (34, b"1234", 40, {}, ())})),
            id="refused by the engine",
        ),
        pytest.param(None, id="cut in half"),
    ],
)
def test_a_cache_that_is_not_as_expected_is_made_again(cache, data) -> None:
    cache.write_bytes(cache.read_bytes()[: cache.stat().st_size // 2] if data is None else data)

    assert next_command() == "BOX 7 of shelf 49ä ä 1"
    assert next_command() == "BOX 7 of shelf 49ä ä 0"


def test_a_cache_that_others_can_write_is_not_read(cache) -> None:
    cache.chmod(0o620)

    assert next_command() == "BOX 7 of shelf 49ä ä 1"


def test_without_a_place_for_the_cache_expressions_are_compiled(monkeypatch, tmp_path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert next_command() == "BOX 7 of shelf 49ä ä 1"
    assert next_command() == "BOX 7 of shelf 49ä ä 1"


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        pytest.param(LONG, 0, id="long"),
        pytest.param("(?i)box|schließfach", 0, id="a flag inside"),
        pytest.param("^box (?P<number>\\d+)$", re.MULTILINE | re.DOTALL, id="flags"),
        pytest.param("[\u3040-\u30ff\u3400-\u9fff]", 0, id="many letters"),
        pytest.param(b"(?:box)+\\s", 0, id="bytes"),
    ],
)
def test_what_is_compiled_here_is_what_python_compiles(text, flags) -> None:
    lazy = lazy_bytes_pattern(text, flags) if isinstance(text, bytes) else lazy_pattern(text, flags)

    expected = re.compile(text, flags)
    assert (lazy.flags, lazy.groups, lazy.groupindex) == (
        expected.flags,
        expected.groups,
        expected.groupindex,
    )
    assert lazy._pattern == expected
    assert (text, int(flags)) in kept_forms(compiled_here)
