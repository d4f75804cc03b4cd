"""A pipe, a folder or a device where a file is named: no command waits for it, and each says what is there."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 120  # that a command which waits for ever is given; none of them takes that long


def make_socket(place: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    folder = os.open(place.parent, os.O_RDONLY)
    listener.bind(f"/proc/self/fd/{folder}/{place.name}")
    os.close(folder)
    listener.close()


def make_link(place: Path) -> None:
    place.symlink_to("/dev/zero")


MAKING = {"pipe": os.mkfifo, "folder": os.mkdir, "socket": make_socket, "link to a device": make_link}
COMMANDS = {
    "an import": ("chat", "import"),
    "the end of a session": ("session", "end"),
    "a compacted transcript": ("session", "compact"),
    "a pruned transcript": ("session", "prune"),
    "a backup": ("backup", "--restore"),
}


def typed(room, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a program of its own, which ends here if it waits."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "CLAWGIT_NO_SERVICE": "1"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "-w", str(room.root), *words],
        capture_output=True,
        check=False,
        env=environment,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=SECONDS,
    )


@pytest.mark.smoke
@pytest.mark.parametrize("kind", MAKING)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_waits_for_what_is_no_file(room, own_home, tmp_path, command: str, kind: str) -> None:
    place = tmp_path / "talk.jsonl"
    MAKING[kind](place)

    done = typed(room, own_home, *COMMANDS[command], str(place))

    assert done.returncode in (1, 2)
    assert str(place) in done.stderr
    assert "bug" not in done.stderr


@pytest.mark.parametrize("kind", MAKING)
@pytest.mark.parametrize(
    ("host", "file"),
    [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/config.toml"),
        ("codex", ".codex/hooks.json"),
    ],
)
def test_connect_waits_for_no_settings_that_are_no_file(
    room, own_home, host: str, file: str, kind: str
) -> None:
    place = own_home / file
    place.parent.mkdir()
    MAKING[kind](place)

    done = typed(room, own_home, "connect", host, "--dry-run")

    assert done.returncode == 1
    assert f"{place} cannot be read (it is a" in done.stderr


@pytest.mark.parametrize("kind", ["pipe", "socket", "link to a device"])
def test_a_search_and_a_context_pass_by_what_is_no_file(room, own_home, tmp_path, kind: str) -> None:
    """Extra paths, sources of the context and files of memory itself."""
    source, extra = tmp_path / "people.json", tmp_path / "extra"
    extra.mkdir()
    for place in (source, extra / "notes.md", room.root / "memory/notes.md"):
        place.parent.mkdir(exist_ok=True)
        MAKING[kind](place)
    room.write(
        "CONFIG.md",
        f"```yaml\nsearch_extra_paths: ['{extra}']\ncrm_context_source: '{source}'\n"
        f"external_context_source: '{source}'\nexternal_context_budget: 500\n```\n",
    )
    room.git("add", "CONFIG.md")
    room.git("commit", "-qm", "sources")

    for words in (("memory", "search", "tea"), ("context", "--query", "tea"), ("status",)):
        assert typed(room, own_home, *words).returncode in (0, 1)


def test_triage_waits_for_no_settings_that_are_no_file(room, own_home) -> None:
    assert typed(room, own_home, "triage", "No, it is Thursday.").returncode == 0
    (room.root / "CONFIG.md").unlink(missing_ok=True)
    os.mkfifo(room.root / "CONFIG.md")

    typed(room, own_home, "triage", "No, it is Thursday.")


@pytest.mark.smoke
@pytest.mark.parametrize("kind", MAKING)
def test_what_is_no_file_is_refused_in_words(tmp_path, kind: str) -> None:
    MAKING[kind](tmp_path / "x")

    with pytest.raises(OSError, match="it is a") as refusal:
        open_regular(tmp_path / "x")
    assert refusal.value.strerror


def test_a_link_to_a_file_is_one_and_no_name_is_an_error_of_the_system(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"words")
    (tmp_path / "b").symlink_to("a")

    with open_regular(tmp_path / "b") as file:
        assert file.read() == b"words"
    with pytest.raises(OSError, match="no name"):
        open_regular("a\0b")


@pytest.mark.parametrize("kind", ["pipe", "socket", "link to a device"])
def test_among_clawgits_own_files_it_is_named(room, own_home, kind: str) -> None:
    """Mutant: it is read as any file of clawgit's, which waits for ever."""
    place = room.history.state / "tips.json"
    place.unlink(missing_ok=True)
    MAKING[kind](place)

    refused = typed(room, own_home, "memory", "add", "Tea is at four.")
    place.unlink()
    done = typed(room, own_home, "memory", "add", "Tea is at four.")

    assert (refused.returncode, done.returncode) == (1, 0), refused.stderr
    assert f"{place} is a pipe, a socket or a device" in refused.stderr
