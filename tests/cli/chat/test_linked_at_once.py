"""What the operator says about a line stands beside it when the answer is there: the job finds it done."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest

LINES = (
    "# Memory\n\n- Anna is my sister and lives in Lyon.\n- Our vet is Dr. Keller in the Marktstrasse.\n"
    "- The physio is on Tuesdays at 17:30.\n- The plumber is Hannes Vogt, phone 0341 555 0188.\n"
    "- The choir meets in the parish hall on Mondays at 19:00.\n- The rent is 1,180 euros.\n"
    "- The heating is serviced by Thermotec every October.\n"
)
VET = "we have a new vet now, dr. Simmons, because Keller retired"
OPERATOR = ("--sender", "user")
HOUR = timedelta(hours=1)
CHATTER = ("what a morning", "the oven engineer is here", "can you draft a note to the school", "it snows", "coffee first", "who wrote that review", "ok, thanks a lot")  # fmt: skip
LATER = "Nothing was changed; the next job puts your words beside the line."


@pytest.fixture
def memory(room) -> None:
    room.change({"MEMORY.md": LINES}, actor="operator")


def links(clawgit) -> list[dict[str, str]]:
    return [each for each in clawgit("corrections", "--json").data if each["status"] == "linked"]


def beside(text: str) -> str:
    """Return the line about the vet and the next one."""
    return "\n".join(text.partition("Our vet is Dr. Keller")[2].splitlines()[:2])


@pytest.mark.usefixtures("memory")
def test_search_context_and_why_have_the_words_at_once_and_the_job_does_not_link_twice(clawgit, room) -> None:
    """Seen: "the next job puts your words beside the line", and without a job nothing did. Mutant: the job links them again."""
    told = clawgit("chat", "add", VET).out.splitlines()

    (link,) = links(clawgit)
    assert told[1:] == [
        'Your words now stand beside MEMORY.md:4 "Our vet is Dr. Keller in the Marktstrasse.": search and prompts show both'
        f" (undo {link['id']}).",
        f'To rewrite the line: clawgit correct {link["id"]} "NEW LINE"',
    ]
    assert VET in clawgit("memory", "search", "who is our vet").out
    assert VET in clawgit("context").out
    assert VET in clawgit("why", "MEMORY.md:4").out
    assert room.read("MEMORY.md").count("Keller") == 1
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")
    assert links(clawgit) == [link]


def test_a_line_with_many_prices_has_the_words_on_the_one_that_is_asked_for(clawgit, room) -> None:
    """Seen: the prompt had the old price of rye, and his words on two other things: two links stand beside a line."""
    prices = "- Sourdough costs £4.20, rye £4.60, croissant £1.80, baguette £2.20, brioche loaf £3.10, seeded batard £3.90\n"
    room.change({"MEMORY.md": f"# Memory\n\n{prices}- Mum helps on Saturdays\n"}, actor="operator")
    for text in ("rye is 4.80 now", "croissants 1.90 from monday", *CHATTER):
        clawgit("chat", "add", text)
    clawgit("run", "recall-validator")
    clawgit("chat", "add", "we don't do rye on mondays anymore")

    assert "rye is 4.80 now" in clawgit("memory", "search", "what does rye cost").out
    assert "rye is 4.80 now" in clawgit("context", "--query", "what does rye cost?").out


@pytest.mark.usefixtures("memory")
def test_a_line_that_comes_back_has_its_words_beside_it(clawgit, room) -> None:
    """Seen: an agent dropped the line, the next link ended the words beside it, and `undo` brought the line back bare."""
    clawgit("chat", "add", VET)
    room.change(
        {"MEMORY.md": LINES.replace("- Our vet is Dr. Keller in the Marktstrasse.\n", "")}, actor="host"
    )
    assert clawgit("chat", "add", "physio moved to fridays, same time", "--json").data["linked"]
    assert VET not in clawgit("memory", "search", "who is our vet", "--all").out.partition("chat:")[0]

    room.change({"MEMORY.md": LINES}, actor="operator")

    assert "Our vet is Dr. Keller in the Marktstrasse." in [each["said"] for each in links(clawgit)]
    assert VET in beside(clawgit("memory", "search", "who is our vet").out)


@pytest.mark.usefixtures("memory")
def test_what_was_undone_is_not_linked_again(clawgit) -> None:
    """Mutants: the commit has no such id; the job puts the words back."""
    link = clawgit("chat", "add", VET, "--json").data["linked"][0]

    assert clawgit("undo", link["link"]).code == 0

    clawgit("run", "recall-validator")
    assert links(clawgit) == []
    assert VET not in clawgit("context").out


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("way", ["undo", "reject"])
def test_what_was_taken_from_a_line_does_not_come_back_beside_it_by_its_words(clawgit, way: str) -> None:
    """Seen: "your words are no more beside it", and the next search had them there, and `pending show` a question. Mutants: search alone; prompts alone."""
    link = clawgit("chat", "add", VET, "--json").data["linked"][0]
    question = "who is our vet, Keller?"
    assert VET in beside(clawgit("search", question).out)

    assert clawgit(way, link["link"]).code == 0

    for words in (("pending", "show", link["link"]), ("reject", link["link"])):
        assert "is withdrawn and asks nothing" in clawgit(*words).err
    found = clawgit("search", question).out
    assert VET not in beside(found)
    assert VET in found  # as a message
    assert VET not in beside(clawgit("context", "--query", question).out)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("back", ["scratch that", "no, forget what I just said about the vet"])
def test_words_that_the_next_message_takes_back_leave_the_line(clawgit, back: str) -> None:
    clawgit("chat", "add", VET)
    assert len(links(clawgit)) == 1

    told = clawgit("chat", "add", back).out

    assert f'Taken back: what rested on "{VET}"' in told
    assert links(clawgit) == []


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("what time is the physio on tuesdays?", (), id="a question"),
        pytest.param("I wish the physio were on Fridays", (), id="a wish"),
        pytest.param("thanks, perfect!", (), id="chatter"),
        pytest.param("my neighbour's vet is Dr. Braun in the Bahnhofstrasse", (), id="somebody else's"),
        pytest.param("Our vet is Dr. Keller.", (), id="what the line says"),
        pytest.param("> our vet is Dr. Simmons now", (), id="a quotation"),
        pytest.param("Don't save this: our vet is Dr. Simmons now", (), id="an opt-out"),
        pytest.param("our new vet, Dr. Simmons: password: hunter2correct", (), id="a secret"),
        pytest.param(VET, ("--sender", "eve"), id="a stranger"),
        pytest.param(VET, ("--external",), id="not his words"),
        pytest.param(VET, ("--role", "assistant"), id="the agent"),
        pytest.param(VET, ("--group",), id="a group"),
    ],
)
def test_what_says_nothing_of_his_about_a_line_stands_beside_none(clawgit, room, text: str, words) -> None:
    """Mutants: the door links what the job would not."""
    room.write("CONFIG.md", "```yaml\noperator_ids: ['cli:user']\ngroup_chats: ['cli:main']\n```\n")
    room.keep("operator")

    told = clawgit("chat", "add", text, *(OPERATOR if "--sender" not in words else ()), *words).out

    assert "stand beside" not in told
    assert links(clawgit) == []


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("text", ["Anna isn't 41, she is 42", "no, Anna isn't coming on Friday"])
def test_a_person_is_not_yet_a_topic(clawgit, text: str) -> None:
    """Seen: beside Nora's allergy stood that she is 42, and in prompts, too."""
    told = clawgit("chat", "add", text).out
    clawgit("run", "recall-validator")

    assert "stand beside" not in told
    assert links(clawgit) == []


