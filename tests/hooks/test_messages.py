"""commit-msg: trailers that only clawgit writes, and who made a commit.

Mutants seen to fail here: trailers are not compared with those of a commit that exists; a host may copy the operator's;
lines that git takes out count as the message; the trailer is put where git cuts it off.
"""

from __future__ import annotations

import pytest

from clawgit.text.trailers import parse_trailers, with_trailers, without_comments

FORGED = "notes: mine\n\nClawgit-Op: op-1\nClawgit-Actor: soul-keeper\n"


def own(hooked) -> str:
    """Return the newest commit that clawgit made itself."""
    return hooked.must("log", "-1", "--format=%H", "--grep=^Clawgit-Op:")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "message",
    [
        pytest.param(FORGED, id="a change"),
        pytest.param("mine\n\nclawgit-actor : operator", id="other spelling"),
        pytest.param("mine\n\nSigned-off-by: Ada\nClawgit-Override: I may", id="an override"),
        pytest.param("mine\n\nClawgit-Claims: 0123456789012345678901234567890123456789", id="a claim"),
        pytest.param("mine\n\nClawgit-Nonsense: x", id="unknown"),
    ],
)
def test_trailers_that_clawgit_did_not_write_are_refused(hooked, message) -> None:
    done = hooked.git("commit", "--allow-empty", "-m", message)

    assert done.returncode == 1
    assert "the commit message:3: " in done.stderr or "the commit message:4: " in done.stderr
    assert "only clawgit writes" in done.stderr
    assert "Take these lines out" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "message",
    [
        pytest.param("About Clawgit-Op: it is a trailer.", id="in the subject"),
        pytest.param("x\n\n> Clawgit-Op: op-1\n", id="quoted"),
        pytest.param("x\n\nClawgit-Op: op-1\n\nand so on.\n", id="not in the last paragraph"),
        pytest.param("x\n\nSigned-off-by: Ada <a@example.org>\n", id="other trailers"),
    ],
)
def test_a_message_that_only_speaks_of_them_passes(hooked, message) -> None:
    assert hooked.git("commit", "--allow-empty", "-m", message).returncode == 0


@pytest.mark.rest
def test_what_git_copies_passes(hooked, room) -> None:
    """Amend, cherry-pick, reuse of a message, squash of a rebase: clawgit's own words, said again."""
    first = room.change({"memory/a.md": "a\n"}).commit_id
    room.change({"memory/b.md": "b\n"})
    hooked.must("commit", "--amend", "--no-edit", "--allow-empty")
    hooked.must("commit", "--allow-empty", "-C", first)
    hooked.must("switch", "-q", "-c", "side", "HEAD~3")
    hooked.must("cherry-pick", "-x", first)
    hooked.must("reset", "-q", "--soft", "HEAD~1")
    hooked.must("commit", "-c", "ORIG_HEAD", GIT_EDITOR="true")
    hooked.must("switch", "-q", "main")
    hooked.must(
        "rebase", "-q", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i 2s/pick/squash/", GIT_EDITOR="true"
    )

    assert hooked.must("log", "-1", "--format=%(trailers:key=Clawgit-Op,valueonly)") != ""


@pytest.mark.rest
def test_a_host_does_not_borrow_the_operators_words(hooked, room) -> None:
    made = room.change({"memory/a.md": "a\n"}, actor="operator").commit_id

    refused = hooked.git("commit", "--allow-empty", "-C", made, CLAWGIT_ACTOR="host")

    assert refused.returncode == 1
    assert "says that the operator made this, but it runs for the host" in refused.stderr


@pytest.mark.rest
def test_a_commit_for_a_host_says_so(hooked, room) -> None:
    """Otherwise its `git commit` would count as the operator's."""
    hooked.stage("notes.md", hooked.GOOD)

    hooked.must("commit", "-m", "A note.", CLAWGIT_ACTOR="host")

    assert room.actors()[0] == "host"
    assert hooked.must("log", "-1", "--format=%s") == "A note."


@pytest.mark.rest
def test_a_message_from_an_editor_is_read_as_git_keeps_it(hooked, tmp_path) -> None:
    """Comments and what stands below the scissors are no message; a trailer must not go there."""
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\n{ printf "A quotation.\\n\\nSigned-off-by: Ada\\n"; cat "$1"; } >"$1.new"; mv "$1.new" "$1"\n'
    )
    editor.chmod(0o755)
    hooked.stage("notes.md", hooked.BAD)

    hooked.must("commit", "--verbose", CLAWGIT_OVERRIDE="It is one.", GIT_EDITOR=str(editor))

    assert hooked.must("log", "-1", "--format=%B") == (
        "A quotation.\n\nSigned-off-by: Ada\nClawgit-Override: conflict-marker: It is one."
    )


@pytest.mark.rest
def test_an_empty_message_still_gives_the_commit_up(hooked) -> None:
    hooked.stage("notes.md", hooked.GOOD)

    done = hooked.git("commit", GIT_EDITOR="true", CLAWGIT_ACTOR="host")

    assert done.returncode == 1
    assert "empty commit message" in done.stderr


@pytest.mark.rest
def test_a_message_is_looked_at_like_a_file(hooked) -> None:
    done = hooked.git("commit", "--allow-empty", "-m", f"What came of it\n\n{hooked.BAD}")

    assert done.returncode == 1
    assert "the commit message:3: " in done.stderr


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("a\n# b\nc\n", "a\nc\n", id="a comment"),
        pytest.param("a\n# ----- >8 -----\ndiff\n", "a\n", id="scissors"),
        pytest.param("a\u2028# b\n", "a\u2028# b\n", id="only git's line ends count"),
    ],
)
def test_without_comments(text, left) -> None:
    assert without_comments(text) == left


@pytest.mark.parametrize(
    ("message", "whole"),
    [
        pytest.param("a\n", "a\n\nClawgit-Override: r\n", id="a subject"),
        pytest.param("A: b\n", "A: b\n\nClawgit-Override: r\n", id="a subject like a trailer"),
        pytest.param("a\n\nb\n", "a\n\nb\n\nClawgit-Override: r\n", id="a body"),
        pytest.param("a\n\nB: c\n", "a\n\nB: c\nClawgit-Override: r\n", id="trailers"),
        pytest.param("a\n\nClawgit-Override: q\n x\n", "a\n\nClawgit-Override: r\n", id="the same, folded"),
        pytest.param(
            "a\n\nB: c\nclawgit-override: q\nD: e\n",
            "a\n\nB: c\nD: e\nClawgit-Override: r\n",
            id="between others",
        ),
    ],
)
def test_with_trailers(message, whole) -> None:
    assert with_trailers(message, [("Clawgit-Override", "r")]) == whole
    assert parse_trailers(whole).first("Clawgit-Override") == "r"
