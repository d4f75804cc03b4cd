"""An old copy that is written back is told from a text whose lines were taken out on purpose."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clawgit.memory.entries.stale_rewrite import unseen_entries

A = "- 2026-03-01: The kitchen is green. #knowledge <!-- m:aaaaa1 -->\n"
B = "- 2026-03-02: Eve likes quinces. #knowledge <!-- m:bbbbb2 -->\n"
C = "- 2026-03-03: Releases are on Thursdays. #decision <!-- m:ccccc3 -->\n"
D = "- 2026-03-04: The bridge port is 8080. #knowledge <!-- m:ddddd4 -->\n"
OWN = "- Ada asked for a shorter summary.\n"
HEAD = "# Memory\n\nWhat lasts.\n\n"
VERSIONS = ("", HEAD + A, HEAD + A + B, HEAD + A + B + C, HEAD + A + B + C + D)


def unseen(new: str, versions: tuple[str, ...] = VERSIONS) -> list[str | None]:
    texts = [version.encode() for version in versions]
    steps = list(pairwise(texts))[::-1]
    return [entry.entry_id for entry in unseen_entries(texts[-1], new.encode(), steps)]


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(HEAD + A + B + OWN, id="an old copy with a line of its own"),
        pytest.param(HEAD + OWN + A + B, id="the line at another place"),
        pytest.param((HEAD + A + B + OWN).replace("\n", "\r\n"), id="other line ends"),
        pytest.param(HEAD + A.replace(" <!-- m:aaaaa1 -->", "") + B + OWN, id="an id dropped"),
        pytest.param(
            HEAD + A + B.replace("likes quinces", "likes ripe quinces") + OWN, id="an old one reworded"
        ),
        pytest.param(HEAD + A + B.replace("Eve likes quinces", "Bo owns a boat"), id="an old one rewritten"),
        pytest.param(HEAD + A + B + "\nAda asked for a summary.\n", id="a paragraph of its own"),
        pytest.param(HEAD + A + B + "- 把厨房漆成绿色。\n", id="a line in another script"),
        pytest.param(HEAD + B + OWN, id="an old one taken out as well"),
        pytest.param(
            HEAD + A + B + "- 2026-03-04: The bridge port is 9090.\n", id="a like line with another fact"
        ),
    ],
)
def test_entries_that_came_after_the_copy_are_unseen(new: str) -> None:
    assert unseen(new) == ["ccccc3", "ddddd4"]


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(HEAD + A + B + C + D + OWN, id="nothing is gone"),
        pytest.param(HEAD + A + C + D + OWN, id="an older line taken out"),
        pytest.param(HEAD + A + B + D + OWN, id="one of the newer taken out"),
        pytest.param(HEAD + A + B + C, id="the newest taken out"),
        pytest.param(HEAD + A + B, id="the two newest taken out"),
        pytest.param("", id="all taken out"),
        pytest.param("# Other\n\nAll of it is new.\n", id="another text"),
        pytest.param(HEAD + A + B + C + D.replace(" <!-- m:ddddd4 -->", ""), id="the newest without its id"),
        pytest.param(HEAD + A + B + C + D.replace("8080", "9090"), id="the newest with another value"),
        pytest.param(
            HEAD + A + B + C + "- The port of the bridge is 8080.\n", id="the newest in other words"
        ),
        pytest.param(HEAD + A + "- The rest is in the wiki.\n" + D, id="older ones drawn together"),
        pytest.param(HEAD + "- The rest is in the wiki.\n" + C, id="more of the old than of the new gone"),
        pytest.param(HEAD + D + C + B + A, id="sorted"),
    ],
)
def test_what_was_read_and_taken_out_is_not(new: str) -> None:
    assert unseen(new) == []


def test_an_entry_that_was_corrected_meanwhile_is_there() -> None:
    reworded = HEAD + A.replace("green", "blue") + B
    assert unseen(HEAD + A + B + OWN, ("", HEAD + A, HEAD + A + B, reworded)) == []
