"""What commands say about git beside clawgit.

Mutants seen to fail here: findings are shown without being noted as shown; anybody accepts; hooks that were there when
clawgit's were installed are not trusted.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from contextlib import redirect_stdout
from datetime import timedelta

import pytest

from clawgit.cli.main import run

KEY = "ghp_" + "Ab3dE5gH7jK9mN1pQ3sT5vW7xZ9bC2dF4gH6"
BAD = "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n"


@pytest.fixture
def bad(room) -> str:
    """Return a commit that came past clawgit."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    room.write("notes.md", BAD)
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", "about tea")
    return room.head()


def test_status_shows_it_once_and_then_a_number(clawgit, bad) -> None:
    first, second = clawgit("status"), clawgit("status")

    assert f"In {bad[:12]} ('about tea'): notes.md has the markers" in first.out
    assert f"`clawgit undo {bad[:12]}` takes the commit back" in first.out
    assert "1 finding(s) in commits made without clawgit are open" in second.out
    assert bad[:12] not in second.out.partition("\n")[2]


def test_of_a_rendered_file_only_the_way_out_that_works_is_told(clawgit, room) -> None:
    """Mutant: `clawgit undo` is told too, which leaves rendered files alone."""
    room.git("add", "-f", "CHANGELOG.md")
    room.git("commit", "-qm", "track it")

    said = clawgit("status").out

    assert "`git rm --cached CHANGELOG.md` and a commit leave it to clawgit.\n" in said


def test_status_as_json_keeps_listing_it(clawgit, bad) -> None:
    told = [clawgit("status", "--json").data["arrived"] for _ in range(2)]

    assert [(one["commit"], one["path"], one["new"]) for (one,) in told] == [
        (bad, "notes.md", True),
        (bad, "notes.md", False),
    ]


def test_a_key_that_was_committed_is_said_to_be_committed_and_the_digest_names_it(clawgit, room) -> None:
    """Mutant: the words for an edit that was held back are told of a commit."""
    room.write("keys.md", f"# Keys\n\nAPI_KEY={KEY}\n")
    room.git("add", "keys.md")
    room.git("commit", "-qm", "keys")
    commit = room.head()[:12]

    status, doctor = clawgit("status").out, clawgit("doctor").out
    at = ("--rehearse", "--now")
    digest = clawgit(*at, "2026-03-20T07:30:00+00:00", "digest", "--send", "2026-03-20").out
    next_day = clawgit(*at, "2026-03-21T07:30:00+00:00", "digest", "--send", "2026-03-21").out

    for said in (status, doctor):
        assert f"In {commit} ('keys'): keys.md: a secret" in said
        assert "It is committed: the history, clones and backups keep it. Change the key" in said
        assert "not committed" not in said
    assert f"## Secrets in the history\n- In {commit}: keys.md: a secret" in digest
    assert "Secrets in the history" not in next_day
    assert KEY not in status + doctor + digest


@pytest.mark.rest
def test_doctor_lists_it_until_it_is_accepted_with_a_reason(clawgit, room, bad) -> None:
    assert clawgit("doctor").code == 1
    assert "notes.md has the markers" in clawgit("doctor").out
    assert clawgit("doctor", "--accept", bad).code == 2
    assert clawgit("doctor", "--accept", bad, "--reason", "It may.", actor="host").code == 1

    accepted = clawgit("doctor", "--accept", bad[:12], "--reason", "A quotation.")

    assert accepted.code == 0
    assert clawgit("doctor").code == 0
    assert "nothing is pending" in clawgit("status").out
    assert (
        room.git("log", "-1", "--format=%(trailers:key=Clawgit-Override,valueonly)") == f"{bad} A quotation."
    )


@pytest.mark.rest
def test_a_note_that_the_operator_deleted_is_said_once_and_is_not_wrong(clawgit, room, bad) -> None:
    """Mutant: whatever has a path stays open."""
    room.git("reset", "-q", "--hard", f"{bad}~1")
    room.change({"memory/2026-03-20.md": "- Ada likes coffee.\n"})
    clawgit("status")
    room.git("rm", "-q", "memory/2026-03-20.md")
    room.git("commit", "-q", "-m", "gone")

    told = clawgit("status").out

    assert "memory/2026-03-20.md is deleted, and no other file has 100 % of its text." in told
    assert told.count(f"`clawgit undo {room.head()[:12]}`") == 1
    assert "--accept" not in told
    assert "gone" not in clawgit("status").out
    assert clawgit("doctor").code == 0


