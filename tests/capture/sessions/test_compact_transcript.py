"""A compacted transcript keeps its late turns byte for byte, and of the early ones what lasts."""

from __future__ import annotations

import json

import pytest

from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.sessions.compact_transcript import compact_transcript, summary_of
from clawgit.capture.transcripts.importing import read_line, source_of
from clawgit.capture.transcripts.transcript_source import TranscriptSource, Wish

FILL = " and so on, without an end in sight" * 20


def line(kind: str, number: int, role: str, text: str) -> bytes:
    if kind == "jsonl":
        said: dict = {"role": role, "text": text}
    else:
        own, parent = ("id", "parentId") if kind == "openclaw" else ("uuid", "parentUuid")
        said = {own: f"m{number}", parent: f"m{number - 1}", "message": {"role": role, "content": text}}
        said |= {"type": "message"} if kind == "openclaw" else {"type": role, "sessionId": "s"}
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"


def talk(kind: str, turns: int = 30) -> list[bytes]:
    lines = [b'{"type": "session", "id": "s1"}\n'] if kind == "openclaw" else []
    for number in range(turns):
        text = "We decided to use PostgreSQL for the ledger." if number == 3 else f"Question {number}?{FILL}"
        lines += [
            line(kind, 2 * number, "user", text),
            line(kind, 2 * number + 1, "assistant", f"Answer {number}."),
        ]
    return lines


KINDS = ["openclaw", "claude-code", "jsonl"]


@pytest.mark.parametrize("kind", KINDS)
def test_late_turns_stay_whole_and_early_ones_are_summarised(kind: str) -> None:
    lines = talk(kind)

    done = compact_transcript(lines, kind, keep_turns=10, summary_tokens=200)

    assert done.lines[-20:] == tuple(lines[-20:])
    assert (done.summarised, done.kept, done.why_not) == (20, 10, "")
    assert "- user: We decided to use PostgreSQL for the ledger." in done.summary
    assert "- user: Question 19?" in done.summary
    assert done.after < done.before / 2
    assert len(done.lines) == 21 + (kind == "openclaw")


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_takes_the_summary_for_somebodys_words(kind: str) -> None:
    """Mutant: the summary is a user's message like any other."""
    done = compact_transcript(talk(kind), kind)

    heard = [read_line(each, TranscriptSource(kind, kind, "main")).heard for each in done.lines]
    assert [each for each in heard if each and "Summary of" in each.text and each.role != "system"] == []


@pytest.mark.parametrize(
    ("kind", "own", "parent"), [("openclaw", "id", "parentId"), ("claude-code", "uuid", "parentUuid")]
)
def test_the_chain_of_messages_goes_on_from_the_summary(kind: str, own: str, parent: str) -> None:
    summary, first = map(json.loads, compact_transcript(talk(kind), kind).lines[-21:-19])

    assert summary[parent] is None
    assert first[parent] == summary[own]


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_compaction_does_not_lose_the_first(kind: str) -> None:
    """Mutant: earlier summaries are not looked for."""
    first = compact_transcript(talk(kind), kind, keep_turns=10)

    second = compact_transcript(first.lines, kind, keep_turns=5)

    assert "We decided to use PostgreSQL" in second.summary
    assert second.summary.count("Summary of") == 0
    assert b"".join(second.lines).count(b"Summary of the") == 1
    assert b"Summary of the 25 turns before this:" in b"".join(second.lines)


@pytest.mark.parametrize("kind", KINDS)
def test_one_turn_is_told_as_one_also_where_it_is_summarised_again(kind: str) -> None:
    """Mutant: only the turns of this time are counted, although the earlier summary stands there, too."""
    lines = talk(kind, 4)

    first = compact_transcript(lines, kind, keep_turns=3)
    second = compact_transcript(first.lines, kind, keep_turns=2)

    assert b"Summary of the one turn before this:" in b"".join(first.lines)
    assert b"Summary of the 2 turns before this:" in b"".join(second.lines)
    assert "Summary of" not in second.summary


def test_a_transcript_without_a_turn_that_stays_is_of_its_session_still() -> None:
    """Mutant: the session is read from the first line that stays."""
    (summary,) = compact_transcript(talk("claude-code"), "claude-code", keep_turns=0).lines

    assert json.loads(summary)["sessionId"] == "s"


@pytest.mark.parametrize(
    ("turns", "keep", "why"),
    [
        pytest.param(10, 10, "it has 10 turns, and the last 10 stay whole", id="as many as stay"),
        pytest.param(0, 10, "it has 0 turns", id="nothing"),
    ],
)
def test_what_is_short_stays_as_it_is(turns: int, keep: int, why: str) -> None:
    lines = talk("openclaw", turns)

    done = compact_transcript(lines, "openclaw", keep_turns=keep)

    assert done.why_not.startswith(why)
    assert done.lines == tuple(lines)


