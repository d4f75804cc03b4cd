from __future__ import annotations

import pytest

NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


def test_add_remembers_a_statement_with_its_day_and_tag(clawgit, room) -> None:
    said = clawgit("memory", "add", "Chose REST over GraphQL.", "--tag", "decision", "--json")

    assert said.code == 0
    entry = said.data["entry"]
    assert f"- 2026-03-19: Chose REST over GraphQL. #decision <!-- m:{entry} -->\n" in room.read("MEMORY.md")
    assert said.data["commit"] == room.head()
    assert room.git("status", "--porcelain") == ""


def entry_of(room, words: str) -> str:
    """Return the id of the entry that says so, as it is written in MEMORY.md."""
    (line,) = (line for line in room.read("MEMORY.md").splitlines() if words in line)
    return line.partition("<!-- ")[2].partition(" ")[0]


@pytest.mark.parametrize(
    "words",
    [["The dentist is Dr. Sato."], ["Remember", "that", "rent", "is", "due."], ["Called the dentist."]],
)
def test_what_the_operator_orders_to_remember_is_in_core_memory_and_its_undo_takes_it_out(
    clawgit, room, words
) -> None:
    said = clawgit("remember", *words).err

    assert f'Remembered: MEMORY.md "{" ".join(words)}" (undo m:' in said
    assert clawgit("undo", said.partition("(undo ")[2].partition(")")[0]).code == 0
    assert " ".join(words) not in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("words", "actor", "path"),
    [
        pytest.param(
            ["Called the dentist.", "--tag", "event"], "operator", "memory/2026-03-19.md", id="an event"
        ),
        pytest.param(["Called the dentist. #event"], "operator", "memory/2026-03-19.md", id="an event's tag"),
        pytest.param(["Lesson: read the thread first."], "operator", "AGENTS.md", id="a lesson"),
        pytest.param(["Tea.", "--to", "memory/tea.md"], "operator", "memory/tea.md", id="a file named"),
        pytest.param(["Called the dentist."], "host", "memory/learned.md", id="a host's word"),
    ],
)
def test_an_order_with_a_better_place_goes_there(clawgit, words, actor: str, path: str) -> None:
    assert clawgit("remember", *words, "--json", actor=actor).data["path"] == path


def test_add_prints_the_commit_and_says_where(clawgit, room) -> None:
    said = clawgit("memory", "add", "Ada prefers tea.")

    assert said.out == room.head()[:12] + "\n"
    undo = entry_of(room, "Ada prefers tea.")
    assert (
        f'Remembered: MEMORY.md "Ada prefers tea." (undo {undo})\n'
        "Why there: it is a lasting fact, preference or decision on your word.\n"
    ) in said.err


def test_the_same_statement_is_not_added_twice(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.")
    before = room.head()

    said = clawgit("memory", "add", "Tea.")

    assert (said.code, said.out) == (0, "")
    assert "has this already" in said.err
    assert room.head() == before


def test_the_same_op_is_applied_once(clawgit, room) -> None:
    first = clawgit("memory", "add", "Tea.", "--op", "op-7")

    again = clawgit("--op", "op-7", "memory", "add", "Coffee.", "--json")

    assert again.data["outcome"] == "repeated"
    assert "The op op-7 was applied before; nothing was written now.\n" in again.err
    assert again.data["commit"][:12] == first.out.strip()
    assert "Coffee" not in room.read("MEMORY.md")


def test_what_a_host_adds_goes_to_learned_and_never_to_memory(clawgit, room) -> None:
    clawgit("memory", "add", "Ada prefers tea, the web says.", actor="host")

    assert "Ada prefers tea, the web says." in room.read("memory/learned.md")
    assert clawgit("memory", "add", "x", "--to", "MEMORY.md", actor="host").code == 1
    assert room.actors()[0] == "host"


def test_a_daily_note_gets_the_line_without_an_id(clawgit, room) -> None:
    clawgit("memory", "add", "Standup moved.", "--to", "memory/2026-03-19.md")

    assert room.read("memory/2026-03-19.md") == "- 2026-03-19: Standup moved.\n"


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        pytest.param(["  "], 1, "no statement", id="empty"),
        pytest.param(["x <!-- m:forged -->"], 1, "cannot contain", id="a forged id"),
        pytest.param(["x", "--to", "SOUL.md"], 1, "no file of memories", id="the soul"),
        pytest.param(["x", "--to", "../x.md"], 1, "", id="outside"),
        pytest.param(["x", "--to", "memory/x.txt"], 1, "no file of memories", id="no Markdown"),
        pytest.param(["x", "--to", "memory/a\nb.md"], 1, "no file of memories", id="a line end in a name"),
        pytest.param(["x", "--to", "memory/\u202eab.md"], 1, "no file of memories", id="a name that hides"),
        pytest.param(["x", "--to", ""], 1, "'' is no file of memories", id="no name"),
        pytest.param(["x " * 2000], 1, "has 3,999", id="a page"),
        pytest.param(["x", "--to", "CORRECTIONS.md"], 1, "no file of memories", id="corrections"),
        pytest.param(["x", "--tag", "nonsense"], 2, "nonsense", id="no such tag"),
        pytest.param([], 2, "TEXT", id="no text"),
    ],
)
def test_what_cannot_be_remembered_is_refused_with_a_sentence(clawgit, room, words, code, why) -> None:
    before = room.head()

    said = clawgit("memory", "add", *words)

    assert said.code == code
    assert why in said.err
    assert said.out == ""
    assert room.head() == before


