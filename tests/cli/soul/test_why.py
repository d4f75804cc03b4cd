from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.memory.corrections.correction_log import Correction, Status, render_correction
from clawgit.plan import Edit, Evidence, Plan

LINE = "- The Acme API uses GraphQL. <!-- m:aaa111 -->\n"


@pytest.fixture
def change(room):
    """Return a function that makes a change by somebody, a day after the last."""

    def make(
        summary: str, files: dict[str, str], *, actor: str = "memory-miner", evidence=(), reason: str = ""
    ) -> str:
        edits = tuple(Edit(path, text.encode()) for path, text in files.items())
        plan = Plan(summary, edits, reason, evidence, verbatim=True)
        losses = dict.fromkeys(files, "The test wants it so.")
        done = apply_plan(room.history, lambda _: plan, Intent(new_op(), actor, room.now, losses=losses))
        room.now += timedelta(days=1)
        return done.commit_id

    return make


@pytest.fixture
def told(change, lived_once):
    """Let an entry be mined from a message, move to another file, and be reworded by the operator."""

    def life() -> None:
        mined = (Evidence("msg:telegram:7", "we use GraphQL at Acme"),)
        change("mine: one fact", {"memory/learned.md": LINE}, evidence=mined, reason="Said in passing.")
        change("promote it", {"memory/learned.md": "", "memory/acme.md": LINE}, actor="organizer")
        change("correct it", {"memory/acme.md": LINE.replace("GraphQL", "REST")}, actor="operator")

    return lived_once("told", life)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "asked", ["m:aaa111", "aaa111", "memory/acme.md:1", "The Acme API uses REST.", "acme api"]
)
def test_a_statement_is_followed_to_the_message_behind_it(clawgit, told, asked: str) -> None:
    data = clawgit("why", asked, "--json").data

    assert data["text"] == "The Acme API uses REST."
    assert data["place"] == "memory/acme.md:1"
    assert [each["actor"] for each in data["wordings"]] == ["memory-miner", "organizer", "operator"]
    assert [each["path"] for each in data["wordings"]] == [
        "memory/learned.md",
        "memory/acme.md",
        "memory/acme.md",
    ]
    assert data["wordings"][0]["text"] == "The Acme API uses GraphQL."
    assert data["wordings"][0]["evidence"] == ['msg:telegram:7 "we use GraphQL at Acme"']
    assert data["trust"] == "operator"


def test_words_that_are_no_entry_any_more_are_still_explained(clawgit, told) -> None:
    data = clawgit("why", "uses GraphQL", "--json").data

    assert data["entry"] is None
    assert data["place"] == ""
    assert data["wordings"][0]["summary"] == "mine: one fact"


def test_an_entry_that_is_gone_is_still_known_by_its_id(clawgit, told, change) -> None:
    change("drop it", {"memory/acme.md": ""}, actor="operator")

    data = clawgit("why", "m:aaa111", "--json").data

    assert (data["text"], data["place"], len(data["wordings"])) == ("The Acme API uses REST.", "", 3)


def test_a_line_of_the_soul_is_explained_by_its_change(clawgit, told) -> None:
    told.append("SOUL.md", "- Ask first.")
    number = len(told.read("SOUL.md").splitlines())

    data = clawgit("why", f"SOUL.md:{number}", "--json").data

    assert (data["text"], data["trust"]) == ("Ask first.", "host")


def test_a_line_of_a_daily_note_is_found_where_it_stands(clawgit, change) -> None:
    change("note", {"memory/2026-03-19.md": "# Day\n\n- Standup moved to 9:30.\n"})

    data = clawgit("why", "Standup moved", "--json").data

    assert (data["place"], data["by"]) == ("memory/2026-03-19.md:3", "a part of its words")