def test_the_command_that_takes_a_key_out_of_the_history_leaves_the_rest_readable_and_the_stashes(
    clawgit, room
) -> None:
    """Seen: `undo` and `why` ended with "bad object" after it; it dropped every stash, and an undo was offered of a commit that no branch has."""
    clawgit("remember", "The gate opens at 9.")
    for shelf in ("one", "two"):
        room.write("MEMORY.md", f"{room.read('MEMORY.md')}- A shelf: {shelf}.\n")
        room.git("stash", "-q")
    room.write("notes.md", f"- {KEY}\n")
    room.git("add", "notes.md")
    room.git("commit", "-qm", "token", "--no-verify")
    clawgit("status")
    leaked = room.head()
    room.git("reset", "-q", "--hard", "HEAD~1")

    status = clawgit("status").out
    clean_up = re.search(r"`(git update-ref -d [^`]+)`", status)[1]
    subprocess.run(clean_up, shell=True, check=True, cwd=room.root, capture_output=True)

    assert f"`clawgit undo {leaked[:12]}`" not in status
    assert room.git("cat-file", "-t", leaked, check=False) == ""
    assert len(room.git("stash", "list").splitlines()) == 2
    assert clawgit("why", "gate").code == 0
    assert clawgit("undo", "--dry-run", "HEAD").code == 0
    assert "cannot be read" not in clawgit("search", "gate").err


def test_what_a_rewrite_left_out_of_his_entries_is_news_until_it_is_back_or_a_day_old(
    clawgit, room, now
) -> None:
    """Seen: after a force push and `git pull --rebase`, "Nothing new", and an empty digest. Mutants: a copied entry is told too; a day is not looked at."""
    clawgit("remember", "The port is 4711.")
    room.git("branch", "theirs")
    clawgit("remember", "The door is blue.")
    door = room.head()
    clawgit("remember", "The desk is 4.07.")
    clawgit("correct", "The port is 4711.", "The port is 4712.", "--yes")
    room.git("reset", "-q", "--hard", "theirs")
    room.git("cherry-pick", "-x", door)
    news = [
        ("The desk is 4.07.", "remember 'The desk is 4.07.'"),
        ("The port is 4712.", "correct 'The port is 4711.' 'The port is 4712.'"),
    ]
    clawgit("status")
    (pin,) = (room.root / ".git/refs/clawgit/past").iterdir()
    os.utime(pin, (now.timestamp(), now.timestamp()))

    status, digest = clawgit("status").out, clawgit("digest").out
    os.utime(pin, (now.timestamp() - 2 * 86400,) * 2)
    later = clawgit("status").out
    os.utime(pin, (now.timestamp(), now.timestamp()))
    clawgit("remember", "The desk is 4.07.")
    clawgit("correct", "The port is 4711.", "The port is 4712.", "--yes")

    for words, way in news:
        assert f"left out by a rewrite: {words}  (you) → to have it: `clawgit {way}`" in status
        assert f"- {words} (left out by a rewrite) → `clawgit {way}`" in digest
    assert (status + digest).count("left out by a rewrite") == 4
    assert "left out by a rewrite" not in later + clawgit("status").out


@pytest.mark.rest
def test_undo_closes_it(clawgit, room, bad) -> None:
    clawgit("status")

    assert clawgit("undo", bad).code == 0
    assert clawgit("doctor").code == 0


def test_many_findings_do_not_fill_the_screen(clawgit, room) -> None:
    for number in range(25):
        room.write(f"{number}.md", BAD)
    room.git("add", "-A")
    room.git("commit", "-q", "-m", "many")

    assert "and 5 more; `clawgit doctor` lists them all" in clawgit("status").out


@pytest.mark.rest
def test_a_rewritten_history_is_said_by_any_command(clawgit, room, bad) -> None:
    clawgit("memory", "list")
    room.git("commit", "-q", "--amend", "-m", "amended")

    assert "History was rewritten" in clawgit("memory", "list").err
    assert clawgit("memory", "list").err == ""


@pytest.mark.rest
def test_what_the_repository_can_run_waits_for_trust(clawgit, room) -> None:
    room.git("config", "core.pager", "less")

    assert "core.pager" in clawgit("doctor").out
    assert "1 setting(s) or hook(s) of this repository can run programs" in clawgit("status").out
    assert clawgit("trust", "--repository", actor="host").code == 1
    assert "Trusted: the setting core.pager." in clawgit("trust", "--repository").err
    assert clawgit("doctor").code == 0
    path = room.root / ".git/hooks/pre-commit"
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    told = clawgit("trust", "--repository").err
    assert "Trusted: the hook pre-commit." in told
    assert "Commits that clawgit makes never run your pre-commit;" in told
    room.git("config", "core.pager", "more")
    assert clawgit("doctor").code == 1
    clawgit("trust", "--repository")
    clawgit("trust", "--repository", "--revoke")
    assert clawgit("doctor").code == 1


