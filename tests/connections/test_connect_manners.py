"""Files of hosts that an editor of another system wrote: they come back byte for byte, or are left alone."""

from __future__ import annotations

import json
import tomllib

import pytest

BOM = "\ufeff"
CODEX = 'model = "gpt-5"\n\n[features]\nweb_search = true\n'
CLAUDE = json.dumps({"theme": "dark", "hooks": {}}, indent=2) + "\n"


@pytest.fixture
def run(clawgit, own_home):
    for name in (".claude", ".codex"):
        (own_home / name).mkdir()
    return lambda *words: clawgit(*words, environment={"HOME": str(own_home)})


FILES = [
    pytest.param("codex", ".codex/config.toml", CODEX, id="TOML"),
    pytest.param("claude-code", ".claude/settings.json", CLAUDE, id="JSON"),
    pytest.param("claude-code", ".claude/CLAUDE.md", "# Mine\n\nBe brief.\n", id="Markdown"),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("host", "file", "text"), FILES)
def test_it_connects_and_comes_back_as_it_was(run, own_home, host, file, text, end) -> None:
    path, before = own_home / file, text.replace("\n", end).encode()
    path.write_bytes(before)

    connected = run("connect", host)
    during = path.read_bytes()
    again = run("connect", host)
    left = run("disconnect", host)

    assert (connected.code, again.code, left.code) == (0, 0, 0), connected.err
    assert during != before
    assert path.read_bytes() == before


@pytest.mark.parametrize(("host", "file", "text"), FILES[:2])
def test_a_file_that_begins_with_a_mark_is_left_alone(run, own_home, host, file, text) -> None:
    path = own_home / file
    path.write_bytes((BOM + text).encode())

    refused = run("connect", host)

    assert refused.code == 1
    assert "nothing was changed" in refused.err
    assert path.read_bytes() == (BOM + text).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_what_its_user_wrote_meanwhile_stays(run, own_home, end) -> None:
    path = own_home / ".codex/config.toml"
    path.write_bytes(CODEX.replace("\n", end).encode())
    assert run("connect", "codex").code == 0
    path.write_bytes(path.read_bytes().replace(b"gpt-5", b"gpt-6"))

    assert run("disconnect", "codex").code == 0

    left = path.read_bytes().decode()
    assert tomllib.loads(left) == tomllib.loads(CODEX.replace("gpt-5", "gpt-6"))
