"""Questions of memory in a conversation: three a day, oldest first, a week's rest; his "1 yes 2 no" answers them, and nothing else does."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import Correction, Status, add_correction, read_corrections

TELEGRAM = ("--channel", "telegram", "--conversation", "1", "--session", "agent:main:main")
OWN = ("--sender", "4242")
TEAMS = ("ant", "bee", "cow", "dove", "elk")
ENTRIES = "".join(
    f"- The review of team {name} is on Wednesday. <!-- m:{name[0] * 6} -->\n" for name in TEAMS
)
LINES = "\n".join(
    f"{number} The review of team {name}: Wednesday → Monday?" for number, name in enumerate(TEAMS[:3], 1)
)
OPEN = {"--host": "openclaw", "--session": "agent:main:main"}


def question(name: str, day: int) -> Correction:
    return Correction(
        f"q{name[0]}",
        f"2026-03-{day:02} 10:00",
        f"maybe team {name} on Monday",
        said=f"The review of team {name} is on Wednesday.",
        status=Status.OPEN,
        may_correct=(name[0] * 6,),
        proposed=f"The review of team {name} is on Monday.",
    )


@pytest.fixture
def asked(room):
    """Return a workspace with five questions, the oldest about team ant; its operator is 4242 on telegram."""
    ledger = b"# Corrections\n"
    for day, name in reversed(list(enumerate(TEAMS, 10))):
        ledger = add_correction(ledger, question(name, day))
    settings = "```yaml\noperator_ids: ['telegram:4242']\ngroup_chats: ['telegram:1']\n```\n"
    room.change(
        {"MEMORY.md": ENTRIES, "CORRECTIONS.md": ledger.decode(), "CONFIG.md": settings}, actor="operator"
    )
    return room


@pytest.fixture
def begin(clawgit, asked):
    """Return what begins a conversation, and gives the context."""

    def call(now: str = "2026-03-19T10:22", **more: str) -> dict:
        given = [word for pair in (OPEN | more).items() for word in pair]
        done = clawgit("context", *given, "--json", "--now", now, "--rehearse", actor="host")
        assert done.code == 0, done.err
        return done.data

    return call


@pytest.fixture
def talk(clawgit, asked):
    """Return what keeps what one side says at a time of 19 March, or at a whole time."""

    def call(text: str, at: str = "11:00", *, who=OWN, where=TELEGRAM, **more):
        now = at if "T" in at else f"2026-03-19T{at}"
        given = ("chat", "add", *where, *who, "--at", now, "--json", "--now", now, "--rehearse", "--", text)
        done = clawgit(*given, **more)
        assert done.code == 0, done.err
        return done.data

    return call


def test_of_two_questions_of_one_minute_the_older_is_first(room, clawgit) -> None:
    """Mutant: the ledger's order, in which the newest is first."""
    ledger = b"# Corrections\n"
    for name in TEAMS:
        ledger = add_correction(ledger, question(name, 10))
    room.change({"MEMORY.md": ENTRIES, "CORRECTIONS.md": ledger.decode()}, actor="operator")

    (*_, digest) = clawgit("digest", "--now", "2026-03-19T10:22", "--rehearse").out.partition("## Asked")

    assert [digest.index(line) for line in LINES.splitlines()] == sorted(map(digest.find, LINES.splitlines()))


AGENT = ("--role", "assistant")


def shown(context: dict) -> list[str]:
    """Return the questions of a context without the words that say how they are answered."""
    lines = context["recall"]["text"].split("\n")
    return [line.partition(" (answer ")[0] for line in lines if "→" in line]


def review_of(room, name: str) -> str:
    return next(line for line in room.read("MEMORY.md").split("\n") if f"team {name}" in line)


def states(room) -> dict[str, Status]:
    texts = [
        room.read(path)
        for path in ("CORRECTIONS.md", "Archive/Corrections/2026-03.md")
        if (room.root / path).exists()
    ]
    return {each.correction_id: each.status for text in texts for each in read_corrections(text.encode())}


def test_a_conversation_begins_with_the_three_oldest(begin, asked) -> None:
    """Mutants: the newest first; all of them; nothing in the sources or the budget."""
    context = begin()

    assert shown(context) == LINES.split("\n")
    assert context["opening"]["sources"] == ["x:qa", "x:qb", "x:qc"]
    assert context["opening"]["used"] > len(LINES.split())
    assert "→" not in context["stable"]["text"]


