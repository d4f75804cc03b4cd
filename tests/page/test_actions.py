"""What the buttons do: a commit as the command makes it, by an operator whom nobody saw, and what takes it back."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from page_visitor import Visitor

from clawgit.cli.main import cli
from clawgit.page.page_actions import ACTIONS
from clawgit.page.page_answers import asked


def undo_of(shown) -> str:
    """Return the commit that the page offers to take back."""
    return re.search(r'/do/undo"[^>]*>\s*<input type="hidden" name="what" value="(\w+)"', shown.text)[1]


def trailers(room) -> str:
    return room.git("log", "-1", "--format=%(trailers)")


@pytest.fixture
def remembered(clawgit) -> str:
    """Return the id of an entry that rests on what the operator said."""
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    (entry,) = clawgit("memory", "list", "--json").data
    return entry["id"]


@pytest.mark.rest
def test_what_is_remembered_is_a_commit_of_the_operator_unattended_and_undo_takes_it_back(
    room, visitor
) -> None:
    shown = visitor.press(visitor.ask("/memory"), "remember", "", words="The review is on Thursday.")
    assert (shown.status, shown.headers["location"]) == (303, "/")
    assert "The review is on Thursday." in room.read("MEMORY.md")
    assert "Clawgit-Actor: operator" in trailers(room)
    assert "Clawgit-Unattended: page" in trailers(room)

    today = visitor.ask("/")
    assert "clawgit memory add &#39;The review is on Thursday.&#39;" in today.text
    visitor.press(today, "undo", undo_of(today))
    assert "review is on Thursday." not in room.read("MEMORY.md")
    assert "Done. Undone: remember: The review is on Thursday." in visitor.ask("/").text


def test_a_link_is_shown_as_one_and_takes_a_yes_and_a_no(room, clawgit, visitor) -> None:
    """Seen: `sure 100 %`, `1 correction holds`, `wrote it on your word` of a line that is as it was, and no button."""
    clawgit("remember", "The rent of the studio is 900 euros a month.")
    clawgit(
        "chat", "add", "The studio's rent is 950 now, they told me yesterday, from the first of next month"
    )
    clawgit("run", "recall-validator")
    (link,) = clawgit("corrections", "--json").data

    shown = visitor.ask(f"/e/{link['id']}")
    assert "Your words stand beside this line. The line is as it was." in shown.text
    assert "sure <" not in shown.text
    assert "correction holds" not in shown.text
    visitor.press(shown, "approve", link["id"], words="The rent of the studio is 950 euros a month.")
    assert "The rent of the studio is 950 euros a month." in room.read("MEMORY.md")


def test_a_refresh_of_the_rows_takes_nothing_from_the_view_that_comes_next(room, visitor) -> None:
    visitor.press(visitor.ask("/memory"), "remember", "", words="The review is on Thursday.")
    assert 'role="status"' not in visitor.ask("/", x_refresh="rows").text
    assert 'role="status"' in visitor.ask("/").text


@pytest.mark.parametrize("verb", ACTIONS)
def test_what_is_shown_beside_a_button_is_a_command_that_exists(verb: str) -> None:
    name, fields = ACTIONS[verb]
    command: click.Command = cli
    for word in name.split("."):
        command = command.get_command(click.Context(cli), word)
    line = shlex.split(asked(name, **dict.fromkeys(fields, "x")).line)
    options = {word.partition("=")[0] for word in line if word.startswith("--")}
    assert options <= {option for each in command.params for option in each.opts}


def test_what_became_of_a_button_is_said_once(visitor) -> None:
    visitor.press(visitor.ask("/memory"), "remember", "", words="The review is on Thursday.")
    assert "clawgit memory add" in visitor.ask("/").text
    assert "clawgit memory add" not in visitor.ask("/").text


@pytest.mark.rest
def test_an_entry_is_corrected_and_taken_back(room, visitor, remembered) -> None:
    entry = visitor.ask(f"/e/{remembered}")
    visitor.press(entry, "correct", remembered, words="The rent is due on the 3rd.")
    assert "due on the 3rd" in room.read("MEMORY.md")
    corrected = visitor.ask(f"/e/{remembered}")
    assert "<del>1st</del>" in corrected.text
    visitor.press(corrected, "undo", undo_of(corrected))
    assert "due on the 1st" in room.read("MEMORY.md")


@pytest.mark.rest
def test_an_entry_is_forgotten_and_brought_back(room, visitor, remembered) -> None:
    visitor.press(visitor.ask(f"/e/{remembered}"), "forget", remembered)
    assert "rent" not in room.read("MEMORY.md")
    visitor.press(visitor.ask(f"/e/{remembered}"), "revive", remembered)
    assert "rent" in room.read("MEMORY.md")


@pytest.mark.rest
def test_an_undo_is_shown_before_it_is_done(room, visitor, remembered) -> None:
    before = room.head()
    preview = visitor.ask(f"/undo/{before}?back=/memory")
    assert "The rent is due on the 1st." in preview.text
    assert room.head() == before
    shown = visitor.press(preview, "undo", before, reason="It moved.")
    assert shown.status == 303
    assert "rent" not in room.read("MEMORY.md")
    assert "It moved." in room.git("log", "-1", "--format=%B")


@pytest.mark.rest
def test_beside_an_entry_stands_what_its_undo_would_change(room, visitor, remembered) -> None:
    before = room.head()
    entry = visitor.ask(f"/e/{remembered}")
    assert '<span class="m">- 2026-' in entry.text
    assert room.head() == before
    visitor.press(entry, "undo", remembered)
    assert "rent" not in room.read("MEMORY.md")


@pytest.mark.rest
def test_a_question_is_answered_with_a_yes_and_with_a_no(room, visitor, clawgit, remembered) -> None:
    for words in ("The rent is due on the 3rd.", "The rent is due on the 4th."):
        clawgit("correct", remembered, words, actor="host")
    items = {item["text"]: item["id"] for item in clawgit("pending", "--json").data}
    for text, item_id in items.items():
        visitor.press(visitor.ask("/pending"), "approve" if "3rd" in text else "reject", item_id)
    assert clawgit("pending", "--json").data == []
    assert "The rent is due on the 3rd." in room.read("MEMORY.md")


SOUL = "# SOUL\n\n- Be kind.\n- Be short.\n"


@pytest.fixture
def calm(room) -> None:
    """Let the first conversation be over, and the soul be the operator's."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.write("SOUL.md", SOUL)
    room.keep("operator")