@pytest.mark.rest
def test_hooks_and_their_python_are_trusted_by_installing_them(clawgit, room) -> None:
    hook = room.root / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\n")
    hook.chmod(0o755)
    assert clawgit("doctor").code == 1

    clawgit("hooks", "install")

    assert clawgit("doctor").code == 0
    assert "hooks are not installed" not in clawgit("status").out
    (room.root / ".git/clawgit/interpreter").write_text("/bin/true")
    assert "The interpreter that clawgit's hooks run" in clawgit("doctor").out
    clawgit("hooks", "uninstall")
    assert clawgit("doctor").code == 0


def test_what_is_trusted_holds_in_every_working_tree_of_the_repository(clawgit, room, tmp_path) -> None:
    """Mutant: what is trusted is noted by the folder of files."""
    linked = tmp_path / "linked"
    room.git("worktree", "add", "-q", "-b", "side", str(linked))

    clawgit("hooks", "install")

    assert "you have not trusted" not in clawgit("-w", str(linked), "status").out
    room.git("config", "core.pager", "less")
    assert "you have not trusted" in clawgit("-w", str(linked), "status").out


def test_hooks_that_are_not_installed_are_not_wrong(clawgit) -> None:
    assert clawgit("status", "--json").data["hooks"]["installed"] is False
    assert "not installed" not in clawgit("status").out
    assert clawgit("doctor").code == 0


def test_where_all_is_well_there_are_three_lines_at_most(clawgit, room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("keep", "--as", "operator")
    later = {"CLAWGIT_NOW": "2026-03-25T10:00:00+00:00", "CLAWGIT_REHEARSE": "1"}

    lines = clawgit("status", environment=later).out.splitlines()

    assert "Nothing new. Everything is committed, and nothing is pending." in lines
    assert len(lines) <= 3


def test_what_git_had_a_moment_before_init_is_adopted_and_not_learned(tmp_path) -> None:
    """Seen: a folder whose own commit has the second of init's listed its memory as learned."""
    folder = tmp_path / "lived"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\n- Nora lives in Leipzig.\n")
    moment = "2026-03-24T10:00:00+00:00"
    git = ["git", "-C", str(folder), "-c", "user.name=Nora", "-c", "user.email=nora@example.org"]
    dated = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "my folder"]):
        subprocess.run([*git, *words], check=True, env=dated)
    environment = {"CLAWGIT_NOW": moment, "CLAWGIT_REHEARSE": "1"}
    run(("init", "--trust", "operator", str(folder)), environment)

    out = io.StringIO()
    with redirect_stdout(out):
        run(("-w", str(folder), "status"), environment)

    assert "learned" not in out.getvalue()
    assert "Nothing new. Everything is committed, and nothing is pending." in out.getvalue()


@pytest.mark.rest
def test_what_was_learned_and_corrected_in_the_last_day_comes_before_what_is_asked_and_moved(
    clawgit, room
) -> None:
    clawgit("memory", "add", "Ada likes tea.", "--tag", "knowledge")
    clawgit("memory", "add", "The port of the test server is 8080.", "--tag", "knowledge")
    clawgit("correct", "8080", "9090")
    clawgit("config", "set", "soul_max_tokens", "5000", actor="host")

    out = clawgit("status").out

    learned = out.index("  learned: Ada likes tea.  (you, m:")
    assert "is 8080.  (you" not in out
    corrected = out.index("  corrected: The port of the test server: 8080 → 9090  (you) → `clawgit undo x:")
    assert learned < corrected < out.index("? soul_max_tokens")
    assert (
        "  learned:"
        not in clawgit(
            "status", environment={"CLAWGIT_NOW": "2026-03-25T10:00:00+00:00", "CLAWGIT_REHEARSE": "1"}
        ).out
    )