def test_a_refusal_is_an_object_on_request(clawgit) -> None:
    said = clawgit("memory", "add", "x", "--to", "SOUL.md", "--json")

    assert said.data["exit"] == 1
    assert "no file of memories" in said.data["error"]


def test_new_lines_in_a_statement_become_one_line(clawgit, room) -> None:
    clawgit("memory", "add", "first\n\n# second\n- third", "--to", "MEMORY.md")

    assert "- 2026-03-19: first # second - third <!-- m:" in room.read("MEMORY.md")


LATER = ("--now", "2026-05-20T10:00")


@pytest.fixture
def remembered(clawgit, room, lived_once):
    """Let the operator, a host and nobody known remember something, on two days, one of it with a tag."""

    def life() -> None:
        clawgit("memory", "add", "Ada drinks tea.", "--tag", "knowledge")
        clawgit("memory", "add", "Acme uses REST.", "--tag", "decision", *LATER)
        clawgit("memory", "add", "The web says so.", "--to", "memory/learned.md", *LATER, actor="host")
        room.write("memory/learned.md", room.read("memory/learned.md") + f"- 2026-03-19: {BIN}\n")
        room.keep("unknown")

    return lived_once("remembered", life)


def texts(clawgit, *words: str) -> list[str]:
    return [
        entry["text"].partition(": ")[2] for entry in clawgit("memory", "list", "--json", *LATER, *words).data
    ]


TEA, REST, WEB = "Ada drinks tea. #knowledge", "Acme uses REST. #decision", "The web says so."
BIN = "The bin is green."


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        pytest.param([], [TEA, REST, WEB, BIN], id="all"),
        pytest.param(["--tag", "knowledge"], [TEA], id="by tag"),
        pytest.param(["--tag", "skill"], [], id="by a tag that none has"),
        pytest.param(["--source", "host"], [WEB], id="by source"),
        pytest.param(["--source", "agent"], [WEB], id="by source, in a screen's word"),
        pytest.param(["--source", "you"], [TEA, REST], id="by source, your own"),
        pytest.param(["--source", "memory-miner"], [], id="by an agent that said nothing"),
        pytest.param(["--trust", "operator"], [TEA, REST], id="by trust"),
        pytest.param(["--trust", "unknown"], [BIN], id="by an unknown author, as screens have it"),
        pytest.param(["--trust", "host"], [WEB, BIN], id="an unknown author's counts as the host's"),
        pytest.param(["--trust", "external"], [], id="by a trust that none has"),
        pytest.param(["--since", "2026-05-01"], [REST, WEB], id="by age"),
        pytest.param(["--since", "2030-01-01"], [], id="by a day to come"),
        pytest.param(["--trust", "operator", "--since", "2026-05-01"], [REST], id="by two of them"),
    ],
)
def test_a_filter_lets_through_what_it_says(clawgit, remembered, words: list[str], listed: list[str]) -> None:
    """Mutant: each line of `_fits` left out in turn lets one of these through."""
    assert texts(clawgit, *words) == listed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(
            ["--source", "ada"], "you, agent, jobs, operator, host, unknown", id="a source that nobody is"
        ),
        pytest.param(["--source", ""], "you, agent, jobs, operator, host, unknown", id="no source"),
        pytest.param(
            ["--trust", "most"], "'understood', 'host', 'external', 'unknown'", id="a trust that nobody has"
        ),
        pytest.param(["--tag", "mood"], "'event', 'knowledge', 'skill', 'decision'", id="a tag that is none"),
        pytest.param(["--since", "once"], "'once' is no day or time. Write it as 2026-03-19", id="no day"),
    ],
)
def test_a_filter_that_says_nothing_is_refused_with_what_does(clawgit, words: list[str], said: str) -> None:
    done = clawgit("memory", "list", *words)

    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_an_entry_is_listed_with_everything_that_is_known_of_it(clawgit, remembered) -> None:
    entry = clawgit("memory", "list", "--tag", "knowledge", "--json", *LATER).data[0]
    name = entry["entry"]

    assert entry == {
        "id": f"m:{name}",
        "entry": name,
        "text": "2026-03-19: Ada drinks tea. #knowledge",
        "tag": "knowledge",
        "path": "MEMORY.md",
        "line": remembered.read("MEMORY.md").split("\n").index(f"- 2026-03-19: {TEA} <!-- m:{name} -->") + 1,
        "tier": "T1",
        "source": "operator",
        "trust": "operator",
        "confidence": 0.85,
        "since": "2026-03-19",
        "words_since": "2026-03-19",
        "last_mention": None,
        "mentions": 0,
        "class": None,
        "expires": None,
        "commit": entry["commit"],
        "evidence": [],
        "corrections": [],
        "beside": "",
    }
    assert remembered.git("log", "-1", "--format=%s", entry["commit"]).startswith("remember: Ada")


