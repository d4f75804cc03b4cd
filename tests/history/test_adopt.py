from __future__ import annotations

import json
import subprocess

import pytest
from tests_folder import TESTS

from clawgit.history.adopt import adopt, preview_adoption
from clawgit.history.authorship.actors import silent_past
from clawgit.history.authorship.commit_messages import find_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.operator_records import claim_commits
from clawgit.history.provenance.entries_at_tip import list_states, note_lines
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.workspace.layout import AGENT_NAMES


def git(root, *arguments: str) -> str:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    done = subprocess.run(["git", *who, *arguments], cwd=root, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def test_an_empty_folder_becomes_a_whole_workspace(tmp_path, now) -> None:
    done = adopt(tmp_path, now)

    assert done.preview.is_new
    for name in (
        "SOUL.md",
        "IDENTITY.md",
        "USER.md",
        "AGENTS.md",
        "HEARTBEAT.md",
        "BOOTSTRAP.md",
        "TOOLS.md",
    ):
        assert (tmp_path / name).is_file()
    for name in ("CONFIG.md", "MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md"):
        assert (tmp_path / name).is_file()
    for name in ("memory", "Archive/Chronicles", "Archive/Corrections", "SOUL_HISTORY"):
        assert (tmp_path / name).is_dir()
    for name in AGENT_NAMES:
        assert (tmp_path / "agents" / name / "SOUL.md").is_file()
    assert git(tmp_path, "status", "--porcelain") == ""
    assert git(tmp_path, "rev-list", "--count", "HEAD") == "1"


def test_secrets_stay_out_of_git(tmp_path, now) -> None:
    adopt(tmp_path, now)

    for name in (".env", "a.key", "deep/b.pem", "secrets.txt", "deep/secrets", ".DS_Store"):
        assert git(tmp_path, "check-ignore", name) == name


def test_a_second_init_changes_nothing(tmp_path, now) -> None:
    adopt(tmp_path, now)
    head = git(tmp_path, "rev-parse", "HEAD")

    assert adopt(tmp_path, now).commits == ()
    assert git(tmp_path, "rev-parse", "HEAD") == head


def test_bootstrap_never_comes_back_but_other_missing_files_do(tmp_path, now) -> None:
    adopt(tmp_path, now)
    (tmp_path / "USER.md").write_text("Ada\n")
    (tmp_path / "BOOTSTRAP.md").unlink()
    (tmp_path / "HEARTBEAT.md").unlink()
    git(tmp_path, "commit", "-qam", "after the ritual")

    adopt(tmp_path, now)

    assert not (tmp_path / "BOOTSTRAP.md").exists()
    assert (tmp_path / "HEARTBEAT.md").exists()
    assert (tmp_path / "USER.md").read_text() == "Ada\n"


def test_a_dry_run_changes_nothing(tmp_path) -> None:
    preview = preview_adoption(tmp_path / "new")

    assert "BOOTSTRAP.md" in preview.created
    assert not (tmp_path / "new").exists()


def test_an_existing_folder_is_taken_over_byte_for_byte(tmp_path, now) -> None:
    (tmp_path / "SOUL.md").write_bytes(b"I am here already.\r\n")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-01-01.md").write_bytes(b"- old\n")

    done = adopt(tmp_path, now)

    assert not done.preview.is_new
    assert not (tmp_path / "BOOTSTRAP.md").exists()
    assert (tmp_path / "SOUL.md").read_bytes() == b"I am here already.\r\n"


WRITTEN = (
    "SOUL.md",
    "USER.md",
    "MEMORY.md",
    "memory/2026-03-18.md",
    "memory/learned.md",
    "Archive/Daily/a.md",
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("trust", "of_the_operator"),
    [
        pytest.param({}, 0, id="nobody said"),
        pytest.param({"trust": "unknown"}, 0, id="unknown"),
        pytest.param({"trust": "operator"}, 3, id="the operator said yes"),
    ],
)
@pytest.mark.parametrize("commits", [0, 1])
def test_notes_are_nobodys_and_the_rest_the_operators_after_a_yes(
    tmp_path, now, trust, of_the_operator: int, commits: int
) -> None:
    if commits:
        git(tmp_path, "init", "-q", "-b", "main")
        git(tmp_path, "commit", "-qm", "before", "--allow-empty")
    for path in WRITTEN:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"- A line of {path}.\n")

    done = adopt(tmp_path, now, **trust)

    whose = [
        git(
            tmp_path,
            "log",
            "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=) %(trailers:key=Clawgit-Trust,valueonly,separator=)",
            "--",
            path,
        )
        for path in WRITTEN
    ]
    assert whose == ["operator operator"] * of_the_operator + ["unknown host"] * (
        len(WRITTEN) - of_the_operator
    )
    assert set(done.found.notes.paths) == set(WRITTEN[3:])
    assert git(tmp_path, "status", "--porcelain") == ""


