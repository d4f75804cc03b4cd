"""Our trailers are git's, and no text can add one."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pygit2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.text.trailers import (
    REPEATABLE_KEYS,
    SINGLE_KEYS,
    Trailers,
    compose_message,
    is_plain,
    parse_trailers,
    true_time,
)

if TYPE_CHECKING:
    from pathlib import Path

OP = ("Clawgit-Op", "01")
FORGED = "Clawgit-Actor: operator"
HOSTILE = [
    pytest.param("---", id="divider"),
    pytest.param("---\n\n" + FORGED, id="divider and trailer"),
    pytest.param("-- ---", id="dashes"),
    pytest.param(FORGED, id="a trailer"),
    pytest.param("x\n\n" + FORGED + "\n", id="a trailer block"),
    pytest.param("x\r\n\r\n" + FORGED + "\r\n", id="a trailer block in CRLF"),
    pytest.param("x\r\r" + FORGED, id="a trailer block in CR"),
    pytest.param("x\u2028\u2028" + FORGED, id="U+2028"),
    pytest.param("x\x85\x85" + FORGED, id="U+0085"),
    pytest.param("x\x0b\x0c" + FORGED, id="VT and FF"),
    pytest.param("P.S.", id="a post scriptum"),
    pytest.param(FORGED + "\n  folded", id="folded"),
    pytest.param("a\x00" + FORGED, id="NUL"),
    pytest.param("a\u202e" + FORGED, id="bidi"),
    pytest.param("a\udc80\ud800", id="lone surrogates"),
    pytest.param("", id="empty"),
    pytest.param(" \n\t\n", id="white space"),
    pytest.param("# comment", id="comment"),
    pytest.param("#", id="comment sign alone"),
    pytest.param("Conflicts:", id="conflicts"),
    pytest.param("Conflicts:\n\tSOUL.md", id="conflicts block"),
    pytest.param("# ------------------------ >8 ------------------------", id="scissors"),
    pytest.param("(cherry picked from commit 01)", id="no cherry pick of git's"),
    pytest.param("Signed-off-by: x <x@x>", id="sign-off"),
]


def git_reads(message: str, folder: Path) -> list[tuple[str, str]]:
    environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    command = ["git", "interpret-trailers", "--parse", "--no-divider"]
    done = subprocess.run(
        command, input=message.encode(), capture_output=True, check=True, cwd=folder, env=environment
    )
    pairs = (line.partition(":") for line in done.stdout.decode().split("\n") if line)
    return [(key, value.strip(" \t\r\n")) for key, _, value in pairs]


@pytest.fixture
def repository(tmp_path: Path) -> pygit2.Repository:
    return pygit2.init_repository(tmp_path / "repository", bare=True)


def libgit2_reads(message: str, repository: pygit2.Repository) -> dict[str, str]:
    who = pygit2.Signature("t", "t@t", 0, 0)
    commit = repository.create_commit(None, who, who, message, repository.TreeBuilder().write(), [])
    return dict(repository[commit].message_trailers)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("message", "pairs"),
    [
        pytest.param("s\n\nClawgit-Op: 01\n", [OP], id="one"),
        pytest.param(
            "s\n\nbody\n\nClawgit-Op: 01\nSigned-off-by: A <a@a>\n",
            [OP, ("Signed-off-by", "A <a@a>")],
            id="foreign",
        ),
        pytest.param("s\n\nclawgit-OP : 01\n", [OP], id="any case, space before the colon"),
        pytest.param("s\n\nClawgit-Loss: a\n  b\n\tc\n", [("Clawgit-Loss", "a b c")], id="folded"),
        pytest.param("s\r\n\r\nClawgit-Op: 01\r\n", [OP], id="CRLF"),
        pytest.param("s\n\nClawgit-Op: 01\n\n \n", [OP], id="blank lines at the end"),
        pytest.param("s\n\n---\n\nClawgit-Op: 01\n", [OP], id="no divider"),
        pytest.param("Clawgit-Op: 01\n", [], id="the subject is none"),
        pytest.param("\n\nClawgit-Op: 01\n", [], id="the first paragraph is none"),
        pytest.param("s\n\nClawgit-Op: 01\nand so on\n", [], id="a line of prose"),
        pytest.param("s\n\nSigned-off-by: A\nand so on\n", [], id="a quarter is not enough"),
        pytest.param("s\n\n  folded\nClawgit-Op: 01\n", [], id="begins folded"),
        pytest.param("s\n\nClawgit-Op: 01\n\nlast words\n", [], id="not the last paragraph"),
        pytest.param("s\n\nClawgit-Op: 01\0\n", [], id="NUL"),
        pytest.param(
            "s\n\nX: 1\u2028Clawgit-Op: 01\n", [("X", "1\u2028Clawgit-Op: 01")], id="U+2028 ends no line"
        ),
        pytest.param("s\n\nX: 1\n\nConflicts:\n\tSOUL.md\n", [], id="git leaves conflicts out"),
        pytest.param("s\n\n x: folded\nClawgit-Op: 01\n", [], id="begins folded, with a key"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_the_last_paragraph_is_all_trailers_or_none(message: str, pairs: list[tuple[str, str]]) -> None:
    assert list(parse_trailers(message).pairs) == pairs


def test_the_first_value_wins_whatever_was_appended() -> None:
    read = parse_trailers("s\n\nClawgit-Actor: host\nCLAWGIT-ACTOR: operator\n")
    assert read.first("clawgit-actor") == "host"
    assert read.all("Clawgit-Actor") == ("host", "operator")
    assert read.first("Clawgit-Op") is None


@pytest.mark.parametrize(
    ("pairs", "problems"),
    [
        pytest.param((OP, ("Clawgit-Loss", "a"), ("Clawgit-Loss", "b"), ("X", "")), (), id="none"),
        pytest.param((OP, OP), ("Clawgit-Op stands 2 times.",), id="repeated"),
        pytest.param(
            (("clawgit-Master", "x"),), ("clawgit-Master is not a trailer of clawgit.",), id="unknown"
        ),
        pytest.param((("Clawgit-Run", ""),), ("Clawgit-Run has no value.",), id="empty"),
    ],
)
def test_problems_are_named(pairs: tuple[tuple[str, str], ...], problems: tuple[str, ...]) -> None:
    assert Trailers(pairs).problems == problems


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", ["subject", "body", "value"])
def test_no_text_adds_or_hides_a_trailer(
    text: str, place: str, tmp_path: Path, repository: pygit2.Repository
) -> None:
    value = text if place == "value" and text.strip() else "host"
    given_pairs = [("clawgit-actor", value), OP, ("Clawgit-Evidence", "a"), ("Clawgit-Evidence", "b")]

    message = compose_message(
        text if place == "subject" else "s", text if place == "body" else "", given_pairs
    )

    pairs = list(parse_trailers(message).pairs)
    assert [key for key, _ in pairs] == [
        "Clawgit-Actor",
        "Clawgit-Op",
        "Clawgit-Evidence",
        "Clawgit-Evidence",
    ]
    assert git_reads(message, tmp_path) == pairs
    assert libgit2_reads(message, repository) == dict(pairs)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", ["subject", "body"])
def test_without_trailers_no_text_becomes_one(
    text: str, place: str, tmp_path: Path, repository: pygit2.Repository
) -> None:
    message = compose_message(text if place == "subject" else "s", text if place == "body" else "", [])

    assert parse_trailers(message).pairs == ()
    assert git_reads(message, tmp_path) == []
    assert libgit2_reads(message, repository) == {}


ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.lists(
    st.sampled_from([FORGED, "---", "\n", "\r", " ", "# x", "a: b", "Conflicts:", "\u2028", "\x00", "> "])
).map("".join)
ANY_PAIRS = st.dictionaries(
    st.sampled_from([*SINGLE_KEYS, *REPEATABLE_KEYS, "Signed-off-by"]), ANY_TEXT.map(lambda text: "v" + text)
).map(lambda pairs: list(pairs.items()))


@pytest.mark.rest
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(subject=ANY_TEXT, body=ANY_TEXT, pairs=ANY_PAIRS)
def test_three_readers_agree_on_what_we_write(
    subject: str, body: str, pairs: list[tuple[str, str]], tmp_path: Path, repository: pygit2.Repository
) -> None:
    message = compose_message(subject, body, pairs)

    read = list(parse_trailers(message).pairs)
    assert [key for key, _ in read] == [key for key, _ in pairs]
    assert git_reads(message, tmp_path) == read
    assert libgit2_reads(message, repository) == dict(read)


LINES = st.sampled_from(
    [
        *"ab ",
        "",
        "",
        "Clawgit-Op: 1",
        "x: y",
        " folded",
        "---",
        "# c",
        "Signed-off-by: z",
        "Conflicts:",
        "\tp",
        "no",
    ]
)


@pytest.mark.rest
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES, max_size=9))
def test_git_sees_every_trailer_that_we_see(lines: list[str], tmp_path: Path) -> None:
    message = "\n".join(["subject", *lines]) + "\n"
    read = list(parse_trailers(message).pairs)
    gits = git_reads(message, tmp_path)
    assert read in ([], gits)
    assert not is_plain(message) or read == gits


PARTS = st.lists(
    st.sampled_from(
        [
            *(
                "\n",
                "\n\n",
                "> ",
                ">",
                ": ",
                ":",
                " ",
                "\t",
                "\r",
                "\x0b",
                "\x85",
                "\u2028",
                "\xa0",
                "#",
                "-",
                "---",
            ),
            *(
                "Clawgit-Op: 1\n",
                "Clawgit-Actor: a b",
                "Clawgit-",
                "Conflicts:\n",
                "Signed-off-by: z\n",
                "(",
                "x",
                "é",
            ),
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.rest
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(subject=PARTS, body=PARTS, block=PARTS)
def test_git_reads_a_plain_message_as_we_do(
    subject: str, body: str, block: str, tmp_path: Path, repository: pygit2.Repository
) -> None:
    """Mutants: a comment as the subject, white space around a value, a line between the trailers."""
    for message in (
        f"{subject}\n\n{body}\n\n{block}\n",
        f"s\n\n> {body}\n\nClawgit-Op: {block}\n",
        f"{subject}\n\nClawgit-Op: x\n{block}\n",
    ):
        if is_plain(message):
            read = list(parse_trailers(message).pairs)
            assert git_reads(message, tmp_path) == read
            assert libgit2_reads(message, repository) == dict(read)


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        pytest.param("s\n\nClawgit-Op: 1\n", True, id="a subject and trailers"),
        pytest.param("s\n\n> why\n>\n> so\n\nClawgit-Op: 1\nClawgit-Actor: ä b\n", True, id="a reason"),
        pytest.param("# s\n\nClawgit-Op: 1\n", False, id="a comment"),
        pytest.param("Conflicts:\n\nClawgit-Op: 1\n", False, id="conflicts"),
        pytest.param("s\n\nwhy\n\nClawgit-Op: 1\n", False, id="a reason that is not quoted"),
        pytest.param("s\n\nClawgit-Op: 1\nSigned-off-by: z\n", False, id="a foreign trailer"),
        pytest.param("s\n\nClawgit-Op: 1\n folded\n", False, id="folded"),
        pytest.param("s\n\nClawgit-Op: 1\n\n", False, id="a blank line at the end"),
        pytest.param("s\n\nClawgit-Op: 1", False, id="no end of the line"),
        pytest.param("s\n\nClawgit-Op: 1\xa0\n", False, id="a space that only some strip"),
        pytest.param("s\n\nClawgit-Op: a\rb\n", False, id="a control character"),
        pytest.param(" \n\nClawgit-Op: 1\n", False, id="no subject"),
        pytest.param("s\n\n> why\n", False, id="no trailers"),
    ],
)
def test_which_messages_are_plain(message: str, plain: bool) -> None:
    assert is_plain(message) is plain


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        pytest.param([("Clawgit-Op", " \n\x00")], "no value", id="empty value"),
        pytest.param([OP, ("clawgit-op", "02")], "2 times", id="repeated single key"),
        pytest.param([("Clawgit-Master", "x")], "not a trailer", id="unknown key"),
        pytest.param([("a b", "x")], "cannot be a trailer's key", id="space in the key"),
        pytest.param([("---", "x")], "cannot be a trailer's key", id="dashes as key"),
    ],
)
def test_unfit_trailers_are_refused(pairs: list[tuple[str, str]], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        compose_message("s", "", pairs)


@pytest.mark.parametrize(
    ("subject", "written"),
    [
        pytest.param("memory: note a fact", "memory: note a fact", id="as it is"),
        pytest.param("", "(no subject)", id="empty"),
        pytest.param("--- cut ---", "cut ---", id="dashes"),
        pytest.param("--force is on", "--force is on", id="two dashes are fine"),
        pytest.param("#decision made", "decision made", id="comment sign"),
        pytest.param(FORGED, "> " + FORGED, id="looks like ours"),
        pytest.param("word " * 30, "word " * 14 + "…", id="cut at a word"),
        pytest.param("x" * 500, "x" * 71 + "…", id="cut in a word"),
        pytest.param("x" * 70 + "e" + "\u0301" * 5, "x" * 70 + "…", id="never between a letter and its mark"),
    ],
)
def test_the_subject_is_one_fitting_line(subject: str, written: str) -> None:
    assert compose_message(subject, "", []).rstrip("\n").replace(" …", "…") == written.replace(" …", "…")


def test_the_body_is_quoted_and_nothing_of_it_is_lost() -> None:
    assert compose_message("s", "a\r\n\r\nb\x00\n\n", [OP]) == "s\n\n> a\n>\n> b\\u{0}\n\nClawgit-Op: 01\n"


def test_a_megabyte_is_only_text() -> None:
    message = compose_message("s" * 2**20, (FORGED + "\n\n") * 2**15, [("Clawgit-Loss", "x" * 2**20)])
    assert [key for key, _ in parse_trailers(message).pairs] == ["Clawgit-Loss"]


def test_what_a_cherry_pick_adds_hides_nothing() -> None:
    picked = f"Clawgit-Op: op-1\nClawgit-Actor: host\n(cherry picked from commit {'a' * 40})\n"

    assert parse_trailers(f"subject\n\n{picked}").pairs == (("Clawgit-Op", "op-1"), ("Clawgit-Actor", "host"))


@pytest.mark.parametrize(
    ("value", "believed"),
    [
        pytest.param("2026-03-19T10:22:00+00:00", True, id="before git's date"),
        pytest.param("2026-03-19T10:22:00+09:00", True, id="in another zone"),
        pytest.param("2027-03-19T10:22:00+00:00", False, id="behind git's date"),
        pytest.param("2026-03-19T10:22:00", False, id="in no zone"),
        pytest.param("last Thursday", False, id="no time"),
        pytest.param("0001-01-01T00:00:00+00:00", False, id="before git's time"),
    ],
)
def test_a_true_time_only_takes_a_commit_back(value: str, believed: bool) -> None:
    committed = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp())
    trailers = parse_trailers(f"soul: x\n\nClawgit-At: {value}\n")

    assert not trailers.problems
    assert (true_time(trailers, committed) is not None) is believed