def test_the_stable_part_is_the_same_with_and_without_them(begin) -> None:
    with_them = begin()

    assert begin(**{"--part": "stable"})["stable"]["hash"] == with_them["stable"]["hash"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "more",
    [
        {"--session": "agent:main:telegram:group:7"},
        {"--session": "agent:main:subagent:7"},
        {"--scope": "group"},
        {"--part": "stable"},
        {"--as-of": "2026-03-19"},
    ],
    ids=["a group", "the agent's own work", "a group by its scope", "a later turn", "an earlier day"],
)
def test_nobody_else_is_asked(begin, more) -> None:
    context = begin(**more)

    assert shown(context) == []
    assert context["opening"]["sources"] == []


def test_no_context_without_a_host_asks(clawgit, asked) -> None:
    assert "→" not in clawgit("context", "--session", "agent:main:main").out


def test_a_days_questions_stay_and_then_rest_for_a_week(begin) -> None:
    """Mutants: each conversation shows the next three; what was shown is shown again the next day."""
    assert [each[0] for each in shown(begin())] == ["1", "2", "3"]
    assert shown(begin("2026-03-19T22:00", **{"--session": "agent:main:other"})) == LINES.split("\n")
    assert shown(begin("2026-03-20T09:00")) == [
        "1 The review of team dove: Wednesday → Monday?",
        "2 The review of team elk: Wednesday → Monday?",
    ]
    assert shown(begin("2026-03-21T09:00")) == []
    assert shown(begin("2026-03-25T23:00")) == []
    assert shown(begin("2026-03-26T09:00")) == LINES.split("\n")


def test_a_digest_shows_the_same_ones_with_their_commands(clawgit, begin, asked) -> None:
    clawgit("digest", "--send", "2026-03-19")

    digest = (asked.history.state / "digests" / "2026-03-19.md").read_text()
    assert f"- {LINES.splitlines()[0]} → answer x:qa\n" in digest
    assert digest.count("Wednesday → Monday?") == 3
    assert shown(begin()) == LINES.split("\n")
    assert shown(begin("2026-03-20T09:00"))[0].startswith("1 The review of team dove")


def test_a_digest_does_not_keep_the_next_conversation_silent(clawgit, begin, asked) -> None:
    """Mutant: what a digest showed rests in conversations, too."""
    clawgit("digest", "--send", "2026-03-18", "--now", "2026-03-18T12:00", "--rehearse")

    assert shown(begin()) == LINES.split("\n")


@pytest.mark.rest
def test_they_count_in_the_budget(clawgit, begin, asked) -> None:
    """Mutant: they come on top of it."""
    asked.write("memory/2026-03-19.md", "".join(f"- A long day, number {number}.\n" for number in range(400)))
    asked.keep("operator")
    clawgit("config", "set", "context_budget_tokens", "1200")

    context = begin()

    assert len(shown(context)) == 3
    assert 1000 < context["tokens"] <= 1200 * 0.95


def test_a_digest_is_no_question_of_a_conversation(clawgit, begin, talk, asked) -> None:
    """Mutant: what came by the digest's channel is answered there."""
    clawgit("digest", "--send", "2026-03-19")
    talk(LINES, "10:50", who=AGENT)

    assert "answered" not in talk("1 yes")
    assert "Wednesday" in review_of(asked, "ant")


def test_his_answer_is_done_at_once(begin, talk, asked, clawgit) -> None:
    begin()
    talk(f"Before we start:\n\n{LINES}", "10:50", who=AGENT)

    kept = talk("1 yes 2 no")

    assert [(each["question"], each["word"], each["outcome"]) for each in kept["answered"]] == [
        ("x:qa", "yes", "done"),
        ("x:qb", "no", "done"),
    ]
    assert "The review of team ant is on Monday." in kept["answered"][0]["says"]
    assert "Monday" in review_of(asked, "ant")
    assert "Wednesday" in review_of(asked, "bee")
    found = states(asked)
    assert (found["qa"], found["qb"], found["qc"]) == (Status.APPLIED, Status.WITHDRAWN, Status.OPEN)
    (entry,) = [each for each in clawgit("memory", "list", "--json").data if each["entry"] == "aaaaaa"]
    assert entry["trust"] == "operator"
    trailers = asked.git(
        "log",
        "-2",
        "--format=%(trailers:key=Clawgit-Actor,valueonly)%(trailers:key=Clawgit-Evidence,valueonly)%(trailers:key=Clawgit-Unattended,valueonly)",
    )
    assert trailers.split("\n").count(f'{kept["id"]} "1 yes 2 no"') == 2
    assert trailers.split().count("operator") == trailers.split().count("chat") == 2


