"""The first person as memory says it, or as a quotation."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.first_person import as_remembered


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        pytest.param("I prefer tea.", "User prefers tea.", id="a verb"),
        pytest.param("I really don't like long mails.", "User really does not like long mails.", id="not"),
        pytest.param("어제 병원에 갔다 왔어요.", 'User: "어제 병원에 갔다 왔어요."', id="nobody named, Korean"),
        pytest.param("昨天去了医院做检查。", 'User: "昨天去了医院做检查。"', id="nobody named, Chinese"),
        pytest.param("I'm allergic to nuts.", "User is allergic to nuts.", id="am"),
        pytest.param("My sister is called Maria.", "User's sister is called Maria.", id="my"),
        pytest.param("I moved to Berlin last month.", "User moved to Berlin last month.", id="past"),
        pytest.param("Yesterday, I went to Paris.", "Yesterday, User went to Paris.", id="a day before it"),
        pytest.param("We decided to use REST.", "Decided to use REST.", id="a decision of all"),
        pytest.param("I learned that the cache ignores headers.", "The cache ignores headers.", id="learned that"),
        pytest.param("I prefer my coffee black.", 'User: "I prefer my coffee black."', id="two persons"),
        pytest.param("We use Postgres.", 'User: "We use Postgres."', id="who is we"),
        pytest.param("I live in Rome and work in Milan.", 'User: "I live in Rome and work in Milan."', id="two verbs"),
        pytest.param("I went to Rome and met Joe.", "User went to Rome and met Joe.", id="two verbs of the past"),
        pytest.param("I used to smoke.", "User used to smoke.", id="used to"),
        pytest.param("I can't stand phone calls.", "User cannot stand phone calls.", id="cannot"),
        pytest.param("Call me Sam.", "User wants to be called Sam.", id="called"),
        pytest.param("昨天我签了合同。", "昨天用户签了合同。", id="Chinese, behind a day"),
        pytest.param("I zork the frobs.", 'User: "I zork the frobs."', id="an unknown verb"),
        pytest.param('I said "no" to Bob.', "User: \"I said 'no' to Bob.\"", id="quotes inside"),
        pytest.param("The office closes at 18:00.", "The office closes at 18:00.", id="nobody's"),
        pytest.param("never deploy on a Friday.", "Never deploy on a Friday.", id="a capital"),
        pytest.param("npm needs the flag.", "npm needs the flag.", id="a command"),
        pytest.param("我住在上海。", "用户住在上海。", id="Chinese"),
        pytest.param("我们每天开会讨论。", 'User: "我们每天开会讨论。"', id="Chinese, who is we"),
        pytest.param("저는 채식을 선호해요.", "사용자는 채식을 선호해요.", id="Korean"),
    ],
)  # fmt: skip
def test_only_what_is_sure_is_rewritten(said: str, remembered: str) -> None:
    assert as_remembered(said) == remembered
