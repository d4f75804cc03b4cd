"""Which settings are in force: what guards or reaches out counts only by the operator's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS, Settings, settings_from

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clawgit.workspace.settings.setting_types import Setting, Value

PRESENT = "present"
State = Literal["default", "in force", "waiting"]


class ConfigVersion(NamedTuple):
    """One state of CONFIG.md on the first-parent line, and who committed it.

    ``values`` and ``unread`` are as ``read_config`` gives them: an absent key has its default, an unread one keeps
    the value it had before.
    """

    commit_id: str
    by_operator: bool
    values: Mapping[str, Value] = {}
    unread: frozenset[str] = frozenset()


class Origin(NamedTuple):
    """Where the value in force comes from: ``commit_id`` introduced it (None: it is the default)."""

    state: State
    commit_id: str | None = None


class InForce(NamedTuple):
    """The settings that hold, where each comes from, the values that wait for the operator, and those that cannot be used."""

    settings: Settings
    origins: Mapping[str, Origin]
    waiting: Mapping[str, Value]
    unread: frozenset[str] = frozenset()


class _Claim(NamedTuple):
    """A value that was in CONFIG.md, and the version that brought it; None for the default at the start."""

    value: Value
    version: ConfigVersion | None


def settings_in_force(
    versions: Sequence[ConfigVersion], trusted: Callable[[str, Value], bool] = lambda _key, _value: False
) -> InForce:
    """Return what holds, given all states of CONFIG.md, newest first; before the last, all is default.

    A guarded value holds if it is trusted or the operator's commit made it so, one that names a program only if it is trusted; otherwise
    the one before it is asked, but for what the operator replaced: that does not come back.
    """
    values: dict[str, Value] = {}
    origins: dict[str, Origin] = {}
    waiting: dict[str, Value] = {}
    for key, setting in SETTINGS.items():
        claims = [_Claim(setting.default, None)]
        for version in reversed(versions):
            if setting.name in version.unread:
                continue
            value = version.values.get(setting.name, setting.default)
            if value != claims[-1].value:
                claims.append(_Claim(value, version))
        claims = claims[::-1]
        held = _held(setting, claims, trusted)
        values[key], newest = held.value, claims[0]
        commit_id = held.version.commit_id if held.version else None
        if held.value != newest.value:
            waiting[key] = newest.value
            origins[key] = Origin("waiting", commit_id)
        else:
            origins[key] = Origin("in force" if commit_id else "default", commit_id)
    unread = versions[0].unread if versions else frozenset()
    return InForce(settings_from(values), origins, waiting, frozenset(unread))


def _held(setting: Setting, claims: Sequence[_Claim], trusted: Callable[[str, Value], bool]) -> _Claim:
    for at, claim in enumerate(claims):
        if _holds(setting, claim, trusted):
            if _asks_less(setting, claim, claims[at + 1 :]) and not trusted(setting.name, claim.value):
                continue
            return claim
        if claim.version is not None and claim.version.by_operator:
            break
    return claims[-1]


def _asks_less(setting: Setting, claim: _Claim, earlier: Sequence[_Claim]) -> bool:
    """Say whether approvals would no longer ask for a key: for that, one has to be touched once more."""
    if setting.name != "approvals" or claim.value == PRESENT:
        return False
    return any(
        each.value == PRESENT and each.version is not None and each.version.by_operator for each in earlier
    )


def _holds(setting: Setting, claim: _Claim, trusted: Callable[[str, Value], bool]) -> bool:
    if claim.version is None or not setting.guarded:
        return True
    if argv_of(setting, claim.value):
        return trusted(setting.name, claim.value)
    return claim.version.by_operator or trusted(setting.name, claim.value)