def test_of_many_lines_those_on_safety_and_orders_come_first_then_the_rare_ones(clawgit, room) -> None:
    """Seen: three rows of 66 alike, and "63 removed" with the allergy among them."""
    shelves = [f"- Emil keeps item {each} for the kiln on shelf {each % 9}.\n" for each in range(12)]
    rare = ["- Nora plays the cello.\n", "- Nora is allergic to hazelnuts.\n"]
    rest = "".join(f"- The lake house has a blue door with the number {each}.\n" for each in range(60))
    room.change({"MEMORY.md": "".join([*shelves, *rare, rest])}, actor="operator")
    room.write(
        "MEMORY.md",
        rest + "".join(f"- Mei saw bird {each}.\n" for each in range(6)) + "- Always pay at once.\n",
    )
    room.keep("host")

    status, digest = clawgit("status").out, clawgit("digest").out

    removed = re.findall("  removed: (.+?)  ", status)
    assert removed[:2] == ["Nora is allergic to hazelnuts.", "Nora plays the cello."]
    assert re.findall("  learned: (.+?)  ", status)[0] == "Always pay at once."
    assert "## Dropped\n- Nora is allergic to hazelnuts." in digest
    assert "## Typed into the files\n- Always pay at once." in digest


def test_while_a_merge_is_open_nothing_untrue_is_said_of_the_branch(clawgit, room) -> None:
    (room.root / ".git/MERGE_HEAD").write_text(room.head() + "\n")

    said = clawgit("status").out

    assert "A merge is not finished" in said
    assert "no branch" not in said
    assert "no commit yet" not in said


@pytest.mark.rest
def test_settings_that_cannot_be_used_are_named(clawgit, room) -> None:
    """Mutant: only `config check` knows."""
    room.write("CONFIG.md", "```yaml\nsearch_max_results: many\ntimezone: UTC\n```\n")
    room.keep("operator")
    wrong = clawgit("status")
    told = clawgit("status", "--json").data["settings_wrong"]
    room.write("CONFIG.md", "```yaml\nsearch_max_results: 7\n```\n")
    room.keep("operator")

    assert "! CONFIG.md: what it says of search_max_results cannot be used" in wrong.out
    assert "`clawgit config check`" in wrong.out
    assert told == ["search_max_results"]
    assert "cannot be used" not in clawgit("status").out


def test_status_and_pending_count_lines_with_his_words_beside_alike(clawgit) -> None:
    """Seen: 7 lines and 8 lines in the same second. Mutant: two sentences beside one line are two."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    clawgit("chat", "add", "The wifi at the studio is Albatros now.")
    clawgit("chat", "add", "The studio wifi is maybe Kranich.")
    clawgit("run", "recall-validator")

    assert len(clawgit("corrections", "--json").data) == 2
    assert "  later words beside 1 line" in clawgit("status").out
    assert "Later words beside 1 line;" in clawgit("pending").out


def test_what_a_soft_reset_left_in_the_folder_is_told_once(clawgit, room) -> None:
    """Seen: "staged, for your `git commit`", and below it "left out by a rewrite" with a command that writes it twice."""
    clawgit("remember", "The port is 4711.")
    room.git("reset", "-q", "--soft", "HEAD~1")
    clawgit("keep")

    status = clawgit("status").out

    assert "staged, for your `git commit`: MEMORY.md" in status
    assert "left out by a rewrite" not in status


def test_a_line_that_a_job_put_back_did_not_change(clawgit, room) -> None:
    """Seen: "your words changed: tea → coffee", while both lines were in the file."""
    room.change({"MEMORY.md": "- I drink coffee.\n- Rex is a dog.\n"}, actor="operator")
    clawgit("correct", "I drink coffee.", "I drink tea.")
    room.write("MEMORY.md", "- I drink coffee.\n- Rex is a dog.\n")
    undo = f"clawgit undo {clawgit('keep', actor='host').out[:12]}"

    status, digest = clawgit("status").out, clawgit("digest").out

    assert "your words changed" not in status + digest
    assert f"  learned: I drink coffee.  (your agent), but you corrected this: `{undo}`" in status
    assert "in the place of your words" not in digest


def test_one_list_has_all_that_is_open(clawgit) -> None:
    """Seen: three lists for one thing, each naming the others; "Nothing is pending" above thirteen lines with later words."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    clawgit("chat", "add", "The wifi at the studio is Albatros now.")
    clawgit("chat", "add", "The PIN changed. 7741")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    told = clawgit("pending").out.splitlines()
    assert told[0] == "Later words beside 1 line; search and prompts show both until you answer:"
    assert told[1].endswith("  The studio wifi is called Zugvogel.")
    assert told[2] == '  2026-03-19: "The wifi at the studio is Albatros now."'
    assert told[-2] == "Said, and not in memory:"
    assert "clawgit memory get chat:" in told[-1]
    assert clawgit("pending", "--json").data == []