@pytest.mark.usefixtures("memory")
def test_a_guess_is_left_to_the_job(clawgit) -> None:
    """Seen: chatter beside a line that it shares one word with. Mutant: what only touches a line is linked at once, too."""
    told = clawgit("chat", "add", "the heating people came today, all fine").out

    assert "stand beside" not in told
    assert links(clawgit) == []
    clawgit("run", "recall-validator")
    assert len(links(clawgit)) == 1


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Anna moved to Marseille last month", "Anna is my sister and lives in Lyon."),
        ("the rent isn't 1,180 anymore", "The rent is 1,180 euros."),
        ("physio moved to fridays, same time", "The physio is on Tuesdays at 17:30."),
    ],
)
def test_the_only_line_that_a_correction_can_mean_gets_the_words(clawgit, text: str, line: str) -> None:
    """Seen: "Nothing was changed. Your message may correct MEMORY.md:3", and no job ever put the words there."""
    told = clawgit("chat", "add", text, "--json").data

    assert [each["text"] for each in told["linked"]] == [line]
    assert [each["said"] for each in links(clawgit)] == [line]


def test_of_two_lines_with_the_name_the_one_with_the_weekday_gets_the_words(clawgit, room) -> None:
    """Seen: written with its accent, no weekday was heard, and both lines may have been meant."""
    shift = "El turno del sábado lo hace Pilar."
    room.change({"MEMORY.md": f"# M\n\n- I owe Pilar a shift.\n- {shift}\n"}, actor="operator")

    clawgit("chat", "add", "no, no es Pilar, el sábado lo hace Toni")

    assert [each["said"] for each in links(clawgit)] == [shift]


