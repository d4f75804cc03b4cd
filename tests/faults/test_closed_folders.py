"""A folder below memory/ that its owner closed: nothing in it is taken for gone, and whoever asks is told."""

from __future__ import annotations

import ctypes
import os
import sys

import pytest

from clawgit.cli.main import run

MAY_OPEN_ALL = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
PEOPLE = "memory/people"
CLOSED, LISTED_ONLY = 0o000, 0o444


def as_one_who_may_not(say, wait, root, *words) -> None:
    """Run a command without the right of root's to open everything."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        about, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        assert libc.capget(about, rights) == 0
        rights[0] &= ~MAY_OPEN_ALL
        assert libc.capset(about, rights) == 0
    wait()
    say(run(["-w", str(root), *words], dict(os.environ)))


@pytest.fixture
def told(room, start, capfd):
    """Return a way to run a command while the folder is closed, and to read what it said."""
    room.change({f"{PEOPLE}/mia.md": "- Mia has the key.\n", "memory/places.md": "- The key fits.\n"})

    def ask(mode: int, *words: str) -> str:
        (room.root / PEOPLE).chmod(mode)
        try:
            worker = start(as_one_who_may_not, room.root, *words)
            worker.go()
            assert worker.said() == [0]
        finally:
            (room.root / PEOPLE).chmod(0o755)
        return "".join(capfd.readouterr())

    return ask


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="rights are given up as on Linux")


@pytest.mark.smoke
@pytest.mark.parametrize("mode", [CLOSED, LISTED_ONLY])
@pytest.mark.parametrize(
    ("words", "named"),
    [
        pytest.param(
            ("memory", "search", "key"), "Not searched, since too large or not readable", id="search"
        ),
        pytest.param(("memory", "status"), "): memory/people/", id="memory status"),
        pytest.param(("status",), f"in a folder that you may not open: {PEOPLE}/mia.md", id="status"),
    ],
)
def test_whoever_asks_is_told_of_a_closed_folder(told, mode: int, words: tuple[str, ...], named: str) -> None:
    said = told(mode, *words)

    assert named in said
    assert PEOPLE in said


@pytest.mark.parametrize("mode", [CLOSED, LISTED_ONLY])
def test_what_can_be_read_is_searched_and_the_rest_is_back_when_it_is_open_again(
    told, room, mode: int
) -> None:
    said = told(mode, "memory", "search", "key")

    assert "The key fits." in said
    assert "Mia has the key." not in said
    assert "Mia has the key." in told(0o755, "memory", "search", "key")
    assert "not readable" not in told(0o755, "memory", "search", "key")


@pytest.mark.parametrize("mode", [CLOSED, LISTED_ONLY])
def test_nothing_in_it_is_kept_as_gone(told, room, mode: int) -> None:
    head = room.head()

    told(mode, "keep")

    assert room.head() == head
    assert room.git("status", "--porcelain") == ""