@pytest.mark.rest
def test_an_answer_is_taken_back_like_every_change(begin, talk, asked, clawgit) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    talk("1 yes")

    assert clawgit("undo", "HEAD").code == 0
    assert "Wednesday" in review_of(asked, "ant")


def nothing(asked) -> bool:
    return all("Wednesday" in review_of(asked, name) for name in TEAMS) and set(states(asked).values()) == {
        Status.OPEN
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(LINES.replace("Monday", "Tuesday"), id="not word for word"),
        pytest.param(LINES.replace("1 The", "4 The"), id="another number"),
        pytest.param(f"{LINES}\n\nAnd shall I book a room?", id="another question"),
        pytest.param(f"{LINES}\n\n1. Delete the branch", id="another list"),
        pytest.param("1 Delete the branch?", id="none of the lines"),
    ],
)
def test_a_turn_that_is_not_the_list_alone_answers_nothing(begin, talk, asked, turn) -> None:
    begin()
    talk(turn, "10:50", who=AGENT)

    kept = talk("1 yes 2 no")

    assert all(each["outcome"] == "refused" for each in kept.get("answered", ()))
    assert nothing(asked)


def test_the_host_is_told_why_an_answer_was_not_taken(begin, talk) -> None:
    begin()
    talk(f"{LINES}\nAnd shall I book a room?", "10:50", who=AGENT)

    (told,) = talk("1 yes")["answered"]

    assert (told["outcome"], "Nothing was changed" in told["says"]) == ("refused", True)


@pytest.mark.parametrize("quotes", ['"', "", "“"])
def test_a_question_says_how_it_is_answered_and_is_answered_so(begin, talk, asked, quotes) -> None:
    """Mutants: nobody tells the person; a line that tells it is another line."""
    text = begin()["recall"]["text"]
    line = next(each for each in text.split("\n") if each.startswith("1 "))
    assert line == LINES.split("\n")[0] + ' (answer "1 yes" or "1 no")'
    talk(f"**{line}**".replace('"', quotes), "10:50", who=AGENT)

    talk("1 sim")

    assert "Monday" in review_of(asked, "ant")


@pytest.mark.parametrize("text", ["yes", "sim", "no, leave it", "yes. and the room?"])
def test_a_yes_without_its_number_is_told_what_answers(begin, talk, asked, text) -> None:
    """Mutant: it does nothing, silently."""
    begin()
    talk(LINES.split("\n")[0], "10:50", who=AGENT)

    (told,) = talk(text)["answered"]

    assert told["outcome"] == "refused"
    assert '"1 yes" or "1 no"' in told["says"]
    assert nothing(asked)


def test_a_yes_to_several_questions_is_told_what_answers_each(begin, talk, asked) -> None:
    """Seen: "yes both" behind clawgit's list changed nothing, and nobody was told so."""
    begin()
    talk(LINES, "10:50", who=AGENT)

    told = talk("yes both")["answered"]

    assert [(each["word"], each["outcome"]) for each in told] == [("yes both", "refused")] * len(
        shown(begin())
    )
    for number, each in enumerate(told, 1):
        assert f'"{number} yes" or "{number} no"' in each["says"]
    assert nothing(asked)


def test_a_yes_to_something_else_is_told_nothing(begin, talk, asked) -> None:
    begin()
    talk("Shall I book the room?", "10:50", who=AGENT)

    assert "answered" not in talk("yes")


def test_a_list_in_two_messages_is_one_turn(begin, talk, asked) -> None:
    """Mutant: only the last message of a turn is looked at."""
    begin()
    talk("Shall I delete the branch?", "10:49", who=AGENT)
    talk(LINES, "10:50", who=AGENT)

    talk("1 yes")

    assert nothing(asked)


