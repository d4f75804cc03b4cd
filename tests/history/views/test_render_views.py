from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import pytest
from rounds import some

from clawgit.history.adopt import adopt
from clawgit.history.apply_plan import APPLIED, apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.states import take_snapshot
from clawgit.history.views import (
    ViewState,
    read_changelog,
    read_state,
    render,
    renew_views,
    retained,
    slug,
    write_state,
)
from clawgit.plan import Edit, Evidence, Plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.guards.finding import Finding

LOGS = ("CHANGELOG.md", "COMPACTION_LOG.md")
EARLIER = "2026-03-17T08:00:00+00:00"


pytestmark = pytest.mark.usefixtures("gits_clock")


def views(root: Path) -> dict[str, bytes]:
    files = [root / name for name in LOGS] + sorted((root / "SOUL_HISTORY").iterdir())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def renewed(room, root: Path | None = None) -> dict[str, bytes]:
    """Return the views as another process renders them in a folder that has none of them any more."""
    root = root or room.root
    for name in LOGS:
        (root / name).unlink(missing_ok=True)
    shutil.rmtree(root / "SOUL_HISTORY", ignore_errors=True)
    (root / ".git/clawgit/views.json").unlink(missing_ok=True)
    assert renew_views(open_history(root), room.now) == ()
    return views(root)


def tell(room, text: str, path: str = "SOUL.md", *, reason: str = "", at: datetime | None = None) -> str:
    """Let clawgit append a line, with a reason and evidence; return the op."""
    op = new_op()
    evidence = (Evidence("msg-1", f"about {text}"),) if reason else ()

    def plan(tree):
        edit = Edit(path, (tree.read(path) or b"") + text.encode() + b"\n")
        return Plan(f"soul: {text}", (edit,), reason, evidence)

    apply_plan(room.history, plan, Intent(op, "soul-keeper", at or room.now, soul_is_open=True))
    return op


def by_hand(room, text: str, path: str = "SOUL.md", *, at: str = EARLIER) -> None:
    room.write(path, (room.read(path) if (room.root / path).exists() else "") + text + "\n")
    room.git("add", path)
    room.git("commit", "-qm", f"by hand: {text}", f"--date={at}")


@pytest.fixture
def grown(room, lived_once):
    """Return a workspace with changes of the soul by clawgit and by hand, on three days."""

    def life() -> None:
        tell(room, "One.", reason="They said so.", at=datetime(2026, 3, 16, 9, tzinfo=UTC))
        by_hand(room, "Two.")
        tell(room, "Three.")

    return lived_once("grown", life)


def remarks_of(room) -> tuple[Finding, ...]:
    """Make a change of the soul and return what was remarked on the way."""
    return room.append("SOUL.md", "More.").kept.remarks


def test_a_new_workspace_has_the_logs_and_they_say_that_they_are_rendered(room):
    for name in LOGS:
        assert room.read(name).startswith("# ")
        assert "Rendered by clawgit" in room.read(name)
    assert room.read("SOUL_HISTORY/2026-03-19.md") == room.read("SOUL.md")
    assert room.git("status", "--short") == ""


def test_the_changelog_says_when_who_what_why_and_on_what_evidence(room):
    op = tell(room, "Be blunt.", reason="They said so.")
    assert (
        "- 10:22 **soul-keeper**: soul: Be blunt.\n"
        "  - why: They said so.\n"
        '  - evidence: msg-1 "about Be blunt."\n'
        f"  - op: {op}\n"
    ) in room.read("CHANGELOG.md")


def test_a_commit_without_trailers_appears_with_what_it_changed(room):
    room.write("SOUL.md", "# Soul\n\n## Manner\n\nSoft.\n\n## Limits\n\nNone.\n")
    room.keep("operator")
    room.write("SOUL.md", "# Soul\n\n## Manner\n\nBlunt.\nKind.\n\n## Limits\n\n```\n# no heading\n```\n")
    room.git("commit", "-qam", "A human touch", f"--date={EARLIER}")
    renew_views(room.history, room.now)
    assert ("- 08:00 **operator**, outside clawgit: A human touch\n  - SOUL.md: +5 -2 lines\n") in room.read(
        "CHANGELOG.md"
    )


