"""Which model the settings name, and which key goes along with it.

Mutants that these tests caught: a vendor's key over plain http or to a look-alike, a program that runs as the operator,
keys that would end in the middle of a header.
"""

from __future__ import annotations

import pytest

from clawgit.agents.models.answering_models import ANTHROPIC, COMPATIBLE, OPENAI, CommandModel, RemoteModel
from clawgit.agents.models.choose_model import model_named, reranker_named
from clawgit.errors import ConfigurationError
from clawgit.http_client import Patience
from clawgit.workspace.settings.settings import Settings

ALL_KEYS = {"OPENAI_API_KEY": "sk-openai", "ANTHROPIC_API_KEY": "sk-ant", "OPENROUTER_API_KEY": "sk-or"}


def named(tmp_path, model, url="", environment=None):
    return model_named(Settings(model=model, model_url=url), environment or {}, tmp_path)


@pytest.mark.parametrize(
    ("model", "url", "dialect", "name", "address", "key"),
    [
        ("openai:gpt-x", "", OPENAI, "gpt-x", "https://api.openai.com/v1", "sk-openai"),
        ("gpt-x", "", OPENAI, "gpt-x", "https://api.openai.com/v1", "sk-openai"),
        ("anthropic:claude-x", "", ANTHROPIC, "claude-x", "https://api.anthropic.com/v1", "sk-ant"),
        ("ollama:llama3.1:8b", "", COMPATIBLE, "llama3.1:8b", "http://127.0.0.1:11434/v1", ""),
        ("qwen3:8b", "http://127.0.0.1:1234/v1", COMPATIBLE, "qwen3:8b", "http://127.0.0.1:1234/v1", ""),
        (
            "anthropic/claude-x",
            "https://openrouter.ai/api/v1",
            COMPATIBLE,
            "anthropic/claude-x",
            "https://openrouter.ai/api/v1",
            "sk-or",
        ),
        ("m", "https://elsewhere.example/v1", COMPATIBLE, "m", "https://elsewhere.example/v1", ""),
        ("m", "https://api.openai.com.example/v1", COMPATIBLE, "m", "https://api.openai.com.example/v1", ""),
        ("m", "http://api.openai.com/v1", COMPATIBLE, "m", "http://api.openai.com/v1", ""),
        ("anthropic:m", "https://elsewhere.example", ANTHROPIC, "m", "https://elsewhere.example", ""),
    ],
)
def test_a_model_has_its_place_and_the_key_for_that_place(
    tmp_path, model, url, dialect, name, address, key
) -> None:
    found = named(tmp_path, model, url, ALL_KEYS)
    assert isinstance(found, RemoteModel)
    assert (found.dialect, found.model, found.service.url, found.service.key) == (dialect, name, address, key)
    assert not any(secret in repr(found) for secret in ALL_KEYS.values())

    with_own = named(tmp_path, model, url, {**ALL_KEYS, "CLAWGIT_MODEL_KEY": "own"})
    assert isinstance(with_own, RemoteModel)
    assert with_own.service.key == "own"


def test_no_model_is_none_and_a_command_is_found_from_the_workspace(tmp_path) -> None:
    assert named(tmp_path, "") is None
    found = named(
        tmp_path, "command bin/ask --short 'a b'", environment={"PATH": "/bin", "CLAWGIT_ACTOR": "operator"}
    )
    assert isinstance(found, CommandModel)
    assert found.program.argv == (str(tmp_path / "bin/ask"), "--short", "a b")
    assert (found.program.folder, found.program.environment["CLAWGIT_ACTOR"]) == (tmp_path, "host")


@pytest.mark.parametrize("key", ["sk-one\nX-Evil: 1", "sk one", "schlüssel", "sk\x00"])
def test_what_cannot_be_a_key_is_refused_without_being_shown(tmp_path, key) -> None:
    with pytest.raises(ConfigurationError, match="CLAWGIT_MODEL_KEY") as refusal:
        named(tmp_path, "m", environment={"CLAWGIT_MODEL_KEY": key})

    assert key not in str(refusal.value)
    assert isinstance(named(tmp_path, "m", environment={"CLAWGIT_MODEL_KEY": "sk-one\n"}), RemoteModel)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/rerank"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/rerank"),
        ("https://api.jina.ai/v1", "https://api.jina.ai/v1/rerank"),
        ("https://api.cohere.com/v2/rerank", "https://api.cohere.com/v2/rerank"),
        ("http://127.0.0.1:8080/v1/reranking", "http://127.0.0.1:8080/v1/reranking"),
        ("http://127.0.0.1:8080/?pool=2", "http://127.0.0.1:8080/rerank?pool=2"),
    ],
)
def test_a_reranker_is_found_with_and_without_its_path(url, address) -> None:
    found = reranker_named(
        Settings(reranker_url=url), {**ALL_KEYS, "CLAWGIT_RERANKER_KEY": "own"}, Patience(1)
    )

    assert found is not None
    assert (found.service.url, found.service.key) == (address, "own")
    assert reranker_named(Settings(), {}, Patience(1)) is None
