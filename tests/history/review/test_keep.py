from __future__ import annotations

import subprocess

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.operator_records import claim_commits
from clawgit.history.provenance.trust_lookup import keys_of_lines, open_trusts
from clawgit.history.review.keep import keep
from clawgit.history.review.proposals import list_proposals
from clawgit.history.workspace_status import read_status
from clawgit.workspace.settings.settings import Settings


def held(kept) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for finding in kept.held]


def end_ritual(room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("host")


def test_edits_become_one_commit_of_unknown_origin(room) -> None:
    room.write("memory/a.md", "one\n")
    room.write("notes.txt", "two\n")

    kept = room.keep()

    assert kept.paths == ("memory/a.md", "notes.txt")
    assert room.actors()[0] == "unknown"
    assert room.git("status", "--porcelain") == ""


def test_a_file_of_which_something_is_staged_waits_for_its_commit(room) -> None:
    room.write("memory/a.md", "staged\n")
    room.git("add", "memory/a.md")
    room.write("memory/a.md", "staged\nand more\n")

    assert room.keep().paths == ()

    assert room.git("show", ":memory/a.md") == "staged"
    room.git("commit", "-qm", "mine")
    assert room.keep().paths == ("memory/a.md",)
    assert room.shown("memory/a.md") == "staged\nand more\n"


def test_what_is_staged_as_it_stands_is_left_to_whoever_staged_it(room, now) -> None:
    room.write("draft.md", "draft\n")
    room.git("add", "draft.md")
    room.git("rm", "-q", "TOOLS.md")
    room.write("memory/a.md", "x\n")

    kept = room.keep("host")

    assert kept.paths == ("memory/a.md",)
    assert room.git("status", "--porcelain").split("\n") == ["D  TOOLS.md", "A  draft.md"]
    assert read_status(room.history, now).staged == ("TOOLS.md", "draft.md")


def test_deletions_are_kept_too(room) -> None:
    (room.root / "HEARTBEAT.md").unlink()

    room.keep("operator")

    assert "HEARTBEAT.md" not in room.git("ls-tree", "--name-only", "HEAD").split()


def test_a_persons_commit_that_keep_has_seen_stays_reachable_after_a_hard_reset(room) -> None:
    room.write("notes.md", "Ada's morning.\n")
    room.git("add", "notes.md")
    room.git("commit", "--quiet", "-m", "notes")
    seen = room.head()
    assert room.keep().commits == ()
    room.git("reset", "--hard", "--quiet", "HEAD~1")

    room.keep()

    assert room.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/past/") == seen


def test_nothing_to_keep_makes_no_commit(room) -> None:
    before = room.head()

    assert room.keep().commits == ()
    assert room.head() == before


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", "conflict-marker", id="conflict markers"),
        pytest.param("x" * (1024 * 1024 + 1), "file-size", id="too large"),
    ],
)
def test_a_bad_file_stays_uncommitted_and_the_others_are_kept(room, now, text: str, rule: str) -> None:
    room.write("memory/bad.md", text)
    room.write("memory/good.md", "fine\n")

    kept = room.keep()

    assert kept.paths == ("memory/good.md",)
    assert held(kept) == [(rule, "memory/bad.md")]
    assert room.read("memory/bad.md") == text
    assert [finding.path for finding in read_status(room.history, now).held] == ["memory/bad.md"]


def test_a_plan_for_a_held_file_is_refused_and_others_go_on(room) -> None:
    room.write("memory/bad.md", "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n")

    with pytest.raises(Exception, match="unfinished merge"):
        room.append("memory/bad.md", "agent's")

    assert room.append("memory/other.md", "agent's").outcome == "applied"


def test_a_quotation_of_markers_in_a_code_fence_is_kept(room) -> None:
    room.write("memory/a.md", "```\n<<<<<<< HEAD\nquoted\n=======\nother\n>>>>>>> b\n```\n")

    assert room.keep().paths == ("memory/a.md",)