@pytest.mark.parametrize("text", ["1 yes 2 no 3 maybe", "yes", "4 yes", "1 yes, and book a room"])
def test_words_that_are_no_answer_answer_nothing(begin, talk, asked, text) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)

    talk(text)

    assert nothing(asked)


def test_something_else_between_them_answers_nothing(begin, talk, asked) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    talk("wait a moment", "10:55")

    talk("1 yes")

    assert nothing(asked)


def test_a_day_later_is_too_late(begin, talk, asked) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)

    talk("1 yes", "2026-03-20T10:51")

    assert nothing(asked)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("who", "more"),
    [
        pytest.param(("--sender", "666"), {}, id="a stranger"),
        pytest.param(OWN, {"actor": "host"}, id="brought by the host itself"),
        pytest.param((*OWN, "--external"), {}, id="forwarded"),
        pytest.param((*OWN, "--group"), {}, id="in a group"),
        pytest.param(AGENT, {}, id="the agent"),
    ],
)
def test_only_the_operator_answers_and_alone(begin, talk, asked, who, more) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)

    talk("1 yes", who=who, **more)

    assert nothing(asked)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("session", ["agent:main:telegram:group:1", "agent:main:cron:1"])
def test_no_other_session_than_a_private_one_answers(begin, talk, asked, session) -> None:
    begin()
    where = ("--channel", "telegram", "--conversation", "1", "--session", session)
    talk(LINES, "10:50", who=AGENT, where=where)

    talk("1 yes", where=where)

    assert nothing(asked)


def test_the_same_lines_never_shown_answer_nothing(talk, asked) -> None:
    """Mutant: an agent makes up clawgit's list."""
    talk(LINES, "10:50", who=AGENT)

    talk("1 yes")

    assert nothing(asked)


def test_a_second_answer_changes_nothing(begin, talk, asked) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    talk("1 yes")
    talk(LINES, "11:05", who=AGENT)

    (told,) = talk("1 no", "11:10")["answered"]

    assert told["outcome"] == "refused"
    assert "Monday" in review_of(asked, "ant")


def test_an_entry_that_says_something_else_by_now_is_not_changed(begin, talk, asked) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    asked.change(
        {"MEMORY.md": ENTRIES.replace("team ant is on Wednesday", "team ant is on Friday")}, actor="operator"
    )

    (told,) = talk("1 yes")["answered"]

    assert told["outcome"] == "refused"
    assert "Friday" in review_of(asked, "ant")


def test_a_question_that_asks_something_else_by_now_is_not_answered(begin, talk, asked) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    ledger = asked.read("CORRECTIONS.md").replace("team ant is on Monday", "team ant is on Friday")
    asked.change(
        {"CORRECTIONS.md": ledger.replace("maybe team ant on Monday", "maybe Friday")}, actor="operator"
    )

    (told,) = talk("1 yes")["answered"]

    assert told["outcome"] == "refused"
    assert "Wednesday" in review_of(asked, "ant")


def test_a_question_that_lapsed_is_not_answered(begin, talk, asked, clawgit) -> None:
    begin()
    talk(LINES, "10:50", who=AGENT)
    clawgit("reject", "x:qa")

    (told,) = talk("1 yes")["answered"]

    assert told["outcome"] == "refused"
    assert "Wednesday" in review_of(asked, "ant")


def test_where_a_touched_key_is_wanted_nothing_is_asked_or_answered_in_chat(
    begin, talk, asked, clawgit
) -> None:
    begin()
    assert clawgit("config", "set", "approvals", "present").code == 0
    talk(LINES, "10:50", who=AGENT)

    talk("1 yes")

    assert nothing(asked)
    assert shown(begin()) == []


@pytest.mark.rest
def test_an_answer_is_no_link(begin, talk, asked, clawgit) -> None:
    """Mutant: "1 yes 2 no" stands beside the entry that it left as it is."""
    begin()
    talk(LINES, "10:50", who=AGENT)
    talk("1 yes 2 no")

    clawgit("run", "recall-validator", "--now", "2026-03-19T11:30", "--rehearse")

    assert Status.LINKED not in states(asked).values()