def test_a_summary_longer_than_what_it_is_of_is_not_taken() -> None:
    lines = [line("jsonl", n, "user", "Yes.") for n in range(12)]

    done = compact_transcript(lines, "jsonl", keep_turns=10)

    assert (done.why_not, done.lines) == ("it would not become smaller", tuple(lines))


def test_a_summary_that_is_handed_in_is_taken_as_it_is() -> None:
    done = compact_transcript(talk("jsonl"), "jsonl", summary="Ada chose rows.\n- all of it")

    assert (
        json.loads(done.lines[0])["text"]
        == "Summary of the 20 turns before this:\nAda chose rows.\n- all of it"
    )


def test_results_stay_with_the_call_that_they_answer() -> None:
    """Mutant: the cut is at a number of lines."""
    lines = talk("openclaw", 3)
    call = [line("openclaw", 90 + n, role, "x") for n, role in enumerate(["assistant", "toolResult"] * 5)]
    lines[6:6] = call

    kept = compact_transcript(lines, "openclaw", keep_turns=1).lines

    assert [json.loads(each)["message"]["role"] for each in kept[2:]] == [
        "user",
        *["assistant", "toolResult"] * 5,
        "assistant",
    ]


def test_damaged_lines_cost_nothing_else() -> None:
    lines = [b"{half\n", *talk("jsonl"), b"\xff\xfe\n"]

    done = compact_transcript(lines, "jsonl")

    assert done.lines[-1] == b"\xff\xfe\n"
    assert done.summarised == 20


def said(*texts: str, role: str = "user") -> list[IncomingMessage]:
    return [IncomingMessage(role, text) for text in texts]


@pytest.mark.parametrize(
    ("texts", "tokens", "summary"),
    [
        pytest.param(["Hi. I prefer tea."], 100, "- user: Hi.\n- user: I prefer tea.", id="in their order"),
        pytest.param(["Hi. I prefer tea."], 7, "- user: I prefer tea.", id="what lasts comes first"),
        pytest.param(["같이 보자. 나는 홍차를 선호한다."], 100, "- user: 같이 보자.\n- user: 나는 홍차를 선호한다.", id="Korean"),
        pytest.param(["我们决定用 PostgreSQL。天气很好。"], 100, "- user: 我们决定用 PostgreSQL。\n- user: 天气很好。", id="Chinese"),
        pytest.param(["/new", "   "], 100, "", id="commands and nothing"),
        pytest.param(["I prefer tea.", "I prefer tea."], 100, "- user: I prefer tea.", id="once"),
        pytest.param(["Remember this: tea."], 100, "- user: Remember this: tea.", id="what is to be remembered"),
        pytest.param(["I prefer tea.", "I prefer coffee."], 8, "- user: I prefer coffee.", id="the latest of equals"),
        pytest.param(["The one.", "The other."], 6, "- user: The other.", id="the latest subject"),
    ],
)  # fmt: skip
def test_a_summary_is_made_of_the_talks_own_sentences(texts: list[str], tokens: int, summary: str) -> None:
    assert summary_of(said(*texts), tokens) == summary


@pytest.mark.parametrize(
    "text", ["Hello.", "Remember this: x.", "I prefer tea.", "Lesson: x.", "Lesson: `rg`."]
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_every_kind_of_sentence_can_be_summarised(role: str, text: str) -> None:
    assert summary_of(said(text, role=role), 100) in ("", f"- {role}: {text}")


def test_a_sentence_is_judged_by_what_of_it_is_shown() -> None:
    """Mutant: the whole of it, which says something lasting where nobody will read it, and takes its time."""
    far = "the weather and so on " * 20 + ", and I prefer tea."
    later = "the garden and so on " * 20

    assert summary_of(said(far, later), 80).startswith("- user: the garden")


def test_a_secret_is_in_no_summary() -> None:
    secret = "ghp_" + "Ab3dE5gH7jK9mN1pQ3sT5vW7xZ9bC2dF4gH6"

    assert secret not in summary_of(said(f"Remember the key {secret}."), 100)


@pytest.mark.rest
def test_a_summary_keeps_to_its_tokens() -> None:
    texts = said(*(f"I prefer tea number {number} over all others." for number in range(500)))

    assert 1000 < len(summary_of(texts, 500)) <= 4 * 500


def test_the_importer_reads_the_result_as_the_same_session(tmp_path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(compact_transcript(talk("openclaw"), "openclaw").lines))

    with path.open("rb") as file:
        assert source_of(file, path, Wish()).session == "s1"


def test_a_page_is_not_the_user() -> None:
    page = IncomingMessage("user", "We decided to use Oracle.", external=True)

    assert summary_of([page], 100) == "- page: We decided to use Oracle."
