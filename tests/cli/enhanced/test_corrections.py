"""Corrections in enhanced mode: known to come first once the vectors say so, too.

Mutants that these tests caught: it is proven by words before its line has a vector, what could not be asked counts
as a proof.
"""

from __future__ import annotations

import json

import pytest

TALK = (
    ("assistant", "The Apollo review is on Wednesday."),
    ("user", "No, the Apollo review is on Thursday, not Wednesday."),
)


@pytest.fixture
def corrected(clawgit, room, service, users_owner, tmp_path):
    """Return a workspace in enhanced mode in which the operator corrects the agent, who was not dealt with yet."""
    room.change({"MEMORY.md": "- The Apollo review is on Wednesday. <!-- m:aaaaaa -->\n"}, actor="operator")
    for key, value in (("embedder", "openai:m"), ("embedder_url", service.url), ("mode", "enhanced")):
        assert clawgit("config", "set", key, value).code == 0
    talk = tmp_path / "talk.jsonl"
    talk.write_text(
        "".join(
            json.dumps({"id": f"{number}", "role": role, "text": text, "at": "2026-03-19T10:22:00Z"}) + "\n"
            for number, (role, text) in enumerate(TALK)
        )
    )
    assert clawgit("chat", "import", "--as", "operator", str(talk)).code == 0
    return room


def proofs(clawgit) -> list[bool]:
    return [each["re_embedded"] for each in clawgit("corrections", "--json").data]


def test_a_correction_is_proven_once_its_line_has_its_vector(clawgit, corrected) -> None:
    said = clawgit("run", "recall-validator", "--json")

    assert [run["outcome"] for run in said.data] == ["applied", "applied"]
    assert "re-embedded:true" in corrected.read("CORRECTIONS.md")
    answer = clawgit("memory", "search", "when is the Apollo review", "--json").data
    assert answer["mode"] == "enhanced"
    assert answer["results"][0]["snippet"].startswith("The Apollo review is on Thursday.")


@pytest.mark.rest
def test_without_an_embedder_it_is_tried_again_later(clawgit, corrected, service) -> None:
    service.always = service.status(503)
    assert [run["outcome"] for run in clawgit("run", "recall-validator", "--json").data] == ["applied"]
    assert proofs(clawgit) == [False]

    service.always = None

    assert [run["outcome"] for run in clawgit("run", "recall-validator", "--json").data] == ["applied"]
    assert proofs(clawgit) == [True]
