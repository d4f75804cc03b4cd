"""The commands of README.md, as a new user types them: in order, in a fresh home, ids taken from what was printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests_folder import TESTS
from typed_commands import blocks_of

README = TESTS.parent / "README.md"


def commands() -> list[str]:
    """Return the commands of the README's console blocks; what runs until ^C has its own tests."""
    return [command for block in blocks_of(README) if block.is_run for command in block.commands]


@pytest.mark.rest
def test_every_command_of_the_readme_works_as_written(tmp_path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "HOME": str(home), "PATH": path}
    place, said = home, ""
    for command in commands():
        if command.startswith("cd "):
            place = Path(command[3:].replace("~", str(home)))
            continue
        entry = re.search(r"m:\w{6}", said)
        real = re.sub(r"m:\w{6}", entry[0], command) if entry else command
        done = subprocess.run(
            ["sh", "-c", real], cwd=place, env=environment, capture_output=True, check=False, text=True
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        said = done.stdout + done.stderr + said

    assert "The staging port is 9090." in (home / "agent/MEMORY.md").read_text()
    assert 'Corrected: MEMORY.md "The staging port is 8080." → "The staging port is 9090."' in said
    assert "Answer in verse" not in (home / "agent/SOUL.md").read_text()