def proposal(room, clawgit) -> None:
    room.write("SOUL.md", SOUL.replace("Be kind", "Be harsh"))
    clawgit("keep", actor="host")


def addition(room, clawgit) -> None:
    room.write("SOUL.md", SOUL + "- Be brief.\n")
    clawgit("keep", actor="host")


def conflict(room, clawgit) -> None:
    for port in ("8443", "9443"):
        text = f"The staging server listens on port {port}."
        clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
    clawgit("run", "conflict-detector")


def reading(room, clawgit) -> None:
    clawgit("memory", "add", "The wifi is called Harbour.", actor="host")


def setting(room, clawgit) -> None:
    clawgit("config", "set", "soul_max_tokens", "5000", actor="host")


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("makes", "answer", "fields", "path", "after"),
    [
        pytest.param(proposal, "approve", {}, "SOUL.md", "- Be harsh.", id="proposal, yes"),
        pytest.param(proposal, "reject", {"reason": "No."}, "SOUL.md", "- Be kind.", id="proposal, no"),
        pytest.param(proposal, "approve", {"words": "Be firm."}, "SOUL.md", "- Be firm.", id="other words"),
        pytest.param(addition, "approve", {}, "SOUL.md", "- Be brief.", id="addition, yes"),
        pytest.param(addition, "approve", {"words": "Be calm."}, "SOUL.md", "- Be calm.\n", id="added words"),
        pytest.param(
            reading,
            "approve",
            {"words": "The wifi is called Pier."},
            "memory/learned.md",
            "Pier",
            id="read words",
        ),
        pytest.param(addition, "reject", {}, "SOUL.md", "- Be short.\n", id="addition, no"),
        pytest.param(
            conflict, "approve", {"words": "B"}, "CONFLICTS.md", "outcome: b holds", id="conflict, B"
        ),
        pytest.param(conflict, "reject", {}, "CONFLICTS.md", "outcome: both hold", id="conflict, both"),
        pytest.param(reading, "approve", {}, "MEMORY.md", "Harbour", id="reading, yes"),
        pytest.param(reading, "reject", {}, "memory/learned.md", "# Learned", id="reading, no"),
        pytest.param(setting, "approve", {}, "CONFIG.md", "5000", id="setting, yes"),
        pytest.param(setting, "reject", {}, "CONFIG.md", "", id="setting, no"),
    ],
)
def test_an_item_is_decided(room, visitor, clawgit, calm, makes, answer, fields, path, after) -> None:
    makes(room, clawgit)
    (item,) = clawgit("pending", "--json").data
    shown = visitor.press(visitor.ask("/pending"), answer, item["id"], **fields)
    assert shown.status == 303
    assert "Not done" not in visitor.ask("/").text
    assert clawgit("pending", "--json").data == []
    assert after in room.read(path)


