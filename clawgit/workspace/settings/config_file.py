"""CONFIG.md: its values and problems, and how one setting is changed while every other byte stays."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

import yaml
from frontmatter.default_handlers import YAMLHandler

from clawgit.errors import ConfigurationError
from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import words_in
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.settings import (
    ALIASES,
    CONTEXT_SLOTS,
    DEFAULTS,
    SETTINGS,
    Problem,
    setting_named,
)
from clawgit.workspace.settings.strict_yaml import (
    MAX_BYTES,
    WrongValueError,
    YamlRefusedError,
    end_of,
    quote_of,
    read_mapping,
    start_of,
    value_given,
    value_of,
    write_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.workspace.settings.setting_types import Setting, Value


_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_BREAK = lazy_pattern(r"\r\n|\n|\r")
_BOUNDARY = lazy_pattern(r"^---[ \t]*\r?$", re.MULTILINE)
_FENCE = lazy_pattern(r" {0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<word>[^\s`]*)(?P<rest>[^\r\n]*)")
_KEY = lazy_pattern(r"[\"']?([a-z][a-z0-9_]*)[\"']?[ \t]*:(?=[ \t\r\n]|\Z)")
_NAMES = (*SETTINGS, *ALIASES)
_MATTER = YAMLHandler(fm_boundary=_BOUNDARY)  # only run on front matter
_BY_HAND = "Edit the file by hand, then run `clawgit config check`."


def _line_of(text: str, index: int) -> int:
    return len(_BREAK.findall(text, 0, index)) + 1


def unknown_key(key: str) -> str:
    """Return the sentence about an unknown key, with the nearest known one."""
    nearest = fuzzy.process.extractOne(key[:80], _NAMES, scorer=fuzzy.fuzz.ratio, score_cutoff=70)
    hint = "."
    if nearest:
        hint = f"; did you mean {nearest[0]}?"
    return f"{key[:60]} is not a setting of clawgit{hint}"


def known_setting(key: str) -> Setting:
    setting = setting_named(key)
    if setting is None:
        raise ConfigurationError(unknown_key(key), hint="`clawgit config show --all` lists all settings.")
    return setting


class _Sheet(NamedTuple):
    """A YAML block from ``start`` to ``end``, without its delimiters; an unreadable one has a problem and its line."""

    start: int
    end: int
    mapping: yaml.MappingNode
    problem: str = ""
    line: int = 0

    def at(self, index: int) -> int:
        return self.start + index


def _sheets(text: str) -> Iterator[_Sheet]:
    """Yield the blocks in order; each overrides the one before it."""
    for start, end in _blocks(text):
        try:
            yield _Sheet(start, end, read_mapping(text[start:end]))
        except YamlRefusedError as error:
            line = _line_of(text, start + error.index)
            yield _Sheet(start, end, yaml.MappingNode("", []), error.message, line)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Return the places of the front matter and of the first YAML fence; without them, all of a text that looks like YAML."""
    blocks = []
    below = 0
    body = text.lstrip("\ufeff \t\r\n")
    opening = _BOUNDARY.match(body)
    if opening is not None:
        with suppress(ValueError):  # never closed
            matter, _ = _MATTER.split(body)
            start = len(text) - len(body) + opening.end()
            below = start + len(matter)
            blocks.append((start, below))
    inside = None
    for offset, line, fence in _lines_with_fences(text, below):
        if inside is not None and fence is None:
            blocks.append((inside, offset))
            break
        if inside is None and fence is not None and fence["word"].lower() in ("yaml", "yml"):
            inside = offset + len(line)
    else:
        if inside is not None:
            blocks.append((inside, len(text)))
    if not blocks and _looks_bare(text):
        blocks.append((len(text) - len(text.lstrip("\ufeff")), len(text)))
    return blocks


