from __future__ import annotations

import re

import pytest
from bad_input import YAMLISH
from hypothesis import given
from hypothesis import strategies as st

from clawgit.errors import ConfigurationError
from clawgit.workspace.settings.config_file import read_config, render_config, set_value
from clawgit.workspace.settings.settings import SETTINGS, settings_from
from clawgit.workspace.settings.strict_yaml import value_given


def fenced(block: str) -> str:
    return f"# CONFIG\n\n```yaml\n{block}```\n"


@pytest.mark.parametrize(
    ("before", "key", "raw", "after"),
    [
        pytest.param(
            "mode: core  # why\n", "mode", "enhanced", "mode: enhanced  # why\n", id="comment stays"
        ),
        pytest.param(
            "mode: 'core'\r\nx: 1", "mode", "enhanced", "mode: 'enhanced'\r\nx: 1", id="quote and CRLF stay"
        ),
        pytest.param(
            'embedder: "a"\nprune_placeholder:   b\n',
            "prune_placeholder",
            "c d",
            'embedder: "a"\nprune_placeholder:   "c d"\n',
            id="quoted where needed",
        ),
        pytest.param(
            "chunk_tokens:    0400 # x", "chunk_tokens", "300", "chunk_tokens:    300 # x", id="spaces stay"
        ),
        pytest.param(
            "fsync:   # on purpose\n", "fsync", "off", "fsync: false   # on purpose\n", id="no value yet"
        ),
        pytest.param(
            "crm_context_budget: 5\n", "crm_tokens", "6", "crm_context_budget: 6\n", id="under another name"
        ),
        pytest.param(
            "cron_soul_keeper: 02:30\n",
            "cron_soul_keeper",
            "16:30",
            'cron_soul_keeper: "16:30"\n',
            id="times quoted",
        ),
        pytest.param(
            "{mode: core, fsync: no}", "mode", "enhanced", '{mode: "enhanced", fsync: no}', id="in braces"
        ),
        pytest.param(
            "operator_ids: [ada]  # us\nmode: core\n",
            "operator_ids",
            "[ada, 'grace']",
            'operator_ids: ["ada", "grace"]  # us\nmode: core\n',
            id="inline list",
        ),
        pytest.param(
            "operator_ids:  # us\n  - ada\n  - grace # too\n# next\nmode: core\n",
            "operator_ids",
            "ada",
            'operator_ids: ["ada"]  # us\n# next\nmode: core\n',
            id="block list becomes inline",
        ),
        pytest.param(
            "operator_ids:\n- ada", "operator_ids", "[]", "operator_ids: []\n", id="block list without indent"
        ),
        pytest.param(
            "model: |\n  x\n  y\nmode: core\n", "model", "z", 'model: "z"\nmode: core\n', id="literal text"
        ),
        pytest.param("", "mode", "enhanced", "```yaml\nmode: enhanced\n```\n", id="empty file"),
        pytest.param("Words.", "fsync", "no", "Words.\n\n```yaml\nfsync: false\n```\n", id="words only"),
        pytest.param(
            "---\nmode: core\n---\n```yaml\nmode: core\n```\n",
            "mode",
            "enhanced",
            "---\nmode: core\n---\n```yaml\nmode: enhanced\n```\n",
            id="where it counts",
        ),
        pytest.param(
            "---\nmode: core\n---\n```yaml\nfsync: no\n```\n",
            "mode",
            "enhanced",
            "---\nmode: enhanced\n---\n```yaml\nfsync: no\n```\n",
            id="in the front matter",
        ),
        pytest.param(
            "```yaml\n# A\nmode: core\n\n# B\nchunk_tokens: 300\n```\nEnd\n",
            "soul_policy",
            "locked",
            "```yaml\n# A\nmode: core\n\n# B\nchunk_tokens: 300\nsoul_policy: locked\n```\nEnd\n",
            id="added at the end",
        ),
        pytest.param(
            "  ```yaml\n  other: 1\n  ```\n",
            "mode",
            "core",
            "  ```yaml\n  other: 1\n  mode: core\n  ```\n",
            id="added with the indent",
        ),
        pytest.param(
            "---\n---\nx\n", "mode", "core", "---\nmode: core\n---\nx\n", id="into empty front matter"
        ),
        pytest.param("other: 1", "mode", "core", "other: 1\nmode: core\n", id="added at an open end"),
        pytest.param(
            'prune_placeholder: ""\n',
            "prune_placeholder",
            'say "no"',
            'prune_placeholder: "say \\"no\\""\n',
            id="quotes",
        ),
    ],
)
def test_setting_a_value_changes_nothing_else(before: str, key: str, raw: str, after: str) -> None:
    assert set_value(before, key, raw) == after


