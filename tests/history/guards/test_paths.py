"""What a commit holds is plain files, none of them git's own or rendered.

Mutants seen to fail here: links pass; a folder is taken for a link; nested repositories pass.
"""

from __future__ import annotations

import pygit2
import pytest

from clawgit.history.authorship.intent import Intent
from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.trees import FILE, LINK, Tree, build_tree
from clawgit.history.guards.check import check
from clawgit.history.guards.finding import Severity
from clawgit.workspace.settings.settings import Settings

BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.fixture
def looked(look, now):
    def ask(entries: dict[str, int], actor: str) -> list[tuple[str, str, Severity]]:
        base = look.tree({"memory/a.md": "- a\n"})
        look.repo.create_blob(b"")
        tree_id = build_tree(look.repo, base, {path: TreeEntry(BLOB, mode) for path, mode in entries.items()})
        found = check(base, Tree(look.objects, tree_id), Intent("op", actor, now), Settings())
        return [(finding.rule, finding.path, finding.severity) for finding in found]

    return ask


@pytest.mark.parametrize("actor", ["organizer", "operator"])
@pytest.mark.parametrize(
    ("path", "mode"),
    [
        ("memory/link.md", LINK),
        ("SOUL.md", LINK),
        ("nested", int(pygit2.enums.FileMode.COMMIT)),
        (".git/config", FILE),
        ("memory/.GIT/hooks/x", FILE),
        (".git./x", FILE),
        ("git~1/x", FILE),
        (".g\u200cit/x.md", FILE),
        (".git\ufffe/x.md", FILE),
        ("memory/.git:stream/x", FILE),
    ],
)
def test_links_nested_repositories_and_gits_own_names_are_refused(
    looked, path: str, mode: int, actor: str
) -> None:
    found = [finding for finding in looked({path: mode}, actor) if finding[0] == "unsafe-path"]

    assert found == [("unsafe-path", path, Severity.REFUSE)]


def test_a_folder_in_a_files_place_is_no_repository_of_its_own(look, now) -> None:
    base, tree = look.tree({"notes": "- a\n"}), look.tree({"notes/a.md": "- a\n"})

    assert check(base, tree, Intent("op", "operator", now), Settings()) == ()


def test_a_link_is_named_without_being_read(looked) -> None:
    assert looked({"memory/a.md": LINK}, "host")[0][2] is Severity.HOLD


@pytest.mark.parametrize(
    "path", ["memory/日记.md", "memory/a b.md", "memory/-x.md", ".hidden", "memory/é.md"]
)
def test_ordinary_names_are_fine(look, path: str) -> None:
    assert look({"README.md": "x\n"}, {path: "x\n"}) == []


@pytest.mark.parametrize("path", ["CHANGELOG.md", "SOUL_HISTORY/2026-03-19.md"])
def test_what_is_rendered_from_history_is_not_committed(look, path: str) -> None:
    assert look.rules({}, {path: "x\n"}, "operator") == ["derived-file"]
    assert look({path: "x\n"}, {path: None}, "operator") == []


def test_many_new_files_take_time_in_their_number(look) -> None:
    files = {f"memory/{number % 50}/{number}.md": "- x\n" for number in range(3000)}

    assert look({}, files) == []