@pytest.mark.parametrize(
    ("hostile", "read"),
    [
        pytest.param("gone <!-- hidden", "gone &lt;!-- hidden", id="comment"),
        pytest.param("<script>x</script>", "&lt;script>x&lt;/script>", id="tag"),
        pytest.param("a < b", "a < b", id="comparison"),
        pytest.param("x\u202ey\u001b[2J", "xy[2J", id="bidi and escape"),
    ],
)
def test_texts_of_others_stay_texts(room, hostile: str, read: str):
    room.write("SOUL.md", "Changed.\n")
    room.git("commit", "-qam", hostile)
    renew_views(room.history, room.now)
    assert f": {read}\n" in room.read("CHANGELOG.md")


def by_plan(room):
    room.change({"SOUL.md": "Changed.\n"})


def by_keep(room):
    room.write("SOUL.md", "Changed.\n")
    room.keep("operator")


def by_snapshot(room):
    room.write("SOUL.md", "Changed.\n")
    take_snapshot(room.history, "a name", Intent(new_op(), "operator", room.now))


@pytest.mark.parametrize("act", [by_plan, by_keep, by_snapshot])
def test_every_change_that_clawgit_makes_refreshes_them(room, act: Callable[[Any], None]):
    act(room)
    assert room.read("SOUL_HISTORY/2026-03-19.md") == "Changed.\n"
    assert views(room.root) == renewed(room)


def test_what_people_did_with_git_is_seen_at_the_next_change(room):
    by_hand(room, "Mine.")
    room.append("MEMORY.md", "- a note")
    assert "by hand: Mine." in room.read("CHANGELOG.md")


def test_a_change_that_they_do_not_show_leaves_them_alone(room):
    before = [(path, (room.root / path).stat().st_ino) for path in views(room.root)]
    (room.root / "COMPACTION_LOG.md").unlink()
    room.append("MEMORY.md", "- a note")
    assert [(path, (room.root / path).stat().st_ino) for path, _ in before if path != LOGS[1]] == [
        pair for pair in before if pair[0] != LOGS[1]
    ]
    assert not (room.root / "COMPACTION_LOG.md").exists()
    assert read_state(room.history).basis.tip == room.head()


def test_a_setting_or_a_lost_branch_changes_them_without_a_change_of_the_soul(room):
    tell(room, "A day after.", at=room.now + timedelta(1))
    room.git("switch", "-qc", "side")
    tell(room, "Elsewhere.", at=room.now + timedelta(1))
    room.git("switch", "-q", "main")
    room.append("MEMORY.md", "- here again")
    assert "Elsewhere." not in room.read("CHANGELOG.md")
    room.git("branch", "-qD", "side")
    room.append("MEMORY.md", "- without it")
    assert "Elsewhere." in room.read("CHANGELOG.md")
    room.history.settings = room.history.settings._replace(soul_history_retention_days=1)
    room.now += timedelta(3)
    room.append("MEMORY.md", "- later")
    assert [path.name for path in (room.root / "SOUL_HISTORY").iterdir()] == ["2026-03-20.md"]


def test_losses_and_the_compactors_changes_are_in_the_compaction_log(room):
    room.append("MEMORY.md", "- old news")
    losses = {"MEMORY.md": "old news, archived"}
    intent = Intent("op-loss", "decay-engine", room.now, losses=losses)
    apply_plan(room.history, lambda _: Plan("decay: a note", (Edit("MEMORY.md", b""),)), intent)
    room.change({"memory/archive/2026-Q1.md": "- old news\n"}, actor="memory-compactor", op="op-compact")
    log = room.read("COMPACTION_LOG.md")
    assert (
        "**decay-engine**: decay: a note\n  - left: MEMORY.md: old news, archived\n  - op: op-loss\n" in log
    )
    assert "**memory-compactor**: test: a change\n  - op: op-compact\n" in log
    assert "decay: a note" not in room.read("CHANGELOG.md")


def lose(
    room, word: str, *, actor: str = "decay-engine", at: datetime | None = None, op: str = ""
) -> Recorded:
    """Let an agent take everything out of MEMORY.md but ``word``, and say so."""
    losses = {"MEMORY.md": f"only {word} is left"}
    intent = Intent(op or new_op(), actor, at or room.now, losses=losses)
    plan = Plan(f"decay: {word}", (Edit("MEMORY.md", f"- {word}\n".encode()),))
    return apply_plan(room.history, lambda _: plan, intent)