def test_a_list_is_readable(clawgit, remembered) -> None:
    lines = clawgit("memory", "list", *LATER).out.splitlines()

    assert len(lines) == 4
    assert lines[0].split()[1:4] == ["85%", "you", "2026-03-19"]
    assert lines[0].endswith(f"2026-03-19: {TEA}")
    assert clawgit("memory", "list", "--tag", "skill").out == "No entries.\n"


@pytest.mark.parametrize(
    ("actor", "text", "path"),
    [
        pytest.param("operator", "Called the dentist.", "MEMORY.md", id="what nobody can tell the place of"),
        pytest.param("operator", "We decided on REST.", "MEMORY.md", id="a decision"),
        pytest.param("operator", "Never mail before noon.", "MEMORY.md", id="a standing order"),
        pytest.param("operator", "Lesson: read the thread first.", "AGENTS.md", id="a lesson"),
        pytest.param("operator", "Next time use `rg`.", "TOOLS.md", id="a lesson about a tool"),
        pytest.param("host", "Called the dentist.", "memory/learned.md", id="whatever a host asks for"),
        pytest.param("host", "We decided on REST.", "memory/learned.md", id="a host's decision"),
        pytest.param("host", "Never mail before noon.", "memory/learned.md", id="a host's order"),
        pytest.param("host", "Lesson: read the thread first.", "memory/lessons.md", id="a host's lesson"),
        pytest.param("memory-miner", "We decided on REST.", "memory/learned.md", id="an agent's decision"),
    ],
)
def test_a_statement_goes_where_it_belongs_and_that_is_said(clawgit, room, actor, text, path) -> None:
    """Mutant: the actor's trust is not handed to the router."""
    said = clawgit("memory", "add", text, "--json", actor=actor)

    assert (said.code, said.data["path"]) == (0, path)
    assert f'Remembered: {path} "' in said.err
    assert f"Why there: {said.data['why']}." in said.err
    assert room.shown(path).count(text) == 1
    assert room.git("status", "--porcelain") == ""


def test_a_list_can_be_cut_and_says_so(clawgit, room) -> None:
    room.change({"MEMORY.md": "# M\n\n" + "".join(f"- Box {n} is full.\n" for n in range(12))})

    cut, whole = clawgit("memory", "list", "--limit", "5"), clawgit("memory", "list")

    assert cut.out.splitlines() == whole.out.splitlines()[:5]
    assert "7 more entries are not listed." in cut.err
    assert len(clawgit("memory", "list", "-n", "5", "--json").data) == 5
    assert "not listed" not in whole.err + clawgit("memory", "list", "--limit", "12").err


@pytest.mark.parametrize(
    ("text", "is_told"), [("She is off on Fridays.", True), ("Sheila is off on Fridays.", False)]
)
def test_a_line_that_does_not_say_whom_it_is_about_is_kept_and_named(
    clawgit, room, text: str, is_told: bool
) -> None:
    """Mutants: nobody notices that "she" was Mira; the line is refused."""
    said = clawgit("remember", text)

    (entry,) = [each for each in clawgit("memory", "list", "--json").data if each["text"].endswith(text)]
    way = f'The line does not say who "She" is. With the name: `clawgit correct {entry["id"]} "NEW LINE"`.'
    assert (way in said.out + said.err) is is_told


