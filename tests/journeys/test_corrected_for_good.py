"""A conversation in which the operator corrects the agent twice, from its transcript to a search, and back."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TALK = [
    ("user", "When is the Apollo review?"),
    ("assistant", "The Apollo review is on Wednesday."),
    ("user", "Actually, the Apollo review is on Thursday, not Wednesday."),
    ("assistant", "Noted. I will write to your sister Mary about the tickets."),
    ("user", "I already told you, my sister is called Maria, not Mary."),
    ("assistant", "Sorry!"),
]


@pytest.fixture
def clawgit(tmp_path, told) -> Callable[..., Any]:
    """Return a function that runs commands in a new workspace."""
    before = partial(told, tmp_path / "ws", now="2026-03-18T10:22:00+00:00")
    before("init")
    before("memory", "add", "The Apollo review is on Wednesday at 10:00.", "--to", "MEMORY.md")
    before("memory", "add", "Ada's sister is called Mary.", "--to", "MEMORY.md")
    return partial(told, tmp_path / "ws", now="2026-03-19T10:22:00+00:00")


@pytest.mark.rest
def test_a_corrected_agent_stays_corrected_until_that_is_undone(clawgit, tmp_path) -> None:
    memory = tmp_path / "ws" / "MEMORY.md"
    before = memory.read_bytes()
    transcript = tmp_path / "talk.jsonl"
    transcript.write_text("".join(
        json.dumps({"id": str(number), "role": role, "text": text, "at": f"2026-03-19T09:{number:02}:00Z"}) + "\n"
        for number, (role, text) in enumerate(TALK)
    ))  # fmt: skip
    clawgit("chat", "import", "--as", "operator", str(transcript))

    runs = clawgit("run", "recall-validator")

    assert [run["outcome"] for run in runs] == ["applied", "applied"]
    hits = {query: clawgit("memory", "search", query)["results"][0]["snippet"] for query in ("when is the Apollo review", "what is the sister called")}  # fmt: skip
    assert [hit.split("\n")[0] for hit in hits.values()] == [
        "The Apollo review is on Thursday at 10:00.",
        "Ada's sister is called Maria.",
    ]
    why = clawgit("why", "Ada's sister is called Maria.")
    (correction,) = why["corrections"]
    assert "I already told you, my sister is called Maria, not Mary." in correction["evidence"][0]
    assert correction["evidence"][0].startswith("chat:")

    clawgit("chat", "import", "--as", "operator", "--again", str(transcript))
    renamed = transcript.rename(tmp_path / "the same talk.jsonl")
    (again,) = clawgit("chat", "import", "--as", "operator", str(renamed))
    assert (again["stored"], again["repeated"], again["known_as"]) == (0, len(TALK), "talk")
    assert clawgit("run", "recall-validator") == []
    assert [run["outcome"] for run in clawgit("runs")] == ["applied", "applied"]

    for run in reversed(runs):
        clawgit("undo", run["run"])
    assert memory.read_bytes() == before
    assert "Wednesday" in clawgit("memory", "search", "when is the Apollo review")["results"][0]["snippet"]
    assert clawgit("run", "recall-validator") == []
