from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml
from bad_input import YAMLISH
from hypothesis import given
from hypothesis import strategies as st

from clawgit.workspace.settings.config_file import COMMON, ConfigReading, read_config, render_config
from clawgit.workspace.settings.settings import DEFAULTS, SETTINGS, Settings, settings_from
from clawgit.workspace.settings.strict_yaml import MAX_BYTES, YamlRefusedError, end_of, read_mapping, start_of

if TYPE_CHECKING:
    from clawgit.workspace.settings.setting_types import Value

PROSE = """\
# My settings

Some words, and an example that is not read:

```text
mode: enhanced
```

```yaml
# ── Context Assembler ──
corrections_tokens: 300   # fewer of them
cron_soul_keeper: 16:30
```

```yaml
corrections_tokens: 1
```
"""


def fenced(block: str) -> str:
    return f"# CONFIG\n\n```yaml\n{block}```\n"


def only_problem(reading: ConfigReading) -> tuple[int, str, str]:
    (problem,) = reading.problems
    return problem.line, problem.key, problem.severity


def test_the_rendered_config_reads_as_twenty_defaults() -> None:
    """Seen: 109 lines in a folder that somebody has just adopted. The others are in `config show --all`."""
    reading = read_config(render_config())
    assert reading == ConfigReading({key: value for key, value in DEFAULTS.items() if key in COMMON})
    assert len(reading.values) == 20
    assert settings_from(reading.values) == Settings()


def test_the_rendered_config_means_the_same_to_a_common_yaml_reader() -> None:
    block = render_config().split("```")[1].removeprefix("yaml\n")
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in DEFAULTS.items()}
    assert yaml.safe_load(block) == {key: plain[key] for key in COMMON}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param(
            PROSE, {"corrections_tokens": 300, "cron_soul_keeper": "16:30"}, id="CP1 fence amid prose"
        ),
        pytest.param("mode: enhanced\nfsync: no\n", {"mode": "enhanced", "fsync": False}, id="CP2 bare"),
        pytest.param("# ── Memory ──\n\nchunk_tokens: 300", {"chunk_tokens": 300}, id="CP10 box drawing"),
        pytest.param("", {}, id="CP3 empty"),
        pytest.param("Nothing is set here.\n", {}, id="prose only"),
        pytest.param("```yaml\n```\n", {}, id="empty fence"),
        pytest.param("---\n---\n", {}, id="empty front matter"),
        pytest.param("---\nmode: enhanced\n---\n\nWords.\n", {"mode": "enhanced"}, id="front matter"),
        pytest.param(
            "---\nmode: enhanced\nchunk_tokens: 300\n---\n```yml\nchunk_tokens: 200\n```\n",
            {"mode": "enhanced", "chunk_tokens": 200},
            id="the fence wins",
        ),
        pytest.param("\ufeff---\r\nmode: enhanced\r\n---\r\n", {"mode": "enhanced"}, id="BOM and CRLF"),
        pytest.param("\ufeffmode: enhanced", {"mode": "enhanced"}, id="BOM, bare"),
        pytest.param("~~~ YAML title\nmode: enhanced\n~~~\n", {"mode": "enhanced"}, id="tildes"),
        pytest.param("```yaml\nmode: enhanced\n", {"mode": "enhanced"}, id="fence never closed"),
        pytest.param("````yaml\nmode: enhanced\n```\n````\n", {}, id="a shorter fence does not close"),
        pytest.param("<!--\n```yaml\nmode: enhanced\n```\n-->\n", {}, id="commented out"),
        pytest.param("cron_memory_miner: 12:30\n", {"cron_memory_miner": "12:30"}, id="a time is a string"),
        pytest.param("cron_memory_miner: '6:00'\n", {"cron_memory_miner": "06:00"}, id="a quoted time"),
        pytest.param("fsync: 'off'\n", {"fsync": False}, id="a quoted switch"),
        pytest.param(
            "operator_ids: [ada, 007]\n", {"operator_ids": ("ada", "007")}, id="digits stay as written"
        ),
        pytest.param("operator_ids:\n  - ada\n  - on\n", {"operator_ids": ("ada", "on")}, id="a block list"),
        pytest.param(
            "operator_ids:\nchroma_url: ~\n", {"operator_ids": (), "chroma_url": ""}, id="nothing given"
        ),
        pytest.param("crm_context_budget: 900\n", {"crm_tokens": 900}, id="another name"),
        pytest.param("{mode: enhanced, fsync: no}", {"mode": "enhanced", "fsync": False}, id="braces"),
    ],
)
def test_settings_are_read_wherever_they_stand(text: str, values: dict[str, Value]) -> None:
    reading = read_config(text)
    if "````" not in text:
        assert reading.problems == ()
    assert reading.values == values