@pytest.mark.rest
def test_a_loss_that_is_as_old_as_others_stands_where_its_op_belongs(room):
    """Mutants: the last one comes first; it stands before the others of its day."""
    lose(room, "before", op="op-9")
    room.now += timedelta(1)
    for op in ("op-4", "op-2", "op-6", "op-1", "op-5", "op-3"):
        lose(room, op, op=op)
    lose(room, "after", at=room.now + timedelta(minutes=5), op="op-0")
    ops = [line[8:] for line in room.read("COMPACTION_LOG.md").splitlines() if line.startswith("  - op: op-")]
    assert ops == ["op-0", "op-6", "op-5", "op-4", "op-3", "op-2", "op-1", "op-9"]
    assert views(room.root) == renewed(room)


def told_again_after_a_reset(room) -> None:
    """Lose the same once more: the way back to what a reset left out."""
    room.change({"a-list.txt": "long\n"})
    room.change({"a-list.txt": "short\n"}, actor="decay-engine")
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.append("memory/notes.md", "- in between")
    room.git("rm", "-q", "memory/notes.md")
    room.git("commit", "-qm", "as before")
    room.change({"a-list.txt": "short\n"}, actor="decay-engine")


def soul_told_again_after_a_reset(room) -> None:
    tell(room, "Again.")
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.append("MEMORY.md", "- in between")
    tell(room, "Again.")


def typed_op_of_a_later_change(room) -> None:
    typed = "Clawgit-Op: op-typed\nClawgit-Actor: operator\nClawgit-Loss: MEMORY.md: typed"
    room.git("commit", "-q", "--allow-empty", "-m", f"by hand\n\n{typed}")
    renew_views(room.history, room.now)
    lose(room, "under that op", op="op-typed")


def copied_by_hand(room) -> None:
    """Do by hand, under an op that was typed, what an amend has replaced already."""
    start = room.head()
    lose(room, "replaced")
    room.git("commit", "-q", "--amend", "-m", "in other words")
    amended_to = room.head()
    lose(room, "pinned by now")
    room.git("checkout", "-q", start, "--", ".")
    room.git("commit", "-qm", "back to the start")
    room.git("checkout", "-q", amended_to, "--", ".")
    typed = "Clawgit-Op: op-typed\nClawgit-Actor: operator\nClawgit-Loss: MEMORY.md: typed"
    room.git("commit", "-qm", f"copied\n\n{typed}", "--date=2026-03-19T11:00:00+00:00")


def soul_that_goes(room) -> None:
    room.change({"SOUL.md": None})


def soul_of_long_ago(room) -> None:
    """Change the soul twice in a month, be killed before the views are written, and come back much later."""
    tell(room, "A day after.", at=room.now + timedelta(1))
    before, state = views(room.root), (room.history.state / "views.json").read_bytes()
    tell(room, "Two days after.", at=room.now + timedelta(2))
    for path in views(room.root).keys() - before.keys():
        (room.root / path).unlink()
    for path, data in before.items():
        (room.root / path).write_bytes(data)
    (room.history.state / "views.json").write_bytes(state)
    room.now += timedelta(200)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "act",
    [
        told_again_after_a_reset,
        soul_told_again_after_a_reset,
        typed_op_of_a_later_change,
        copied_by_hand,
        soul_that_goes,
        soul_of_long_ago,
    ],
)
def test_what_changes_more_than_it_adds_is_rendered_from_the_history(room, act: Callable[[Any], None]):
    """Mutant: entries are put in front of those that are there."""
    lose(room, "before")
    act(room)
    lose(room, "afterwards", at=room.now + timedelta(hours=2))
    assert views(room.root) == render(open_history(room.root), room.now)


# Rewritten histories: the same bytes, since the same happened.


def rebased(room) -> None:
    room.git("switch", "-qc", "upstream", room.git("rev-list", "--max-parents=0", "HEAD"))
    by_hand(room, "- elsewhere", "memory/elsewhere.md")
    room.git("switch", "-q", "main")
    room.git("rebase", "-q", "upstream")


def amended(room) -> None:
    by_hand_file = room.root / "memory" / "more.md"
    by_hand_file.write_text("- more\n")
    room.git("add", "memory/more.md")
    room.git("commit", "-q", "--amend", "--no-edit")


def picked_again(room) -> None:
    tip = room.head()
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.append("MEMORY.md", "- in between")
    room.git("cherry-pick", tip)


def merged_into_another(room) -> None:
    room.git("switch", "-qc", "other", "HEAD~3")
    by_hand(room, "- elsewhere", "memory/elsewhere.md")
    room.git("merge", "-q", "--no-edit", "main")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "rewrite",
    [
        rebased,
        amended,
        picked_again,
    ],
)
def test_a_rewrite_of_history_changes_no_byte(grown, rewrite: Callable[[Any], None]):
    before = views(grown.root)
    rewrite(grown)
    grown.append("MEMORY.md", "- afterwards")  # pins what was left out
    assert views(grown.root) == before
    assert renewed(grown) == before


