"""What is between the settings and a model that answers: for `doctor`. Nobody is asked anything for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.agents.models.choose_model import KEY, KEYS_BY_HOST, RERANKER_KEY, address_of, host_of, key_for
from clawgit.agents.models.host_model import HOST, host_model
from clawgit.errors import ConfigurationError
from clawgit.history.doctor.complaint import Complaint
from clawgit.http_client import is_here
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from clawgit.workspace.settings.setting_authority import InForce
    from clawgit.workspace.settings.settings import Settings

CHECK = "models"
_GUARDED = ("model", "model_url", "model_daily_tokens", "reranker_url", "reranker_model", "search_reranked")


def missing_for_models(in_force: InForce, environment: Mapping[str, str], root: Path) -> Iterator[Complaint]:
    """Yield what keeps the model and the reranker that CONFIG.md names from being asked, or makes asking them unsafe."""
    settings = in_force.settings
    for name in _GUARDED:
        if name in in_force.waiting:
            told = f"CONFIG.md has another {name} than the one in force; it counts only by your word."
            way_out = f"`clawgit approve {name}` if it is right; a program needs that again whenever its file changes."
            yield Complaint(CHECK, told, way_out)
    yield from _about_model(settings, environment, root)
    if settings.reranker_url:
        yield from _about_key("reranker", settings.reranker_url, environment, RERANKER_KEY)
    elif settings.search_reranked:
        told = "search_reranked is on, but no reranker_url is set for it."
        yield Complaint(CHECK, told, "`clawgit config set reranker_url URL`.")


def _about_model(settings: Settings, environment: Mapping[str, str], root: Path) -> Iterator[Complaint]:
    argv = argv_of(SETTINGS["model"], settings.model)
    if argv and not os.access(root / argv[0], os.X_OK):
        yield Complaint(CHECK, f"{argv[0]} cannot be run, so there is no model.", "Is it executable?")
    elif settings.model == HOST:
        if not host_model(environment, root, 0).place:
            told = "model is host, but no host that is connected to this workspace lends one."
            yield Complaint(CHECK, told, "`clawgit connect openclaw`.")
    elif settings.model and not argv:
        yield from _about_key("model", address_of(settings)[2], environment, KEY)
    if settings.model_url and (argv or settings.model in ("", HOST)):
        yield Complaint(CHECK, "model_url is set, but no model for it.", "`clawgit config set model NAME`.")
    if settings.model and not settings.model_daily_tokens:
        yield Complaint(
            CHECK, "model_daily_tokens is 0, so the model is never asked.", "Raise it in CONFIG.md."
        )


def _about_key(what: str, url: str, environment: Mapping[str, str], own: str) -> Iterator[Complaint]:
    try:
        variable, key = key_for(url, environment, own)
    except ConfigurationError as error:
        yield Complaint(CHECK, error.message, error.hint)
        return
    if not key and host_of(url) in KEYS_BY_HOST:
        yield Complaint(
            CHECK, f"The {what} needs a key, and {variable} is not set.", f"`export {variable}=…`."
        )
    if key and urlsplit(url).scheme == "http" and not is_here(url):
        yield Complaint(
            CHECK, f"The key of the {what} travels unencrypted to {urlsplit(url).hostname}.", "Use https."
        )