def test_a_claim_of_the_files_leaves_the_notes_unknown(tmp_path, now) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text("- The port is 8443.\n")
    (tmp_path / "memory/2026-03-18.md").write_text("- The port is 9443.\n")
    done = adopt(tmp_path, now)
    history = open_history(tmp_path)

    claim_commits(history, done.found.own.commits, Intent("op-claim", "operator", now))

    notes = note_lines(history, history.tip().tree, ["memory/2026-03-18.md"])
    assert [line.trust for line in notes] == ["host"]
    assert [(state.entry.text, state.trust) for state in list_states(history, now.date())] == [
        ("The port is 8443.", "operator")
    ]


@pytest.mark.parametrize("commits", [0, 2])
def test_an_existing_repository_is_kept(tmp_path, now, commits: int) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    for number in range(commits):
        (tmp_path / "SOUL.md").write_text(f"{number}\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", f"{number}")
    before = git(tmp_path, "rev-parse", "HEAD") if commits else ""

    done = adopt(tmp_path, now)

    assert done.preview.has_repository
    assert not (tmp_path / "BOOTSTRAP.md").exists()
    assert git(tmp_path, "branch", "--show-current") == "trunk"
    assert git(tmp_path, "status", "--porcelain") == ""
    if before:
        assert git(tmp_path, "merge-base", before, "HEAD") == before


def test_git_gets_a_graph_of_the_commits_that_are_there(tmp_path, now) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "before")

    adopt(tmp_path, now)

    assert list(tmp_path.glob(".git/objects/info/commit-graphs/graph-*.graph"))
    git(tmp_path, "commit-graph", "verify")