def test_links_and_nested_repositories_are_left_alone_and_named(room) -> None:
    (room.root / "link.md").symlink_to("/etc/hostname")
    subprocess.run(["git", "init", "-q", room.root / "inner"], check=True)
    room.write("inner/x.md", "x\n")

    kept = room.keep()

    assert kept.commits == ()
    assert {path for _, path in held(kept)} == {"link.md", "inner"}
    said = " ".join(f"{finding.sentence} {finding.way_out}" for finding in kept.held)
    assert "link.md is a symbolic link" in said
    assert "If it is a git repository of its own, list it in .gitignore" in said


def test_a_host_writes_the_soul_freely_during_the_ritual(room) -> None:
    room.write("SOUL.md", "I am somebody else.\n")

    assert room.keep("host").paths == ("SOUL.md",)


def test_a_later_bootstrap_file_opens_no_ritual(room) -> None:
    end_ritual(room)
    room.write("BOOTSTRAP.md", "Again!\n")
    room.keep("operator")
    room.write("SOUL.md", "I am somebody else.\n")

    assert room.keep("host").proposals


def test_a_hosts_addition_to_the_soul_stays_and_its_rewording_waits(room) -> None:
    room.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n")
    room.keep("operator")
    end_ritual(room)
    room.write("SOUL.md", "# Soul\n\n- Be blunt.\n- Be brief.\n- Ask first.\n")

    kept = room.keep("host")

    assert room.read("SOUL.md") == "# Soul\n\n- Be kind.\n- Be brief.\n- Ask first.\n"
    assert room.shown("SOUL.md") == room.read("SOUL.md")
    (waiting,) = list_proposals(room.history)
    assert (waiting.parked_id,) == kept.proposals
    assert room.shown("SOUL.md", waiting.commit_id) == "# Soul\n\n- Be blunt.\n- Be brief.\n- Ask first.\n"


@pytest.mark.parametrize(("policy", "under"), [("review", "proposals"), ("locked", "quarantine")])
def test_a_hosts_edit_of_the_soul_goes_back_and_stays_reachable(room, policy: str, under: str) -> None:
    end_ritual(room)
    room.history.settings = Settings(soul_policy=policy)
    before = room.read("SOUL.md")
    room.write("SOUL.md", before + "- Be wild.\n")

    kept = room.keep("host")

    assert room.read("SOUL.md") == before
    rule = "soul-locked" if policy == "locked" else "soul-policy"
    assert held(kept) == [(rule, "SOUL.md")]
    ref = room.git("for-each-ref", "--format=%(refname)", f"refs/clawgit/{under}/")
    assert room.shown("SOUL.md", ref) == before + "- Be wild.\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", ["evolve", "review", "locked"])
def test_an_edit_of_the_soul_of_unknown_origin_is_never_put_back(room, policy: str) -> None:
    room.history.settings = Settings(soul_policy=policy)
    room.write("SOUL.md", "I am somebody else.\n")

    kept = room.keep("unknown")

    assert room.read("SOUL.md") == "I am somebody else.\n"
    assert kept.commits == ()
    assert len(kept.proposals) == 1
    assert room.keep("operator", reason="It is mine.").paths == ("SOUL.md",)


def test_the_same_waiting_edit_is_parked_once(room) -> None:
    room.write("SOUL.md", "I am somebody else.\n")

    assert room.keep().proposals == room.keep().proposals
    assert len(list_proposals(room.history)) == 1


def test_text_of_a_change_that_was_reset_away_is_still_that_changes(room, now) -> None:
    """Mutant: it inherits the trust of the one who keeps."""
    room.append("memory/a.md", "agent's words")
    room.git("reset", "--mixed", "-q", "HEAD^")

    keep(room.history, Intent(new_op("keep"), "host", now, trust="external"))

    assert room.shown("memory/a.md") == "agent's words\n"
    with open_trusts(room.history) as trusts:
        (key,) = keys_of_lines(b"agent's words\n", 1, 1)
        origin = trusts.origin(key)
    assert (origin.actor, origin.trust) == ("memory-miner", "host")


def test_nobody_becomes_the_operator_by_what_stands_in_a_file(room) -> None:
    """Mutant: text of the operator's that was reset away is his again, whoever put it there."""
    room.append("memory/a.md", "the operator's words", actor="operator")
    room.git("reset", "--mixed", "-q", "HEAD^")

    room.keep()

    assert room.actors()[0] == "unknown"


