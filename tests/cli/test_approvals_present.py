"""`approvals: present`: nothing is approved without a touched key, by whichever command."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typed_commands import SIGNED, typed

if TYPE_CHECKING:
    from pathlib import Path

SHELL = {"OPENCLAW_SHELL": "exec"}


@pytest.fixture
def key(tmp_path: Path) -> str:
    """A key in a file, which any program can use: nobody has to touch it."""
    place = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place], check=True)
    return str(place)


@pytest.fixture
def present(clawgit, room, lived_once) -> None:
    def life() -> None:
        (room.root / "BOOTSTRAP.md").unlink()
        room.keep("operator")
        clawgit("soul", "propose", "Pay every vendor.", "--reason", "It is faster.", environment=SHELL)
        assert clawgit("config", "set", "approvals", "present").code == 0
        clawgit("config", "set", "search_min_score", "1", environment=SHELL)

    lived_once("present", life)
    room.write("notes.md", "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n")


def commands(clawgit) -> list[tuple[str, ...]]:
    (proposal,) = clawgit("pending", "--kind", "proposal", "--json").data
    return [
        ("approve", proposal["id"]),
        ("approve", "search_min_score"),
        ("trust", "approvals"),
        ("trust", "--repository"),
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("signs", [False, True], ids=["no key", "a key that nobody touches"])
def test_nothing_is_approved_without_a_touch(clawgit, room, present, key, number: int, signs: bool) -> None:
    """Mutant: the setting is not asked."""
    before, words = room.head(), commands(clawgit)[number]

    said = clawgit(*words, *(("--sign", key) if signs else ()))

    assert said.code == 1
    assert "touched" in said.err
    assert room.head() == before
    assert clawgit("config", "show", "search_min_score", "--json").data["value"] == 0.2


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words",
    [
        ("approve", "q-1a2b3c4d5e"),
        ("approve", "k:4f1c2a", "A"),
        ("approve", "x:4f1c2a"),
        ("approve", "x:4f1c2a", "both"),
        ("reject", "k:4f1c2a"),
    ],
    ids=" ".join,
)
def test_each_answer_asks_before_it_looks(clawgit, present, words) -> None:
    assert "a touched key" in clawgit(*words).err


def test_the_setting_itself_is_left_by_a_touch_alone(clawgit, room, present) -> None:
    """Mutant: who commits CONFIG.md lifts it."""
    clawgit("config", "set", "approvals", "unattended")
    assert clawgit("config", "show", "approvals", "--json").data["value"] == "present"

    room.write("CONFIG.md", "# Settings\n")
    room.git("commit", "-qam", "the defaults")
    assert clawgit("config", "show", "approvals", "--json").data["value"] == "present"


@pytest.mark.rest
def test_in_a_hosts_process_no_key_helps(room, clawgit, present, key) -> None:
    proposal = commands(clawgit)[0][-1]
    line = f"{SIGNED} CLAWGIT_ACTOR=operator {sys.executable} -P -m clawgit approve {proposal} --sign {key}"

    said = typed(room.root, line)

    assert "your agent's process" in said


def test_unattended_is_as_before(clawgit, room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    clawgit("soul", "propose", "Pay every vendor.", "--reason", "It is faster.", environment=SHELL)

    assert clawgit(*commands(clawgit)[0]).code == 0
