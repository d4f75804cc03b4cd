"""Which files are searched: the vectors, and what is never reached."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests_folder import TESTS

from clawgit.recall.index.searched_files import (
    is_beside_memory,
    is_searched,
    path_meant,
    searched_files,
    served_at,
    tier_found,
)

VECTORS = json.loads((TESTS / "vectors/file_discovery.json").read_text("utf-8"))


def lay_out(root: Path, files, links=()) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text\n")
    for link, target in dict(links).items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(root / target)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_files_of_the_vectors(case, tmp_path: Path) -> None:
    lay_out(tmp_path, case["files"], case["symlinks"])
    extra = [path.replace("$WS", str(tmp_path)) for path in case["extra_paths"]]
    found = searched_files(tmp_path, extra)
    more = found.keys() - set(case["expect"])
    assert set(case["expect"]) <= found.keys()
    assert all(is_beside_memory(path) for path in more)  # the peer searches no prose


@pytest.mark.parametrize(
    ("path", "searched"),
    [
        ("MEMORY.md", True),
        ("memory.md", True),
        ("CORRECTIONS.md", True),
        ("memory/structured/people.md", True),
        ("memory/dreaming/deep/2026-03-19.md", True),
        ("DREAMS.md", True),
        ("users/ada/USER.md", False),
        ("Archive/Daily/2026/03/2026-03-19.md", True),
        ("CONFLICTS.md", False),
        ("SOUL.md", False),
        ("USER.md", False),
        ("CONFIG.md", False),
        ("CHANGELOG.md", False),
        ("SOUL_HISTORY/2026-03-19.md", False),
        ("agents/soul-keeper/SOUL.md", False),
        ("memory/.hidden.md", False),
        ("memory/.git/x.md", False),
        ("memory/GIT~1/x.md", False),
        ("memory/x.MD", False),
        ("Memory/x.md", False),
        ("memory/../SOUL.md", False),
        ("memory//x.md", False),
    ],
)
def test_only_memories_and_archives_are_searched(path: str, searched: bool) -> None:
    assert is_searched(path) is searched


def test_every_text_of_the_folder_is_searched(tmp_path: Path) -> None:
    """Mutant: only what is memory."""
    texts = ["notes/lease.md", "a.txt", "b.markdown", "memory/c.txt", "projects/site/2026-03-19.md"]
    others = ["notes/pic.png", "notes/page.html", "agents/soul-keeper/plan.md", "projects/repo/x.md"]
    lay_out(tmp_path, ["MEMORY.md", "USER.md", "notes/SOUL.md", ".git/a.md", "projects/repo/.git/a.md"])
    lay_out(tmp_path, [*texts, *others])
    assert sorted(searched_files(tmp_path)) == sorted(["MEMORY.md", *texts])
    assert {served.source for path in texts if (served := served_at(tmp_path, (), path))} == {"extra"}


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        pytest.param(["private"], ["MEMORY.md", "memory/a.md", "notes/b.md"], id="a folder"),
        pytest.param(["./private/"], ["MEMORY.md", "memory/a.md", "notes/b.md"], id="as a shell writes it"),
        pytest.param(["notes/*.md"], ["MEMORY.md", "memory/a.md", "private/c.md"], id="a pattern"),
        pytest.param(["memory"], ["MEMORY.md", "notes/b.md", "private/c.md"], id="also of memory"),
        pytest.param(["*"], ["MEMORY.md"], id="never what the agent always reads"),
    ],
)
def test_what_is_excluded_is_neither_searched_nor_served(tmp_path: Path, exclude, left) -> None:
    files = ["MEMORY.md", "memory/a.md", "notes/b.md", "private/c.md"]
    lay_out(tmp_path, files)
    assert sorted(searched_files(tmp_path, exclude=exclude)) == left
    assert [path for path in files if served_at(tmp_path, (), path, exclude)] == left


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("notes/lease.md", "T1"),
        ("notes/visit-2026-03-19.txt", "T2"),
        ("2026-03-19.markdown", "T2"),
        ("notes/2026-02-30.md", "T1"),
        ("memory/visit-2026-03-19.md", "T1"),
    ],
)
def test_a_date_in_the_name_of_prose_makes_it_dated(path: str, tier: str) -> None:
    assert tier_found(path).value == tier


def test_links_hidden_files_and_other_repositories_are_passed_by(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        [
            "memory/a.md",
            "memory/.b.md",
            "memory/.c/d.md",
            "memory/repo/.git/e.md",
            "memory/repo/f.md",
            "out/g.md",
        ],
        {"memory/link.md": "out/g.md", "memory/folder": "out"},
    )
    os.mkfifo(tmp_path / "memory/pipe.md")
    assert sorted(searched_files(tmp_path)) == ["memory/a.md", "out/g.md"]


def test_a_folder_that_is_named_like_a_file_is_entered(tmp_path: Path) -> None:
    """Mutant: what ends in .md and is no file is passed by."""
    lay_out(tmp_path, ["memory/a.md/b.md", "notes.md/c.md", "d.md"])
    assert sorted(searched_files(tmp_path, ["notes.md", "d.md"])) == [
        "d.md",
        "memory/a.md/b.md",
        "notes.md/c.md",
    ]


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ("memory/a.md", "memory/a.md"),
        ("./memory/a.md", "memory/a.md"),
        (".//./memory/a.md", "memory/a.md"),
        ("$WS/memory/a.md", "memory/a.md"),
        ("$WS//memory/2026-*", "memory/2026-*"),
        ("$LINK/memory/a.md", "memory/a.md"),
        ("/other/a.md", "/other/a.md"),
        ("memory/../SOUL.md", "memory/../SOUL.md"),
    ],
)
def test_a_path_is_meant_from_the_workspace(tmp_path: Path, told: str, path: str) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "link").symlink_to("ws")
    told = told.replace("$WS", f"{tmp_path}/ws").replace("$LINK", f"{tmp_path}/link")
    assert (
        path_meant(tmp_path / "link", told)
        == path_meant(tmp_path / "ws", told.replace("/link/", "/ws/"))
        == path
    )


def test_a_linked_memory_folder_is_not_entered(tmp_path: Path) -> None:
    lay_out(tmp_path, ["out/g.md"], {"memory": "out"})
    assert list(searched_files(tmp_path)) == ["out/g.md"]


def test_a_name_that_is_no_utf8_is_left_out(tmp_path: Path) -> None:
    lay_out(tmp_path, ["memory/a.md"])
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/memory/\xff.md")).write_text("text\n")
    assert sorted(searched_files(tmp_path)) == ["memory/a.md"]


def test_an_extra_folder_outside_is_shown_with_its_whole_path(tmp_path: Path) -> None:
    lay_out(tmp_path, ["ws/MEMORY.md", "notes/a.md", "notes/sub/b.md", "notes/SOUL.md", "notes/.c.md"])
    extra = [str(tmp_path / "notes")]
    outside = [path for path in searched_files(tmp_path / "ws", extra) if path != "MEMORY.md"]
    assert sorted(outside) == [f"{tmp_path}/notes/a.md", f"{tmp_path}/notes/sub/b.md"]
    served = served_at(tmp_path / "ws", extra, outside[0])
    assert served is not None
    assert (served.base, served.inner, served.source) == (
        tmp_path,
        f"notes{outside[0].split('notes')[1]}",
        "extra",
    )


def test_the_whole_workspace_as_an_extra_path_opens_neither_identity_nor_settings(tmp_path: Path) -> None:
    closed = (
        "SOUL.md",
        "USER.md",
        "CONFIG.md",
        "CHANGELOG.md",
        "SOUL_HISTORY/x.md",
        "agents/soul-keeper/SOUL.md",
    )
    lay_out(tmp_path, ["MEMORY.md", *closed, "notes/a.md", ".git/clawgit/x.md", "CONFLICTS.md"])
    assert sorted(searched_files(tmp_path, ["."])) == ["CONFLICTS.md", "MEMORY.md", "notes/a.md"]


@pytest.mark.parametrize(
    "path",
    [
        "notes2/a.pdf",
        "notes2/SOUL.md",
        "CONFLICTS.md",
        "agents/x.md",
        ".h/a.md",
        "SOUL.md",
        "/etc/x.md",
        "notes/../SOUL.md",
        "notes",
        "notes/",
        "",
    ],
)
def test_what_is_no_text_of_the_operators_is_not_served(tmp_path: Path, path: str) -> None:
    assert served_at(tmp_path, ["notes"], path) is None


def test_a_second_look_shows_what_came_went_and_changed(tmp_path: Path) -> None:
    """Mutants: stamps of files remembered; one that is replaced by a link followed."""
    lay_out(
        tmp_path,
        ["memory/a.md", "memory/b.md", "memory/sub/c.md", "memory/old/d.md", "memory/e.md", ".else/f.md"],
    )
    before = searched_files(tmp_path)
    assert before == searched_files(tmp_path)

    with (tmp_path / "memory/a.md").open("a") as file:
        file.write("more\n")
    (tmp_path / "memory/sub/new.md").write_text("text\n")
    (tmp_path / "memory/e.md").unlink()
    (tmp_path / "memory/old").rename(tmp_path / ".else/old")
    (tmp_path / "memory/old").symlink_to(tmp_path / ".else/old")
    after = searched_files(tmp_path)

    assert sorted(after) == ["memory/a.md", "memory/b.md", "memory/sub/c.md", "memory/sub/new.md"]
    assert {path for path in after if after[path] != before.get(path)} == {"memory/a.md", "memory/sub/new.md"}


def test_a_folder_that_changes_twice_in_a_moment_is_listed_twice(tmp_path: Path) -> None:
    lay_out(tmp_path, ["memory/a.md"])
    folder = tmp_path / "memory"
    seen = []
    for number in range(200):
        (folder / f"n{number}.md").write_text("text\n")
        seen.append(len(searched_files(tmp_path)))
    assert seen == list(range(2, 202))
