"""An OpenClaw that changes its settings as the real one does, and whose agent has this workspace."""

from __future__ import annotations

import json
import os
import sys

import pytest

PROGRAM = """\
#!{python}
import json, os, pathlib, sys
words = sys.argv[1:]
if words[:2] == ["cron", "list"]:
    print(os.environ.get("JOBS", ""))
    sys.exit(0 if "JOBS" in os.environ else "no Gateway")
if words == ["gateway", "restart"]:
    pathlib.Path(os.environ["HOME"], ".openclaw/restarted").touch()
    sys.exit(os.environ.get("RESTART", 0))
assert words == ["config", "patch", "--stdin"], words
path = pathlib.Path(os.environ["HOME"], ".openclaw/openclaw.json")
def merged(old, patch):
    for name, value in patch.items():
        if value is None:
            old.pop(name, None)
        elif isinstance(value, dict):
            old[name] = merged(old[name] if isinstance(old.get(name), dict) else {{}}, value)
        else:
            old[name] = value
    return old
patch = json.load(sys.stdin)
if os.environ.get("REFUSES"):
    sys.exit("Config invalid: plugins.slots.memory")
settings = merged(json.loads(path.read_text()), patch)
settings["wizard"] = {{"lastRunVersion": "2026.9.6"}}
settings["meta"] = {{"lastTouchedVersion": "2026.9.6"}}
path.write_text(json.dumps(settings, indent=2) + "\\n")
with (path.parent / "patches.jsonl").open("a") as file:
    file.write(json.dumps(patch) + "\\n")
"""


@pytest.fixture
def config(own_home, room):
    """Make an OpenClaw whose agent has this workspace, and return the file of its settings."""
    folder = own_home / ".openclaw"
    package = own_home / "lib" / "openclaw"
    (own_home / "bin").mkdir()
    package.mkdir(parents=True)
    folder.mkdir()
    (package / "package.json").write_text('{"name": "openclaw", "version": "2026.9.6"}')
    (package / "openclaw.mjs").write_text(PROGRAM.format(python=sys.executable))
    (package / "openclaw.mjs").chmod(0o755)
    (own_home / "bin" / "openclaw").symlink_to(package / "openclaw.mjs")
    settings = {
        "agents": {"defaults": {"workspace": str(room.root)}},
        "commands": {"ownerAllowFrom": ["telegram:4242", "*"]},
        "plugins": {"entries": {"memory-core": {"config": {"dreaming": {"frequency": "0 4 * * *"}}}}},
    }
    (folder / "openclaw.json").write_text(json.dumps(settings, indent=2))
    return folder / "openclaw.json"


@pytest.fixture
def host(clawgit, own_home, config):
    """Return a function that runs a command as somebody in a terminal of his own does; `connect` starts no service."""
    path = f"{own_home / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def run(*words, **more):
        if words[:2] == ("connect", "openclaw") and "--no-plugin" not in words:
            words = (*words, "--no-start")
        return clawgit(*words, environment={"HOME": str(own_home), "PATH": path, **more})

    return run