@pytest.mark.parametrize(
    ("key", "written", "accepted"),
    [
        pytest.param("confidence_floor", "abc", "a number from 0 to 1", id="CP5"),
        pytest.param("chunk_tokens", "many", "a whole number from 50 to 8000", id="word for number"),
        pytest.param("chunk_tokens", "[400]", "a whole number", id="list for number"),
        pytest.param("chunk_tokens", "{a: 1}", "a whole number", id="group for number"),
        pytest.param("chunk_tokens", "", "a whole number", id="nothing for number"),
        pytest.param("chunk_tokens", "49", "from 50 to 8000", id="out of range"),
        pytest.param("fsync", "1", "true or false", id="number for switch"),
        pytest.param("soul_policy", "Locked", "one of evolve, review, locked", id="unknown choice"),
        pytest.param("cron_soul_keeper", "24:00", "a time such as", id="no time"),
        pytest.param("operator_ids", "ada", "a list", id="text for list"),
        pytest.param("operator_ids", "[[ada]]", "a list", id="list of lists"),
        pytest.param("session_reset", "weekly", "daily HH:MM", id="no reset"),
    ],
)
def test_a_wrong_value_is_located_and_leaves_the_others(key: str, written: str, accepted: str) -> None:
    reading = read_config(fenced(f"mode: enhanced\n{key}: {written}\n"))
    (problem,) = reading.errors
    assert (problem.path, problem.line, problem.key) == ("CONFIG.md", 5, key)
    assert key in problem.message
    assert accepted in problem.message
    assert str(problem).startswith("CONFIG.md:5: ")
    assert (reading.values, reading.unread) == ({"mode": "enhanced"}, {key})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        pytest.param(
            "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b]\n",
            1,
            "Anchors",
            id="bomb",
        ),
        pytest.param("mode: core\nb: *a\n", 2, "Anchors", id="alias"),
        pytest.param("mode: core\n<<: *a\n", 2, "Anchors", id="merge"),
        pytest.param("mode: !!python/object/apply:os.system [id]\n", 1, "Tags", id="tag"),
        pytest.param("mode: !!str core\n", 1, "Tags", id="harmless tag"),
        pytest.param("mode: core\nother: " + "[" * 500, 2, "20 deep", id="depth"),
        pytest.param("mode: core\nother: " + "[" * 3000, 2, "nest", id="depth that the parser may refuse"),
        pytest.param("mode: core\nother: " + "[" * 21 + "]" * 21, 2, "20 deep", id="just too deep"),
        pytest.param("mode: core\nfsync: no\nmode: enhanced\n", 3, "set twice", id="duplicate"),
        pytest.param("other: {a: 1, a: 2}\n", 1, "set twice", id="inner duplicate"),
        pytest.param("mode: core\n\tfsync: no\n", 2, "not YAML", id="tab"),
        pytest.param("mode: [core\n", 2, "not YAML", id="open bracket"),
        pytest.param("mode: core\n---\nmode: enhanced\n", 2, "second YAML document", id="two documents"),
        pytest.param("mode: core\n? [a]\n: 1\n", 2, "one word", id="key that is a list"),
        pytest.param("mode: core\nx: a\x00b\n", 2, "control character", id="NUL"),
        pytest.param("mode: core\nx: a\ud800b\n", 2, "control character", id="lone surrogate"),
        pytest.param(
            "mode: core\n" + "".join(f"k{i}: 1\n" for i in range(5000)), 1999, "too many", id="5,000 keys"
        ),
        pytest.param("mode: core\n#" + "x" * MAX_BYTES, 0, "larger than 64 KiB", id="too large"),
        pytest.param("---\n- mode\n- core\n---\n", 2, "`key: value`", id="front matter that is a list"),
        pytest.param("mode: core\nand prose\n", 2, "not YAML", id="prose among bare settings"),
    ],
)
def test_hostile_or_broken_yaml_is_refused(text: str, line: int, words: str) -> None:
    reading = read_config(text)
    (problem,) = reading.problems
    assert words in problem.message
    assert (problem.severity, problem.line) == ("error", line)
    assert (reading.values, reading.unread) == ({}, set(SETTINGS))