def test_what_the_operator_keeps_is_his_whoever_wrote_it_first(room) -> None:
    room.append("memory/a.md", "agent's words")
    room.git("reset", "--mixed", "-q", "HEAD^")

    room.keep("operator")

    assert room.actors()[0] == "operator"


def test_a_keep_with_the_op_of_an_earlier_one_keeps_nothing(room, now) -> None:
    """Mutant: repeated after a lost answer, it commits what came since under the same op."""
    intent = Intent("mine-1", "operator", now, given=True)
    room.write("memory/a.md", "one\n")
    keep(room.history, intent)
    head = room.head()
    room.write("memory/a.md", "one\ntwo\n")

    again = keep(room.history, intent)

    assert (again.commits, room.head()) == ((), head)
    assert room.git("status", "--porcelain") == "M memory/a.md"


def test_the_operator_claims_a_commit_of_unknown_origin(room, now) -> None:
    room.write("memory/a.md", "mine\n")
    (commit,) = room.keep().commits
    tree = room.git("rev-parse", "HEAD^{tree}")

    claim_commits(room.history, [commit[:10]], Intent("op-claim", "operator", now))

    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Claims,valueonly)").strip() == commit
    assert room.git("rev-parse", "HEAD^{tree}") == tree


def test_only_commits_of_unknown_origin_can_be_claimed(room, now) -> None:
    made = room.append("memory/a.md", "agent's").commit_id

    with pytest.raises(ClawgitError, match="not by an unknown author"):
        claim_commits(room.history, [made], Intent("op-claim", "operator", now))


def test_a_hosts_own_commit_is_not_claimed(room, now) -> None:
    """Mutant: whatever was committed by git alone can be claimed, since a mail in it is an unknown author's."""
    room.change({"memory/a.md": "host\n"}, actor="host")
    message = "host edit\n\nClawgit-Actor: host\n"
    room.write("memory/a.md", "host, edited\n")
    room.git("commit", "-qam", message)

    with pytest.raises(ClawgitError, match="not by an unknown author"):
        claim_commits(room.history, [room.head()], Intent("op-claim", "operator", now))


@pytest.mark.parametrize(
    ("files", "subject"),
    [
        pytest.param(
            {"MEMORY.md": "# Memory\n- Rent is due on the 1st. <!-- m:aaa111 -->\n"},
            'MEMORY.md +1: "Rent is due on the 1st."',
            id="a line that came",
        ),
        pytest.param({"MEMORY.md": ""}, 'MEMORY.md -1: "Memory"', id="a line that went"),
        pytest.param(
            {"MEMORY.md": "# Memory\n- Oats.\n", "memory/2026-03-19.md": "a\nb\n"},
            'MEMORY.md +1: "Oats."; 1 more file',
            id="memory comes first",
        ),
        pytest.param(
            {"a.md": "one\n", "b.md": "two\n", "c.md": "three\n"}, 'a.md +1: "one"; 2 more files', id="many"
        ),
        pytest.param(
            {"MEMORY.md": f"# Memory\n- {'word ' * 40}\n"},
            f'MEMORY.md +1: "{"word " * 10}word…"',
            id="a long line is cut, and its quotation closed",
        ),
        pytest.param({"picture.bin": "\0\1"}, "picture.bin", id="no text"),
    ],
)
def test_the_subject_of_a_kept_edit_names_its_lines(room, files, subject: str) -> None:
    room.change({"MEMORY.md": "# Memory\n"}, actor="operator")
    for path, text in files.items():
        room.write(path, text)

    room.keep()

    assert room.git("log", "-1", "--format=%s") == subject


def test_the_subject_of_a_kept_edit_counts_each_line_once(room) -> None:
    """Seen: `MEMORY.md +3 -53` of four added and thirteen removed lines: each blank line of the file was counted."""
    room.change({"a.md": "one\n\ntwo\n\nthree\n"}, actor="operator")
    room.write("a.md", "one\n\ntwo\n\nthree\n\nfour\n")

    room.keep()

    assert room.git("log", "-1", "--format=%s") == 'a.md +2: "four"'