def test_words_beside_a_line_are_offered_to_be_remembered_nowhere(clawgit, room) -> None:
    """Seen: `clawgit remember` above the line that it would contradict."""
    room.change(
        {"MEMORY.md": "# M\n\n- My shift starts at half past four, Monday to Friday.\n"}, actor="operator"
    )

    told = clawgit("chat", "add", "my shift starts at half past six in summer, from now on").out

    assert "Your words now stand beside" in told
    assert "clawgit remember" not in told


@pytest.mark.usefixtures("memory")
def test_a_new_value_right_behind_an_order_takes_one_yes(clawgit) -> None:
    """Seen: "To rewrite the line: clawgit correct x:…", since its words name no thing."""
    clawgit("chat", "add", "remember that the staff meeting is on Thursday")
    told = clawgit("chat", "add", "actually no, they moved it to Monday").out
    assert 'To make it "The staff meeting is on Monday": clawgit approve x:' in told


def test_words_that_he_used_to_correct_a_line_in_his_own_words_are_not_kept_beside_it(clawgit, room) -> None:
    """Seen: in the night the sentence became an entry, as the new line is in another language."""
    clawgit("chat", "add", "n'oublie pas que Zoé a violon le mercredi")
    clawgit("chat", "add", "Zoé's violin is now on Thursdays, no more Wednesdays")
    (link,) = links(clawgit)
    clawgit("correct", link["id"], "Zoé a violon le jeudi")
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)
    assert "Zoé a violon le jeudi" in room.read("MEMORY.md")
    assert "violin" not in room.read("MEMORY.md")


def test_of_two_lines_the_one_that_the_words_make_anew_gets_them(clawgit, room) -> None:
    """Seen: `the standup starts Friday at 11:00` stood beside the freeze, too, which starts on a Friday."""
    standup = "The standup is on Friday at 10:00."
    room.change(
        {"MEMORY.md": f"# M\n\n- The deploy freeze starts Friday at 14:00.\n- {standup}\n"}, actor="operator"
    )

    told = clawgit("chat", "add", "Wrong. The standup starts Friday at 11:00").out.splitlines()

    assert len(told) == 2
    assert links(clawgit) == []
    assert standup.replace("10:00", "11:00") in room.read("MEMORY.md")


def test_an_overwrite_that_was_undone_keeps_no_words_from_their_line(clawgit, room) -> None:
    """Seen: "Nothing is pending", for good. Mutant: an undo that brings a line back words it anew, later than the message."""
    clawgit("chat", "add", "rappelle-toi: le chat s'appelle Pistache")
    told = clawgit("chat", "add", "non le chat c'est Caramel").out
    text = room.read("MEMORY.md")
    room.now += timedelta(hours=1)
    room.write("MEMORY.md", "# Memory\n\n- Nothing.\n")
    room.keep("host")
    later = {"CLAWGIT_NOW": room.now.isoformat()}
    clawgit("undo", "HEAD", environment=later)

    clawgit("run", "recall-validator", environment=later)

    assert LATER in told
    assert room.read("MEMORY.md") == text
    assert [each["trigger"] for each in links(clawgit)] == ["non le chat c'est Caramel"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("The physio is on Tuesdays at 17:30.", 0),
        ("Wait, the physio at 17:30 was right after all.", 0),
        ("The physio is on Tuesdays.", 1),
        ("Is the physio on Tuesdays at 17:30?", 1),
    ],
)
@pytest.mark.usefixtures("memory")
def test_who_says_the_line_again_ends_his_words_against_it(clawgit, room, said: str, left: int) -> None:
    """Seen: the withdrawn time beside the line in each prompt, and ready for a yes. Mutant: the line's other value does."""
    told = clawgit("chat", "add", "The physio is on Tuesdays at 18:00.", "--json").data
    assert links(clawgit)

    ended = clawgit("chat", "add", said, environment={"CLAWGIT_NOW": (room.now + HOUR).isoformat()}).out

    assert len(links(clawgit)) == left
    words = (
        'No longer beside "The physio is on Tuesdays at 17:30.": "The physio is on Tuesdays at 18:00." (undo '
    )
    assert (words in ended) is not left
    clawgit("undo", "HEAD")
    assert [each["id"] for each in links(clawgit)] == [told["linked"][0]["link"]] * (1 - left)


