"""A line of commits, read without git."""

from __future__ import annotations


def test_a_line_of_commits_is_what_git_lists(room) -> None:
    """Mutants: the tip, or the first commit, is left out; the end is a part of it."""
    start = room.head()
    for number in range(3):
        room.append("memory/2026-03-19.md", f"- {number}")
    objects, tip = room.history.objects, room.head()

    for end, bound in ((None, ()), (start, (f"^{start}",)), (tip, (f"^{tip}",))):
        line = objects.line_from(tip, end)

        assert [each.commit_id for each in line] == room.git("rev-list", tip, *bound).split()


def test_where_branches_met_and_of_what_is_no_ancestor_there_is_no_line(room) -> None:
    """Mutants: of a merge the first parent alone is followed; the beginning is any end."""
    start = room.head()
    room.append("memory/2026-03-19.md", "- one")
    tip = room.head()
    assert room.history.objects.line_from(start, tip) is None

    room.branch_off(start)
    room.git("merge", "-q", "--no-edit", "other")

    assert room.history.objects.line_from(room.head(), start) is None
    assert room.history.objects.line_from(room.head(), None) is None