def test_it_is_readable(clawgit, told) -> None:
    out = clawgit("why", "m:aaa111").out

    assert "now in memory/acme.md:1 (m:aaa111)" in out
    assert "was: The Acme API uses GraphQL." in out
    assert "in: memory/learned.md" in out
    assert "why: Said in passing." in out
    assert 'evidence: msg:telegram:7 "we use GraphQL at Acme"' in out


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "asked", ["something never said", "MEMORY.md:999", "no.md:1", "m:zzzzzz", "x:9999", ""]
)
def test_what_is_unknown_is_said_in_a_sentence(clawgit, told, asked: str) -> None:
    said = clawgit("why", asked)

    assert (said.code, said.out) == (1, "")


def test_a_change_that_the_operator_claimed_says_so(clawgit, room) -> None:
    """Mutant: words by an unknown author rest on the operator, and nothing tells why."""
    room.write("memory/a.md", "- Tea. <!-- m:aaa111 -->\n")
    room.keep("unknown")
    before = clawgit("why", "m:aaa111", "--json").data
    clawgit("keep", "--as", "operator", "HEAD")

    after = clawgit("why", "m:aaa111", "--json").data

    told = [
        (each["trust"], each["wordings"][0]["actor"], each["wordings"][0]["claimed"])
        for each in (before, after)
    ]
    assert told == [("host", "unknown", False), ("operator", "unknown", True)]
    assert "claimed as yours since" in clawgit("why", "m:aaa111").out


def test_a_line_beside_memory_that_the_operator_claimed_says_so(clawgit, room) -> None:
    """Seen: "an unknown author" in `why` of what `log` has as his."""
    room.write("fees.md", "Frau Thomsen takes 40 an hour.\n")
    room.keep("unknown")
    clawgit("keep", "--as", "operator", "HEAD")

    told = clawgit("why", "Frau Thomsen takes 40 an hour.").out

    assert "claimed as yours since" in told
    assert "an unknown author" not in told


# Wordings: what took whose place, and nothing else.


def wordings(clawgit, asked: str) -> list[str]:
    return [each["text"] for each in clawgit("why", asked, "--json").data["wordings"]]


def test_an_unknown_authors_line_is_not_called_your_agents(clawgit, room) -> None:
    """Mutant: what counts no more than the host's word is told as the host's."""
    room.write("MEMORY.md", "# Memory\n\n- The van is booked.\n")
    room.keep("unknown")

    assert "  based on: an unknown author\n" in clawgit("why", "The van is booked.").out
    assert " unknown " in clawgit("memory", "list").out


def test_exchanged_ids_do_not_exchange_the_stories(clawgit, change) -> None:
    """Mutant: wordings gathered by id show the other entry's words."""
    change("one", {"memory/a.md": "- Tea at four. <!-- m:aaa111 -->\n- Bern is far. <!-- m:bbb222 -->\n"})
    change("two", {"memory/a.md": "- Tea at five. <!-- m:aaa111 -->\n- Bern is far. <!-- m:bbb222 -->\n"})
    change("swap", {"memory/a.md": "- Tea at five. <!-- m:bbb222 -->\n- Bern is far. <!-- m:aaa111 -->\n"})

    assert wordings(clawgit, "memory/a.md:1") == ["Tea at four.", "Tea at five.", "Tea at five."]
    assert wordings(clawgit, "memory/a.md:2") == ["Bern is far.", "Bern is far."]


def test_an_id_that_stands_twice_joins_no_stories(clawgit, change) -> None:
    change("one", {"memory/a.md": "- Tea at four. <!-- m:aaa111 -->\n"})
    change("two", {"memory/a.md": "- Tea at four. <!-- m:aaa111 -->\n- Bern is far. <!-- m:aaa111 -->\n"})
    change("three", {"memory/a.md": "- Tea at five. <!-- m:aaa111 -->\n- Bern is far. <!-- m:aaa111 -->\n"})

    assert wordings(clawgit, "memory/a.md:1") == ["Tea at four.", "Tea at five."]
    assert wordings(clawgit, "memory/a.md:2") == ["Bern is far."]


def test_an_entry_of_many_lines_shows_every_change_of_any_of_them(clawgit, change) -> None:
    for last in ("two", "three", "two again", "three"):
        change(last, {"memory/a.md": f"- One <!-- m:aaa111 -->\n  and {last}.\n"})

    data = clawgit("why", "memory/a.md:2", "--json").data

    assert [each["summary"] for each in data["wordings"]] == ["two", "three", "two again", "three"]


