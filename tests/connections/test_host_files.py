"""What is put into a host's files comes out again, and what stood there before is as it was. Nothing runs here."""

from __future__ import annotations

import json

import pytest

from clawgit.clients.host_files import (
    ITEM,
    KEY,
    PASSAGE,
    TABLE,
    FilePlan,
    HostFileError,
    Put,
    is_in,
    put_in,
    taken_out,
)

HOOK = {"hooks": [{"type": "command", "command": "clawgit", "timeout": 5}]}
JSON = FilePlan(
    "/s.json",
    "json",
    (Put(KEY, ("mcpServers", "clawgit"), {"command": "c"}), Put(ITEM, ("hooks", "Stop"), HOOK)),
)
TOML = FilePlan(
    "/c.toml",
    "toml",
    (
        Put(TABLE, ("mcp_servers", "clawgit"), {"command": "c", "args": ["mcp"]}),
        Put(KEY, ("features", "hooks"), True),
    ),
)
TEXT = FilePlan("/A.md", "text", (Put(PASSAGE, (), "## Memory\n\nSearch it.\n"),))
JSON_TEXTS = [
    "{}",
    "{}\n",
    '{\n  "a": 1\n}\n',
    '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t1\n\t\t]\n\t}\n}',
    '{"a":1,"hooks":{}}\n',
    '{ "a": [1,\n 2], "mcpServers": {"other": {}} }',
    '{\n  "mcpServers": {\n    "clawgit": {\n      "url": "u",\n      "a": "ü"\n    }\n  }\n}\n',
]
TOML_TEXTS = [
    "",
    'model = "x"\n',
    'model = "x"',
    "[features]\n",
    "[features]\nweb = true\n\n[x]\ny = 1\n",
    "[features]\nhooks = true\n",
    "[features]  # mine\n",
    "[features]\n# on a\na = 1\n\n# on x\n[x]\ny = 1\n",
    '# mine\n[mcp_servers.other]\ncommand = "o" # keep\n',
]
TEXTS = ["", "\n", "Rules.", "Rules.\n", "# A\n\n- b\n\n\n"]
ALL = (
    [(JSON, each) for each in JSON_TEXTS]
    + [(TOML, each) for each in TOML_TEXTS]
    + [(TEXT, each) for each in TEXTS]
)


def kept(record):
    """Return a record as it is read again."""
    return json.loads(json.dumps(record, sort_keys=True))


@pytest.mark.parametrize(("plan", "text"), ALL)
def test_what_nobody_touched_since_is_as_it_was_byte_for_byte(plan, text: str) -> None:
    new, record = put_in(text, plan)
    assert is_in(new, kept(record))
    assert taken_out(new, kept(record)) == text


@pytest.mark.parametrize("plan", [JSON, TOML, TEXT], ids=["json", "toml", "text"])
def test_a_file_that_was_made_for_it_alone_goes(plan) -> None:
    new, record = put_in(None, plan)
    assert taken_out(new, kept(record)) is None


@pytest.mark.parametrize(("plan", "text"), ALL)
def test_put_in_again_after_it_was_taken_out_it_reads_the_same(plan, text: str) -> None:
    new, record = put_in(text, plan)
    assert put_in(taken_out(new, kept(record)), plan) == (new, record)


def test_what_was_set_since_stays_and_only_ours_goes() -> None:
    new, record = put_in('{\n  "a": 1\n}\n', JSON)
    data = json.loads(new)
    data["a"], data["hooks"]["Start"] = 2, [1]
    data["hooks"]["Stop"].insert(0, "other")

    left = json.loads(taken_out(json.dumps(data), kept(record)) or "")

    assert left == {"a": 2, "hooks": {"Start": [1], "Stop": ["other"]}}


def test_what_somebody_changed_of_ours_is_his() -> None:
    new, record = put_in("{}", JSON)
    changed = new.replace('"command": "c"', '"command": "mine"')
    assert json.loads(taken_out(changed, kept(record)) or "") == {
        "mcpServers": {"clawgit": {"command": "mine"}}
    }


def test_an_earlier_value_comes_back_also_where_the_rest_was_written_anew() -> None:
    new, record = put_in('{"mcpServers": {"clawgit": {"url": "u"}}}', JSON)
    rewritten = json.dumps(json.loads(new), indent=4)
    assert json.loads(taken_out(rewritten, kept(record)) or "") == {"mcpServers": {"clawgit": {"url": "u"}}}


def test_toml_that_the_host_wrote_anew_loses_what_was_put_in_and_nothing_else() -> None:
    new, record = put_in("[features]\nweb = true\n", TOML)
    anew = new.replace('args = ["mcp"]', "args = [ 'mcp' ]").replace(
        "hooks = true\n", "hooks = true\nmore = 1\n"
    )
    left = taken_out(anew, kept(record)) or ""

    assert "clawgit" not in left
    assert "web = true" in left
    assert "more = 1" in left
    assert "hooks = true" not in left


def test_a_table_of_toml_that_was_made_for_one_key_goes_with_it() -> None:
    new, record = put_in('model = "x"\n', TOML)
    left = taken_out(f"{new}\n[tui]\nseen = true\n", kept(record)) or ""

    assert "features" not in left
    assert left.startswith('model = "x"\n')
    assert left.endswith("[tui]\nseen = true\n")


def test_text_around_the_passage_may_change() -> None:
    new, record = put_in("Rules.\n", TEXT)
    assert taken_out(f"First.\n{new}\nLast.\n", kept(record)) == "First.\nRules.\n\nLast.\n"


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (JSON, "{"),
        (JSON, "[]"),
        (JSON, '{"hooks": []}'),
        (JSON, '{"hooks": {"Stop": {}}}'),
        (TOML, "a ="),
        (TOML, "[mcp_servers.clawgit]\ncommand = 'theirs'\n"),
        (TOML, "[features]\nhooks = false\n"),
        (TOML, "features = {web = true}\n"),
    ],
)
def test_a_file_that_is_not_understood_is_left_alone(plan, text: str) -> None:
    with pytest.raises(HostFileError):
        put_in(text, plan)


def test_what_is_missing_is_noticed() -> None:
    new, record = put_in("{}", JSON)
    data = json.loads(new)
    data["hooks"]["Stop"] = []
    assert not is_in(json.dumps(data), kept(record))
    assert not is_in("nonsense", kept(record))
