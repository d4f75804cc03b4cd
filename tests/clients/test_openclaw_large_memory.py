"""A MEMORY.md that is larger than OpenClaw's room for it, and one that changed while clawgit was not connected; the real programs."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from openclaw_host import NEWEST, OpenClawHost, installed_versions, openclaw_host
from running_service import until

if TYPE_CHECKING:
    from collections.abc import Iterator

PEOPLE = ("Nora", "Emil", "Tomasz", "Lucía", "Mei", "Jonas")
PLACES = ("house", "money", "kiln", "travel", "health", "work", "garden")
QUIET_SECONDS = 4  # OpenClaw looks at its settings some time after they changed
SAFETY = "- Nora is allergic to hazelnuts."


def large_memory() -> str:
    """Return some 27,000 characters of memory, with something on safety that does not stand at its end."""
    lines = ["# Memory", ""]
    for place in PLACES:
        lines += [f"## {place.title()}", ""]
        for number in range(75):
            lines.append(
                f"- {PEOPLE[number % 6]} keeps item {number} for the {place} on shelf {number % 17}."
            )
        if place == "money":
            lines.append(SAFETY)
        lines += ["", "| what | when |", "|---|---|", f"| {place} review | 3 May |", ""]
    return "\n".join(lines) + "\n"


class Prompts:
    """One OpenClaw, and what its model gets of MEMORY.md."""

    def __init__(self, host: OpenClawHost) -> None:
        self.host = host

    def system(self, words: str) -> str:
        """Say something, and return the system's part of that turn's prompt."""
        self.host.say(words)
        until(lambda: self.of_turn(words))
        return str(self.of_turn(words)["messages"][0]["content"])

    def of_turn(self, words: str) -> dict:
        for each in self.host.asked():
            if words in json.dumps(each):
                return each
        return {}


def items(system: str) -> list[str]:
    return re.findall(r"(?m)^- \w+ keeps item \d+ .*shelf \d+\.$", system)


@pytest.fixture(scope="module", params=installed_versions())
def prompts(request, tmp_path_factory) -> Iterator[Prompts]:
    with openclaw_host(request.param, tmp_path_factory.mktemp("openclaw")) as host:
        (host.workspace / "MEMORY.md").write_text(large_memory())
        host.clawgit("keep", "--as", "operator")
        host.start_service()
        host.start_gateway()
        yield Prompts(host)


def settle(prompts: Prompts) -> None:
    """Wait until the Gateway has its new settings; the newest version takes them up while it runs, an older one starts anew."""
    host = prompts.host
    if host.version != NEWEST:
        host.end_gateway()
        host.start_gateway()
        return
    log = host.place / "gateway.log"
    settings = host.config.stat().st_mtime

    def is_settled() -> bool:
        text = log.read_text(errors="replace")
        is_quiet = time.time() > max(settings, log.stat().st_mtime) + QUIET_SECONDS
        return is_quiet and text.rfind("config hot reload applied") > text.rfind("evaluating reload")

    until(is_settled)


def connect(prompts: Prompts) -> None:
    prompts.host.clawgit("connect", "openclaw", "--yes")
    prompts.host.wait_longer()
    settle(prompts)


def test_connected_it_has_no_fewer_lines_none_twice_and_nothing_is_cut(prompts) -> None:
    """Mutants: the text is larger than the room, it is handed over as AGENTS.md, whole sections are left out."""
    alone = set(items(prompts.system("Good morning, alone.")))
    connect(prompts)
    system = prompts.system("Good morning, connected.")

    shown = items(system)
    assert "truncated" not in system
    assert "Policy digest" not in system
    assert len(shown) == len(set(shown)) >= len(alone)
    assert SAFETY in system
    assert re.search(r"\(MEMORY\.md, \d+ of its \d+ pieces", system)
    for place in PLACES:
        assert any(f"for the {place} " in each for each in shown)


def test_who_connects_again_gets_memory_as_it_is_now_in_the_first_turn(prompts) -> None:
    """Mutants: the plugin speaks with the token of the connection before; it goes on with what it was told then."""
    prompts.host.clawgit("disconnect", "openclaw")
    done = prompts.host.clawgit("correct", SAFETY[2:], SAFETY[2:].replace("hazelnuts", "walnuts"))
    assert done.code == 0
    connect(prompts)
    prompts.host.say("/new")
    system = prompts.system("Good morning, again.")

    assert SAFETY.replace("hazelnuts", "walnuts") in system
    assert "hazelnuts" not in json.dumps(prompts.of_turn("Good morning, again."))
    assert "changed since these lines were checked" not in system
