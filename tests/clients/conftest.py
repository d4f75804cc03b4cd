"""The real clients, where `make clients` has installed them; nowhere else is anything of this folder collected."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from installed_clients import ARE_WANTED, HERE

if TYPE_CHECKING:
    from pathlib import Path

if not ARE_WANTED:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def away(tmp_path, own_home):
    """Return a function that runs a program with no network but its own loopback, a fake model provider beside it."""

    def run(*words: str, folder: Path, typed: tuple[str, ...] = ()) -> tuple[str, list[dict]]:
        asked = tmp_path / "asked.jsonl"
        asked.unlink(missing_ok=True)
        told = {"words": words, "asked": str(asked), "folder": str(folder), "typed": typed}
        alone = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
        done = subprocess.run(
            [*alone, sys.executable, str(HERE / "alone.py"), json.dumps(told)],
            capture_output=True,
            check=True,
            env={"HOME": str(own_home), "PATH": os.environ["PATH"], "CLAWGIT_HOOK_SECONDS": "30"},
            text=True,
            timeout=420,
        )
        requests = [json.loads(line) for line in asked.read_text().splitlines()] if asked.exists() else []
        return done.stdout, requests

    return run
