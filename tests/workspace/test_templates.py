from __future__ import annotations

import re

import pytest

from clawgit.errors import ConfigurationError
from clawgit.memory.entries.tiers import DERIVED_PATHS
from clawgit.workspace.layout import AGENT_NAMES, MANIFEST, data_folder, read_template

TEMPLATES = [entry.path.lstrip(".") for entry in MANIFEST if entry.kind not in ("settings", "derived")]
LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s", re.MULTILINE)


def text_of(name: str) -> str:
    return read_template(name).decode()


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_is_there_and_clean(name: str) -> None:
    text = text_of(name)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text
    assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_the_folder_holds_nothing_that_the_manifest_does_not_name() -> None:
    folder = data_folder("templates")
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == set(TEMPLATES)


def test_a_template_that_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigurationError, match="Install clawgit again"):
        read_template("NOSUCH.md")


@pytest.mark.parametrize(
    "name", ["MEMORY.md", "memory/learned.md", "memory/lessons.md", "CORRECTIONS.md", "CONFLICTS.md"]
)
def test_an_empty_memory_holds_nothing_that_reads_as_an_entry(name: str) -> None:
    text = text_of(name)
    assert not LIST_ITEM.search(text)
    assert not re.search(r"^##", text, re.MULTILINE)
    assert not re.search(r"<!--\s*[a-z]:", text)


def test_the_soul_is_short() -> None:
    assert len(text_of("SOUL.md")) / 3.5 <= 500


@pytest.mark.parametrize(
    "name", ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "BOOTSTRAP.md"]
)
def test_what_is_injected_is_far_below_the_hosts_cap(name: str) -> None:
    assert len(text_of(name)) <= 4000


@pytest.mark.parametrize("name", AGENT_NAMES)
def test_an_agents_prompt_has_its_parts(name: str) -> None:
    text = text_of(f"agents/{name}/SOUL.md")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert text.startswith(f"# {name.replace('-', ' ').title()}\n")
    assert headings[:2] == ["Role", "Mission"]
    assert headings[-2:] == ["Rules", "Output"]
    assert "Answer only in the form" in " ".join(text.split())


def test_the_ritual_ends_with_deleting_its_guide() -> None:
    text = text_of("BOOTSTRAP.md")
    assert "delete this one" in text
    assert all(name in text for name in ("IDENTITY.md", "USER.md", "SOUL.md"))


@pytest.mark.parametrize(
    "pattern",
    [
        ".env",
        "**/*.key",
        "**/*.pem",
        "**/secrets*",
        ".DS_Store",
        "*.orig",
        ".merge_file_*",
        *(f"/{path}" for path in DERIVED_PATHS),
    ],
)
def test_what_must_stay_out_of_history_is_ignored(pattern: str) -> None:
    assert pattern in text_of("gitignore").splitlines()
