"""Texts that are hard on whoever reads YAML."""

from __future__ import annotations

from hypothesis import strategies as st

from clawgit.workspace.settings.settings import SETTINGS

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
YAMLISH = st.lists(
    st.sampled_from([*list(SETTINGS)[:6], ": ", "- ", "\n", "  ", "[", "]", "{", "}", "'", '"', "#", "|", "&a", "*a", "!", "?", "%", "---\n", "```\n", "```yaml\n", "<!--", "x", "1", "\t", "\r\n"]),
    max_size=30,
).map("".join)  # fmt: skip