def test_a_merge_tells_the_same_as_a_rebase(grown):
    before = views(grown.root)["CHANGELOG.md"]
    merged_into_another(grown)
    assert renewed(grown)["CHANGELOG.md"] == before


def test_a_merge_and_a_rebase_of_two_lines_of_changes_tell_the_same(grown, tmp_path):
    grown.git("switch", "-qc", "side", "HEAD~3")
    tell(grown, "Cat.", "IDENTITY.md")
    shutil.copytree(grown.root, tmp_path / "other", symlinks=True)
    grown.git("switch", "-q", "main")
    grown.git("merge", "-q", "--no-edit", "side")
    subprocess.run(["git", "rebase", "-q", "main"], cwd=tmp_path / "other", check=True, env=_ada())
    merged, rebased_there = renewed(grown), renewed(grown, tmp_path / "other")
    assert merged["CHANGELOG.md"] == rebased_there["CHANGELOG.md"]
    assert b"soul: Cat." in merged["CHANGELOG.md"]


def _ada() -> dict[str, str]:
    named = {
        f"GIT_{who}_{what}": "ada@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    return dict(os.environ) | named


def test_the_words_of_a_merge_itself_are_outside(grown):
    grown.git("switch", "-qc", "side", "HEAD~1")
    by_hand(grown, "Side.")
    grown.git("switch", "-q", "main")
    grown.git("merge", "side", check=False)
    grown.write("SOUL.md", grown.shown("SOUL.md") + "Side.\nSettled.\n")
    grown.git("commit", "-qam", "Merge with a word of its own")
    text = renewed(grown)["CHANGELOG.md"].decode()
    assert "Merge with a word of its own\n  - SOUL.md: +1 -0 lines" in text


def test_what_a_merge_left_out_stays_told(grown):
    grown.git("switch", "-qc", "side", "HEAD~3")
    tell(grown, "Cat.", "IDENTITY.md")
    grown.git("switch", "-q", "main")
    grown.git("merge", "-q", "--no-edit", "-s", "ours", "side")
    assert b"soul: Cat." in renewed(grown)["CHANGELOG.md"]


def test_a_revert_by_hand_and_its_revert_are_two_more_entries(grown):
    before = read_changelog(grown.history)
    grown.git("revert", "--no-edit", "HEAD")
    grown.git("revert", "--no-edit", "HEAD")
    grown.append("MEMORY.md", "- afterwards")
    entries = read_changelog(grown.history)
    assert [entry.summary for entry in entries if entry not in before] in (
        ['Revert "soul: Three."', 'Revert "Revert "soul: Three.""'],
        ['Revert "Revert "soul: Three.""', 'Revert "soul: Three."'],
        ['Reapply "soul: Three."', 'Revert "soul: Three."'],
        ['Revert "soul: Three."', 'Reapply "soul: Three."'],
    )
    assert [entry for entry in entries if entry in before] == before
    assert views(grown.root) == renewed(grown)


def test_a_change_that_was_reset_away_is_marked_until_it_comes_back(grown):
    tip, before = grown.head(), views(grown.root)
    grown.git("reset", "-q", "--hard", "HEAD~1")
    grown.append("MEMORY.md", "- afterwards")
    assert [e.summary for e in read_changelog(grown.history) if e.left_out] == ["soul: Three."]
    assert "left out of this branch" in grown.read("CHANGELOG.md")
    assert "Three." not in grown.read("SOUL_HISTORY/2026-03-19.md")
    grown.git("cherry-pick", tip)
    assert renewed(grown) == before


def test_a_fresh_clone_of_the_same_history_has_the_same_views(grown, tmp_path, now):
    rebased(grown)
    take_snapshot(grown.history, "before the clone", Intent(new_op(), "operator", now))
    grown.git("clone", "-q", str(grown.root), str(tmp_path / "clone"))
    adopt(tmp_path / "clone", now)
    assert views(tmp_path / "clone") == views(grown.root)


def test_a_shallow_clone_tells_what_it_has(grown, tmp_path, now):
    grown.git("clone", "-q", "--depth=2", f"file://{grown.root}", str(tmp_path / "clone"))
    adopt(tmp_path / "clone", now)
    clone = replace(grown, root=tmp_path / "clone", history=open_history(tmp_path / "clone"))
    tell(clone, "Four.")
    assert remarks_of(clone) == ()
    assert "soul: Four." in clone.read("CHANGELOG.md")


# What stands in the folder.


def test_an_edited_view_goes_to_quarantine_with_its_bytes(room):
    room.write("CHANGELOG.md", "mine\n")
    room.write("SOUL_HISTORY/2026-03-19.md", "mine, too\n")
    found = {finding.path: finding for finding in remarks_of(room)}
    assert set(found) == {"CHANGELOG.md", "SOUL_HISTORY/2026-03-19.md"}
    for path, bytes_ in (("CHANGELOG.md", "mine"), ("SOUL_HISTORY/2026-03-19.md", "mine, too")):
        name = found[path].way_out.split("`")[1].removeprefix("git show ")
        assert name.startswith("refs/clawgit/quarantine/")
        assert room.git("show", name) == bytes_
    assert views(room.root) == renewed(room)
    assert room.git("status", "--short") == ""


@pytest.mark.parametrize("text", ["mine\n", None], ids=["edited", "deleted"])
def test_keep_looks_at_the_views_although_no_commit_touched_them(room, text):
    """Mutant: keep renews what the history changed, and nothing else."""
    renew_views(room.history, room.now)
    before = views(room.root)
    (room.root / "CHANGELOG.md").unlink()
    if text:
        room.write("CHANGELOG.md", text)

    kept = room.keep("host")

    assert [finding.path for finding in kept.remarks] == (["CHANGELOG.md"] if text else [])
    assert views(room.root) == before
    assert room.keep("host").remarks == ()


def test_views_that_clawgit_itself_wrote_are_never_taken_for_edits(room):
    state = read_state(room.history)
    write_state(room.history, ViewState(None, state.written))  # a writer was killed between two files
    (room.root / "COMPACTION_LOG.md").unlink()
    assert remarks_of(room) == ()
    assert room.git("for-each-ref", "refs/clawgit/quarantine") == ""


def test_a_record_without_its_basis_still_says_which_bytes_clawgit_wrote(room):
    """Mutant: after an update of clawgit outdated views are taken for edits."""
    record = room.history.state / "views.json"
    record.write_text(json.dumps({"cursor": None, "written": json.loads(record.read_text())["written"]}))
    by_hand(room, "Mine.")
    assert renew_views(room.history, room.now) == ()
    assert "by hand: Mine." in room.read("CHANGELOG.md")


def test_without_its_memory_it_takes_equal_bytes_as_its_own(room):
    (room.history.state / "views.json").write_text("not JSON")
    assert renew_views(room.history, room.now) == ()


def test_files_of_others_in_soul_history_stay(room):
    room.write("SOUL_HISTORY/notes.md", "mine\n")
    assert remarks_of(room) == ()
    assert room.read("SOUL_HISTORY/notes.md") == "mine\n"


def linked_file(room) -> None:
    (room.root / "CHANGELOG.md").unlink()
    (room.root / "CHANGELOG.md").symlink_to(room.root.parent / "elsewhere.md")


def linked_folder(room) -> None:
    (room.root / "SOUL_HISTORY").rename(room.root.parent / "elsewhere")
    (room.root / "SOUL_HISTORY").symlink_to(room.root.parent / "elsewhere")


def pipe(room) -> None:
    (room.root / "CHANGELOG.md").unlink()
    os.mkfifo(room.root / "CHANGELOG.md")


def folder(room) -> None:
    (room.root / "CHANGELOG.md").unlink()
    (room.root / "CHANGELOG.md").mkdir()


@pytest.mark.parametrize("act", [linked_file, linked_folder, pipe, folder])
def test_a_link_or_a_special_file_is_never_touched(room, act: Callable[[Any], None]):
    act(room)
    there = {
        path: path.lstat() for path in room.root.parent.rglob("*") if path.is_symlink() or path.is_fifo()
    }
    elsewhere = sorted(path.name for path in room.root.parent.glob("elsewhere*/*"))
    (finding,) = remarks_of(room)
    assert finding.path.startswith(("CHANGELOG.md", "SOUL_HISTORY/"))
    assert {path: path.lstat() for path in there} == there
    assert sorted(path.name for path in room.root.parent.glob("elsewhere*/*")) == elsewhere
    assert not (room.root.parent / "elsewhere.md").exists()


def test_a_file_that_git_tracks_is_not_rendered(room):
    room.write("CHANGELOG.md", "a project's own\n")
    room.git("add", "-f", "CHANGELOG.md")
    room.git("commit", "-qm", "our changelog")
    (finding,) = remarks_of(room)
    assert "tracked by git" in finding.sentence
    assert room.read("CHANGELOG.md") == "a project's own\n"


def test_a_change_stands_although_its_views_could_not_be_written(room):
    (room.history.state / "views.json").unlink()
    (room.history.state / "views.json").mkdir()
    done = room.append("SOUL.md", "More.")
    assert done.outcome == APPLIED
    (finding,) = done.kept.remarks
    assert "clawgit changelog" in finding.way_out
    assert room.shown("SOUL.md").endswith("More.\n")


# Copies of the soul.


def days(first: str, count: int) -> list[date]:
    return [date.fromisoformat(first) + timedelta(number) for number in range(count)]


JUNE = date(2026, 6, 14)


@pytest.mark.parametrize(
    ("copies", "stay"),
    [
        pytest.param(
            days("2025-11-27", 200),
            [
                *(
                    date(2025, 11, 30),
                    date(2025, 12, 31),
                    date(2026, 1, 31),
                    date(2026, 2, 28),
                    date(2026, 3, 15),
                ),
                *days("2026-03-16", 91),
            ],
            id="CS1: 91 days and 5 months",
        ),
        pytest.param([date(2026, 1, 5)], [date(2026, 1, 5)], id="CS2: a single old one"),
        pytest.param(
            [date(2026, 1, 5), date(2026, 1, 20), date(2026, 2, 3)],
            [date(2026, 1, 20), date(2026, 2, 3)],
            id="CS3: the last of each month",
        ),
        pytest.param([], [], id="CS4: none"),
        pytest.param(
            [date(2026, 3, 15), date(2026, 3, 16)],
            [date(2026, 3, 15), date(2026, 3, 16)],
            id="both sides of the edge",
        ),
        pytest.param([date(2027, 1, 1)], [date(2027, 1, 1)], id="a day to come"),
    ],
)
def test_retained(copies: list[date], stay: list[date]):
    assert sorted(retained(copies, JUNE, 90)) == stay


def test_retention_over_all_time_needs_no_calendar_before_year_one():
    assert retained([JUNE], date(1, 1, 2), 36_500) == {JUNE}


def test_a_day_has_the_soul_as_it_stood_at_its_end(room):
    tell(room, "Morning.")
    tell(room, "Evening.")
    by_hand(room, "Earlier.")
    renew_views(room.history, room.now)
    assert room.read("SOUL_HISTORY/2026-03-19.md").endswith("Morning.\nEvening.\n")
    assert room.read("SOUL_HISTORY/2026-03-17.md") == room.read("SOUL.md")


def test_days_are_those_of_the_workspaces_zone(room):
    tell(room, "Late.", at=datetime(2026, 3, 20, 23, 30, tzinfo=UTC))
    assert (room.root / "SOUL_HISTORY/2026-03-20.md").exists()
    room.history.settings = room.history.settings._replace(timezone="Asia/Seoul")
    renew_views(room.history, room.now)
    assert sorted(path.name for path in (room.root / "SOUL_HISTORY").iterdir()) == [
        "2026-03-19.md",
        "2026-03-21.md",
    ]
    assert "## 2026-03-21\n\n- 08:30 **soul-keeper**: soul: Late." in room.read("CHANGELOG.md")


def test_time_thins_the_copies_at_the_next_change_and_never_snapshots(room):
    take_snapshot(room.history, "the beginning", Intent(new_op(), "operator", room.now))
    tell(room, "A day after.", at=room.now + timedelta(1))
    names = {"2026-03-19.md", "2026-03-20.md", "2026-03-19-the-beginning.md"}
    assert {path.name for path in (room.root / "SOUL_HISTORY").iterdir()} == names
    room.now += timedelta(100)
    room.append("MEMORY.md", "- much later")
    assert {path.name for path in (room.root / "SOUL_HISTORY").iterdir()} == names - {"2026-03-19.md"}
    assert "A day after." in room.read("CHANGELOG.md")


def test_two_snapshots_of_one_name_on_one_day_are_two_files(room):
    for _ in range(2):
        take_snapshot(room.history, "Same name", Intent(new_op(), "operator", room.now))
    assert (room.root / "SOUL_HISTORY/2026-03-19-same-name.md").exists()
    assert (room.root / "SOUL_HISTORY/2026-03-19-same-name-2.md").exists()


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param("Before the holidays!", "before-the-holidays", id="words"),
        pytest.param("../../etc/passwd", "etc-passwd", id="a path"),
        pytest.param("설날 전", "설날-전", id="Hangul"),
        pytest.param("…", "unnamed", id="nothing to say"),
        pytest.param("x" * 300, "x" * 48, id="too long"),
    ],
)
def test_slug(name: str, part: str):
    assert slug(name) == part