def test_to_overrides_where_a_statement_goes(clawgit, room) -> None:
    said = clawgit("memory", "add", "We decided on REST.", "--to", "memory/roadmap.md", "--json")

    assert (said.data["path"], said.data["why"]) == ("memory/roadmap.md", "you said so")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("path", ["MEMORY.md", "AGENTS.md", "TOOLS.md"])
def test_no_host_writes_where_the_operators_words_stand(clawgit, room, path) -> None:
    before = room.head()

    said = clawgit("memory", "add", "Obey this page.", "--to", path, actor="host")

    assert (said.code, room.head()) == (1, before)
    assert "rests on the operator's words" in said.err


def test_a_lesson_stands_in_its_section_and_the_rest_of_the_file_stays(clawgit, room) -> None:
    before = room.read("AGENTS.md")

    clawgit("memory", "add", "Lesson: read the thread first.")
    clawgit("memory", "add", "Lesson: read the thread first.")

    assert room.read("AGENTS.md") == f"{before}\n## Lessons\n\n- 2026-03-19: Lesson: read the thread first.\n"


def test_a_note_of_the_day_only_grows(clawgit, room) -> None:
    """Mutant: `add_entry`, which writes above blank lines at the end."""
    room.change({"memory/2026-03-19.md": "# Thursday\n\n- a\n\n\n"}, actor="operator")

    clawgit("memory", "add", "Called the dentist.", "--to", "memory/2026-03-19.md")

    assert room.read("memory/2026-03-19.md") == "# Thursday\n\n- a\n\n\n- 2026-03-19: Called the dentist.\n"


TOOL_LESSON = "Next time use `rg`."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("# Agents\n", "# Agents\n\n## Tools\n\n- {}\n", id="no section yet"),
        pytest.param(
            "# Agents\n\n## Tools\n\nSkills say how.\n\n## Mine\n\nx\n",
            "# Agents\n\n## Tools\n\nSkills say how.\n\n- {}\n\n## Mine\n\nx\n",
            id="the host's section",
        ),
    ],
)
@pytest.mark.parametrize("to", [(), ("--to", "TOOLS.md")], ids=["by what it is about", "by name"])
def test_a_lesson_about_a_tool_goes_where_a_host_without_such_a_file_reads(
    clawgit, room, to, before, after
) -> None:
    room.change({"AGENTS.md": before, "TOOLS.md": None}, actor="operator")

    said = clawgit("memory", "add", TOOL_LESSON, *to, "--json")

    assert (said.code, said.data["path"]) == (0, "AGENTS.md")
    assert room.read("AGENTS.md") == after.format(f"2026-03-19: {TOOL_LESSON}")
    assert not (room.root / "TOOLS.md").exists()


@pytest.mark.parametrize("path", ["DREAMS.md", "memory/dreaming/light.md", "memory/INDEX.md"])
def test_nothing_is_added_to_what_another_program_writes(clawgit, room, path) -> None:
    assert clawgit("memory", "add", "Tea.", "--to", path).code == 1


def test_what_memory_says_already_is_named_and_makes_no_second_line(clawgit, room) -> None:
    """Mutants: another day, a capital or a full stop makes it new; so does that the line was typed."""
    room.write("MEMORY.md", "# Memory\n\n- The bin is green.\n")
    clawgit("keep", "--as", "operator")
    mark = clawgit("remember", "Ada likes tea.", "--json").data["entry"]
    before = room.read("MEMORY.md")

    again = clawgit("remember", "ada likes tea", environment=NEXT_DAY)
    typed = clawgit("remember", "The bin is green.")

    assert f'MEMORY.md has this already: m:{mark} "Ada likes tea."' in again.err
    assert 'MEMORY.md:3 has this already: "The bin is green."' in typed.err
    assert room.read("MEMORY.md") == before


@pytest.mark.parametrize(
    ("prose", "statement", "other"),
    [
        ("The kiln needs 32 amps.", "the kiln needs 32 amps", "The oven needs 32 amps."),
        ("Die Miete beträgt 900 Euro. Sie ist am 3. Mai fällig.", "Die Miete beträgt 900 Euro.", "Die Miete beträgt 900 Euro und steigt."),
        ("El alquiler es de 500 euros.", "El alquiler es de 500 euros.", "El alquiler no es de 500 euros."),
    ],
)  # fmt: skip
def test_what_prose_of_memory_says_already_is_named_with_its_place(
    clawgit, room, prose: str, statement: str, other: str
) -> None:
    """Seen: a second line. Mutant: the words of a sentence within another are enough."""
    room.change({"MEMORY.md": f"# Memory\n\n{prose}\n"}, actor="operator")
    before = room.read("MEMORY.md")

    again = clawgit("remember", statement)
    spoken = clawgit("chat", "add", prose.partition(". ")[0].rstrip(".") + ".")

    assert f'MEMORY.md:3 has this already: "{prose}"' in again.err
    assert f'Known: MEMORY.md:3 "{prose}"' in spoken.out
    assert room.read("MEMORY.md") == before
    clawgit("remember", other)
    assert other in room.read("MEMORY.md")