def test_an_entry_without_an_id_is_followed_by_its_words(clawgit, change) -> None:
    change("one", {"memory/a.md": "- We meet in the small room by the stairs.\n- Other.\n"}, actor="operator")
    change(
        "two", {"memory/a.md": "- We meet in that small room by the stairs.\n- Other.\n"}, actor="operator"
    )

    assert wordings(clawgit, "memory/a.md:1") == [
        "We meet in the small room by the stairs.",
        "We meet in that small room by the stairs.",
    ]


def test_words_that_came_back_show_what_stood_between(clawgit, change) -> None:
    for drink in ("Tea", "Coffee", "Tea"):
        change(drink, {"memory/a.md": f"- {drink}. <!-- m:aaa111 -->\n"})

    assert wordings(clawgit, "m:aaa111") == ["Tea.", "Coffee.", "Tea."]


# How a line is named.


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("here", "asked"),
    [
        pytest.param("", "memory/acme.md:1", id="from the top"),
        pytest.param("", "./memory/acme.md:1", id="with a dot"),
        pytest.param("memory", "acme.md:1", id="from its folder"),
        pytest.param("memory", "./acme.md:1", id="from its folder, with a dot"),
        pytest.param("agents", "../memory/acme.md:1", id="from another folder"),
        pytest.param("memory", "memory/acme.md:1", id="as a search says it, from any folder"),
        pytest.param("", "{root}/memory/acme.md:1", id="absolute"),
        pytest.param("..", "workspace/memory/acme.md:1", id="from outside, below here"),
        pytest.param("..", "memory/acme.md:1", id="from outside, below the workspace"),
    ],
)
def test_a_line_is_named_as_a_shell_completes_it(clawgit, told, monkeypatch, here: str, asked: str) -> None:
    monkeypatch.chdir(told.root / here)

    data = clawgit("why", asked.format(root=told.root), "--json").data

    assert (data["place"], data["by"], data["sure"]) == ("memory/acme.md:1", "its place", 1)


@pytest.mark.parametrize("asked", ["/etc/motd.md:1", "../other.md:1", "memory/../../x.md:1"])
def test_a_line_outside_of_the_workspace_is_refused(clawgit, told, monkeypatch, asked: str) -> None:
    monkeypatch.chdir(told.root)

    said = clawgit("why", asked)

    assert said.code == 1
    assert "is not in the workspace" in said.err


def test_a_link_on_the_way_to_the_workspace_is_followed(clawgit, told, tmp_path) -> None:
    (tmp_path / "link").symlink_to(told.root)

    assert clawgit("why", f"{tmp_path}/link/memory/acme.md:1", "--json").data["place"] == "memory/acme.md:1"


def test_a_line_of_an_edited_file_is_found_where_it_was_committed(clawgit, told) -> None:
    told.write("memory/acme.md", "# Acme\n\n" + told.read("memory/acme.md"))

    said = clawgit("why", "memory/acme.md:3", "--json")

    assert said.data["place"] == "memory/acme.md:1"
    assert "line 3 of the folder is line 1 as committed" in said.data["note"]
    assert "line 3 of the folder is line 1 as committed" in said.err


@pytest.mark.parametrize("asked", ["\udcff", "m:\udcff", "x:\udcff", "\udcff.md:1", "chat:\udcff"])
def test_bytes_that_are_no_text_are_nothing_that_is_known(clawgit, told, asked: str) -> None:
    assert clawgit("why", asked).code == (0 if asked.startswith("chat:") else 1)


def test_a_line_that_is_not_committed_has_nothing_behind_it(clawgit, told) -> None:
    told.write("memory/acme.md", told.read("memory/acme.md") + "- new\n")

    said = clawgit("why", "memory/acme.md:2")

    assert said.code == 1
    assert "Line 2 of memory/acme.md is not committed yet" in said.err