# The changelog against a slow, obvious reading of the history by the git program.


class Reference:
    """Walks every commit with `git show` and builds the set."""

    def __init__(self, room) -> None:
        self.room = room
        self.said, self.text = cache(self.said), cache(self.text)  # of a commit they stay as they are
        past = room.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/past").split()
        self.branch = self.list("HEAD")
        self.gone = self.list(*past, "^HEAD") if past else []

    def list(self, *names: str) -> list[str]:
        return self.room.git("rev-list", "--topo-order", "--reverse", *names).split()

    def said(self, commit: str, form: str) -> str:
        return self.room.git("show", "-s", f"--format={form}", commit)

    def trailer(self, commit: str, key: str) -> str:
        return self.said(commit, f"%(trailers:key={key},valueonly,separator=)")

    def text(self, commit: str, path: str) -> str:
        command = ["git", "cat-file", "blob", f"{commit}:{path}"]
        return subprocess.run(command, cwd=self.room.root, capture_output=True, check=False, text=True).stdout

    def state(self, commit: str) -> tuple[str, ...]:
        return tuple(self.text(commit, path) for path in ("SOUL.md", "IDENTITY.md"))

    def parents(self, commit: str) -> list[str]:
        return self.said(commit, "%P").split()

    def changes(self, commit: str) -> tuple[tuple[str, int, int], ...]:
        found = []
        for path in ("IDENTITY.md", "SOUL.md"):
            new = Counter(self.text(commit, path).splitlines(keepends=True))
            olds = [
                Counter(self.text(parent, path).splitlines(keepends=True)) for parent in self.parents(commit)
            ]
            came, left = (
                reduce(and_, (new - old for old in olds)).total(),
                reduce(and_, (old - new for old in olds)).total(),
            )
            if came or left:
                found.append((path, came, left))
        return tuple(found)

    def touches(self, commit: str) -> bool:
        parents = self.parents(commit)
        return all(self.state(parent) != self.state(commit) for parent in parents) and bool(parents)

    def entries(self) -> set[Any]:
        found: dict[Any, set[str]] = {}
        for commit in (*self.gone, *self.branch):
            op = self.trailer(commit, "Clawgit-Op")
            changes = () if op else self.changes(commit)
            if self.touches(commit) and (op or changes):
                signed = "@clawgit.invalid" in self.said(commit, "%ae")  # an amend keeps the author
                actor = self.trailer(commit, "Clawgit-Actor") or ("unknown" if signed else "operator")
                told = (op, self.said(commit, "%aI"), actor, self.said(commit, "%s"), changes)
                found.setdefault(told, set()).add(commit)
        return {(*told, commits.isdisjoint(self.branch)) for told, commits in found.items()}


