"""CONFIG.md: what its text says and what is wrong with it, and how one setting is changed while every other byte stays."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from frontmatter.default_handlers import YAMLHandler

from clawgit.errors import ConfigurationError
from clawgit.text.comparing import fuzzy
from clawgit.text.lazy_pattern import lazy_pattern
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
    Pairs,
    Scalar,
    WrongValueError,
    YamlRefusedError,
    quote_of,
    read_mapping,
    value_given,
    value_of,
    write_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.workspace.settings.setting_types import Setting, Value
    from clawgit.workspace.settings.strict_yaml import Node


_LINE = lazy_pattern(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
BREAK = lazy_pattern(r"\r\n|\n|\r")
_BOUNDARY = lazy_pattern(r"^---[ \t]*\r?$", re.MULTILINE)
_FENCE = lazy_pattern(r" {0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<word>[^\s`]*)(?P<rest>[^\r\n]*)")
_KEY = lazy_pattern(r"[\"']?([a-z][a-z0-9_]*)[\"']?[ \t]*:(?=[ \t\r\n]|\Z)")
_NAMES = (*SETTINGS, *ALIASES)
_MATTER = YAMLHandler(fm_boundary=_BOUNDARY)  # only asked where the matter stands
_BY_HAND = "Edit the file by hand, then run `clawgit config check`."


class Block(NamedTuple):
    """A stretch of YAML in the text, from ``start`` up to ``end``, without its delimiters."""

    kind: Literal["front matter", "fence", "bare"]
    start: int
    end: int


def _find_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks that are read, each winning over the one before it."""
    matter = _front_matter(text)
    fence = _first_fence(text, matter.end if matter else 0)
    found = tuple(block for block in (matter, fence) if block is not None)
    if found or not _looks_bare(text):
        return found
    return (Block("bare", len(text) - len(text.lstrip("\ufeff")), len(text)),)


def _line_of(text: str, index: int) -> int:
    """Return the number of the line that holds ``index``, counted from 1."""
    return len(BREAK.findall(text, 0, index)) + 1


