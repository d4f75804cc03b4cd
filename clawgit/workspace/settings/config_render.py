"""CONFIG.md as a new workspace gets it, and the table of settings in the documentation."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from clawgit.workspace.settings.settings import NOT_USED_YET, SETTINGS
from clawgit.workspace.settings.yaml_values import quote_of, write_value

if TYPE_CHECKING:
    from clawgit.workspace.settings.setting_types import Setting

_INTRO = """\
# CONFIG

The settings of this workspace. Change them in the block below, or with `clawgit config set KEY VALUE`;
`clawgit config check` says what is wrong and where. A line you delete goes back to its default.

A setting marked *guarded* counts only once you have committed or trusted it yourself; one marked *trust*
can name a program, which runs only after `clawgit trust KEY`. Keys and passwords do not belong here: they come from the environment.
"""


def render_config() -> str:
    """Return CONFIG.md with every setting at its default, in groups, each with a word about it."""
    lines = [_INTRO, "```yaml"]
    for title, settings in groupby(SETTINGS.values(), key=lambda setting: setting.section):
        group = list(settings)
        if len(lines) > 2:
            lines.append("")
        lines.append(f"# ── {title} ──")
        lines += _aligned(group)
    return "\n".join([*lines, "```", ""])


def settings_table() -> str:
    """Return a Markdown table of all settings, section by section."""
    parts = []
    for title, settings in groupby(SETTINGS.values(), key=lambda setting: setting.section):
        rows = "\n".join(_row(setting) for setting in settings)
        head = "| setting | default | takes | guarded | what it does |\n|---|---|---|---|---|"
        parts.append(f"### {title}\n\n{head}\n{rows}\n")
    return "\n".join(parts)


def _aligned(settings: list[Setting]) -> list[str]:
    written = [f"{setting.name}: {_default(setting)}" for setting in settings]
    width = max(len(text) for text in written)
    return [
        f"{text.ljust(width)}  # {setting.says}{_mark(setting)}"
        for text, setting in zip(written, settings, strict=True)
    ]


def _mark(setting: Setting) -> str:
    if setting.executes:
        return " (guarded, trust)"
    return " (guarded)" if setting.guarded else ""


def _default(setting: Setting) -> str:
    return write_value(setting.default, quote_of(setting))


def _row(setting: Setting) -> str:
    guarded = "yes, and `clawgit trust`" if setting.executes else "yes" if setting.guarded else ""
    says = f"{setting.says} Not used yet." if setting.name in NOT_USED_YET else setting.says
    cells = (f"`{setting.name}`", f"`{_default(setting)}`", setting.accepts, guarded, says)
    return "| " + " | ".join(cells) + " |"