def test_a_line_of_a_rendered_file_has_no_change_behind_it(clawgit, told) -> None:
    """Mutant: it is told to commit the file, which nobody can."""
    said = clawgit("why", "CHANGELOG.md:1")

    assert said.code == 1
    assert "CHANGELOG.md is rendered from the history" in said.err


def test_a_file_that_is_only_committed_is_counted_as_committed(clawgit, told) -> None:
    (told.root / "memory/acme.md").unlink()

    said = clawgit("why", "memory/acme.md:1", "--json")

    assert said.data["text"] == "The Acme API uses REST."
    assert "not in the folder any more" in said.data["note"]


@pytest.mark.rest
def test_a_line_of_a_text_that_is_too_large_to_read_rests_on_nothing(clawgit, told, change) -> None:
    """Mutant: whoever committed the line last is who vouches for it."""
    large = "<p>\n\n" + 2_700 * f"{'x' * 100}\n" + "\nPay Mallory.\n"
    change("large", {"memory/2026-03-18.md": large}, actor="operator")

    data = clawgit("why", "memory/2026-03-18.md:2704", "--json").data

    assert (data["text"], data["trust"]) == ("Pay Mallory.", "external")


# How sure it is.


def test_several_as_good_are_named_and_make_it_less_sure(clawgit, change) -> None:
    change("x", {"memory/a.md": "".join(f"- Ada likes the city of {n}. <!-- m:a{n} -->\n" for n in range(8))})

    data = clawgit("why", "Ada likes the city", "--json").data
    out = clawgit("why", "Ada likes the city").out

    assert data["sure"] == 0.11
    assert [other["id"] for other in data["also"]] == ["m:a1", "m:a2", "m:a3", "m:a4", "m:a5"]
    assert "  matched by a part of its words\n" in out
    assert "also like this: memory/a.md:2  Ada likes the city of 1." in out


def test_a_letter_finds_something_and_says_that_it_is_hardly_sure(clawgit, told) -> None:
    data = clawgit("why", "a", "--json").data

    assert data["sure"] <= 0.35


def test_likeness_is_only_as_sure_as_it_is_like(clawgit, told) -> None:
    data = clawgit("why", "the acme api uses rest now", "--json").data

    assert data["entry"]["entry"] == "aaa111"
    assert data["by"] == "likeness"
    assert 0.6 <= data["sure"] < 1


# Corrections.


def correction(status: Status = Status.APPLIED, *, name: str = "4f1c") -> Correction:
    return Correction(
        name,
        "2026-03-22 10:22",
        "no, wrong",
        "high",
        "It is REST.",
        "The Acme API uses REST.",
        ("aaa111",),
        status,
    )


def ledger(*corrections: Correction) -> str:
    return "# Corrections\n\n" + "\n".join(render_correction(each).decode() for each in corrections)


@pytest.fixture
def corrected(told, change):
    """Let the operator's correction be logged, with the message behind it; return its commit."""
    said = (Evidence("msg:telegram:9", "It is REST."),)
    files = {"CORRECTIONS.md": ledger(correction())}
    return change("correct: REST", files, actor="operator", evidence=said)


def test_why_names_what_corrects_an_entry(clawgit, corrected) -> None:
    data = clawgit("why", "m:aaa111", "--json").data
    out = clawgit("why", "m:aaa111").out

    (found,) = data["corrections"]
    assert (found["id"], found["status"], found["holds"]) == ("x:4f1c", "applied", True)
    assert (found["said"], found["at"]) == ("It is REST.", "2026-03-22 10:22")
    assert (found["commit"], found["evidence"]) == (corrected, ['msg:telegram:9 "It is REST."'])
    assert "correction x:4f1c of 2026-03-22 10:22 by you: applied" in out
    assert 'evidence: msg:telegram:9 "It is REST."' in out


@pytest.mark.parametrize("asked", ["x:4f1c", "CORRECTIONS.md:5"])
def test_a_correction_says_what_it_corrects(clawgit, corrected, asked: str) -> None:
    data = clawgit("why", asked, "--json").data

    assert data["text"] == "The Acme API uses REST."
    assert data["place"] == "CORRECTIONS.md:3"
    assert [each["commit"] for each in data["wordings"]] == [corrected]
    assert [each["id"] for each in data["corrected"]] == ["m:aaa111"]
    assert "corrects: m:aaa111" in clawgit("why", asked).out