@pytest.mark.usefixtures("memory")
def test_where_agents_pause_nothing_is_linked_and_the_answer_says_so(clawgit) -> None:
    """Mutant: "your words now stand beside", and they do not."""
    clawgit("pause", "holidays")

    told = clawgit("chat", "add", VET).out

    assert LATER + " Your message may correct MEMORY.md:4" in told
    assert links(clawgit) == []


@pytest.mark.usefixtures("memory")
def test_where_another_git_is_at_work_the_answer_does_not_wait_and_the_job_links(clawgit, room) -> None:
    """Seen: eleven seconds, and then no word of the link or of why there was none."""
    lock = room.root / ".git" / "index.lock"
    lock.touch()

    told = clawgit("chat", "add", VET).out

    assert LATER in told
    assert clawgit("runs", "--json").data == []  # none that waited and gave up
    lock.unlink()
    clawgit("run", "recall-validator")
    assert len(links(clawgit)) == 1


@pytest.mark.usefixtures("memory")
def test_a_transcript_is_left_to_the_job(clawgit, tmp_path) -> None:
    """Mutant: each message of a long import costs a commit."""
    (tmp_path / "t.jsonl").write_text(json.dumps({"id": "1", "role": "user", "text": VET}) + "\n")

    clawgit("chat", "import", "--as", "operator", str(tmp_path / "t.jsonl"))

    assert links(clawgit) == []
    clawgit("run", "recall-validator")
    assert len(links(clawgit)) == 1


@pytest.mark.usefixtures("memory")
def test_the_agents_answer_may_still_add_a_line(clawgit) -> None:
    """Mutant: what the door has looked at is not looked at again."""
    clawgit("chat", "add", "it is on Fridays now")
    assert links(clawgit) == []
    clawgit("chat", "add", "Noted: the physio is on Fridays now, at 17:30.", "--role", "assistant")

    clawgit("run", "recall-validator")

    assert [each["said"] for each in links(clawgit)] == ["The physio is on Tuesdays at 17:30."]


def test_a_second_word_about_the_same_value_takes_the_place_of_the_words_before(clawgit, room) -> None:
    """Seen: "your words now stand beside MEMORY.md:3", and only the earlier words did."""
    room.change({"MEMORY.md": "# M\n\n- Volleyball training is on Fridays at 19:00.\n"}, actor="operator")
    clawgit("chat", "add", "Volleyball training is at 19:30 now.")
    (earlier,) = links(clawgit)

    told = clawgit("chat", "add", "No wait, 20:00.").out

    (link,) = links(clawgit)
    assert (link["trigger"], link["id"] != earlier["id"]) == ("No wait, 20:00.", True)
    assert f'"Volleyball training is on Fridays at 20:00.": clawgit approve {link["id"]}' in told


@pytest.mark.parametrize(
    ("turns", "day"),
    [
        pytest.param(["no wait the 5th"], "5", id="right behind"),
        pytest.param(["no wait, the 5th", "no, the 6th"], "6", id="twice"),
        pytest.param(["agent: Noted, 4 December.", "no, 5 december"], "5", id="behind the answer"),
        pytest.param(["see you on the 5th"], "4", id="words of their own"),
    ],
)
def test_a_bare_value_right_behind_renews_what_was_offered(clawgit, room, turns: list[str], day: str) -> None:
    """Seen: `no wait the 5th` was only stored, and a yes to the old offer made it the 4th. Mutants: the old offer stays; any day is meant."""
    room.change(
        {"MEMORY.md": "# Memory\n\n- Emil has the dentist on 3 december at 9:00.\n"}, actor="operator"
    )
    clawgit("chat", "add", "moved the dentist of emil to 4 december")

    for turn in turns:
        text = turn.removeprefix("agent: ")
        clawgit("chat", "add", text, "--role", "user" if text == turn else "assistant")

    (link,) = links(clawgit)
    assert clawgit("approve", link["id"]).code == 0
    assert f"Emil has the dentist on {day} december at 9:00." in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_the_same_message_again_tells_its_link_in_words_and_in_json(clawgit) -> None:
    """Seen: the words said "now stand beside", and JSON had no `linked`."""
    first = clawgit("chat", "add", VET, "--id", "7", "--json").data

    again = clawgit("chat", "add", VET, "--id", "7", "--json").data

    assert again["outcome"] == "repeated"
    assert again["linked"] == first["linked"]
    assert "stand beside MEMORY.md:4" in clawgit("chat", "add", VET, "--id", "7").out