def test_links_are_told_as_long_as_they_are_there(clawgit, room) -> None:
    """Seen: "a new line is ready" above "Nothing is pending". Mutant: after a day nothing says that there are any."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    clawgit("chat", "add", "The wifi at the studio is Albatros now.")
    clawgit("run", "recall-validator")
    later = {"CLAWGIT_NOW": "2026-03-29T10:22:00+00:00", "CLAWGIT_REHEARSE": "1"}
    told = "  later words beside 1 line, a new line is ready (`clawgit pending`)\n"

    assert told in clawgit("status").out
    assert told in clawgit("status", environment=later).out
    (link,) = clawgit("corrections", "--json").data
    ready = f'  → "The studio wifi is called Albatros." (`clawgit approve {link["id"]}`)'
    assert clawgit("pending").out.splitlines()[3] == ready
    assert (link["status"], "Zugvogel" in link["said"]) == ("linked", True)
    assert clawgit("pending", "--kind", "question").out == "Nothing is pending.\n"
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("keep", "--as", "operator")
    assert "Everything is committed, and nothing else is pending.\n" in clawgit("status").out
    room.write("wifi.md", "router password: hunter2secret9\n")
    clawgit("keep")
    assert "Nothing else is pending.\n" in clawgit("status").out


def test_the_list_names_the_links_for_which_a_yes_is_ready(clawgit) -> None:
    """Seen: `Nothing is pending` with eight links, some of them with `approve`; then their number without an id."""
    clawgit("memory", "add", "Invoices above 500 euros need Tom's yes.", "--to", "MEMORY.md")
    clawgit("chat", "add", "invoices above 600 euros need Tom's yes")
    clawgit("run", "recall-validator")

    listed = clawgit("pending").out.splitlines()

    assert re.fullmatch(
        r'  → "Invoices above 600 euros need Tom\'s yes\." \(`clawgit approve x:\w+`\)', listed[3]
    )


def test_a_link_that_corrects_nothing_plainly_is_counted_alone(clawgit) -> None:
    """Seen: three of four links on a phone were of something else."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    clawgit("chat", "add", "Anna needs the wifi in the studio for her sofa film on Monday.")
    clawgit("run", "recall-validator")
    links = len(clawgit("corrections", "--json").data)

    told = clawgit("status").out

    assert links == 1
    assert "sofa" not in told
    assert "later words beside 1 line (`clawgit pending`)" in told


def test_a_deleted_file_is_told_as_deleted(clawgit, room) -> None:
    """Seen: `not committed`, as of an edit."""
    room.append("notes/kiln.md", "The kiln is hot.")
    (room.root / "notes/kiln.md").unlink()

    assert "  deleted, and that is not committed: notes/kiln.md (`clawgit keep`)" in clawgit("status").out


def test_a_file_in_utf_16_is_named_as_what_it_is(clawgit, room) -> None:
    """Seen: "has the control character U+0000 in line 1. Remove it"."""
    (room.root / "notes").mkdir()
    (room.root / "notes/safe.md").write_bytes("Der Tresor.\n".encode("utf-16"))

    told = clawgit("keep").err

    assert "notes/safe.md is written in UTF-16" in told
    assert "U+0000" not in told


def test_the_lines_of_an_unknown_author_are_shown_three_of_them(clawgit, room) -> None:
    """Seen: "typed into the files: 2 by an unknown author", and not what. Mutant: all of many are listed."""
    room.change({"MEMORY.md": "# M\n\n- Item 2 is on shelf 3. <!-- m:aaaaaa -->\n"}, actor="operator")
    lines = "".join(f"- The gate {each} is red.\n" for each in ("one", "two", "three", "four"))
    room.write("MEMORY.md", room.read("MEMORY.md").replace("shelf 3", "shelf 8") + lines)
    room.keep("unknown")

    told = clawgit("status").out

    undo = f"→ `clawgit undo {room.head()[:12]}`"
    assert f"  your words changed: Item 2 is on shelf: 3 → 8  (an unknown author) {undo}\n" in told
    assert told.count("  typed: The gate ") == 3
    assert "  more: 1 typed (`clawgit log --since yesterday`)\n" in told