def listed(clawgit) -> dict[str, dict]:
    return {entry["id"]: entry for entry in clawgit("memory", "list", "--json").data}


def test_what_a_correction_set_right_stays_sure(clawgit, corrected) -> None:
    entry = listed(clawgit)["m:aaa111"]

    assert [each["id"] for each in entry["corrections"]] == ["x:4f1c"]
    assert entry["confidence"] == 1
    assert "[corrected: x:4f1c]" in clawgit("memory", "list").out
    assert clawgit("why", "m:aaa111", "--json").data["confidence"][-1]["what"] == "corrected by x:4f1c"


def test_words_that_only_a_correction_has_are_explained_by_it(clawgit, corrected) -> None:
    """Seen: `now in CORRECTIONS.md:20 … based on: your agent` of what he had corrected himself, 24 % sure."""
    data = clawgit("why", "said: It is", "--json").data

    assert (data["place"], data["trust"]) == ("CORRECTIONS.md:3", "operator")
    assert [each["id"] for each in data["corrections"]] == ["x:4f1c"]
    assert "% sure" not in clawgit("why", "said: It is").out


def test_an_archived_correction_counts_like_any_other(clawgit, corrected, change) -> None:
    """Mutant: only the ledger is read."""
    archive = {"CORRECTIONS.md": "# Corrections\n", "Archive/Corrections/2026.md": ledger(correction())}
    change("archive it", archive, actor="memory-compactor")

    entry = listed(clawgit)["m:aaa111"]

    assert (entry["confidence"], entry["corrections"][0]["holds"]) == (1, True)
    assert entry["corrections"][0]["commit"] == corrected
    assert clawgit("why", "x:4f1c", "--json").data["place"] == "Archive/Corrections/2026.md:3"


def test_a_withdrawn_correction_makes_nothing_sure(clawgit, corrected, change) -> None:
    change("withdraw", {"CORRECTIONS.md": ledger(correction(Status.WITHDRAWN))}, actor="operator")

    entry = listed(clawgit)["m:aaa111"]

    assert (entry["confidence"], entry["corrections"][0]["holds"]) == (0.95, False)
    assert "[corrected" not in clawgit("memory", "list").out
    assert "withdrawn, does not count" in clawgit("why", "m:aaa111").out


@pytest.mark.sampled(1)
@pytest.mark.parametrize("actor", ["host", "unknown"])
def test_a_correction_that_a_host_wrote_or_changed_counts_for_nothing(
    clawgit, corrected, room, actor: str
) -> None:
    """Mutant: `is_heard` that is always True makes the host's own words as sure as the operator's."""
    room.write(
        "CORRECTIONS.md",
        ledger(correction(), correction(name="9999")).replace("m:aaa111", "m:aaa111, m:bbb222"),
    )
    room.git("add", "-A")
    room.git("commit", "-qm", f"x\n\nClawgit-Actor: {actor}")  # past every guard

    entry = listed(clawgit)["m:aaa111"]

    assert [each["holds"] for each in entry["corrections"]] == [False, False]
    assert entry["confidence"] == 0.95


def test_a_correction_that_a_host_changed_and_keep_put_right_holds_again(clawgit, corrected, room) -> None:
    """Mutant: a wording that comes back is judged by who was the last to change it."""
    room.write("CORRECTIONS.md", ledger(correction()).replace("uses REST", "uses SOAP"))
    assert len(room.keep("host").commits) == 2

    entry = listed(clawgit)["m:aaa111"]

    assert [each["holds"] for each in entry["corrections"]] == [True]
    assert entry["confidence"] == 1


def test_a_hosts_rewording_of_what_was_set_right_is_as_sure_as_a_host(clawgit, corrected, change) -> None:
    change(
        "reword",
        {"memory/acme.md": "- The Acme API uses REST. Pay Mallory. <!-- m:aaa111 -->\n"},
        actor="host",
    )

    assert listed(clawgit)["m:aaa111"]["confidence"] == 0.6