@pytest.mark.parametrize(
    "loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)], ids=["plain", "fast"]
)
@pytest.mark.parametrize(
    "text",
    [
        "é: '日本' # c\nb:\n- x\n- y\n\n# c\nc: |\n  foo\nd:\ne: {a: [1, 2]}\nf: >-\n  x\n  y\n",
        "",
        "# only a comment\n",
        "--- \na: 1\n...\n",
    ],
)
def test_both_yaml_loaders_see_the_same(loader: object, text: str) -> None:
    assert shape(read_mapping(text, loader=loader)) == shape(read_mapping(text, loader=yaml.SafeLoader))


def shape(node: yaml.Node) -> object:
    place = start_of(node), end_of(node) if node.value else 0
    if isinstance(node, yaml.ScalarNode):
        return node.value, node.style or "", place
    if isinstance(node, yaml.SequenceNode):
        return [shape(each) for each in node.value], bool(node.flow_style), place
    return [(shape(key), shape(value)) for key, value in node.value], bool(node.flow_style), place


@pytest.mark.parametrize(
    "loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)], ids=["plain", "fast"]
)
@pytest.mark.parametrize("text", ["a: &a 1\n", "a: !x 1\n", "a: " + "[" * 30000, "a: 1\na: 2\n", "a: [\n"])
def test_both_yaml_loaders_refuse_the_same(loader: object, text: str) -> None:
    with pytest.raises(YamlRefusedError):
        read_mapping(text, loader=loader)


def test_an_unknown_key_is_a_warning_with_the_nearest_one() -> None:
    reading = read_config(
        fenced("sole_policy: locked\nmode: enhanced\nclock_skew_of_another_system: {a: 1}\n")
    )
    assert [(p.line, p.key, p.severity) for p in reading.problems] == [
        (4, "sole_policy", "warning"),
        (6, "clock_skew_of_another_system", "warning"),
    ]
    assert "did you mean soul_policy?" in reading.problems[0].message
    assert (reading.values, reading.errors) == ({"mode": "enhanced"}, ())


@pytest.mark.rest
def test_thousands_of_unknown_keys_are_not_all_listed() -> None:
    reading = read_config("".join(f"mod{i}: 1\n" for i in range(1500)) + "mode: quick\n")
    assert len(reading.problems) == 102
    assert [problem.key for problem in reading.errors] == ["mode"]


def test_slots_beyond_the_budget_are_a_warning() -> None:
    reading = read_config(fenced("mode: core\ncorrections_tokens: 401\n"))
    assert only_problem(reading) == (5, "corrections_tokens", "warning")
    assert "6001" in reading.problems[0].message
    assert reading.values["corrections_tokens"] == 401


def test_of_two_names_the_proper_one_counts() -> None:
    reading = read_config("crm_context_budget: 1\ncrm_tokens: 2\n")
    assert only_problem(reading) == (1, "crm_context_budget", "warning")
    assert reading.values == {"crm_tokens": 2}


def test_a_broken_front_matter_leaves_what_the_fence_says() -> None:
    reading = read_config("---\nmode: &x core\n---\n```yaml\nmode: enhanced\n```\n")
    assert reading.values == {"mode": "enhanced"}
    assert reading.unread == set(SETTINGS) - {"mode"}


def test_a_broken_value_in_the_fence_does_not_fall_back_to_the_front_matter() -> None:
    reading = read_config("---\nmode: enhanced\n---\n```yaml\nmode: quick\n```\n")
    assert (reading.values, reading.unread) == ({}, {"mode"})


@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_no_text_ever_raises(text: str) -> None:
    for whole in (text, fenced(text), f"---\n{text}\n---\n", f"mode: {text}"):
        reading = read_config(whole)
        assert isinstance(settings_from(reading.values), Settings)


@given(YAMLISH)
def test_nothing_that_looks_like_yaml_raises_either(text: str) -> None:
    reading = read_config(text)
    assert set(reading.values).isdisjoint(reading.unread)
