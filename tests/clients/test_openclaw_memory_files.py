"""No file of memory is missing from OpenClaw's prompt: connected, with `clawgit up` alone, and after leaving; the real programs.

Each day is the one that takes MEMORY.md out of the prompt of OpenClaw alone: its agent writes, clawgit writes, its agent writes.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from openclaw_host import OpenClawHost, installed_versions, openclaw_host
from running_service import until

if TYPE_CHECKING:
    from collections.abc import Iterator

CAT, RENT = "- The cat is called", "The rent of the flat is due on the 1st."
NAMES = ("Minka", "Mia", "Momo", "Mimi", "Mulle", "Moritz", "Max")


class Day:
    """One OpenClaw in one state after the other, and which files its model did not get."""

    def __init__(self, host: OpenClawHost) -> None:
        self.host = host
        self.at = 0

    def agent_writes(self) -> None:
        """Have OpenClaw's agent rename the cat in MEMORY.md, by the tool that OpenClaw's ledger knows of."""
        old, new = NAMES[self.at : self.at + 2]
        self.at += 1
        edit = {"oldText": f"{CAT} {old}.", "newText": f"{CAT} {new}."}
        arguments = json.dumps({"path": "MEMORY.md", "edits": [edit]})
        self.host.say(f"The cat is called {new} now. USE:edit:{arguments}END")
        until(lambda: f"{CAT} {new}." in (self.host.workspace / "MEMORY.md").read_text())
        self.host.clawgit("keep")

    def missing(self, words: str) -> list[str]:
        """Return which lines of MEMORY.md are not in the prompt of a turn with these words."""
        self.host.say(words)
        until(lambda: self.system(words))
        lines = re.findall(r"(?m)^- (.*?)(?: *<!--.*)?$", (self.host.workspace / "MEMORY.md").read_text())
        assert f"The cat is called {NAMES[self.at]}." in lines
        return [each for each in lines if each not in self.system(words)]

    def system(self, words: str) -> str:
        """Return the system's part of the prompt of a turn, empty while there is none."""
        for each in self.host.asked():
            if words in json.dumps(each):
                return str(each["messages"][0]["content"])
        return ""


@pytest.fixture(scope="module", params=installed_versions())
def day(request, tmp_path_factory) -> Iterator[Day]:
    """Return a day of an OpenClaw, its Gateway running beside clawgit's service."""
    with openclaw_host(request.param, tmp_path_factory.mktemp("openclaw")) as host:
        file = host.workspace / "MEMORY.md"
        file.write_text(f"{file.read_text()}\n{CAT} {NAMES[0]}.\n")
        host.clawgit("keep", "--as", "operator")
        host.start_service()
        host.start_gateway()
        yield Day(host)


def live(day: Day) -> None:
    """Let the agent write, clawgit write, and the agent write again: what OpenClaw takes for tampering."""
    day.agent_writes()
    day.host.clawgit("memory", "add", f"{RENT[:-1]}, said {NAMES[day.at]}.", "--to", "MEMORY.md")
    day.agent_writes()


def test_with_up_alone_nothing_is_missing(day) -> None:
    assert day.missing("Good morning.") == []
    live(day)

    assert day.missing("Good day, alone.") == []


def test_connected_nothing_is_missing_and_ours_is_in_the_place_of_the_raw_file(day) -> None:
    day.host.end_gateway()
    assert day.host.clawgit("connect", "openclaw", "--yes").code == 0
    day.host.wait_longer()
    day.host.start_gateway()
    live(day)

    assert day.missing("Good day, connected.") == []
    assert "<!-- m:" in (day.host.workspace / "MEMORY.md").read_text()
    assert "<!-- m:" not in day.system("Good day, connected.")


def test_after_leaving_nothing_is_missing(day) -> None:
    day.host.end_gateway()
    assert day.host.clawgit("disconnect", "openclaw").code == 0
    day.host.start_gateway()

    assert day.missing("Good day, on my own.") == []
    day.agent_writes()
    assert day.missing("Good night, on my own.") == []