def test_doctor_says_where_none_of_what_people_sent_counts_as_the_operators(clawgit) -> None:
    """Seen: a week of prompts from outside, none kept, and everything in order."""
    for text in ("Remember: rent is 600.", "no, 650", "thanks"):
        clawgit("chat", "add", text, "--channel", "telegram", "--sender", "77")

    told = clawgit("doctor")
    clawgit("chat", "add", "The rent is 650.")

    assert told.code == 1
    assert "None of the last 3 messages counts as yours" in told.out
    assert "operator_ids telegram:77" in told.out
    assert clawgit("doctor").code == 0


def test_what_is_left_out_is_told_until_it_was_seen_once(clawgit, room) -> None:
    """Seen: the same password at every `keep` and `status` of a week; then, beside any news, no word of it, and "8 files is left out".

    Mutants: the way out is told nowhere; another key is not told.
    """
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("keep", "--as", "operator")
    room.write("wifi.md", "router password: hunter2secret9\n")
    alone = clawgit("keep").err
    room.write("plan.md", "Paint the gate.\n")

    with_others = clawgit("keep", "--as", "operator").err

    assert "Move the line to a password manager" in alone
    assert "wifi.md" not in with_others
    assert "wifi.md" not in clawgit("status").out
    assert "Nothing is pending.\n  1 file left out of commits (`clawgit doctor`)\n" in clawgit("status").out
    assert [each["path"] for each in clawgit("status", "--json").data["held"]] == ["wifi.md"]
    assert "wifi.md" in clawgit("keep").err, "nothing was kept"
    assert "wifi.md" in clawgit("keep", actor="host").err, "the agent was not told yet"
    assert "wifi.md" not in clawgit("keep", actor="host").err
    room.write("bank.md", "bank password: hunter3secret9\n")
    room.write("plan.md", "Paint the gate red.\n")
    again = clawgit("keep", "--as", "operator").err
    assert (
        "Not committed, looks like a key: bank.md:1 and wifi.md:1 (`clawgit doctor` says what to do)."
        in again
    )
    assert "nothing new in its file is committed or remembered." not in again  # it holds no memory
    (room.root / "BOOTSTRAP.md").write_text("Who am I?\n")
    assert "  2 files left out of commits (`clawgit doctor`)\n" in clawgit("status").out, "something waits"
    (room.root / "BOOTSTRAP.md").unlink()
    os.utime(room.history.state / "left-out-operator", (0, 0))
    assert "left out of commits" not in clawgit("status").out, "after a week, doctor names them"
    assert "Move the line to a password manager" in clawgit("doctor").err

    room.write("MEMORY.md", "- router password: hunter2secret9\n")
    for _ in range(2):
        assert "nothing new in its file is committed or remembered." in clawgit("status").out


def test_an_overwrite_keeps_its_undo_when_another_file_of_the_edit_is_taken_back(clawgit, room) -> None:
    """Seen: the line as `typed`, without a command, after `soul revert` of the edit."""
    clawgit("memory", "add", "The canary runs in eu-west-3.")
    room.write("SOUL.md", room.read("SOUL.md") + "- Never sleep.\n")
    room.write("MEMORY.md", room.read("MEMORY.md").replace("eu-west-3", "us-east-1"))
    clawgit("keep")
    edit = room.head()
    clawgit("soul", "revert", edit, "--reason", "Nobody asked.")

    assert f"us-east-1  (an unknown author) → `clawgit undo {edit[:12]}`" in clawgit("status").out


def test_a_damaged_store_of_messages_is_named_once(clawgit, room) -> None:
    """Seen: nothing in status, and twice in doctor."""
    clawgit("chat", "add", "Hello.")
    with (room.history.state / "messages.db").open("r+b") as file:
        file.write(b"garbage")

    assert "messages.db in .git/clawgit is damaged" in clawgit("status").out
    assert "is damaged" in clawgit("status", "--json").data["messages_problem"]
    assert clawgit("doctor").out.count("messages.db in .git/clawgit is damaged") == 1


def test_what_was_forgotten_is_told_with_its_undo(clawgit, room) -> None:
    """Seen: digest and log listed it, status did not. Mutant: every line that an edit took out is called forgotten."""
    room.change(
        {"MEMORY.md": "- The rent is due on the 1st.\n- Tea at four.\n- A blue door.\n"}, actor="operator"
    )
    room.change({"MEMORY.md": "- The rent is due on the 1st.\n- Tea at four.\n"}, actor="operator")
    commit = clawgit("forget", "Tea at four", "--yes", "--json").data["commit"]

    told = [line for line in clawgit("status").out.splitlines() if line.startswith("  forgotten:")]

    assert len(told) == 1
    assert "a line of MEMORY.md" in told[0]
    assert "Tea at four" not in told[0], "what is forgotten is not said again"
    assert f"`clawgit undo {commit[:12]}`" in told[0]