def _lines_with_fences(text: str, start: int) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Yield lines outside HTML comments, each with the fence that it opens or is in; a closing line has none."""
    fence: re.Match[str] | None = None
    commented = False
    for match in _LINE.finditer(text, start):
        line = match[0]
        if fence is not None:
            bare = line.strip(" \t\r\n")
            is_flat = len(line) - len(line.lstrip(" ")) <= 3
            if is_flat and len(bare) >= len(fence["mark"]) and set(bare) == {fence["mark"][0]}:
                fence = None
        elif commented or line.lstrip().startswith("<!--"):
            commented = "-->" not in line
            continue
        else:
            fence = _FENCE.match(line)
            if fence is not None and fence["mark"][0] == "`" and "`" in fence["rest"]:
                fence = None
        yield match.start(), line, fence


def _looks_bare(text: str) -> bool:
    first = True
    for _, line, fence in _lines_with_fences(text, len(text) - len(text.lstrip("\ufeff"))):
        if fence is not None or not line.strip() or line.lstrip().startswith("#"):
            continue
        key = _KEY.match(line)
        if (first and (key or line.startswith(("---", "{", "%")))) or (key and setting_named(key[1])):
            return True
        first = False
    return False


def set_value(text: str, key: str, raw: str) -> str:
    """Return ``text`` with ``key`` set to ``raw``; a file without settings gets a yaml fence."""
    setting = known_setting(key)
    try:
        value = value_given(setting, raw)
    except WrongValueError as error:
        raise ConfigurationError(str(error)) from error
    changed = _changed(text, setting, value)
    after = read_config(changed)
    if after.values.get(setting.name) != value or _others(after, setting) != _others(
        read_config(text), setting
    ):
        raise ConfigurationError(f"{setting.name} cannot be changed in place.", hint=_BY_HAND)
    return changed


def _others(reading: ConfigReading, setting: Setting) -> object:
    """Return what may not differ when ``setting`` alone was changed."""
    values = {**reading.values, setting.name: None}
    problems = set()
    for problem in reading.problems:
        is_slots_sum = problem.severity == "warning" and problem.key in SETTINGS
        if problem.key != setting.name and not is_slots_sum:
            problems.add((problem.key, problem.message))
    return values, problems


def _changed(text: str, setting: Setting, value: Value) -> str:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        hint = "Shorten it first."
        raise ConfigurationError(f"The file is larger than {MAX_BYTES // 1024} KiB.", hint=hint)
    sheets = list(_sheets(text))
    for sheet in sheets:
        if sheet.problem:
            raise ConfigurationError(f"Line {sheet.line} cannot be read: {sheet.problem}", hint=_BY_HAND)
    names = (setting.name, *(alias for alias, name in ALIASES.items() if name == setting.name))
    for sheet in reversed(sheets):
        entries = {key.value: (key, node) for key, node in sheet.mapping.value}
        for name in names:
            if name in entries:
                return _replaced(text, sheet, entries[name], value)
    if sheets:
        return _inserted(text, sheets[-1], setting, value)
    eol = _eol(text)
    gap = ""
    if text:
        gap = eol if text.endswith(("\n", "\r")) else eol * 2
    return f"{text}{gap}```yaml{eol}{_line(setting, value)}{eol}```{eol}"


def _replaced(text: str, sheet: _Sheet, entry: tuple[yaml.ScalarNode, yaml.Node], value: Value) -> str:
    key, node = entry
    start = sheet.at(start_of(node))
    end = sheet.at(end_of(node))
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        colon = text.index(":", sheet.at(end_of(key))) + 1
        first = _line_start(text, start)
        return text[:colon] + " " + write_value(value) + text[colon:first] + text[_line_end(text, end) :]
    style = '"'
    if isinstance(node, yaml.ScalarNode) and node.value:
        style = node.style or ""
    if style in ("|", ">"):
        end = start + len(text[start:end].rstrip())
        style = '"'
    if sheet.mapping.flow_style:
        style = style or '"'
    gap = ""
    if text[start - 1 : start] == ":":
        gap = " "
    return text[:start] + gap + write_value(value, style) + text[end:]


def _inserted(text: str, sheet: _Sheet, setting: Setting, value: Value) -> str:
    line = _line(setting, value)
    eol = _eol(text)
    place = sheet.end
    if sheet.mapping.value:  # after the last one, with its indentation
        key, node = sheet.mapping.value[-1]
        begin = _line_start(text, sheet.at(start_of(key)))
        line = text[begin : sheet.at(start_of(key))] + line
        value_text = text[sheet.at(start_of(node)) : sheet.at(end_of(node))].rstrip()
        place = _line_end(text, sheet.at(start_of(node)) + len(value_text))
    before = text[:place]
    gap = "" if not before or before.endswith(("\n", "\r", "\ufeff")) else eol
    return f"{before}{gap}{line}{eol}{text[place:]}"


def _line(setting: Setting, value: Value) -> str:
    return f"{setting.name}: {write_value(value, quote_of(setting))}"


def _line_start(text: str, index: int) -> int:
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def _line_end(text: str, index: int) -> int:
    match = _BREAK.search(text, index)
    return match.end() if match else len(text)


def _eol(text: str) -> str:
    match = _BREAK.search(text)
    return match[0] if match else "\n"


MAX_PROBLEMS = 100
# What a new CONFIG.md and `config show` have; the others few need.
COMMON = words_in("""
mode timezone operator_ids soul_policy memory_policy edits_here context_budget_tokens memory_max_lines
compaction_age_days search_max_results search_min_score search_extra_paths embedder message_retention_days
session_reset model model_daily_tokens cron_memory_miner cron_digest digest_channel
""")
_INTRO = """\
# CONFIG

