"""MEMORY.md stays short: what leaves goes to a file of its topic with its bytes, and nothing else changes."""

from __future__ import annotations

from collections import Counter

import pytest

from clawgit.memory.organizing import is_too_long, shortened
from clawgit.text.markdown.lines import split_lines

NONE, MOST = frozenset[str](), 200


def lines(*texts: bytes) -> Counter[bytes]:
    found = Counter(line for text in texts for line in split_lines(text) if line.strip())
    return Counter({line: count for line, count in found.items() if not line.startswith(b"More: ")})


def short(data: bytes, there: dict[str, bytes] | None = None, names: frozenset[str] = NONE):
    return shortened(data, (there or {}).get, names, MOST)


def section(title: str, count: int, end: str = "\n") -> str:
    rows = "".join(f"line {number} of {title}{end}" for number in range(count))
    return f"## {title}{end}{end}{rows}{end}"


def test_a_short_file_stays_as_it_is() -> None:
    data = section("Projects", 100).encode()

    assert (short(data).data, short(data).others) == (data, {})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_longest_sections_move_whole_with_their_bytes(end: str) -> None:
    """Mutants: line ends of the machine; the heading stays behind; tables or code are cut."""
    table = (
        f"| a | b |{end}| --- | --- |{end}| 8443 | x  |{end}{end}```sh{end}## no heading{end}```{end}{end}"
    )
    projects = section("Projects", 150, end) + table
    data = f"# Ada{end}{end}Prose that stays.{end}{end}{section('Short', 20, end)}{projects}{section('Last', 40, end)}"

    done = short(data.encode())

    assert done.others == {"memory/projects.md": projects.encode()}
    assert done.data.replace(f"More: [projects](memory/projects.md){end}{end}".encode(), b"").strip() == (
        data.replace(projects, "").encode().strip()
    )
    assert len(split_lines(done.data)) <= 200


def test_nothing_is_lost_and_nothing_stands_twice() -> None:
    there = {"memory/projects.md": b"# Earlier\n\nkept\n"}
    data = "".join(
        section(name, 90) for name in ("Projects", "People", "项目", "!!!", "Index", "2026-03-19")
    ).encode()

    done = short(data, there, frozenset({"projects.md"}))

    assert lines(done.data, *done.others.values()) == lines(data, *there.values())
    assert done.others["memory/projects.md"].startswith(b"# Earlier\n\nkept\n\n## Projects\n")
    assert {"memory/项目.md", "memory/notes-index.md"} & done.others.keys()
    assert not any(path in done.others for path in ("memory/index.md", "memory/2026-03-19.md"))
    assert not is_too_long(done.data, MOST)


def test_an_old_copy_adds_only_what_is_new() -> None:
    """Mutants: a section is appended whole; lines in another order, nested ones or rows of a table come twice; what is new is lost."""
    items = "".join(
        f"- Item {number} is red.\n  - Painted it moss.\n- Shelf {number}.\n" for number in range(60)
    )
    house = f"## House\n\n| what | when |\n|---|---|\n| review | 4 May |\n\n{items}"
    plain = "".join(f"- Fact {number}.\n" for number in range(60))
    first = short(f"# Memory\n\n{house}\n## Money\n\nx\n\n{plain}".encode())
    again = house.replace("- Shelf 3.\n", "").replace("- Shelf 50.\n", "- Shelf 50.\n- Shelf 3.\n- A loom.\n")
    again = again.replace("| 4 May |\n", "| 4 May |\n| party | 9 May |\n")

    done = short(f"# Memory\n\n{again}\n## Money\n\nx\n\n{plain}".encode(), dict(first.others))

    gone = lines(done.data, *done.others.values()) - lines(first.data, *first.others.values())
    assert gone == Counter({b"- A loom.\n": 1, b"| party | 9 May |\n": 1})
    assert b"| 4 May |\n| party | 9 May |\n" in done.others["memory/house.md"]
    assert b"- Shelf 50.\n- A loom.\n" in done.others["memory/house.md"]


def test_what_is_new_in_a_section_stays_out_of_the_sections_below_it() -> None:
    items = "".join(f"- Item {number}.\n" for number in range(210))
    there = {"memory/house.md": f"# Home\n\n## House\n\n{items}\n## Attic\n\n- A box.\n".encode()}

    done = short(f"# Memory\n\n## House\n\n{items}- A loom.\n\n## Money\n\n- x\n".encode(), there)

    assert done.others["memory/house.md"] == there["memory/house.md"].replace(
        b"- Item 209.\n", b"- Item 209.\n- A loom.\n"
    )


def test_entries_that_a_topic_has_already_only_go() -> None:
    entries = "".join(
        f"- 2026-01-05: Fact {number}. #skill <!-- m:x{number:05} -->\n" for number in range(250)
    ).encode()
    first = short(entries)

    done = short(entries, dict(first.others))

    assert done == first


@pytest.mark.rest
def test_five_thousand_entries_without_a_heading_move_and_links_stay() -> None:
    entries = "".join(f"- Thing {number} is at place {number}.\n" for number in range(5000))
    data = f"- [Projects](memory/projects.md)\n{entries}".encode()

    done = short(data)

    assert lines(done.data, *done.others.values()) == lines(data, b"# Knowledge\n")
    assert done.data.count(b"[Projects](memory/projects.md)\n") == 1
    assert not is_too_long(done.data, MOST)


def test_prose_without_a_heading_stays() -> None:
    data = b"".join(b"prose %d\n\n" % number for number in range(3000))

    assert short(data).data == data


def test_a_section_that_never_ends_stays() -> None:
    """Mutant: what follows in the other file is swallowed by its code."""
    data = (
        f"{section('One', 30)}{section('Two', 30)}## Open\n\n```\n{'x' + chr(10)}".encode() + b"code\n" * 300
    )

    assert b"## Open" in short(data).data


def test_the_line_that_leads_to_other_files_stays() -> None:
    data = (
        f"## Lead\n\nMore: [a](memory/a.md)\n\n{'prose' + chr(10)}".encode()
        + b"x\n" * 250
        + section("B", 90).encode()
    )

    done = short(data)

    assert done.data.count(b"More: ") == 1
    assert b"[a](memory/a.md)" in done.data
    assert b"[b](memory/b.md)" in done.data