@pytest.mark.parametrize(
    ("text", "key", "raw", "words"),
    [
        pytest.param("", "mod", "core", "did you mean mode", id="unknown key"),
        pytest.param("", "mode", "quick", "one of core, enhanced", id="wrong value"),
        pytest.param("", "operator_ids", "ada, grace", "as in [one, two]", id="list without brackets"),
        pytest.param("", "operator_ids", "[a", "a list", id="half a list"),
        pytest.param("mode: &x core\n", "mode", "core", "Line 1", id="broken file"),
        pytest.param("a: 1\nmode: core\nmode: core\n", "mode", "core", "Line 3", id="duplicate"),
        pytest.param("{other: 1}", "mode", "core", "in place", id="nowhere to add"),
    ],
)
def test_what_cannot_be_set_is_refused_with_a_reason(text: str, key: str, raw: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        set_value(text, key, raw)


def test_a_wrong_value_can_be_set_right() -> None:
    assert set_value("confidence_floor: abc\n", "confidence_floor", "0.3") == "confidence_floor: 0.3\n"


SAMPLES = {
    "mode": "enhanced",
    "soul_policy": "locked",
    "chunk_tokens": "300",
    "confidence_floor": "0.25",
    "fsync": "no",
    "cron_soul_keeper": "Friday 16:30",
    "operator_ids": "[ada, 007]",
    "heartbeat_custom_patterns": r"['fix:\s*.{1,30}', 'it''s #1']",
    "digest_channel": "webhook https://example.org/in?a=b#c",
    "timezone": "UTC",
}


@pytest.mark.rest
@given(
    st.sampled_from(list(SAMPLES)),
    st.permutations(render_config().splitlines(keepends=True)[9:-1]).map(lambda lines: lines[:40]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_setting_any_value_leaves_every_other_line_alone(key: str, lines: list[str], eol: str) -> None:
    before = fenced("".join(lines)).replace("\n", eol)
    after = set_value(before, key, SAMPLES[key])
    had = [line for line in before.split(eol) if not line.startswith(f"{key}:")]
    has = [line for line in after.split(eol) if not line.startswith(f"{key}:")]
    assert has == had
    assert settings_from(read_config(after).values) != settings_from({})
    assert set_value(after, key, SAMPLES[key]) == after


@given(YAMLISH, st.sampled_from(list(SAMPLES)))
def test_whatever_the_text_it_is_refused_or_only_one_value_changes(text: str, key: str) -> None:
    try:
        after = set_value(text, key, SAMPLES[key])
    except ConfigurationError:
        return
    old, new = read_config(text), read_config(after)
    wanted = value_given(SETTINGS[key], SAMPLES[key])
    assert new.values == {**old.values, key: wanted}
    assert new.unread == old.unread - {key}


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40))
def test_a_text_survives_being_written_and_read(value: str) -> None:
    key = "prune_placeholder"
    for before in (f"{key}: x\n", f"{key}: 'x'\n", f'{key}: "x"\n', ""):
        assert read_config(set_value(before, key, value)).values == {key: value}
