"""The model that the settings name, with its key from the environment; and what `doctor` reports as missing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.agents.models import answering_models
from clawgit.errors import Complaint, ConfigurationError
from clawgit.http_client import Patience, Service, is_here
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS, InForce, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from clawgit.agents.models.model import Model

KEY = "CLAWGIT_MODEL_KEY"
RERANKER_KEY = "CLAWGIT_RERANKER_KEY"
OPENAI_HOST = "api.openai.com"
PATIENCE = Patience(180, tries=3, pause=1.0)
# A key of one of these services is sent only to that service.
KEYS_BY_HOST = {
    OPENAI_HOST: "OPENAI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
}
CHECK = "models"
_GUARDED = ("model", "model_url", "model_daily_tokens", "reranker_url", "reranker_model", "search_reranked")
# Dialect and default address of each kind of model; `model_url` overrides the address.
KINDS = {
    "openai": (answering_models.OPENAI, f"https://{OPENAI_HOST}/v1"),
    "anthropic": (answering_models.ANTHROPIC, "https://api.anthropic.com/v1"),
    "ollama": (answering_models.COMPATIBLE, "http://127.0.0.1:11434/v1"),
}


def model_named(
    settings: Settings, environment: Mapping[str, str], root: Path, *, patience: Patience = PATIENCE
) -> Model | None:
    """Return the model of the settings; keys come only from ``environment``, programs are named from ``root`` and run there."""
    argv = argv_of(SETTINGS["model"], settings.model)
    if argv:
        own = {**environment, "CLAWGIT_ACTOR": "host"}  # the program must not act as the operator
        argv = (os.path.normpath(root / argv[0]), *argv[1:])
        return answering_models.CommandModel(
            answering_models.Program(argv, root, own, patience.seconds, answering_models.MOST_BYTES)
        )
    if not settings.model:
        return None
    if settings.model == answering_models.HOST:
        return answering_models.host_model(environment, root, patience.seconds)
    dialect, name, url = address_of(settings)
    if dialect is answering_models.OPENAI and host_of(url) != OPENAI_HOST:
        dialect = answering_models.COMPATIBLE
    service = _service(url, environment, KEY, patience)
    if dialect is answering_models.ANTHROPIC:
        service.key_header, service.headers = "x-api-key", {"anthropic-version": "2023-06-01"}
    return answering_models.RemoteModel(dialect, name, service)


def reranker_named(
    settings: Settings, environment: Mapping[str, str], patience: Patience
) -> answering_models.Reranker | None:
    """Return the reranker of the settings, or None."""
    if not settings.reranker_url:
        return None
    parts = urlsplit(settings.reranker_url)
    path = parts.path.rstrip("/")
    whole = parts._replace(
        path=path if path.endswith(answering_models.PATHS) else path + answering_models.PATHS[0]
    )
    service = _service(whole.geturl(), environment, RERANKER_KEY, patience)
    return answering_models.Reranker(service, settings.reranker_model)


def _service(url: str, environment: Mapping[str, str], own: str, patience: Patience) -> Service:
    variable, key = key_for(url, environment, own)
    hint = f"Keys come from the environment: {variable}."
    return Service(url, key, patience, key_hint=hint, most_bytes=answering_models.MOST_BYTES)


def address_of(settings: Settings) -> tuple[answering_models.Dialect, str, str]:
    """Return the dialect, the model's name, and the address of its service."""
    word, colon, name = settings.model.partition(":")
    if not colon or word not in KINDS:
        word, name = "openai", settings.model
    dialect, url = KINDS[word]
    return dialect, name, settings.model_url or url


def key_for(url: str, environment: Mapping[str, str], own: str) -> tuple[str, str]:
    """Return the variable with the key for an address, and the key, empty if unset."""
    others = KEYS_BY_HOST.get(host_of(url), own)
    variable = own if environment.get(own) else others
    key = environment.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        sentence = f"{variable} holds characters that no key has."
        raise ConfigurationError(sentence, hint="Was more than the key copied?")
    return variable, key


def host_of(url: str) -> str:
    """Return the host of an address; empty over plain HTTP, so no known service's key is sent."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return parts.hostname or ""
    return ""


def missing_for_models(in_force: InForce, environment: Mapping[str, str], root: Path) -> Iterator[Complaint]:
    """Yield why the configured model or reranker cannot be asked, or not safely."""
    settings = in_force.settings
    for name in _GUARDED:
        if name in in_force.waiting:
            sentence = f"CONFIG.md has another {name} than the one in force; it counts only by your word."
            way_out = f"`clawgit approve {name}` if it is right; a program needs that again whenever its file changes."
            yield Complaint(CHECK, sentence, way_out)
    yield from _about_model(settings, environment, root)
    if settings.reranker_url:
        yield from _about_key("reranker", settings.reranker_url, environment, RERANKER_KEY)
    elif settings.search_reranked:
        sentence = "search_reranked is on, but no reranker_url is set for it."
        yield Complaint(CHECK, sentence, "`clawgit config set reranker_url URL`.")


def _about_model(settings: Settings, environment: Mapping[str, str], root: Path) -> Iterator[Complaint]:
    argv = argv_of(SETTINGS["model"], settings.model)
    if argv and not os.access(root / argv[0], os.X_OK):
        yield Complaint(CHECK, f"{argv[0]} cannot be run, so there is no model.", "Is it executable?")
    elif settings.model == answering_models.HOST:
        if not answering_models.host_model(environment, root, 0).place:
            sentence = "model is host, but no host that is connected to this workspace lends one."
            yield Complaint(CHECK, sentence, "`clawgit connect openclaw`.")
    elif settings.model and not argv:
        yield from _about_key("model", address_of(settings)[2], environment, KEY)
    if settings.model_url and (argv or settings.model in ("", answering_models.HOST)):
        yield Complaint(CHECK, "model_url is set, but no model for it.", "`clawgit config set model NAME`.")
    if settings.model and not settings.model_daily_tokens:
        sentence = "model_daily_tokens is 0, so the model is never asked."
        yield Complaint(CHECK, sentence, "Raise it in CONFIG.md.")


def _about_key(what: str, url: str, environment: Mapping[str, str], own: str) -> Iterator[Complaint]:
    try:
        variable, key = key_for(url, environment, own)
    except ConfigurationError as error:
        yield Complaint(CHECK, error.message, error.hint)
        return
    if not key and host_of(url) in KEYS_BY_HOST:
        sentence = f"The {what} needs a key, and {variable} is not set."
        yield Complaint(CHECK, sentence, f"`export {variable}=…`.")
    if key and urlsplit(url).scheme == "http" and not is_here(url):
        sentence = f"The key of the {what} travels unencrypted to {urlsplit(url).hostname}."
        yield Complaint(CHECK, sentence, "Use https.")
