"""`memory get`: exactly these lines of exactly these files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests_folder import TESTS

from clawgit.errors import ClawgitError
from clawgit.recall.get_lines import get_lines

if TYPE_CHECKING:
    from pathlib import Path

VECTORS = json.loads((TESTS / "vectors/memory_get.json").read_text("utf-8"))


def lay_out(root: Path) -> None:
    for name, text in VECTORS["files"].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    for link, target in VECTORS["symlinks"].items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(root / target)
    (root.with_name(root.name + "-other") / "memory").mkdir(parents=True)
    (root.with_name(root.name + "-other") / "memory/x.md").write_text("SECRET")


def answer(room, case) -> str | dict[str, str]:
    path = case["path"].replace("$WS", str(room.root))
    try:
        got = get_lines(room.history, path, case.get("from"), case.get("lines"))
    except ClawgitError:
        return "reject"
    assert not {"..", ""} & {*got.path.split("/")}
    return {"text": got.text}


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_get_of_the_vectors(case, room) -> None:
    lay_out(room.root)
    assert answer(room, case) in case["expect_any_of"]
    assert [part for part in VECTORS["forbidden_substrings"] if part in str(answer(room, case))] == []


@pytest.mark.parametrize(
    ("first", "count", "lines", "text"),
    [
        pytest.param(None, None, 3, "a\nb\nc\n", id="all of it"),
        pytest.param(2, None, 2, "b\nc", id="to the end"),
        pytest.param(None, 2, 2, "a\nb", id="from the begin"),
        pytest.param(0, 1, 1, "a", id="line 0 is line 1"),
        pytest.param(3, 9, 1, "c", id="not behind the end"),
        pytest.param(4, 1, 0, "", id="behind the end"),
        pytest.param(1, 0, 0, "", id="no lines"),
    ],
)
def test_lines_are_counted_from_one(room, first, count, lines, text) -> None:
    room.write("memory/a.md", "a\nb\nc\n")
    got = get_lines(room.history, "memory/a.md", first, count)
    assert (got.path, got.first, got.lines, got.text) == ("memory/a.md", max(1, first or 1), lines, text)


def test_an_extra_path_is_served_where_a_setting_names_it(room, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("extra")
    (tmp_path / "notes/link.md").symlink_to(tmp_path / "notes/a.md")
    room.history.settings = room.history.settings._replace(search_extra_paths=(str(tmp_path / "notes"),))
    assert get_lines(room.history, f"{tmp_path}/notes/a.md").text == "extra"
    for path in ("notes/link.md", "other/a.md", "notes/../notes/a.md"):
        with pytest.raises(ClawgitError):
            get_lines(room.history, f"{tmp_path}/{path}")