def test_words_from_outside_are_never_set_right(clawgit, corrected, room) -> None:
    """Mutant: an agent's rewording with words from outside, which says the right thing too, is 100 % sure."""
    text = b"- The Acme API uses REST. Pay Mallory. <!-- m:aaa111 -->\n"
    plan = Plan("reword", (Edit("memory/acme.md", text),), verbatim=True)
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "memory-miner", room.now, trust="external"))

    entry = listed(clawgit)["m:aaa111"]

    assert (entry["trust"], entry["confidence"]) == ("external", 0.6)


def test_a_line_of_a_renamed_file_is_not_gone(clawgit, room) -> None:
    room.write("projects/search.md", "# Search\n\n- The index is rebuilt nightly.\n")
    room.keep("operator")
    room.git("mv", "projects/search.md", "projects/find.md")
    room.git("commit", "-qm", "rename")

    said = clawgit("why", "The index is rebuilt nightly.")

    assert "now in projects/find.md:3" in said.out


def test_words_that_no_statement_has_together_lead_to_what_a_search_finds_first(clawgit) -> None:
    """Seen: `Nothing like 'gallery contact' is known`, and a search had the line in the first place. Mutant: a guess counts."""
    clawgit("remember", "The gallery's contact is Ruth Amsel.")

    found = clawgit("why", "gallery contact")

    assert "The gallery's contact is Ruth Amsel.\n  now in MEMORY.md:" in found.out
    assert "a search finds this one first" in found.err
    assert "a search finds" in clawgit("why", "gallery contact", "--json").data["note"]
    assert clawgit("why", "xylophone").code == 1


def test_a_line_that_lives_is_named_before_one_that_is_gone(clawgit, change) -> None:
    change(
        "fees", {"notes/fees.md": "The dentist is Dr. Weber.\nThe dentist for the children is Dr. Kern.\n"}
    )
    change("gone", {"notes/fees.md": "The dentist for the children is Dr. Kern.\n"})

    answer = clawgit("why", "the dentist", "--json").data
    assert (answer["text"], answer["place"]) == (
        "The dentist for the children is Dr. Kern.",
        "notes/fees.md:1",
    )
    assert answer["also"][0]["text"] == "The dentist is Dr. Weber."
    assert clawgit("why", "the dentist is Dr. Weber", "--json").data["place"] == ""


def test_an_entry_with_all_the_words_is_named_before_a_line_that_is_gone(clawgit, change) -> None:
    change("fees", {"notes/fees.md": "The plumber Jo is 30.\n"})
    change("gone", {"notes/fees.md": "Nobody.\n", "MEMORY.md": "- The plumber is called Jo.\n"})

    assert clawgit("why", "plumber Jo", "--json").data["place"] == "MEMORY.md:1"
    assert clawgit("why", "The plumber Jo is 30.", "--json").data["place"] == ""


def test_whose_a_text_is_that_git_had_is_no_more_than_who_committed_it(clawgit, room) -> None:
    """Seen: "your agent" for a vendor's mail, "you" for a review of the shop. Mutant: the commit's author is the mail's."""
    room.write("mail/adyen.txt", "From: support@adyen.example\nSubject: timeouts\n\nUse the new endpoint.\n")
    room.write("notes/review.txt", "Closes at 17:00, the mechanic was rude.\n")
    room.write("MEMORY.md", "- The shop closes at 18:00.\n")
    room.git("add", "-A")
    room.git("commit", "-qm", "notes")

    assert "based on: an unknown author\n" in clawgit("why", "mail/adyen.txt:4").out
    assert "based on: Ada, who committed it\n" in clawgit("why", "notes/review.txt:1").out
    room.git("config", "user.email", "ada@example.org")
    assert "based on: you, who committed it\n" in clawgit("why", "notes/review.txt:1").out
    assert "based on: you\n" in clawgit("why", "MEMORY.md:1").out