def test_what_a_merge_dropped_is_told_without_an_undo_of_the_merge(clawgit, room) -> None:
    """Seen: `clawgit undo COMMIT` of a merge, which is refused."""
    clawgit("remember", "Item 100 is on shelf 2.")
    room.git("checkout", "-qb", "side")
    room.write("other.md", "Tea.\n")
    room.git("add", "other.md")
    room.git("commit", "-qm", "tea")
    room.git("checkout", "-q", "main")
    clawgit("correct", "Item 100 is on shelf 2.", "Item 100 is on shelf 3.", "--yes")
    room.git("merge", "-q", "--no-commit", "side")
    room.write("MEMORY.md", "# Memory\n")
    room.git("commit", "-qam", "merge")
    told = clawgit("status").out

    assert "left out by a merge: Item 100 is on shelf 3." in told
    assert "`clawgit remember 'Item 100 is on shelf 3.'`" in told
    assert "learned:" not in told
    assert f"undo {room.head()[:12]}" not in told


@pytest.mark.parametrize("is_his", [True, False])
def test_a_finding_has_a_mark_where_doctor_lists_it(clawgit, room, is_his: bool) -> None:
    """Seen: `!` in `status` for what `doctor` had as "in order": a monitor saw nothing."""
    room.change(
        {"MEMORY.md": "- Rent is due on the 1st. <!-- m:aaa111 -->\n- Ada has a dog.\n"}, actor="operator"
    )
    clawgit("correct", "m:aaa111", "Rent is due on the 3rd.")
    room.write("MEMORY.md", "- Ada has a dog.\n")
    author = () if is_his else ("-c", "user.name=unknown", "-c", "user.email=unknown@clawgit.invalid")
    room.git("add", "-A")
    room.git(*author, "commit", "-qm", "tidy")

    (line,) = [
        each for each in clawgit("status").out.splitlines() if "MEMORY.md lacks 1 corrected line" in each
    ]

    assert line.startswith("!") is (clawgit("doctor").code == 1) is not is_his


@pytest.mark.rest
def test_what_was_undone_is_told_and_what_came_back_is_not_learned(clawgit, room) -> None:
    """Seen: "forgotten: a line of MEMORY.md" and "learned: Nora is allergic" after an undo of the agent's edit; "set back", as a crime of the agent's."""
    room.change({"MEMORY.md": "- Nora is allergic to hazelnuts.\n- Tea at four.\n"}, actor="operator")
    room.write("MEMORY.md", "- Nora likes hazelnuts.\n- Tea at four.\n")
    clawgit("keep", actor="host")
    line = room.read("MEMORY.md").split("\n").index("- Nora likes hazelnuts.") + 1
    commit = clawgit("undo", f"MEMORY.md:{line}", "--json").data["commit"]

    told = clawgit("status").out

    assert f"  undone: Nora likes hazelnuts.  (you) → `clawgit undo {commit[:12]}`\n" in told
    assert "forgotten" not in told
    assert "learned: Nora" not in told
    assert "undone      [-Nora likes hazelnuts.-]" in clawgit("log").out


def test_a_note_of_the_agents_that_was_undone_is_not_learned(clawgit, room) -> None:
    """Seen: "learned: Emil worked on batch 3." of a line in no file, and "forgotten: a line of …" of its undo."""
    room.write("memory/2026-03-19.md", "- Emil worked on batch 3.\n")
    room.keep("host")
    assert "  learned: Emil worked on batch 3.  (your agent)\n" in clawgit("status").out

    clawgit("undo", room.head())

    told = clawgit("status").out
    assert "learned:" not in told
    assert "forgotten:" not in told
    assert f"  undone: memory/2026-03-19.md  (you) → `clawgit undo {room.head()[:12]}`\n" in told


def test_a_line_that_an_undo_brought_back_is_not_undone(clawgit, room) -> None:
    room.change({"MEMORY.md": "- Tea at four.\n- A blue door.\n"}, actor="operator")
    clawgit("forget", "Tea at four", "--yes")
    clawgit("undo", "HEAD")

    told = clawgit("status").out

    assert f"  back: Tea at four.  (you) → `clawgit undo {room.head()[:12]}`\n" in told
    assert "undone:" not in told
    assert "forgotten:" not in told


