"""The miner with a model: a plan that the operator takes back later in what was read is not kept, as by rules.

Behind the settings stands a real service that answers as it is told.
"""

from __future__ import annotations

import pytest

from clawgit.capture.messages.message import chat_id

PLAN = "Let's move the weekly deploys to Thursday evening, nobody is around then."
MADE = {
    "statement": "Weekly deploys move to Thursday evening.",
    "tag": "decision",
    "quote": "move the weekly deploys",
}
IN_OTHER_WORDS = {"statement": "The weekly release is a late one.", "tag": "decision", "quote": "weekly deploys to Thursday"}  # fmt: skip


def id_of(number: int) -> str:
    return f"chat:{chat_id('cli', 'main', str(number))}"


@pytest.fixture
def told(clawgit, scripted):
    """Return what tells messages, a minute apart, to a workspace with a model in the settings."""
    for key, value in {"model": "openai:m", "model_url": scripted.url}.items():
        assert clawgit("config", "set", key, value).code == 0

    def tell(*texts: str) -> None:
        for number, text in enumerate(texts):
            at = ("--at", f"2026-03-19T09:{number:02}", "--id", str(number))
            assert clawgit("chat", "add", text, *at).code == 0

    return tell


def mined(clawgit, room) -> tuple[dict[str, object], list[str]]:
    """Return the run, and the statements that stand after it."""
    (run,) = clawgit("run", "memory-miner", "--json").data
    lines = room.read("MEMORY.md").split("\n")
    return run, [line.partition(" <!-- m:")[0] for line in lines if line.startswith("- ")]


@pytest.mark.parametrize(
    ("plan", "memory", "off"),
    [
        pytest.param(PLAN, MADE, "Scrap the Thursday evening deploys, the team is away.", id="named"),
        pytest.param(PLAN, IN_OTHER_WORDS, "Scrap the Thursday evening deploys.", id="named, and kept in other words"),
        pytest.param(PLAN, MADE, "Actually, scrap that.", id="what was said just before"),
        pytest.param("我们决定酒店就订四条河原町那家。", {"statement": "决定酒店订四条河原町。", "tag": "decision", "quote": "酒店就订四条河原町那家"}, "四条那家算了，太吵", id="Chinese"),
        pytest.param("호텔은 시조 쪽으로 예약하기로 했어.", {"statement": "호텔은 시조 쪽으로 예약하기로 했다.", "tag": "decision", "quote": "시조 쪽으로 예약하기로"}, "시조 호텔은 접자, 너무 시끄럽대", id="Korean"),
    ],
)  # fmt: skip
def test_a_plan_that_is_taken_back_later_is_not_kept(
    clawgit, told, scripted, room, plan, memory, off
) -> None:
    """Mutants: only rules look at what is taken back; only at the statement, or where nothing is named, at any message."""
    told(plan, off, "I prefer tea over coffee.")
    tea = {"statement": "User prefers tea over coffee.", "tag": "knowledge", "id": id_of(2), "quote": "prefer tea over coffee"}  # fmt: skip
    scripted.says({"memories": [tea, memory | {"id": id_of(0)}]})

    run, standing = mined(clawgit, room)

    assert standing == ["- 2026-03-19: User prefers tea over coffee. #knowledge"]
    assert run["outcome"] == "applied"
    assert "It was set right in the same talk" in str(run["reason"])


def test_a_plan_that_is_made_after_another_was_taken_back_is_kept(clawgit, told, scripted, room) -> None:
    """Mutant: the order of the answer decides, not that of the talk."""
    told("Scrap the Thursday evening deploys.", PLAN)
    scripted.says({"memories": [MADE | {"id": id_of(1)}]})

    _, standing = mined(clawgit, room)

    assert standing == ["- 2026-03-19: Weekly deploys move to Thursday evening. #decision"]


def test_nothing_but_what_was_said_just_before_is_taken_back_without_a_name(
    clawgit, told, scripted, room
) -> None:
    """Mutant: where a message stands in the talk is not known of what a model keeps."""
    told(PLAN, "I prefer tea over coffee.", "Actually, scrap that.")
    tea = {"statement": "User prefers tea over coffee.", "tag": "knowledge", "id": id_of(1), "quote": "prefer tea over coffee"}  # fmt: skip
    scripted.says({"memories": [MADE | {"id": id_of(0)}, tea]})

    _, standing = mined(clawgit, room)

    assert standing == ["- 2026-03-19: Weekly deploys move to Thursday evening. #decision"]


def test_that_it_was_taken_back_can_be_kept_itself_and_once(clawgit, told, scripted, room) -> None:
    """Mutants: what takes back a plan takes back itself; the rules add their sentence to the model's."""
    told(PLAN)
    scripted.says({"memories": [MADE | {"id": id_of(0)}]})
    mined(clawgit, room)
    said = "Scrap the Thursday evening deploys."
    clawgit("chat", "add", said, "--at", "2026-03-19T09:30", "--id", "1")
    off = {"statement": "The Thursday evening deploys are scrapped.", "tag": "decision", "quote": "Scrap the Thursday evening deploys"}  # fmt: skip
    scripted.says({"memories": [off | {"id": id_of(1)}]})

    _, standing = mined(clawgit, room)

    assert standing == [
        "- 2026-03-19: Weekly deploys move to Thursday evening. #decision",
        "- 2026-03-19: The Thursday evening deploys are scrapped. #decision",
    ]


def test_a_plan_of_an_earlier_run_has_beside_it_that_it_is_off(clawgit, told, scripted, room) -> None:
    """Mutant: where a model finds nothing, nothing tells that the plan is off."""
    told(PLAN)
    scripted.says({"memories": [MADE | {"id": id_of(0)}]})
    mined(clawgit, room)
    clawgit("chat", "add", "Scrap the Thursday evening deploys.", "--at", "2026-03-19T09:30", "--id", "1")
    scripted.says({"memories": []})

    _, standing = mined(clawgit, room)

    assert standing[1:] == ['- 2026-03-19: User: "Scrap the Thursday evening deploys." #decision']


def test_nobody_elses_word_takes_back_the_operators_plan(clawgit, told, scripted, room) -> None:
    told(PLAN)
    clawgit(
        "chat", "add", "Scrap the Thursday evening deploys.", "--sender", "bob", "--id", "1", actor="host"
    )
    scripted.says({"memories": [MADE | {"id": id_of(0)}]}, {"memories": []})

    clawgit("run", "memory-miner")

    assert "Weekly deploys move to Thursday evening." in room.read("MEMORY.md")