def lines_of(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the lines from ``start`` on, each with its offset and its own line end."""
    for line in _LINE.finditer(text, start):
        yield line.start(), line[0]


def unknown_key(key: str) -> str:
    """Return the sentence about a key that is no setting, with the nearest one where there is one."""
    nearest = fuzzy.process.extractOne(key[:80], _NAMES, scorer=fuzzy.fuzz.ratio, score_cutoff=70)
    hint = f"; did you mean {nearest[0]}?" if nearest else "."
    return f"{key[:60]} is not a setting of clawgit{hint}"


def _front_matter(text: str) -> Block | None:
    body = text.lstrip("\ufeff \t\r\n")
    if not _MATTER.detect(body):
        return None
    try:
        matter, _ = _MATTER.split(body)
    except ValueError:  # never closed
        return None
    opening = _BOUNDARY.match(body)
    start = len(text) - len(body) + (opening.end() if opening else 0)
    return Block("front matter", start, start + len(matter))


def _first_fence(text: str, start: int) -> Block | None:
    inside = None
    for offset, line, fence in _lines_with_fences(text, start):
        if inside is not None and fence is None:
            return Block("fence", inside, offset)
        if inside is None and fence is not None and fence["word"].lower() in ("yaml", "yml"):
            inside = offset + len(line)
    return Block("fence", inside, len(text)) if inside is not None else None


def _lines_with_fences(text: str, start: int) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Yield lines outside HTML comments, each with the fence that it opens or is in; a closing line has none."""
    fence: re.Match[str] | None = None
    commented = False
    for offset, line in lines_of(text, start):
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
        yield offset, line, fence


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


class _Sheet(NamedTuple):
    block: Block
    mapping: Pairs

    def at(self, index: int) -> int:
        return self.block.start + index

    def entry(self, names: tuple[str, ...]) -> tuple[Scalar, Node] | None:
        """Return the first of ``names`` that is here."""
        by_key = {key.text: (key, node) for key, node in self.mapping.entries}
        return next((by_key[name] for name in names if name in by_key), None)


def set_value(text: str, key: str, raw: str) -> str:
    """Return ``text`` with ``key`` set to what ``raw`` says; a file without settings gets a yaml fence."""
    setting = setting_named(key)
    if setting is None:
        raise ConfigurationError(unknown_key(key), hint="`clawgit config show` lists all settings.")
    try:
        value = value_given(setting, raw)
    except WrongValueError as error:
        raise ConfigurationError(str(error)) from error
    changed = _changed(text, setting, value)
    _check(text, changed, setting, value)
    return changed


def _changed(text: str, setting: Setting, value: Value) -> str:
    sheets = _sheets(text)
    names = (setting.name, *(alias for alias, name in ALIASES.items() if name == setting.name))
    for sheet in reversed(sheets):
        found = sheet.entry(names)
        if found is not None:
            return _replaced(text, sheet, found, value)
    if sheets:
        return _inserted(text, sheets[-1], setting, value)
    eol = _eol(text)
    gap = ""
    if text:
        gap = eol if text.endswith(("\n", "\r")) else eol * 2
    return f"{text}{gap}```yaml{eol}{_line(setting, value)}{eol}```{eol}"


def _sheets(text: str) -> list[_Sheet]:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ConfigurationError(
            f"The file is larger than {MAX_BYTES // 1024} KiB.", hint="Shorten it first."
        )
    sheets = []
    for block in _find_blocks(text):
        try:
            sheets.append(_Sheet(block, read_mapping(text[block.start : block.end])))
        except YamlRefusedError as error:
            line = _line_of(text, block.start + error.index)
            raise ConfigurationError(f"Line {line} cannot be read: {error.message}", hint=_BY_HAND) from error
    return sheets


def _replaced(text: str, sheet: _Sheet, entry: tuple[Scalar, Node], value: Value) -> str:
    key, node = entry
    start = sheet.at(node.start)
    end = sheet.at(node.end)
    if not isinstance(node, Scalar) and not node.flow:
        return _inlined(text, (sheet.at(key.end), start, end), value)
    style = node.style if isinstance(node, Scalar) and node.text else '"'
    if style in ("|", ">"):
        end = start + len(text[start:end].rstrip())
        style = '"'
    if sheet.mapping.flow:
        style = style or '"'
    gap = " " if text[start - 1 : start] == ":" else ""
    return text[:start] + gap + write_value(value, style) + text[end:]


def _inlined(text: str, spans: tuple[int, int, int], value: Value) -> str:
    key_end, start, end = spans
    colon = text.index(":", key_end) + 1
    first = _line_start(text, start)
    if first < colon:
        raise ConfigurationError("This value cannot be changed in place.", hint=_BY_HAND)
    return text[:colon] + " " + write_value(value) + text[colon:first] + text[_line_end(text, end) :]


def _inserted(text: str, sheet: _Sheet, setting: Setting, value: Value) -> str:
    if sheet.mapping.flow:
        raise ConfigurationError("The settings are in braces, so none can be added.", hint=_BY_HAND)
    line = _line(setting, value)
    eol = _eol(text)
    place = sheet.block.end
    if sheet.mapping.entries:  # behind the last one, as far from the edge
        key, node = sheet.mapping.entries[-1]
        begin = _line_start(text, sheet.at(key.start))
        line = text[begin : sheet.at(key.start)] + line
        value_text = text[sheet.at(node.start) : sheet.at(node.end)].rstrip()
        place = _line_end(text, sheet.at(node.start) + len(value_text))
    before = text[:place]
    gap = "" if not before or before.endswith(("\n", "\r", "\ufeff")) else eol
    return f"{before}{gap}{line}{eol}{text[place:]}"


def _line(setting: Setting, value: Value) -> str:
    return f"{setting.name}: {write_value(value, quote_of(setting))}"


def _line_start(text: str, index: int) -> int:
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def _line_end(text: str, index: int) -> int:
    found = BREAK.search(text, index)
    return found.end() if found else len(text)


def _eol(text: str) -> str:
    found = BREAK.search(text)
    return found[0] if found else "\n"


def _check(old: str, new: str, setting: Setting, value: Value) -> None:
    """Read both texts again: only this setting may differ."""
    is_safe = False
    with suppress(ConfigurationError, WrongValueError, KeyError):
        before = _nodes(old)
        after = _nodes(new)
        is_safe = value_of(setting, after.pop(setting.name)) == value
        before.pop(setting.name, None)
        is_safe = is_safe and {k: _shape(n) for k, n in before.items()} == {
            k: _shape(n) for k, n in after.items()
        }
    if not is_safe:
        raise ConfigurationError(f"{setting.name} cannot be changed in place.", hint=_BY_HAND)


def _nodes(text: str) -> dict[str, Node]:
    """Return what is under each key, aliases under their setting's name, the fence before front matter."""
    merged: dict[str, Node] = {}
    for sheet in _sheets(text):
        merged |= {ALIASES[key.text]: node for key, node in sheet.mapping.entries if key.text in ALIASES}
        merged |= {key.text: node for key, node in sheet.mapping.entries if key.text not in ALIASES}
    return merged


def _shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return node.text, node.style
    if isinstance(node, Pairs):
        return [(key.text, _shape(value)) for key, value in node.entries]
    return [_shape(item) for item in node.items]


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
    """The good values that are in the text, by canonical key; what is absent has its default, what is ``unread`` the last good value."""

    values: dict[str, Value] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unread: frozenset[str] = frozenset()

    @property
    def errors(self) -> tuple[Problem, ...]:
        """Return the problems that keep a value from counting."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


def read_config(text: str) -> ConfigReading:
    """Read settings from the front matter and the first yaml fence, or from bare YAML; problems are located."""
    page = _Page(text)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        page.blame(0, "", f"The file is larger than {MAX_BYTES // 1024} KiB and was not read.")
        page.lose(set(SETTINGS))
        return page.reading()
    for block in _find_blocks(text):
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
            self.blame(_line_of(self._text, block.start + error.index), "", error.message)
            self.lose(set(SETTINGS))
            return
        written = {key.text for key, _ in mapping.entries}
        for key, node in mapping.entries:
            self._entry(key, node, _line_of(self._text, block.start + key.start), written)

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
            said = "From here on, keys that are no settings of clawgit are not listed."
            self.blame(line, "", said, "warning")

    def compare(self) -> None:
        """Warn of values that are right alone and wrong together."""
        present = {**DEFAULTS, **self._values}
        slots = sum(int(str(present[name])) for name in CONTEXT_SLOTS)
        total = int(str(present["context_budget_tokens"]))
        if slots > total:
            said = f"The slots add up to {slots} tokens, more than context_budget_tokens ({total}), which is never exceeded."
            self._mismatch(("context_budget_tokens", *CONTEXT_SLOTS), said)
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


def _aligned(settings: list[Setting]) -> list[str]:
    written = [_line(setting, setting.default) for setting in settings]
    width = max(map(len, written))
    lines = []
    for text, setting in zip(written, settings, strict=True):
        mark = ""
        if setting.guarded:
            mark = " (guarded, trust)" if setting.executes else " (guarded)"
        lines.append(f"{text.ljust(width)}  # {setting.says}{mark}")
    return lines