def test_of_two_pieces_those_are_approved_that_are_ticked(room, visitor, clawgit, calm) -> None:
    room.write("SOUL.md", SOUL.replace("kind", "harsh").replace("short", "long"))
    clawgit("keep", actor="host")
    (item,) = clawgit("pending", "--json").data
    assert len(item["pieces"]) == 2
    none = visitor.press(visitor.ask("/pending"), "approve", item["id"], pieces="2")
    assert (none.status, room.read("SOUL.md")) == (400, SOUL)
    visitor.press(visitor.ask("/pending"), "approve", item["id"], pieces="2", only="2")
    assert room.read("SOUL.md") == SOUL.replace("short", "long")


def test_one_of_two_pieces_is_approved_in_other_words_and_the_other_stays(
    room, visitor, clawgit, calm
) -> None:
    room.write("SOUL.md", SOUL.replace("kind", "harsh").replace("short", "long"))
    clawgit("keep", actor="host")
    (item,) = clawgit("pending", "--json").data
    queue = visitor.ask("/pending")
    assert '<textarea name="words" required>Be harsh.</textarea>' in queue.text
    visitor.press(queue, "approve", item["id"], pieces="2", only="1", words="Be firm.")
    assert room.read("SOUL.md") == SOUL.replace("kind", "firm")
    (left,) = clawgit("pending", "--json").data
    assert left["diff"] == ["- - Be short.", "+ - Be long."]
    visitor.press(visitor.ask("/pending"), "approve", left["id"])
    assert room.read("SOUL.md") == SOUL.replace("kind", "firm").replace("short", "long")


@pytest.mark.rest
def test_all_of_one_kind_are_approved_at_once(room, visitor, clawgit) -> None:
    for number in (1, 2, 3):
        text = f"The parcel {number} goes to Porto."
        room.append("MEMORY.md", f"- {text} <!-- m:ccccc{number} -->", actor="operator")
        clawgit("correct", f"m:ccccc{number}", f"The parcel {number} goes to Faro.", actor="host")
    items = clawgit("pending", "--kind", "question", "--json").data
    assert len(items) == 3
    visitor.press(visitor.ask("/pending"), "approve-all", items[0]["id"])
    assert clawgit("pending", "--json").data == []
    assert room.read("MEMORY.md").count("Faro") == 3


@pytest.mark.rest
def test_two_tabs_decide_the_same_item_and_one_of_them_is_told(
    page, visitor, room, clawgit, remembered
) -> None:
    clawgit("correct", remembered, "The rent is due on the 3rd.", actor="host")
    (item,) = clawgit("pending", "--json").data
    other = Visitor(page)
    other.enter(page.link(None))
    mine, theirs = visitor.ask("/pending"), other.ask("/pending")
    visitor.press(mine, "approve", item["id"])
    head = room.head()
    other.press(theirs, "reject", item["id"])
    assert "Not done" in other.ask("/").text
    assert room.head() == head


def test_words_that_look_like_an_option_are_words(room, visitor) -> None:
    visitor.press(visitor.ask("/memory"), "remember", "", words="--to=SOUL.md")
    assert "--to=SOUL.md" not in room.read("SOUL.md")


@pytest.mark.parametrize(
    "back", ["http://evil.example/", "//evil.example/", "/\\evil.example", "/x\r\nSet-Cookie: a=b"]
)
def test_a_form_leads_nowhere_else(visitor, back: str) -> None:
    shown = visitor.press(
        visitor.ask("/memory"), "remember", "", words="The review is on Thursday.", back=back
    )
    assert shown.headers["location"] == "/"


@pytest.mark.rest
def test_where_approvals_need_a_key_the_page_shows_the_command(room, visitor, clawgit, remembered) -> None:
    clawgit("correct", remembered, "The rent is due on the 3rd.", actor="host")
    (item,) = clawgit("pending", "--json").data
    token = visitor.ask("/pending").token("approve", item["id"])
    clawgit("config", "set", "approvals", "present")
    shown = visitor.ask("/pending")
    assert f"clawgit approve {item['id']} --sign KEY" in shown.text
    assert "/do/approve" not in shown.text
    head = room.head()
    assert visitor.post("/do/approve", {"what": item["id"], "token": token, "back": "/"}).status == 403
    assert room.head() == head


