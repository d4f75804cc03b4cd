"""P21: notes of a day are appended to: both of two that come at once, on the right day, none twice, all before intact.

Mutants seen to fail here: the op is not looked up; the day is taken in UTC.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

DAY = "memory/2026-03-19.md"
EARLIER = "# 2026-03-19\n\n- Talked about the review.\n- \u5348\u540e\u5f00\u4f1a\n"


@pytest.fixture
def noted(room):
    room.change({DAY: EARLIER}, actor="host")
    return room


def flush(root, text: str, *words: str) -> subprocess.Popen[bytes]:
    """Note something as a host does before its conversation is compacted."""
    arguments = [
        sys.executable,
        "-m",
        "clawgit",
        "-w",
        str(root),
        "--rehearse",
        "memory",
        "add",
        text,
        *words,
    ]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(*processes: subprocess.Popen[bytes]) -> list[int]:
    for process in processes:
        process.communicate()
    return [process.returncode for process in processes]


@pytest.mark.smoke
def test_two_flushes_at_once_are_both_there_below_what_was_there(noted) -> None:
    words = ("--to", DAY, "--now", "2026-03-19T18:00")
    assert ended(flush(noted.root, "One is done.", *words), flush(noted.root, "Two is done.", *words)) == [
        0,
        0,
    ]

    text = noted.read(DAY)
    assert text.startswith(EARLIER)
    assert sorted(text.removeprefix(EARLIER).splitlines()) == ["- 2026-03-19: One is done.", "- 2026-03-19: Two is done."]  # fmt: skip


def test_the_same_flush_twice_is_there_once(noted) -> None:
    words = ("--to", DAY, "--op", "flush-session-7")
    assert ended(flush(noted.root, "Done.", *words), flush(noted.root, "Done, in other words.", *words)) == [
        0,
        0,
    ]

    assert noted.read(DAY).removeprefix(EARLIER).count("Done") == 1


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-19T23:59:59.9+09:00", "2026-03-19"),
        ("2026-03-20T00:00:00.1+09:00", "2026-03-20"),
        ("2026-03-19T15:30:00+00:00", "2026-03-20"),
    ],
)
def test_at_midnight_the_day_is_that_of_the_workspace(noted, at: str, day: str) -> None:
    noted.write("CONFIG.md", "```yaml\ntimezone: Asia/Seoul\n```\n")
    noted.git("commit", "-qam", "settings")

    assert ended(flush(noted.root, "Late.", "--to", f"memory/{day}.md", "--now", at)) == [0]

    assert f"- {day}: Late." in noted.read(f"memory/{day}.md")
