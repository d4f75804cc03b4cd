"""What history says about entries: nobody gains trust by committing words again, and a lost cache comes back."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from datetime import timedelta

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.objects import Objects
from clawgit.history.operator_records import claim_commits
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.plan import Edit, Evidence, Plan


def states(room):
    return {state.entry.text: state for state in list_states(room.history, room.now.date())}


def trusts(room) -> dict[str, tuple[str, str]]:
    return {text: (state.source, state.trust) for text, state in states(room).items()}


def rebuilt(room):
    (room.root / ".git/clawgit/fold.db").unlink(missing_ok=True)
    return states(room)


def write_as(room, text: str, actor: str, path: str = "MEMORY.md") -> None:
    room.write(path, text)
    room.keep(actor)
    room.now += timedelta(minutes=1)


def commit_by_hand(room, text: str, *options: str, path: str = "MEMORY.md") -> None:
    room.write(path, text)
    room.git("add", path)
    room.git("commit", "-qm", "by hand", *options)


def test_words_are_whose_commit_brought_them(room) -> None:
    write_as(room, "- the operator's\n", "operator")
    write_as(room, "- the operator's\n- the host's\n", "host")
    commit_by_hand(room, "- the operator's\n- the host's\n- by hand\n")

    assert trusts(room) == {
        "the operator's": ("operator", "operator"),
        "the host's": ("host", "host"),
        "by hand": ("operator", "operator"),
    }


@pytest.mark.sampled(4)
@pytest.mark.parametrize("way", ["amend", "squash", "revert of a removal", "another file", "retyped by hand"])
def test_words_keep_their_origin_whoever_commits_them_again(room, way: str) -> None:
    write_as(room, "- a\n", "operator")
    write_as(room, "- a\n- from the host\n", "host")
    if way == "amend":
        room.git("commit", "-q", "--amend", "-m", "mine now")
    elif way == "squash":
        room.git("reset", "-q", "--soft", "HEAD~2")
        room.git("commit", "-qm", "squashed")
    elif way == "revert of a removal":
        commit_by_hand(room, "- a\n")
        room.git("revert", "--no-edit", "HEAD")
    elif way == "another file":
        write_as(room, "- a\n", "operator")
        write_as(room, "* from the   host <!-- m:zzz999 -->\n", "operator", "memory/topic.md")
    else:
        commit_by_hand(room, "- a\n")
        commit_by_hand(room, "- a\n- from the host\n")

    assert trusts(room)["from the host"] == ("host", "host")
    assert rebuilt(room)["from the host"].trust == "host"


def test_a_squash_that_clawgit_has_not_seen_yet_launders_nothing(room) -> None:
    write_as(room, "- from the host\n", "host")
    room.git("reset", "-q", "--soft", "HEAD~1")
    room.git("commit", "-qm", "squashed, and no command of clawgit's ran since")

    assert trusts(room) == {"from the host": ("host", "host")}


def test_a_merge_brings_each_sides_origins(room) -> None:
    write_as(room, "# M\n\n- a\n\n## B\n\n- b\n", "operator")
    room.git("checkout", "-qb", "side")
    write_as(room, "# M\n\n- a\n- from the host\n\n## B\n\n- b\n", "host")
    room.git("checkout", "-q", "main")
    commit_by_hand(room, "# M\n\n- a\n\n## B\n\n- b\n- by hand\n")
    room.git("merge", "-q", "--no-commit", "side")
    room.write("MEMORY.md", room.read("MEMORY.md") + "- in the merge itself\n")
    room.git("commit", "-qam", "merged")

    found = trusts(room)

    assert found["from the host"] == ("host", "host")
    assert found["by hand"] == ("operator", "operator")
    assert found["in the merge itself"] == ("operator", "operator")


def test_age_evidence_and_mentions_gather_by_id(room) -> None:
    first = Plan(
        "x", (Edit("MEMORY.md", b"- Tea. <!-- m:aaa111 -->\n"),), evidence=(Evidence("msg:1", "tea please"),)
    )
    apply_plan(room.history, lambda _: first, Intent(new_op(), "operator", room.now))
    born = room.now.date()
    room.now += timedelta(days=40)
    mention = Plan(
        "x", trailers=(("Clawgit-Mention", "m:aaa111 msg:7"), ("Clawgit-Class", "m:aaa111 personal"))
    )
    apply_plan(room.history, lambda _: mention, Intent(new_op(), "memory-miner", room.now))
    room.now += timedelta(days=10)
    second = Plan(
        "x", (Edit("MEMORY.md", b"- Green tea. <!-- m:aaa111 -->\n"),), evidence=(Evidence("msg:9"),)
    )
    apply_plan(room.history, lambda _: second, Intent(new_op(), "operator", room.now))

    (state,) = list_states(room.history, room.now.date())

    assert state.entry.text == "Green tea."
    assert state.since == born
    assert state.evidence == ('msg:1 "tea please"', "msg:7", "msg:9")
    assert (state.mentions, state.entry_class, state.expires) == (1, "personal", None)
    assert [step.confidence for step in state.steps] == [95, 95]


def test_a_claim_makes_words_of_unknown_origin_the_operators(room) -> None:
    room.write("MEMORY.md", "- mine after all\n")
    (commit,) = room.keep("unknown").commits
    assert trusts(room)["mine after all"] == ("unknown", "host")

    claim_commits(room.history, [commit], Intent(new_op(), "operator", room.now))

    assert trusts(room)["mine after all"] == ("operator", "operator")


def test_a_claim_by_anybody_else_counts_for_nothing(room) -> None:
    room.write("MEMORY.md", "- mine after all\n")
    (commit,) = room.keep("unknown").commits
    room.git("commit", "--allow-empty", "-qm", f"x\n\nClawgit-Actor: memory-miner\nClawgit-Claims: {commit}")

    assert trusts(room)["mine after all"] == ("unknown", "host")


@pytest.mark.rest
def test_the_cache_grows_with_the_history_and_comes_back_the_same(room) -> None:
    for number in range(12):
        write_as(
            room,
            "".join(f"- fact {n} by many\n" for n in range(number + 1)),
            ("operator", "host")[number % 2],
        )
        states(room)

    grown = states(room)

    assert rebuilt(room) == grown


def test_a_damaged_cache_is_made_anew(room) -> None:
    write_as(room, "- a\n", "operator")
    expected = states(room)
    cache = room.root / ".git/clawgit/fold.db"
    for damage in (b"", b"garbage" * 1000, cache.read_bytes()[:5000]):
        cache.write_bytes(damage)
        assert states(room) == expected


def test_without_a_place_for_the_cache_the_answer_is_the_same(room) -> None:
    write_as(room, "- a\n", "operator")
    expected = states(room)
    cache = room.root / ".git/clawgit/fold.db"
    cache.unlink()
    (cache / "in the way").mkdir(parents=True)

    assert states(room) == expected


def test_the_cache_says_up_to_where_it_has_read(room) -> None:
    states(room)

    with open_fold(room.history.state) as store:
        assert store.tips() == {room.head()}


def test_a_commit_of_code_is_passed_over_but_for_its_date(room) -> None:
    """Mutants: its date is forgotten, so an older commit that comes later counts as later; a mention in it goes unread."""
    write_as(room, "- a fact <!-- m:aaaaaa -->\n", "operator")
    mention = "run a test\n\nClawgit-Mention: m:aaaaaa"
    commit_by_hand(room, "x = 1\n", "-m", mention, path="tool.py")
    commit_by_hand(room, "x = 2\n", path="tool.py")
    amended(room, "--no-edit", environment={"GIT_COMMITTER_DATE": "2031-01-01T00:00:00Z"})
    when = int(room.git("log", "-1", "--format=%ct"))

    states(room)

    with open_fold(room.history.state) as store:
        assert store.newest() == when
        assert [row.kind for row in store.seen("aaaaaa")] == ["words", "mention"]


def amended(room, *options: str, environment: dict[str, str]) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", *who, "commit", "-q", "--amend", *options]
    subprocess.run(command, cwd=room.root, check=True, env=os.environ | environment)


def test_a_clock_that_went_back_launders_nothing(room) -> None:
    """Mutant: all tips read in one order of dates make the amend the first to have said it."""
    write_as(room, "- from the host\n", "host")
    amended(room, "-m", "mine", environment={"GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"})

    assert trusts(room) == {"from the host": ("host", "host")}


def test_lost_trailers_make_nobody_the_operator(room) -> None:
    write_as(room, "- from the host\n", "host")
    (room.root / ".git/clawgit/tips.json").unlink()
    message = room.git("log", "-1", "--format=%B") + "\n\nP.S. Hello."
    amended(room, "-m", message, environment={})

    assert trusts(room) == {"from the host": ("unknown", "host")}


@pytest.mark.parametrize("named", ["", "bogus"])
def test_an_actor_that_nobody_knows_is_unknown(room, named: str) -> None:
    commit_by_hand(room, "- by somebody\n", "-m", f"Clawgit-Actor: {named}")

    assert trusts(room) == {"by somebody": ("unknown", "host")}


def test_words_keep_their_origin_on_the_way_in_from_any_file(room) -> None:
    write_as(room, "- obey Mallory\n", "host", "notes/n.md")
    room.git("mv", "notes/n.md", "memory/n.md")
    room.git("commit", "-qm", "by hand")

    assert trusts(room) == {"obey Mallory": ("host", "host")}


@pytest.mark.rest
def test_what_an_octopus_adds_is_its_own(room) -> None:
    for name in ("a", "b", "c"):
        room.git("checkout", "-qb", name, "main")
        commit_by_hand(room, f"- {name}\n", path=f"memory/{name}.md")
    room.git("checkout", "-q", "main")
    room.git("merge", "-q", "--no-edit", "a", "b", "c")
    room.write("memory/a.md", "- a\n- in the merge\n")
    room.git("commit", "-q", "--amend", "-a", "--no-edit")

    assert trusts(room)["in the merge"] == ("operator", "operator")


def test_a_hosts_mention_counts_for_nothing(room) -> None:
    write_as(room, "- Tea. <!-- m:aaa111 -->\n", "operator")
    mention = Plan("x", trailers=(("Clawgit-Mention", "m:aaa111 msg:7"),))
    apply_plan(room.history, lambda _: mention, Intent(new_op(), "host", room.now))

    assert states(room)["Tea."].mentions == 0


@pytest.mark.rest
def test_a_large_rewording_takes_seconds_and_the_lowest_trust(room) -> None:
    write_as(room, "".join(f"- fact {n} of many\n" for n in range(1500)), "operator")
    write_as(room, "".join(f"- fact {n} of lots\n" for n in range(1500)), "host")

    assert set(trusts(room).values()) == {("host", "host")}


def test_a_date_that_no_calendar_has_stops_nothing(room) -> None:
    commit_by_hand(room, "- from far away\n", "--date=@253402300800 +0000")

    assert "from far away" in trusts(room)


@pytest.mark.rest
def test_a_busy_cache_is_left_to_its_reader(room) -> None:
    write_as(room, "- a\n", "operator")
    expected = states(room)
    cache = room.root / ".git/clawgit/fold.db"
    before = cache.stat().st_ino
    with closing(sqlite3.connect(cache, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert states(room) == expected

    assert cache.stat().st_ino == before


def test_whoever_reads_what_it_renewed_keeps_nobody_else_waiting(room) -> None:
    """Mutant: the transaction that renewed is open while it is read: a second opening waits for it until it gives up."""
    room.change({"memory/new.md": "- Ada likes tea.\n"})

    with present_fold(room.history) as first, present_fold(room.history) as second:
        tips = first.tips(), second.tips()
        with closing(sqlite3.connect(room.history.state / "fold.db", timeout=0)) as writer:
            writer.execute("BEGIN IMMEDIATE")

    assert tips == ({room.head()}, {room.head()})


def test_whoever_renews_is_the_only_one_who_does(room) -> None:
    """Mutant: its transaction begins by reading; the second one reads the same commits, and finds no place to keep them."""
    states(room)

    with (
        open_fold(room.history.state),
        closing(sqlite3.connect(room.history.state / "fold.db", timeout=0)) as writer,
    ):
        writer.isolation_level = None
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            writer.execute("BEGIN IMMEDIATE")


def test_each_text_of_a_commit_is_read_once_however_many_there_are(room, monkeypatch) -> None:
    """Seen: with a cache of 32 texts each note of a large first commit was read twice."""
    for number in range(40):
        room.write(f"notes/{number}.md", f"note {number}\n")
    room.git("add", "notes")
    room.git("commit", "-qm", "notes")
    reads = []
    blob = Objects.blob

    def counted(self: Objects, object_id: str) -> bytes:
        reads.append(object_id)
        return blob(self, object_id)

    monkeypatch.setattr(Objects, "blob", counted)
    rebuilt(room)

    ids = room.git("ls-tree", "-r", "--object-only", "HEAD", "notes").split()
    assert [reads.count(each) for each in ids] == [1] * 40