class Chance:
    """Does at random what agents and people do."""

    def __init__(self, room, seed: int) -> None:
        self.room, self.rng, self.number = room, random.Random(seed), 0

    def path(self) -> str:
        return self.rng.choice(["SOUL.md", "IDENTITY.md", "memory/notes.md"])

    def edited(self, text: str) -> str:
        """Return ``text`` with a line put in somewhere, and sometimes one taken out."""
        self.number += 1
        lines = text.split("\n")
        if self.rng.random() < 0.3 and len(lines) > 1:
            lines.pop(self.rng.randrange(len(lines) - 1))
        lines.insert(self.rng.randrange(len(lines)), f"line {self.number}")
        return "\n".join(lines)

    def agent(self) -> None:
        path = self.path()
        old = self.room.read(path) if (self.room.root / path).exists() else "\n"
        self.room.now += timedelta(minutes=7)
        self.room.change({path: self.edited(old)}, actor="soul-keeper")

    def person(self) -> None:
        path = self.path()
        old = self.room.read(path) if (self.room.root / path).exists() else "\n"
        self.room.write(path, self.edited(old))
        self.room.git("add", path)
        self.room.git(
            "commit", "-qm", f"person {self.number}", f"--date=@{1770000000 + self.number * 60} +0000"
        )

    def revert(self) -> None:
        self.tried("revert", "--no-edit", "HEAD~1")

    def side(self) -> None:
        """Let a branch go its own way, then merge, pick or rebase."""
        self.room.git("switch", "-qC", "side")
        self.person()
        self.agent()
        self.room.git("switch", "-q", "main")
        self.person()
        act = self.rng.choice(
            [("merge", "-q", "--no-edit", "side"), ("cherry-pick", "side"), ("rebase", "-q", "side")]
        )
        self.tried(*act)

    def rewrite(self) -> None:
        self.person()
        self.agent()
        self.rng.choice([self.squash, self.amend, self.reset])()

    def squash(self) -> None:
        self.room.git("reset", "-q", "--soft", "HEAD~2")
        self.tried("commit", "-qm", f"squash {self.number}")

    def amend(self) -> None:
        self.tried("commit", "-q", "--amend", "--allow-empty", "-m", f"amend {self.number}")

    def reset(self) -> None:
        self.room.git("reset", "-q", "--hard", "HEAD~1")

    def tried(self, *words: str) -> None:
        """Run a git command that may end in a conflict; then go back to before."""
        self.room.git(*words, check=False)
        for what in ("merge", "cherry-pick", "revert", "rebase"):
            self.room.git(what, "--abort", check=False)
        self.room.git("reset", "-q", "--hard")

    def act(self) -> None:
        self.rng.choice([self.agent, self.agent, self.person, self.revert, self.side, self.rewrite])()