@pytest.mark.parametrize(
    "text",
    [
        "The staging server has the password hunter2secretXYZ123 and port 9443 since yesterday.",
        "Volleyball training is at 19:30, door PIN 4711.",
        "Volleyballtraining: jetzt 19:30, Türcode 4711.",
        "Volleyball training is at 19:30, código 4711.",
    ],
)
def test_words_that_speak_of_a_secret_are_not_committed_at_once(clawgit, room, text: str) -> None:
    """Seen: the PIN was in Archive/Corrections/ and in git for good, though he took it back a minute later."""
    lines = "- Volleyball training is on Fridays at 19:00.\n- The staging server runs on port 8443.\n"
    room.change({"MEMORY.md": f"# M\n\n{lines}"}, actor="operator")
    before = room.head()

    told = clawgit("chat", "add", text).out

    assert "stand beside" not in told
    assert room.head() == before


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    "back",
    [
        "Forget what I said about the vet.",
        "Forget that, nobody must read it.",
        "Please don't remember that.",
        "Bitte merk dir das nicht.",
        "Por favor, no guardes eso.",
        "scratch that",
    ],
)
def test_words_taken_back_leave_no_text_in_the_archive(clawgit, room, back: str) -> None:
    """Seen: the trigger stayed in Archive/Corrections/, and no word that git keeps it. Mutants: the job links it again; the undo has no words."""
    clawgit("chat", "add", VET)
    (link,) = links(clawgit)

    told = clawgit("chat", "add", back).out

    assert f'Taken back: what rested on "{VET}"' in told
    assert "Git's history keeps these words; LIMITS.md says how" in told
    assert links(clawgit) == []
    paths = [each for each in room.git("ls-files").split() if each.endswith(".md")]
    assert "Simmons" not in "".join(map(room.read, paths))
    clawgit("run", "recall-validator")
    assert links(clawgit) == []
    clawgit("undo", told.partition("(undo ")[2].partition(")")[0])
    assert links(clawgit) == [link]


@pytest.mark.usefixtures("memory")
def test_an_order_not_to_keep_the_turn_before_ends_no_link_of_an_older_one(clawgit) -> None:
    clawgit("chat", "add", VET)
    clawgit("chat", "add", "my bike is blue")

    told = clawgit("chat", "add", "Please don't remember that.").out

    assert "Taken back" not in told
    assert len(links(clawgit)) == 1


def test_a_small_word_of_denial_links_to_no_line(clawgit, room) -> None:
    """Seen: a warranty of "18 maanden, niet 12" beside an old bicycle that is "niet verkopen"."""
    room.change({"MEMORY.md": "- Fongers BB-64 uit 1938: niet verkopen, is van opa.\n"}, actor="operator")

    answer = clawgit("chat", "add", "garantie is 18 maanden, niet 12").out
    clawgit("run", "recall-validator")

    assert "Fongers" not in answer + clawgit("corrections").out


