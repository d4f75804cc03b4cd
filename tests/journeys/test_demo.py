"""`make demo`, in this process: what it shows, and that the picture in README.md is of what it shows."""

from __future__ import annotations

import pytest

from demo.__main__ import main
from demo.picture import PICTURE, drawn, terminal_lines, words_of
from demo.table import WIDE, columns


@pytest.fixture
def shown(ada, capfd) -> list[str]:
    main()
    return capfd.readouterr().out.splitlines()


@pytest.mark.rest
def test_the_demo_marks_contradictions_fits_its_columns_and_ends_with_the_next_step(shown) -> None:
    cells = [line.partition(" | ") for line in shown]

    assert max(map(columns, shown)) <= WIDE
    assert any(said.startswith("Ada: No, the backups run") and new.startswith("! ") for said, _, new in cells)
    marked = [(said.strip(), new[0]) for said, _, new in cells if new.startswith(("! ", "? "))]
    assert [(said, mark) for said, mark in marked if said.startswith("Ada: ")] == [
        ("Ada: No, that's wrong. The launch of the", "!"),
        ("Ada: No, the backups run at 4 am now, not at 3", "!"),
        ("Ada: Actually, it's on Wednesday.", "?"),
    ]
    assert any(new.startswith("? Contradiction: m:") for _, _, new in cells)
    assert "- The launch of the booking page is on Tuesday," in [new for _, _, new in cells]
    assert "- The backups run at 3 am." in [new for _, _, new in cells]
    assert any(said.startswith("Ada: Remember that the b") and new.startswith("+ ") for said, _, new in cells)
    assert any(new.startswith("~ Said of m:") for _, _, new in cells)
    assert not any("said otherwise" in new and " m:" not in new for _, _, new in cells)
    assert not any("Eve" in new for _, _, new in cells)
    assert any(line.endswith("clawgit init --dry-run ~/agent") for line in shown)


@pytest.mark.rest
def test_the_picture_is_of_what_the_demo_prints(ada) -> None:
    """`make picture` draws it again."""
    assert words_of(PICTURE.read_text("utf-8")) == words_of(drawn(terminal_lines()))
