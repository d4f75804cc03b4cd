"""CONFIG.md: what its text says, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_edit import find_blocks, line_of, set_value, unknown_key
from clawgit.workspace.settings.settings import (
    ALIASES,
    CONTEXT_SLOTS,
    DEFAULTS,
    SETTINGS,
    Problem,
    settings_from,
)
from clawgit.workspace.settings.strict_yaml import (
    MAX_BYTES,
    WrongValueError,
    YamlRefusedError,
    quote_of,
    read_mapping,
    value_of,
    write_value,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from clawgit.workspace.settings.config_edit import Block
    from clawgit.workspace.settings.setting_types import Setting, Value
    from clawgit.workspace.settings.strict_yaml import Node, Scalar

__all__ = [
    "ConfigReading",
    "Problem",
    "read_config",
    "render_config",
    "set_value",
    "settings_from",
    "settings_table",
]


MAX_PROBLEMS = 100
_INTRO = """\
# CONFIG

The settings of this workspace. Change them in the block below, or with `clawgit config set KEY VALUE`;
`clawgit config check` says what is wrong and where. A line you delete goes back to its default.

A setting marked *guarded* counts only once you have committed or trusted it yourself; one marked *trust*
can name a program, which runs only after `clawgit approve KEY`. Keys and passwords do not belong here: they come from the environment.
"""


@dataclass(frozen=True, slots=True)
class ConfigReading:
    """The good values that are in the text, by canonical key; what is absent has its default.

    ``unread`` are the settings of which the text says something that cannot be used: for them, the last good
    value stays in force.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unread: frozenset[str] = frozenset()

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Return the problems that keep a value from counting."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


def read_config(text: str) -> ConfigReading:
    """Read settings from the front matter and the first yaml fence (which wins), or from bare YAML.

    Never raises on content: everything wrong is a located problem.
    """
    page = _Page(text)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        page.blame(0, "", f"The file is larger than {MAX_BYTES // 1024} KiB and was not read.")
        page.lose(set(SETTINGS))
        return page.reading()
    for block in find_blocks(text):
        page.read(block)
    page.compare()
    return page.reading()


class _Page:
    def __init__(self, text: str) -> None:
        self._text = text
        self._values: dict[str, Value] = {}
        self._lines: dict[str, int] = {}
        self._unread: set[str] = set()
        self._problems: list[Problem] = []

    def blame(
        self, line: int, key: str, message: str, severity: Literal["error", "warning"] = "error"
    ) -> None:
        self._problems.append(Problem(CONFIG, line, key, message, severity))

    def lose(self, keys: set[str]) -> None:
        self._unread |= keys
        for key in keys:
            self._values.pop(key, None)

    def read(self, block: Block) -> None:
        try:
            mapping = read_mapping(self._text[block.start : block.end])
        except YamlRefusedError as error:
            self.blame(line_of(self._text, block.start + error.index), "", error.message)
            self.lose(set(SETTINGS))
            return
        written = {key.text for key, _ in mapping.entries}
        for key, node in mapping.entries:
            self._entry(key, node, line_of(self._text, block.start + key.start), written)

    def _entry(self, key: Scalar, node: Node, line: int, written: set[str]) -> None:
        name = ALIASES.get(key.text, key.text)
        if name not in SETTINGS:
            self._unknown(key.text, line)
            return
        if name != key.text and name in written:
            self.blame(line, key.text, f"{key.text} is another name of {name}, which counts.", "warning")
            return
        self._lines[name] = line
        try:
            self._values[name] = value_of(SETTINGS[name], node)
            self._unread.discard(name)
        except WrongValueError as error:
            self.blame(line, name, str(error))
            self.lose({name})

    def _unknown(self, key: str, line: int) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self.blame(line, key, unknown_key(key), "warning")
        elif len(self._problems) == MAX_PROBLEMS:
            self.blame(
                line, "", "From here on, keys that are no settings of clawgit are not listed.", "warning"
            )

    def compare(self) -> None:
        """Warn of values that are right alone and wrong together."""
        present = {**DEFAULTS, **self._values}
        slots = sum(int(str(present[name])) for name in CONTEXT_SLOTS)
        if slots > int(str(present["context_budget_tokens"])):
            total = present["context_budget_tokens"]
            self._mismatch(
                ("context_budget_tokens", *CONTEXT_SLOTS),
                f"The slots add up to {slots} tokens, more than context_budget_tokens ({total}), "
                "which is never exceeded.",
            )
        for small, large in _ORDERED:
            if int(str(present[small])) > int(str(present[large])):
                self._mismatch((small, large), f"{small} is larger than {large}.")

    def _mismatch(self, keys: tuple[str, ...], message: str) -> None:
        key = next((key for key in keys if key in self._lines), keys[0])
        self.blame(self._lines.get(key, 0), key, message, "warning")

    def reading(self) -> ConfigReading:
        return ConfigReading(self._values, tuple(self._problems), frozenset(self._unread))


_ORDERED = (
    ("chunk_overlap", "chunk_tokens"),
    ("max_file_bytes", "max_commit_bytes"),
    ("prune_soft_head_chars", "prune_soft_max_chars"),
    ("prune_soft_tail_chars", "prune_soft_max_chars"),
)


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
    guarded = "yes" if setting.guarded else ""
    if setting.executes:
        guarded = "yes, and `clawgit approve`"
    cells = (f"`{setting.name}`", f"`{_default(setting)}`", setting.accepts, guarded, setting.says)
    return "| " + " | ".join(cells) + " |"
