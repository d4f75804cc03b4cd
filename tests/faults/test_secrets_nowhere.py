"""T2: a secret reaches no object of the repository and no file of clawgit's, whatever way it takes.

Sixteen shapes, ten ways; everything that git stores is read in the end, and everything below .git/clawgit.

Mutants seen to fail here: an edit is parked before secrets are looked for; quarantine keeps a refused plan
whatever it holds; quotes of evidence are not redacted, or are cut first; only added lines are read; names are not
read; the summary is not; wrapped lines are not joined; a crash file or a refusal tells the value.
"""

from __future__ import annotations

import random
import re
import string
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.main import run
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.history.review.keep import keep
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

UPPER, HEX = string.ascii_uppercase + string.digits, "0123456789abcdef"


def made(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    dice = random.Random(count)
    return "".join(dice.choice(alphabet) for _ in range(count - 4)) + "a1B2"[-4:].lower().replace("b", "7")


SHAPES = {
    "aws": ("key {}", "AKIA" + made(12, UPPER).upper() + "Q7R2"),
    "google": ("key {}", "AIza" + made(35)),
    "github": ("token {}", "ghp_" + made(36)),
    "gitlab": ("token {}", "glpat-" + made(20)),
    "slack": ("token {}", "xoxb-" + made(12, string.digits) + "-" + made(24)),
    "openai": ("key {}", "sk-proj-" + made(48)),
    "anthropic": ("key {}", "sk-ant-api03-" + made(60)),
    "stripe": ("key {}", "sk_live_" + made(24)),
    "npm": ("token {}", "npm_" + made(36)),
    "telegram": ("bot {}", "1234567890:AA" + made(33)),
    "sendgrid": ("key {}", "SG." + made(22) + "." + made(43)),
    "jwt": ("session {}", "eyJ" + made(20) + ".eyJ" + made(40) + "." + made(43)),
    "private key": ("-----BEGIN PRIVATE KEY----- {} -----END PRIVATE KEY-----", made(64)),
    "password in an address": ("postgres://ada:{}@db.example.org/acme", "Tiger" + made(12)),
    "password": ("password={}", "Tiger" + made(12)),
    "비밀번호": ("비밀번호: {}", "Tiger" + made(12)),
}
IN_NAMES = [name for name, (text, value) in SHAPES.items() if "/" not in text + value and "BEGIN" not in text]


class Ways:
    """Every way in which a text with a secret may come to be committed; each returns what was said about it."""

    def __init__(self, room: Any, clawgit: Any) -> None:
        self.room, self.clawgit, self.count = room, clawgit, 0

    def _path(self) -> str:
        self.count += 1
        return f"memory/{self.count}.md"

    def _plan(self, plan: Plan, actor: str = "organizer") -> str:
        intent = Intent(new_op(), actor, self.room.now)
        with pytest.raises(GuardError) as error:
            apply_plan(self.room.history, lambda _: plan, intent)
        return str(error.value) + repr(error.value.findings)

    def _kept(self, path: str, actor: str = "host") -> str:
        kept = self.room.keep(actor)
        assert "secret" in {finding.rule for finding in kept.held}, path
        (self.room.root / path).unlink(missing_ok=True)
        return repr(kept)

    def edit(self, text: str, value: str) -> Iterator[str]:
        for actor in ("host", "unknown", "operator"):
            path = self._path()
            self.room.write(path, f"# Notes\n\n- {text}\n")
            yield self._kept(path, actor)

    def plan(self, text: str, value: str) -> Iterator[str]:
        for actor in ("organizer", "host", "operator"):
            yield self._plan(Plan("x", (Edit(self._path(), f"- {text}\n".encode()),)), actor)

    def program(self, text: str, value: str) -> Iterator[str]:
        for actor in ("", "host"):
            said = self.clawgit("memory", "add", f"It is {text}", actor=actor)
            assert said.code == 1, said
            yield said.out + said.err

    def words(self, text: str, value: str) -> Iterator[str]:
        edit = (Edit(self._path(), b"- words\n"),)
        yield self._plan(Plan(f"about {text}", edit))
        yield self._plan(Plan("x", edit, reason=f"since {text}"))
        yield self._plan(Plan("x", edit, trailers=(("Clawgit-Mention", text),)))
        self.room.write("memory/kept.md", f"- words {self.count}\n")
        with pytest.raises(ClawgitError) as error:
            self.room.keep("operator", reason=f"since {text}")
        yield str(error.value)
        said = self.clawgit("soul", "snapshot", "-m", text)
        assert said.code == 1
        yield said.out + said.err

    def two_writes(self, text: str, value: str) -> Iterator[str]:
        path, cut = self._path(), text.index(value) + 5
        self.room.write(path, f"- {text[:cut]}")
        self.room.keep("host")
        self.room.write(path, f"- {text}\n")
        yield self._kept(path)

    def two_lines(self, text: str, value: str) -> Iterator[str]:
        at = text.index(value)
        cut = at if text.startswith(("password", "비밀번호", "postgres")) else at + len(value) // 2
        for wrap in ("\n  ", "\r\n", "\n> "):
            if text.startswith("postgres"):
                continue  # an address has no place for a line's end
            path = self._path()
            self.room.write(path, f"- {text[:cut]}{wrap}{text[cut:]} and more\n")
            yield self._kept(path)

    def fence(self, text: str, value: str) -> Iterator[str]:
        path = self._path()
        self.room.write(path, f"# Notes\n\n```sh\n{text}\n```\n")
        yield self._kept(path)

    def front_matter(self, text: str, value: str) -> Iterator[str]:
        path = self._path()
        self.room.write(path, f"---\nnote: {text}\n---\n\n# Notes\n")
        yield self._kept(path)

    def renamed(self, text: str, value: str) -> Iterator[str]:
        old, new, cut = self._path(), self._path(), text.index(value) + 5
        self.room.write(old, f"- {text[:cut]}")
        self.room.keep("host")
        (self.room.root / old).unlink()
        self.room.write(new, f"- {text}\n")
        yield self._kept(new)

    def evidence(self, text: str, value: str) -> Iterator[str]:
        quote = "word " * 34 + f"and {text}"  # cut at 200 characters, it would not be known any more
        edits = (Edit(self._path(), b"- words\n"),)
        for said in (quote, f"and {text}"):
            plan = Plan(
                f"x {len(said)}", (Edit(self._path(), b"- words\n"),), evidence=(Evidence("msg:1", said),)
            )
            apply_plan(
                self.room.history, lambda _, plan=plan: plan, Intent(new_op(), "organizer", self.room.now)
            )
        yield self._plan(Plan("x", edits, evidence=(Evidence(text),)))

    def soul(self, text: str, value: str) -> Iterator[str]:
        before = self.room.read("SOUL.md")
        for actor in ("host", "unknown"):
            self.room.write("SOUL.md", f"I am somebody else.\n\n- {text}\n")
            kept = keep(self.room.history, Intent(new_op("keep"), actor, self.room.now))
            assert [finding.rule for finding in kept.held] == ["secret"]
            self.room.write("SOUL.md", before)
            yield repr(kept)
        yield self._plan(Plan("x", (Edit("SOUL.md", f"{before}- {text}\n".encode()),)), "soul-keeper")

    def name(self, text: str, value: str) -> Iterator[str]:
        path = f"memory/{text}.md"
        self.room.write(path, "- words\n")
        yield self._kept(path)
        yield self._plan(Plan("x", (Edit(path, b"- words\n"),)))


@pytest.fixture
def ways(room, clawgit) -> Ways:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("host")
    return Ways(room, clawgit)


def stored(room) -> str:
    """Return all that git and clawgit have stored, white space left out: no wrap hides a value."""
    every = ("cat-file", "--batch", "--batch-all-objects", "--unordered")
    objects = subprocess.run(["git", *every], cwd=room.root, capture_output=True, check=True).stdout
    state = [path.read_bytes() for path in (room.root / ".git/clawgit").rglob("*") if path.is_file()]
    logs = [path.read_bytes() for path in (room.root / ".git/logs").rglob("*") if path.is_file()]
    return re.sub(r"[\s>]", "", b"".join([objects, *state, *logs]).decode("utf-8", "replace"))


WAYS = [name for name in vars(Ways) if not name.startswith("_")]


@pytest.mark.smoke
@pytest.mark.parametrize("way", WAYS)
def test_no_secret_is_stored_or_told(room, ways, way: str) -> None:
    room.history.settings = Settings(soul_policy="review" if way == "soul" else "evolve")
    for name, (template, value) in SHAPES.items():
        if way != "name" or name in IN_NAMES:
            said = "".join(getattr(ways, way)(template.format(value), value))
            assert value not in said, (name, said)
    everything = stored(room)
    assert len(everything) > 10_000, "nothing was read, so this test says nothing"
    part = 16 if way == "evidence" else None  # nothing of it is left over
    assert [name for name, (_, value) in SHAPES.items() if value[:part] in everything] == []
    assert room.git("fsck", "--strict") == ""


class Broken(dict):
    """An environment that cannot be read."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError(f"no place for {SHAPES['github'][1]}")


def test_a_bug_is_told_without_the_value(capfd, own_home) -> None:
    assert run(["status"], Broken()) == 3
    crash = next(own_home.rglob("crash-*.txt")).read_text()
    assert "no place for [redacted github-token]" in crash
    assert SHAPES["github"][1] not in crash + "".join(capfd.readouterr())