@pytest.mark.parametrize("author", ["host", "unknown"])
def test_prose_of_others_does_not_stand_for_what_he_remembers(clawgit, room, author: str) -> None:
    """Seen: "MEMORY.md:3 has this already", and the line stayed the agent's word."""
    room.change({"MEMORY.md": "# Memory\n\nThe kiln needs 32 amps.\n"}, actor=author)

    assert "Remembered: MEMORY.md" in clawgit("remember", "The kiln needs 32 amps.").err
    (entry,) = clawgit("memory", "list", "--json").data
    assert (entry["text"], entry["trust"]) == ("2026-03-19: The kiln needs 32 amps.", "operator")
    assert "has this already: m:" in clawgit("remember", "The kiln needs 32 amps.").err


def test_a_tag_within_a_sentence_is_a_word_of_it(clawgit, room) -> None:
    """Mutants: cut from the answer and `log`; one that the operator put behind a line makes another of it."""
    room.write("MEMORY.md", "# Memory\n\n- The dentist is in Bern #health #family\n")
    clawgit("keep", "--as", "operator")

    added = clawgit("remember", "The team channel is #general")
    spoken = clawgit("chat", "add", "Remember: the ops channel is #ops")
    again = clawgit("remember", "The dentist is in Bern")

    assert 'Remembered: MEMORY.md "The team channel is #general"' in added.err
    assert 'Remembered: MEMORY.md "The ops channel is #ops"' in spoken.out
    assert "The ops channel is #ops  (you, m:" in clawgit("log").out
    assert "has this already" in again.err


def test_a_line_with_another_value_of_the_same_is_named_and_stays(clawgit, room) -> None:
    clawgit("remember", "The rent is 1480 a month.")
    clawgit("remember", "Nora likes tea.")

    said = clawgit("remember", "The rent is 1520 a month.").err
    other = clawgit("remember", "Emil likes tea.").err

    at, line = next(
        (at, text) for at, text in enumerate(room.read("MEMORY.md").splitlines(), 1) if "1480" in text
    )
    assert f'MEMORY.md:{at} says "The rent is 1480 a month." Both stay.' in said
    assert f"`clawgit forget {line.split('<!-- ')[1].split()[0]}`" in said  # the number of a line changes
    assert "Both stay" not in other


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        pytest.param(["Invoice {}0 is due on {} May.", 6], 0, id="other invoices"),
        pytest.param(["My son Tim was born in 2015.", "My son Max was born in 2017."], 0, id="another child"),
        pytest.param(
            ["My aunt Mia is allergic to nuts.", "My aunt Lea is allergic to nuts."], 0, id="a name within"
        ),
        pytest.param(["Room 4 has 12 chairs.", "Room 12 has 4 tables."], 0, id="another room"),
        pytest.param(["Fact 1 before.", "Fact 2 before."], 0, id="another number"),
        pytest.param(
            ["The garden review is on 3 May.", "The kiln review is on 5 May."], 0, id="another review"
        ),
        pytest.param(["The tax is due on 3 May.", "The tax is due on 4 May."], 1, id="another day"),
        pytest.param(["The wifi is called Rex.", "The wifi is called Otto."], 1, id="another name"),
        pytest.param(["The rent is {}00 euros a month.", 5], 2, id="the newest two"),
    ],
)
def test_only_another_value_of_the_same_subject_is_named(clawgit, lines: list, count: int) -> None:
    """Mutant: each parallel fact is named as one that may be over."""
    if isinstance(lines[1], int):
        lines = [lines[0].format(number, number) for number in range(1, lines[1])]
    for line in lines:
        said = clawgit("remember", line).err

    assert said.count("Both stay") == count


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_get_prints_no_carriage_return_behind_the_last_line(clawgit, room, encoding: str) -> None:
    (room.root / "MEMORY.md").write_bytes("# Flat\r\n\r\n- Bike: red\r\n".encode(encoding))

    assert clawgit("memory", "get", "MEMORY.md").out.splitlines()[-1] == "- Bike: red"
