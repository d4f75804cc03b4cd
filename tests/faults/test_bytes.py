"""P23: any bytes, under any name, by anybody: kept and committed as they are, or refused with a reason.

Mutants seen to fail here: line ends are made alike; names are written as UTF-8; the author is called what
git's configuration says; the index gets wrong name lengths.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.cli.main import run
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.review.keep import keep
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LONG = settings(EXAMPLES, max_examples=300)

odd_parts = st.sampled_from(
    [
        *(
            "plain",
            "two words",
            " leading",
            "trailing ",
            "new\nline",
            "tab\t",
            'quo"te',
            "quo'te",
            "back\\slash",
        ),
        *(
            "-rf",
            "--",
            "*",
            "?[x]",
            "$(touch x)",
            "`x`",
            "; x",
            "a:b",
            "con",
            "é",
            "e\u0301",
            "שלום",
            "日記",
            "😀",
        ),
        *(
            "\u202eexe",
            "\x1b[2J",
            "\x7f",
            "#x",
            "~",
            "!x",
            "x.",
            "..x",
            ".x",
            "@",
            "{}",
            "a=b",
            "%00",
            "\u200b",
        ),
        *(
            ".gitx",
            ".git.x",
            "git~x",
            ".gi\u200ct",
            "HEAD",
            "index.lock",
            ".clawgit-new-x",
            "x.lock",
            "\udcff\udc80",
        ),
    ]
)
names = st.one_of(
    odd_parts,
    st.lists(odd_parts, min_size=2, max_size=4).map("".join),
    st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=40),
    st.binary(min_size=1, max_size=20).map(os.fsdecode),
    st.sampled_from(["n" * 252 + ".md", "ü" * 127, "日" * 85]),
).filter(lambda name: name not in (".", "..") and "/" not in name and "\0" not in name)
paths = (
    st.lists(names, min_size=1, max_size=3).map("/".join).filter(lambda path: len(os.fsencode(path)) < 700)
)
contents = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from([b"- a", b"\r\n", b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b""])).map(
        b"".join
    ),
    st.sampled_from(
        [b"", b"\n", b"- no end", b"a\r\nb\nc\r", b"\0" * 1000, b"x" * (1 << 20), b"y\n" * (5 << 20)]
    ),
)


def git(root: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def committed(root: Path) -> dict[bytes, bytes]:
    """Return path → bytes of HEAD, as git has them."""
    listed = git(root, "ls-tree", "-rz", "HEAD").rstrip(b"\0").split(b"\0")
    return {
        line.partition(b"\t")[2]: git(root, "cat-file", "blob", line.split()[2].decode())
        for line in listed
        if line
    }


def check(root: Path) -> None:
    git(root, "fsck", "--full", "--strict", "--no-dangling")


@pytest.fixture
def copies(room, tmp_path):
    """Return a way to get a fresh copy of an empty workspace."""
    room.change(
        {path: None for path in room.git("ls-files").split("\n") if path != "CONFIG.md"}, actor="operator"
    )
    numbers = count()

    def copy() -> Path:
        for old in tmp_path.glob("copy-*"):
            shutil.rmtree(old)
        return shutil.copytree(room.root, tmp_path / f"copy-{next(numbers)}")

    return copy


def test_files_are_kept_byte_for_byte_or_named(copies, now, full_length):
    @(LONG if full_length else EXAMPLES)
    @given(st.dictionaries(paths, contents, min_size=1, max_size=5))
    def round_trip(files: dict[str, bytes]) -> None:
        root = copies()
        written = {}
        for path, data in files.items():
            try:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(data)
            except OSError:  # too long, or another name stands in the way
                continue
            written[path] = data
        kept = keep(open_history(root), Intent(new_op("keep"), "unknown", now))
        found = committed(root)
        check(root)
        held = {finding.path: finding for finding in kept.held}
        for path, data in written.items():
            assert (root / path).read_bytes() == data
            if os.fsencode(path) not in found:
                assert is_left_out(path, held), (path, held)
            else:
                assert found[os.fsencode(path)] == data, path
        assert all(finding.sentence and finding.way_out for finding in held.values())

    round_trip()


def is_left_out(path: str, held: dict[str, object]) -> bool:
    """Say whether a file is named as held, or lies where clawgit's own temporaries or a repository lie, in whatever letters."""
    parts = path.split("/")
    if any(part.startswith(".clawgit-new-") or part.lower() == ".git" for part in parts):
        return True
    return any("/".join(parts[: depth + 1]) in held for depth in range(len(parts)))


@pytest.mark.smoke
def test_plans_are_applied_byte_for_byte_or_refused(copies, now, full_length):
    @(LONG if full_length else EXAMPLES)
    @given(paths, contents, contents)
    def round_trip(path: str, first: bytes, second: bytes) -> None:
        root = copies()
        history = open_history(root)
        for data in (first, second):
            before = git(root, "rev-parse", "HEAD")
            plan = Plan("test: any bytes", (Edit(path, data),))
            intent = Intent(new_op(), "memory-miner", now)
            refusal = ""
            try:
                apply_plan(history, lambda _, plan=plan: plan, intent)
            except ClawgitError as error:
                refusal = error.message
            if refusal:
                assert git(root, "rev-parse", "HEAD") == before
            else:
                assert (root / path).read_bytes() == data
                assert committed(root).get(os.fsencode(path)) == data
            assert git(root, "status", "--porcelain", "-z", "--untracked-files=all") == b""
        check(root)

    round_trip()


def test_mebibytes_survive_where_the_limit_allows_them(room, now, full_length):
    """At the limit of one file, by hand and by plan."""
    size = (10 if full_length else 1) << 20
    data = os.urandom(size)
    room.history.settings = type(room.history.settings)(max_file_bytes=size)
    (room.root / "big.bin").write_bytes(data)
    assert room.keep().paths == ("big.bin",)
    plan = Plan("test: big", (Edit("notes/big.bin", data[::-1]),))
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "memory-miner", now))
    found = committed(room.root)
    assert found[b"big.bin"] == data
    assert found[b"notes/big.bin"] == data[::-1] == (room.root / "notes/big.bin").read_bytes()
    check(room.root)


NAMES = [
    *(
        "Ada",
        "",
        " ",
        ".",
        "...",
        "<>",
        "<",
        "a<b>c",
        "new\nline",
        "cr\rlf\r\n",
        "tab\t",
        "emoji 😀",
        "שלום",
        "\x7f",
    ),
    *(
        "\u202eadA",
        "\u200b",
        "\ufeffAda",
        '"',
        "'",
        "Ada <ada@example.org>",
        ",;:",
        "-",
        "\\",
        "x" * 3000,
        "\x1b[2J",
    ),
]


@pytest.mark.parametrize("key", ["user.name", "user.email"])
def test_whatever_the_operator_is_called_the_commit_is_sound(room, capfd, key, full_length):
    """Through git's own configuration, as the command reads it."""
    for number, name in enumerate(NAMES if full_length else NAMES[:: 2 if key == "user.name" else 5]):
        room.git("config", key, name)
        code = run(["-w", str(room.root), "memory", "add", f"Words {number}."], os.environ)
        assert code == 0, (name, capfd.readouterr().err)
    check(room.root)
    authors = room.git("log", "--format=%an%x00%ae")
    assert all(who.split("\0")[0] for who in authors.split("\n"))
