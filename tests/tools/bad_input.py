"""Texts that are hard on whoever reads YAML, and databases that are none any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied, as after a power loss": lambda _: b"",
    "foreign": lambda _: b"no database at all, but words" * 200,
    "cut in half": lambda data: data[: len(data) // 2 + 100],
}

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
YAMLISH = st.lists(
    st.sampled_from([*list(SETTINGS)[:6], ": ", "- ", "\n", "  ", "[", "]", "{", "}", "'", '"', "#", "|", "&a", "*a", "!", "?", "%", "---\n", "```\n", "```yaml\n", "<!--", "x", "1", "\t", "\r\n"]),
    max_size=30,
).map("".join)  # fmt: skip
