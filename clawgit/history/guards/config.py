"""CONFIG.md: values that cannot be read, and those that wait for the operator's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.step import decoded
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_file import read_config
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step
    from clawgit.workspace.settings.config_file import ConfigReading

INVALID, WAITING = "settings", "settings-waiting"


def find_settings(step: Step) -> Iterator[Finding]:
    """Find what CONFIG.md gains of values that cannot be read (the last good one stays) or that only wait."""
    if CONFIG not in step.paths:
        return
    before = read_config(decoded(step.base.read(CONFIG) or b""))
    after = read_config(decoded(step.new.read(CONFIG) or b""))
    known = {(problem.key, problem.message) for problem in before.errors}
    for problem in after.errors:
        if (problem.key, problem.message) not in known:
            said = f"{CONFIG} cannot be used: {problem.message}"
            yield Finding(
                INVALID, CONFIG, said, "The last good value stays until it is put right.", problem.line
            )
    yield from _waiting(step, before, after)


def _waiting(step: Step, before: ConfigReading, after: ConfigReading) -> Iterator[Finding]:
    by_operator = step.intent.actor == OPERATOR
    for key, setting in SETTINGS.items():
        value = after.values.get(key, DEFAULTS[key])
        if not setting.guarded or key in after.unread or value == before.values.get(key, DEFAULTS[key]):
            continue
        if not by_operator or argv_of(setting, value):
            said = f"The new value of {key} has no effect until the operator trusts it."
            yield Finding(WAITING, CONFIG, said, f"`clawgit approve {key}` does that.")