@pytest.mark.rest
@pytest.mark.parametrize("seed", some(range(4), each=4))
def test_the_changelog_is_what_a_walk_over_all_commits_finds(room, full_length, seed: int):
    room.write("SOUL.md", "".join(f"principle {number}\n" for number in range(12)))
    room.write("IDENTITY.md", "".join(f"trait {number}\n" for number in range(12)))
    room.keep("operator")
    chance = Chance(room, seed)
    for _ in range(40 if full_length else 10):
        chance.act()
    room.append("memory/notes.md", "the end")
    found = {
        (
            entry.op or "",
            entry.at.isoformat(),
            entry.actor,
            entry.summary,
            tuple(sorted((change.path, len(change.came), len(change.left)) for change in entry.changes)),
            entry.left_out,
        )
        for entry in read_changelog(room.history)
    }
    expected = {entry for entry in Reference(room).entries() if not entry[0].startswith("init-")}
    assert {entry for entry in found if not entry[0].startswith("init-")} == expected
    assert views(room.root) == renewed(room)


class Losses(Chance):
    """Loses things, too, several in one second, and does to the rendered files what people do."""

    def path(self) -> str:
        return self.rng.choice(["SOUL.md", "IDENTITY.md", "memory/notes.md", "MEMORY.md"])

    def agent(self) -> None:
        self.room.now += timedelta(minutes=self.rng.choice([-7, 0, 0, 0, 7, 60 * 24]))
        path = self.path()
        old = self.room.read(path) if (self.room.root / path).exists() else "\n"
        actor = self.rng.choice(["soul-keeper", "decay-engine", "memory-compactor"])
        self.room.change({path: self.edited(old)}, actor=actor)

    def tampered(self) -> None:
        path = self.rng.choice(sorted(views(self.room.root)))
        (self.room.root / path).unlink()
        if self.rng.random() < 0.5:
            self.room.write(path, "mine\n")

    def named(self) -> None:
        take_snapshot(self.room.history, "a name", Intent(new_op(), "operator", self.room.now))

    def repeated(self) -> None:
        self.tried("reset", "-q", "--hard", "HEAD~1")
        self.agent()
        self.tried("reset", "-q", "--hard", "HEAD@{1}")

    def cloned(self) -> None:
        """Go on in a clone; what was pinned is not there."""
        root = self.room.root.with_name(f"clone-{self.number}")
        self.room.git("clone", "-q", str(self.room.root), str(root))
        adopt(root, self.room.now)
        self.room.root, self.room.history = root, open_history(root)

    def act(self) -> None:
        super().act()
        self.rng.choice([self.agent, self.agent, self.tampered, self.named, self.repeated, self.cloned])()


@pytest.mark.rest
@pytest.mark.parametrize("seed", some(range(6), each=6))
def test_views_after_each_change_are_those_that_are_rendered_from_nothing(room, full_length, seed: int):
    """Mutants: a loss, a snapshot or a change of the soul counts as nothing that they show."""
    chance = Losses(room, seed)
    for _ in range(60 if full_length else 5):
        chance.act()
        for _ in range(2):
            lose(room, f"word {chance.number}")
            assert views(room.root) == render(open_history(room.root), room.now)
            chance.agent()