@pytest.mark.parametrize(
    ("words", "is_silent"),
    [
        pytest.param("feat: notes", True, id="somebody's own"),
        pytest.param("kept\n\nClawgit-Op: keep-1", False, id="of a clone of a workspace"),
    ],
)
def test_a_past_without_a_word_of_clawgits_is_read_for_them_once(tmp_path, now, words, is_silent) -> None:
    """Mutant: it is noted of any past, and a clone loses its ops."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "notes.md").write_text("- Tea.\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", words)
    first = git(tmp_path, "rev-parse", "HEAD").strip()

    adopt(tmp_path, now)
    history = open_history(tmp_path)
    made = history.objects.commit(history.tip().commit_id)

    assert silent_past(history) == [f"^{first}"] * is_silent
    assert find_op(history, made.trailers.first("Clawgit-Op")) == made.commit_id


def test_of_a_history_that_is_cut_off_nobody_knows_what_it_says(tmp_path, now) -> None:
    """Mutant: what comes when it is fetched counts as read."""
    first = tmp_path / "first"
    git(tmp_path, "init", "-q", "first")
    for message in ("kept\n\nClawgit-Op: keep-1", "feat: notes"):
        git(
            first, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", message
        )
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{first}", "clone")

    adopt(tmp_path / "clone", now)

    assert silent_past(open_history(tmp_path / "clone")) == []


def test_files_in_the_place_of_derived_ones_are_moved_aside(tmp_path, now) -> None:
    (tmp_path / "SOUL_HISTORY").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("mine\n")
    (tmp_path / "SOUL_HISTORY/2025-01-01.md").write_text("old soul\n")

    adopt(tmp_path, now)

    assert git(tmp_path, "show", "HEAD:Archive/Adopted/CHANGELOG.md") == "mine"
    assert git(tmp_path, "show", "HEAD:Archive/Adopted/SOUL_HISTORY/2025-01-01.md") == "old soul"
    assert "CHANGELOG.md" not in git(tmp_path, "ls-tree", "--name-only", "HEAD").split()


def test_tracked_derived_files_leave_the_tree_but_not_the_history(tmp_path, now) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "CHANGELOG.md").write_text("mine\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "mine")

    adopt(tmp_path, now)

    assert git(tmp_path, "show", "HEAD:Archive/Adopted/CHANGELOG.md") == "mine"
    assert "CHANGELOG.md" not in git(tmp_path, "ls-tree", "--name-only", "HEAD").split()
    assert git(tmp_path, "status", "--porcelain") == ""


@pytest.mark.rest
def test_a_large_folder_is_taken_over_in_one_commit(tmp_path, now) -> None:
    for number in range(12):
        (tmp_path / f"{number}.md").write_text(f"{number % 10}" * 1_000_000)

    done = adopt(tmp_path, now)

    assert len(done.kept.commits) == 1
    assert git(tmp_path, "status", "--porcelain") == ""


def test_the_folder_of_records_is_closed_to_others(tmp_path, now) -> None:
    adopt(tmp_path / "ws", now)

    assert (tmp_path / "ws/.git/clawgit").stat().st_mode & 0o077 == 0


def test_a_newer_format_is_refused(tmp_path, now) -> None:
    adopt(tmp_path, now)
    (tmp_path / ".git/clawgit/format").write_text("99\n")

    with pytest.raises(Exception, match="Install a newer clawgit"):
        open_history(tmp_path)


def test_lowercase_memory_is_left_as_the_only_one(tmp_path, now) -> None:
    (tmp_path / "memory.md").write_text("- mine\n")

    adopt(tmp_path, now)

    assert not (tmp_path / "MEMORY.md").exists()


def test_a_shallow_clone_is_a_workspace_too(room, tmp_path, now) -> None:
    for number in range(3):
        room.append("memory/a.md", f"{number}")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{room.root}", clone], check=True)

    adopt(clone, now)
    room.root, room.history = clone, open_history(clone)
    room.append("memory/a.md", "after")

    assert room.read("memory/a.md").split() == ["0", "1", "2", "after"]
    assert room.git("status", "--porcelain") == ""


VECTORS = json.loads((TESTS / "vectors/workspace_init.json").read_text("utf-8"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_init_of_the_vectors(tmp_path, now, case) -> None:
    expect = case["expect"]
    if ".git/HEAD" in case["before"]:
        git(tmp_path, "init", "-q", "-b", "trunk")
    if "WI1" in case["before"]:
        adopt(tmp_path, now)
        for name in ("BOOTSTRAP.md", "TOOLS.md", "HEARTBEAT.md"):
            (tmp_path / name).unlink()
        git(tmp_path, "commit", "-qam", "after the ritual")

    adopt(tmp_path, now)

    assert [
        name
        for name in (*expect.get("created", ()), *expect.get("dirs", ()))
        if not (tmp_path / name).exists()
    ] == []
    assert [name for name in expect.get("not_created", ()) if (tmp_path / name).exists()] == []
    assert (
        tmp_path / ".git/HEAD"
    ).read_text() == f"ref: refs/heads/{'trunk' if '.git/HEAD' in case['before'] else 'main'}\n"
    if "recreated" in expect:
        assert (tmp_path / "TOOLS.md").exists()
        assert (tmp_path / "HEARTBEAT.md").exists()
    for pattern in expect.get("gitignore_covers", ()):
        name = pattern.replace("**/", "deep/").replace("*", "x")
        assert git(tmp_path, "check-ignore", name) == name


MAIL = "From: Ruth <ruth@example.org>\nSubject: rota\n\nThe handover is on Tuesdays from now on.\n"


@pytest.mark.parametrize("commits", [0, 1])
def test_a_mail_is_nobodys_whoever_says_yes_and_whoever_committed_it(tmp_path, now, commits: int) -> None:
    """Mutant: a stranger's mail beside memory answers as the operator's words."""
    (tmp_path / "MEMORY.md").write_text("- The handover is on Mondays.\n")
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/ruth.txt").write_text(MAIL)
    (tmp_path / "mail/answer.md").write_text("I agree with Ruth about all of that.\n")
    if commits:
        git(tmp_path, "init", "-q", "-b", "main")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "the folder")

    done = adopt(tmp_path, now, trust="operator")

    history = open_history(tmp_path)
    with open_trusts(history) as trusts:
        assert trusts.of_lines(MAIL.encode(), 4, 4) == "unknown"
        assert trusts.of_line("The handover is on Mondays.", "") == "operator"
        assert trusts.of_lines((tmp_path / "mail/answer.md").read_bytes(), 1, 1) == "unknown"
    if commits:
        claimed = git(tmp_path, "rev-list", "--max-parents=0", "HEAD")
    else:
        (claimed,) = done.found.others.commits
    claim_commits(history, [claimed], Intent("claim", "operator", now))
    with open_trusts(history) as trusts:
        assert trusts.of_lines(MAIL.encode(), 4, 4) == "operator"


def test_what_a_mail_repeats_of_ones_own_files_stays_ones_own(tmp_path, now) -> None:
    (tmp_path / "MEMORY.md").write_text("The handover is on Tuesdays from now on.\n")
    (tmp_path / "ruth.txt").write_text(MAIL)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "the folder")

    adopt(tmp_path, now, trust="operator")

    with open_trusts(open_history(tmp_path)) as trusts:
        assert trusts.of_line("The handover is on Tuesdays from now on.", "") == "operator"


def test_a_yes_to_the_files_that_steer_alone_leaves_all_else_unknown(tmp_path, now) -> None:
    (tmp_path / "MEMORY.md").write_text("- The handover is on Mondays.\n")
    (tmp_path / "pasted.md").write_text("Luis said that he moves to Porto.\n")

    done = adopt(tmp_path, now, trust="operator", standing_only=True)

    assert done.found.own.paths == ("MEMORY.md",)
    assert done.found.others.paths == ("pasted.md",)
    with open_trusts(open_history(tmp_path)) as trusts:
        assert trusts.of_lines((tmp_path / "pasted.md").read_bytes(), 1, 1) == "unknown"
        assert trusts.of_line("The handover is on Mondays.", "") == "operator"