Twenty settings of this workspace; `clawgit config show --all` lists the others. Change them in the block below, or with
`clawgit config set KEY VALUE`; `clawgit config check` says what is wrong and where. A line you delete goes back to its default.

A setting marked *guarded* counts only once you have committed or trusted it yourself; one marked *trust*
can name a program, which runs only after `clawgit approve KEY`. Keys and passwords do not belong here: they come from the environment.
"""


@dataclass(frozen=True, slots=True)
class ConfigReading:
    """The good values in the text, by canonical key; an absent key has its default, an ``unread`` one its last good value."""

    values: dict[str, Value] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unread: frozenset[str] = frozenset()

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")


def read_config(text: str) -> ConfigReading:
    """Read settings from the front matter and the first yaml fence, or from bare YAML; problems are located."""
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    unread: set[str] = set()
    problems: list[Problem] = []

    def blame(line: int, key: str, message: str, severity: Literal["error", "warning"] = "error") -> None:
        problems.append(Problem(CONFIG, line, key, message, severity))

    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        blame(0, "", f"The file is larger than {MAX_BYTES // 1024} KiB and was not read.")
        return ConfigReading(values, tuple(problems), frozenset(SETTINGS))
    for sheet in _sheets(text):
        if sheet.problem:
            blame(sheet.line, "", sheet.problem)
            unread |= set(SETTINGS)
            values.clear()
        written = {key.value for key, _ in sheet.mapping.value}
        for key, node in sheet.mapping.value:
            line = _line_of(text, sheet.at(start_of(key)))
            name = ALIASES.get(key.value, key.value)
            if name not in SETTINGS and len(problems) < MAX_PROBLEMS:
                blame(line, key.value, unknown_key(key.value), "warning")
            elif name not in SETTINGS and len(problems) == MAX_PROBLEMS:
                unlisted = "From here on, keys that are no settings of clawgit are not listed."
                blame(line, "", unlisted, "warning")
            elif name in SETTINGS and name != key.value and name in written:
                blame(line, key.value, f"{key.value} is another name of {name}, which counts.", "warning")
            elif name in SETTINGS:
                lines[name] = line
                try:
                    values[name] = value_of(SETTINGS[name], node)
                    unread.discard(name)
                except WrongValueError as error:
                    blame(line, name, str(error))
                    unread.add(name)
                    values.pop(name, None)
    in_force = {**DEFAULTS, **values}
    slots = sum(int(str(in_force[name])) for name in CONTEXT_SLOTS)
    total = int(str(in_force["context_budget_tokens"]))
    if slots > total:
        budget = "context_budget_tokens"
        named = next(filter(lines.__contains__, (budget, *CONTEXT_SLOTS)), budget)
        message = f"The slots add up to {slots} tokens, more than context_budget_tokens ({total}), which is never exceeded."
        blame(lines.get(named, 0), named, message, "warning")
    return ConfigReading(values, tuple(problems), frozenset(unread))


def render_config() -> str:
    """Return CONFIG.md with each common setting at its default, in groups, with a short description."""
    lines = [_INTRO, "```yaml"]
    common = filter(lambda setting: setting.name in COMMON, SETTINGS.values())
    for title, settings in groupby(common, key=lambda setting: setting.section):
        group = list(settings)
        if len(lines) > 2:
            lines.append("")
        lines.append(f"# ── {title} ──")
        written = [_line(setting, setting.default) for setting in group]
        width = max(map(len, written))
        for text, setting in zip(written, group, strict=True):
            mark = ""
            if setting.guarded:
                mark = " (guarded)"
                if setting.executes:
                    mark = " (guarded, trust)"
            lines.append(f"{text.ljust(width)}  # {setting.says}{mark}")
    return "\n".join([*lines, "```", ""])
