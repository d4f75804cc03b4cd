"""`clawgit runner install` and `uninstall`: what is written, byte for byte, and that exactly that goes again."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from hashlib import sha256
from itertools import starmap
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SERVICE = f"""\
[Unit]
Description=clawgit: look after the memory of your agents

[Service]
Type=notify
ExecStart="{sys.executable}" "-P" "-m" "clawgit" "up"
WatchdogSec=120
Restart=on-failure
RestartSec=30
KillMode=mixed
TimeoutStartSec=120
TimeoutStopSec=180
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
UMask=0077

[Install]
WantedBy=default.target
"""
SERVICE += f"# Written by `clawgit runner install`: {sha256(SERVICE.encode()).hexdigest()}\n"
INSTALL = ("runner", "install", "--with", "systemd")


@pytest.fixture
def units(own_home: Path) -> Path:
    return own_home / ".config/systemd/user"


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_unit_of_the_service_is_written_and_removed_byte_for_byte(clawgit, units) -> None:
    units.mkdir(parents=True)
    (units / "other.service").write_text("[Service]\n")
    before = files_in(units)

    done = clawgit(*INSTALL)
    written = files_in(units)
    again = clawgit(*INSTALL)
    link = units / "default.target.wants/clawgit.service"
    link.parent.mkdir()
    link.symlink_to(units / "clawgit.service")
    gone = clawgit("runner", "uninstall")

    assert (done.code, again.code, gone.code) == (0, 0, 0)
    assert again.out == "It is installed already.\n"
    assert written == before | {"clawgit.service": SERVICE.encode()}
    assert "enable --now clawgit.service" in done.err
    assert "loginctl enable-linger" in done.err
    assert "stop clawgit.service" in gone.err
    assert files_in(units) == before
    assert not link.is_symlink()


def test_a_service_over_http_is_started_so(clawgit) -> None:
    told = clawgit("runner", "install", "--with", "systemd", "--http", "8921", "--dry-run")

    assert '"clawgit" "up" "--http" "8921"\n' in told.out


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_takes_the_unit(clawgit, units) -> None:
    clawgit(*INSTALL)

    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(units / "clawgit.service")],
        check=False,
        capture_output=True,
        text=True,
    )

    assert "clawgit" not in done.stderr, done.stderr


def test_a_dry_run_shows_the_files_and_writes_none(clawgit, units) -> None:
    told = clawgit(*INSTALL, "--dry-run")

    assert SERVICE in told.out
    assert not units.exists()


@pytest.mark.parametrize(
    "text",
    [lambda _: "mine\n", lambda ours: f"# mine\n{ours}", lambda ours: f"{ours}# mine\n"],
    ids=["another", "edited above", "edited below"],
)
def test_an_edited_or_foreign_unit_is_neither_replaced_nor_removed(clawgit, units, text) -> None:
    """Mutant: whatever has the name is taken for ours."""
    clawgit(*INSTALL)
    (units / "clawgit.service").write_text(text(SERVICE))
    before = files_in(units)

    ways = (INSTALL[1:], ["uninstall"])
    codes = [clawgit("runner", *words, *dry).code for words in ways for dry in ((), ("--dry-run",))]

    assert codes == [1, 1, 1, 1]
    assert files_in(units) == before


def test_launchd_keeps_the_service_alive(clawgit, own_home) -> None:
    clawgit("runner", "install", "--with", "launchd")
    path = own_home / "Library/LaunchAgents/org.clawgit.service.plist"
    about = plistlib.loads(path.read_bytes())
    gone = clawgit("runner", "uninstall")

    assert about["ProgramArguments"][1:] == ["-P", "-m", "clawgit", "up"]
    assert (about["RunAtLoad"], about["KeepAlive"]) == (True, {"SuccessfulExit": False})
    assert "launchctl remove org.clawgit.service" in gone.err
    assert not path.exists()


def test_for_cron_the_line_is_printed_and_nothing_is_written(clawgit) -> None:
    line = f"*/5 * * * * {sys.executable} -P -m clawgit runner once --all >/dev/null 2>&1\n"

    printed = clawgit("runner", "install", "--with", "cron")

    assert printed.out == line
    assert "`crontab -e`. Edits want another one, with `clawgit -w FOLDER keep`" in printed.err


def test_where_no_workspace_is_registered_the_timers_say_so_and_how_to_register_one(clawgit, room) -> None:
    """Seen: the line of `runner install` did nothing for ever, "Nothing was due." and 0, and `runner status --all` ended with 0."""
    way = "`clawgit workspaces add NAME .`"
    words = [
        ("runner", "once", "--all"),
        ("runner", "status", "--all"),
        ("runner", "install", "--with", "cron"),
    ]

    before = list(starmap(clawgit, words))
    clawgit("workspaces", "add", "oncall", str(room.root))
    after = list(starmap(clawgit, words))

    assert [done.code for done in before] == [1, 1, 0]
    assert [done.out for done in before[:2]] == ["", ""]
    assert all(way in done.err for done in before)
    assert not any(way in done.err for done in after)


def test_a_host_or_a_job_installs_nothing(clawgit, units) -> None:
    assert clawgit("runner", "install", "--with", "systemd", actor="host").code == 1
    assert not units.exists()