@pytest.mark.parametrize(("actor", "is_linked"), [("host", True), ("operator", False)])
def test_what_the_agent_remembers_of_its_own_turn_has_the_words_that_denied_it_beside(
    clawgit, actor: str, is_linked: bool
) -> None:
    """Seen: the digest said "Learned: The operator fires the kiln on Thursdays", written after "no, on Fridays". Mutant: so has what he remembers himself."""
    clawgit("chat", "add", "--role", "assistant", "Noted: kiln fired on Thursdays.")
    clawgit("chat", "add", "no, on Fridays")
    later = {"CLAWGIT_ACTOR": actor, "CLAWGIT_NOW": "2026-03-19T11:30:00+00:00", "CLAWGIT_REHEARSE": "1"}
    clawgit("remember", "The operator fires the kiln on Thursdays", environment=later)

    clawgit("run", "recall-validator", environment=later | {"CLAWGIT_ACTOR": "operator"})

    told = clawgit("corrections").out
    assert ('→ "The operator fires the kiln on Fridays"' in told) is is_linked


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_line_of_a_file_that_clawgit_does_not_write_is_corrected_in_memory(
    clawgit, room, encoding: str
) -> None:
    """Seen: `clawgit approve x:…` with garbled words, which then said that the file does not say so; then no word of the file.

    Mutants: the file is written; it is not named.
    """
    path = room.root / "notes/room.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("Der Raum für Grüße hat die Nummer 4711.\n".encode(encoding))
    room.keep("operator")
    right = "Der Raum für Grüße hat die Nummer 4712."

    told = clawgit("chat", "add", "Nein, der Raum für Grüße hat die Nummer 4712, nicht 4711").out

    (link,) = clawgit("corrections", "--json").data
    assert f'notes/room.txt:1 "{right.replace("4712", "4711")}"' in told
    assert f'To make it "{right}": clawgit approve {link["id"]}' in told
    done = clawgit("approve", link["id"])
    only_read = "notes/room.txt is not UTF-8, so clawgit does not write it: MEMORY.md has a new line."
    assert (done.code, only_read in done.err) == (0, True)
    assert "4712" not in path.read_bytes().decode(encoding)
    assert right in clawgit("search", "Nummer Raum Grüße").out.splitlines()[1]


@pytest.mark.parametrize(
    ("line", "said", "new"),
    [
        (
            "The rent is 840 euros, to be paid on the 3rd.",
            "No, the rent is 860 euros, not 840.",
            "The rent is 860 euros, to be paid on the 3rd.",
        ),
        (
            "Die Miete beträgt 900 Euro, fällig am 3. Mai.",
            "Nein, die Miete beträgt 950 Euro, nicht 900.",
            "Die Miete beträgt 950 Euro, fällig am 3. Mai.",
        ),
        (
            "El alquiler es de 500 euros, se paga el 3 de mayo.",
            "No, el alquiler es de 550 euros, no de 500.",
            "El alquiler es de 550 euros, se paga el 3 de mayo.",
        ),
    ],
)
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/rent.md"])
def test_words_about_prose_of_memory_stand_beside_it_and_a_yes_changes_it_in_its_place(
    clawgit, room, path: str, line: str, said: str, new: str
) -> None:
    """Seen: nothing was linked, and `correct` added a line."""
    prose = f"# Notes\n\n{line}\n\nNora likes figs.\n"
    room.change({path: prose}, actor="operator")

    told = clawgit("chat", "add", said).out
    (link,) = links(clawgit)
    found = clawgit("memory", "search", line).out

    assert f'{path}:3 "{line}": search and prompts show both (undo {link["id"]}).' in told
    assert f'To make it "{new}": clawgit approve {link["id"]}' in told
    assert said in found
    clawgit("approve", link["id"])
    assert room.read(path) == prose.replace(line, new)
    clawgit("undo", link["id"])
    assert room.read(path) == prose


def test_a_denial_of_another_line_stands_beside_no_prose(clawgit, room) -> None:
    """Mutant: a shared word is enough."""
    prose = "# Notes\n\nThe kiln needs 32 amps.\nNora likes figs.\n"
    room.change({"memory/shop.md": prose}, actor="operator")

    clawgit("chat", "add", "No, the oven takes 32 minutes, not 40.")
    clawgit("chat", "add", "Nora's brother does not like nuts.")
    clawgit("run", "recall-validator")

    assert links(clawgit) == []
    assert room.read("memory/shop.md") == prose


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("remember the key is under the mat", "no, it's in the shed"),
        ("remember that the spare tyre is behind the door", "oops, it's under the stairs"),
        ("remember the meeting is in room 4", "sorry, it's in the kitchen"),
        ("remember the lunch is on Wednesday 16 December", "actually we moved it to Friday"),
        ("remember the meeting is on Thursday", "actually no, they moved it to Monday"),
        ("merk dir: der Schlüssel liegt unter der Matte", "nein, er liegt im Schuppen"),
        ("merk dir: die Katze heißt Luna", "nein, sie heißt Mimi"),
        ("souviens-toi que la clé est sous le paillasson", "non, elle est dans le garage"),
        ("recuerda que la llave está debajo del felpudo", "no, está en el garaje"),
        ("recuerda que el perro se llama Toby", "no, se llama Rex"),
    ],
)
@pytest.mark.usefixtures("memory")
def test_a_second_word_right_behind_an_order_stands_beside_the_line_that_he_has_just_said(
    clawgit, order: str, said: str
) -> None:
    """Seen: nothing was marked, and `clawgit remember 'elle est dans le garage'` was offered. Mutant: a ready line alone is linked."""
    line = clawgit("chat", "add", order, "--json").data["remembered"][0]["text"]

    told = clawgit("chat", "add", said).out

    (link,) = links(clawgit)
    assert (link["said"], link["trigger"]) == (line, said)
    assert f'"{line}": search and prompts show both (undo {link["id"]}).' in told
    assert "clawgit remember" not in told