def test_a_workspace_whose_page_is_off_is_not_shown(visitor, clawgit) -> None:
    clawgit("config", "set", "page", "off")
    assert visitor.ask("/").status == 403
    assert visitor.ask("/memory.json").status == 403
    clawgit("config", "set", "page", "on")
    assert visitor.ask("/").status == 200


@pytest.mark.rest
def test_a_proposal_that_was_rejected_is_approved_after_all(room, visitor, clawgit, calm) -> None:
    proposal(room, clawgit)
    (item,) = clawgit("pending", "--json").data
    visitor.press(visitor.ask("/pending"), "reject", item["id"])
    after = visitor.ask("/")
    assert "/do/undo" not in after.text
    visitor.press(after, "approve", item["id"])
    assert "- Be harsh." in room.read("SOUL.md")


def test_what_takes_back_the_no_to_a_setting_is_called_a_yes(visitor, clawgit, calm, room) -> None:
    setting(room, clawgit)
    (item,) = clawgit("pending", "--json").data
    visitor.press(visitor.ask("/pending"), "reject", item["id"])
    said = visitor.ask("/")
    assert "Yes after all" in said.text
    visitor.press(said, "undo", undo_of(said))
    assert "soul_max_tokens: 5000" in room.read("CONFIG.md")


@pytest.mark.parametrize(
    ("makes", "path", "words"),
    [
        pytest.param(addition, "SOUL.md", "Be brief.", id="addition"),
        pytest.param(reading, "memory/learned.md", "Harbour", id="reading"),
    ],
)
def test_what_was_let_stay_is_taken_out_after_all(room, visitor, clawgit, calm, makes, path, words) -> None:
    makes(room, clawgit)
    (item,) = clawgit("pending", "--json").data
    visitor.press(visitor.ask("/pending"), "approve", item["id"])
    said = visitor.ask("/")
    assert "No after all" in said.text
    visitor.press(said, "undo", item["id"].removeprefix("u-"))
    assert words not in room.read(path)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("makes", "words"),
    [
        pytest.param(proposal, "Be harsh.", id="proposal"),
        pytest.param(addition, "Be brief.", id="addition"),
        pytest.param(reading, "The wifi is called Harbour.", id="reading"),
    ],
)
def test_what_may_be_edited_stands_in_the_field(room, visitor, clawgit, calm, makes, words: str) -> None:
    makes(room, clawgit)
    assert f'<textarea name="words" required>{words}</textarea>' in visitor.ask("/pending").text


@pytest.mark.rest
def test_an_entry_gets_its_last_day(room, visitor, remembered) -> None:
    entry = visitor.ask(f"/e/{remembered}")
    visitor.press(entry, "correct", remembered, words="the rent is due on the 1st.", ends="2026-12-31")
    assert "the rent is due on the 1st (until 2026-12-31)." in room.read("MEMORY.md")
    again = visitor.ask(f"/e/{remembered}")
    assert f"clawgit correct --until=2026-12-31 {remembered} " in again.text
    visitor.press(again, "undo", undo_of(again))
    assert "until" not in room.read("MEMORY.md")


def test_a_job_is_tried_and_then_run(visitor, clawgit) -> None:
    clawgit("chat", "add", "We decided to send the invoices on the first of each month.")
    tried = visitor.ask("/machine/memory-miner")
    assert tried.status == 200
    assert clawgit("runs", "--json").data == []
    visitor.press(visitor.ask("/machine"), "run", "memory-miner")
    assert clawgit("runs", "--json").data[0]["agent"] == "memory-miner"


def test_the_soul_is_kept_and_restored(room, visitor) -> None:
    before = room.read("SOUL.md")
    visitor.press(visitor.ask("/soul"), "snapshot", "", words="before the holidays")
    first = room.head()[:12]
    room.change({"SOUL.md": before + "- Be harsh.\n"}, actor="host")
    versions = visitor.ask(f"/soul/diff?a={first}&b={first}")
    assert "Nothing differs." in versions.text
    assert '<span class="m">- Be harsh.</span>' in versions.text
    visitor.press(versions, "restore", first, reason="It was too harsh.")
    assert room.read("SOUL.md") == before


def test_jobs_are_paused_and_go_on(visitor, clawgit) -> None:
    visitor.press(visitor.ask("/machine"), "pause", "")
    assert clawgit("status", "--json").data["paused"]
    paused = visitor.ask("/")
    assert '<button class="">Undo</button>' in paused.text
    visitor.press(paused, "resume", "")
    assert not clawgit("status", "--json").data["paused"]