def test_a_correction_that_was_undone_and_made_again_is_listed_once(clawgit, room) -> None:
    """Seen: it was under no word of `status` any more."""
    room.change({"MEMORY.md": "- Rent is due on the 1st.\n"}, actor="operator")
    clawgit("correct", "Rent is due on the 1st.", "Rent is due on the 3rd.")
    clawgit("undo", "HEAD")
    assert "  undone: Rent is due: 3rd → 1st  (you) → `clawgit undo " in clawgit("status").out

    clawgit("undo", "HEAD")

    told = clawgit("status").out
    assert told.count("  corrected: Rent is due: 1st → 3rd  (you) → `clawgit undo x:") == 1
    assert "undone:" not in told


def test_the_first_tidying_of_both_agents_is_one_line(clawgit, room) -> None:
    first = {"since": "2026-03-19T10:00:00+00:00", "moves": ["9 lines moved"], "rejected": False}
    rows = json.dumps({"organizer": first, "memory-compactor": first})
    (room.history.state / "first-rearrangements.json").write_text(rows)

    lines = [line for line in clawgit("status").out.splitlines() if " tidy " in line or "all answers" in line]

    assert lines == [
        "? May the organizer and the memory-compactor tidy this folder? (`clawgit approve t-organizer t-memory-compactor`; more: `clawgit pending`)"
    ]


def test_a_secret_that_an_amend_took_out_is_told_until_what_was_kept_of_it_is_gone(clawgit, room) -> None:
    """Seen: "Nothing new" and "Everything is in order", while `git log --all` and each backup had the token."""
    clawgit("status")
    room.write("notes/a.md", "token ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n")
    room.git("add", "-A")
    room.git("commit", "-qm", "oops")
    clawgit("status")
    room.write("notes/a.md", "in the vault\n")
    room.git("commit", "-qam", "notes", "--amend")
    clawgit("status")

    (command,) = re.findall(r"`(git update-ref .+?)`", clawgit("doctor").out)
    for words in command.split(" && "):
        room.git(*words.split()[1:])

    assert room.git("log", "--all", "--format=%H", "-S", "ghp_A1b2") == ""
    assert "a secret (" not in clawgit("status").out + clawgit("doctor").out


def test_files_of_memory_that_another_removed_come_first_with_whose_and_the_undo(clawgit, room) -> None:
    """Seen: "dropped: 4 files removed from memory/" below questions. Mutant: the operator's own removal has `!`."""
    paths = [f"memory/2026-05-0{day}.md" for day in range(1, 5)]
    room.change({path: f"- The van {path} needed oil.\n" for path in paths}, actor="operator")
    room.now += timedelta(days=4)
    for path in paths:
        (room.root / path).unlink()
    room.keep("host")

    says = f"4 files removed from memory/, by your agent (`clawgit undo {room.head()[:12]}`)"
    now = {"CLAWGIT_NOW": room.now.isoformat(), "CLAWGIT_REHEARSE": "1"}
    assert clawgit("status", environment=now).out.splitlines()[1] == f"! dropped: {says}"


def test_an_overwritten_soul_is_told_with_the_way_to_drop_it(clawgit, room) -> None:
    """Seen: only the command that accepts it, of what soul_policy "lets the unknown make"."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.change({"SOUL.md": "# SOUL\n\n- I am calm.\n- I ask first.\n"}, actor="operator")
    room.keep("operator")
    (room.root / "SOUL.md").write_text("# SOUL\n\nI am Pip.\n")

    told = clawgit("status").out
    assert "lets an unknown author make." in told
    assert "your agent reads it now: `git restore SOUL.md` drops it." in told


def test_an_agents_line_of_standing_orders_is_told_with_its_file_and_undo(clawgit, room) -> None:
    room.change({"TOOLS.md": "# TOOLS\n\n- The printer is red.\n"}, actor="operator")
    with (room.root / "TOOLS.md").open("a") as tools:
        tools.write("- Use the blue printer for labels.\n")
    room.keep("host")

    undo = f"clawgit undo {room.head()[:12]} TOOLS.md"
    assert f"Use the blue printer for labels.  (your agent) → `{undo}`" in clawgit("status").out
    assert clawgit(*undo.split()[1:]).code == 0


def test_keeping_as_the_operator_what_was_just_kept_names_the_claim(clawgit, room) -> None:
    """Seen: only "There was nothing to keep."."""
    (room.root / "MEMORY.md").write_text("- The kiln fires on Mondays.\n")
    room.keep("unknown")

    way = f"To claim the last commit: `clawgit keep --as operator {room.head()[:12]}`."
    assert way in clawgit("keep", "--as", "operator").err
    assert way not in clawgit("keep").err