@pytest.mark.parametrize(
    "said",
    [
        "no, it's fine",
        "no, it's time to go",
        "no, that's all",
        "no, thanks",
        "no, I don't need the car",
        "no, the dog is in the shed",
        "no, there is a problem with the oven",
        "no, is it in the shed?",
        "nein, es ist gut so",
        "non, c'est bon",
        "no, está bien",
    ],
)
@pytest.mark.usefixtures("memory")
def test_what_else_begins_with_no_stands_beside_nothing(clawgit, said: str) -> None:
    """Mutants: any pronoun; any word of the line."""
    clawgit("chat", "add", "remember the key is under the mat")
    clawgit("chat", "add", said)
    assert links(clawgit) == []


@pytest.mark.usefixtures("memory")
def test_a_denial_of_what_stands_beside_a_line_stands_beside_it_too(clawgit) -> None:
    """Seen: from the next morning on, prompts had `the recital is cancelled` alone."""
    clawgit("chat", "add", "remember the recital is on the 19th of December")
    clawgit("chat", "add", "the recital is cancelled :(")
    clawgit("chat", "add", "no wait, its not cancelled")

    assert [each["trigger"] for each in links(clawgit)] == [
        "no wait, its not cancelled",
        "the recital is cancelled :(",
    ]


def test_an_order_for_good_that_says_what_it_replaces_stands_beside_that_line(clawgit, room) -> None:
    """Seen: at night both lines stood there, and nothing said that the old one is over."""
    clawgit("remember", "Lena brings Tom to school by car.")

    told = clawgit("chat", "add", "From now on Lena brings Tom to school by bike instead of by car").out

    assert "Your words now stand beside" in told
    assert '"Lena brings Tom to school by car."' in told


def test_a_prompt_has_his_words_beside_a_line_of_user_md_too(clawgit, room) -> None:
    """Seen: the answer promised both, and the prompt had the line alone."""
    room.change({"USER.md": "# USER\n\n- Nurse, ward 4B (cardiology), shifts\n"}, actor="operator")

    clawgit("chat", "add", "my ward is 5A now, not 4B")

    (line,) = [each for each in clawgit("context").out.splitlines() if "4B (card" in each]
    assert 'my ward is 5A now, not 4B")' in line


@pytest.mark.usefixtures("memory")
def test_a_no_behind_the_answer_to_his_question_is_about_its_line(clawgit) -> None:
    """Seen: "may correct", and no job put the words beside the line: neither turn alone names it."""
    clawgit("chat", "add", "where does the choir meet?", "--at", "2026-03-19T11:00")
    clawgit("chat", "add", "In the parish hall.", "--role", "assistant", "--at", "2026-03-19T11:01")
    clawgit("chat", "add", "nope we moved, its in the old brewery now", "--at", "2026-03-19T11:02")

    clawgit("run", "recall-validator")

    assert "choir meets in the parish hall" in str(links(clawgit))


def test_what_stands_beside_the_line_that_it_denies_is_no_second_line(clawgit, room) -> None:
    """Seen: the line, his words beside it, his words as a line, and a question which of the two holds."""
    room.change({"MEMORY.md": "# Memory\n\n- My badge runs out in march 2027\n"}, actor="operator")
    clawgit("chat", "add", "my badge runs out in may 2027, not march")

    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    assert room.read("MEMORY.md").count("badge") == 1


def test_a_grammar_word_in_what_he_denies_keeps_no_line_back(clawgit, room) -> None:
    """Mutant: `in the` of the line is what his sentence denies."""
    room.change({"MEMORY.md": "# Memory\n\n- My dentist is Dr. Lee in the Marktstrasse\n"}, actor="operator")
    clawgit("chat", "add", "My dentist is Dr. Roe, not far from the bridge in the old town")

    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    assert links(clawgit)
    assert "Roe" in room.read("MEMORY.md")


def test_a_line_that_shares_only_the_denied_word_keeps_nothing_back(clawgit, room) -> None:
    """Seen: an electrician "does not read messages", his words stood beside the reading club, and memory had him nowhere."""
    room.change({"MEMORY.md": "# Memory\n\n- My sister Celia lives in Lyon.\n"}, actor="operator")
    clawgit("chat", "add", "We decided that Christmas is at my place this year and not at Celia's.")

    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)

    assert links(clawgit)
    assert "Christmas is at my place" in room.read("MEMORY.md")


@pytest.mark.usefixtures("memory")
def test_a_long_message_is_quoted_on_to_what_replaces_the_line(clawgit) -> None:
    """Seen: "ilse stood up, 19 years, ..." beside her post, and the sentence with her successor nowhere."""
    told = "It was a long day. The vet Keller has retired, he told me so himself. I was sad. From now on Simmons looks after the cat. I slept at two."
    clawgit("chat", "add", told)
    clawgit("run", "recall-validator")

    (line,) = [each for each in clawgit("context").out.splitlines() if "Our vet" in each]
    assert "he told me so himself. I was sad. From now on Simmons" in line
    assert "long day" not in line


def test_im_is_i_am(clawgit, room) -> None:
    clawgit("chat", "add", "im allergic to latex")
    clawgit("run", "memory-miner")

    assert "im allergic to latex" in room.read("MEMORY.md")


def test_a_line_of_a_days_note_without_a_speaker_has_later_words_too(clawgit, room) -> None:
    """Seen: a visit noted by hand stood in the prompt alone, and his newer days nowhere. Mutant: his turns alone."""
    day = (room.now - timedelta(days=6)).date()
    room.change({f"memory/{day}.md": "- Elena comes 12-14 december with the kids\n"}, actor="operator")
    clawgit("chat", "add", "Elena comes 13-15 december, not 12-14", "--at", "2026-03-19T11:00")
    asked = ("context", "--query", "when does elena come")

    context = clawgit("--now", "2026-03-19T12:00:00+00:00", *asked).out

    (line,) = [each for each in context.splitlines() if "with the kids" in each]
    assert 'Elena comes 13-15 december, not 12-14")' in line


@pytest.mark.usefixtures("memory")
def test_an_undo_brings_no_words_back_that_he_has_taken_back_since(clawgit, room) -> None:
    """Seen: the line had its old time again, and beside it the time that he had withdrawn."""
    line = "The physio is on Tuesdays at 17:30."
    clawgit("chat", "add", "The physio is on Tuesdays at 18:00.")
    clawgit("correct", line, "The physio is on Tuesdays at 18:00.")
    clawgit("chat", "add", line, environment={"CLAWGIT_NOW": (room.now + HOUR).isoformat()})

    clawgit("undo", line.replace("17:30", "18:00"))

    assert links(clawgit) == []


def test_an_order_behind_a_greeting_stands_beside_no_line_that_it_made(clawgit) -> None:
    """Seen: "Remembered", and below it "Your words now stand beside" the same line."""
    said = "Good morning Pip. Remember that the New Year dance is cancelled, the band is ill."

    assert "stand beside" not in clawgit("chat", "add", said).out
    assert links(clawgit) == []


def test_a_line_of_the_same_message_that_says_no_more_is_named_with_its_way_out(clawgit, room) -> None:
    """Seen: the fact stood twice in MEMORY.md for good. Mutant: a line that says more is named, too."""
    room.change({"MEMORY.md": "- My dentist is Dr. Weber.\n- I have physio on Tuesdays.\n"}, actor="operator")
    clawgit("chat", "add", "My dentist is Dr. Kahn, she is in Mill Lane. I live in Rome.")
    for agent in ("recall-validator", "memory-miner"):
        clawgit("run", agent)
    (link,) = re.findall(r"x:\w+(?=  My dentist)", clawgit("pending").out)

    done = clawgit("correct", link, "My dentist is Dr. Kahn in Mill Lane.").err
    (again,) = re.findall(r"says that, too: `clawgit (forget m:\w+)`", done)
    clawgit(*again.split(), "--yes")

    assert room.read("MEMORY.md").count("Kahn") == 1
    assert "Rome" in room.read("MEMORY.md")
