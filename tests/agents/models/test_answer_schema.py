"""What a model may answer: read as models write JSON, and checked rule by rule.

Mutants that these tests caught: keys that nobody asked for, rules that the checker does not know, half characters,
a thought cut out of a text in the answer.
"""

from __future__ import annotations

import json

import pytest

from clawgit.agents.models.model import problems_of, read_answer

FACTS = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "minLength": 1, "maxLength": 10},
                    "tag": {"type": "string", "enum": ["decision", "event"]},
                },
                "required": ["text", "tag"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}


def fact(**more):
    return {"facts": [{"text": "tea", "tag": "event", **more}]}


@pytest.mark.parametrize(
    "value",
    [
        {"facts": []},
        fact(),
        {"facts": [fact()["facts"][0]] * 2},
    ],
)
def test_what_has_the_shape_has_no_problems(value) -> None:
    assert list(problems_of(value, FACTS)) == []


WRONG = {
    "a list": ([], "the answer is not of type object"),
    "nothing": (None, "the answer is not of type object"),
    "a key too few": ({}, "the answer lacks facts"),
    "a key too many": ({"facts": [], "files": {}}, "the answer has 'files', which nobody asked for"),
    "inside, too": (fact(path="SOUL.md"), "item 1 of facts in the answer has 'path', which nobody asked for"),
    "no list": ({"facts": {}}, "facts in the answer is not of type array"),
    "too many items": (
        {"facts": [fact()["facts"][0]] * 3},
        "the length of facts in the answer is 3, more than 2",
    ),
    "an empty text": (fact(text=""), "the length of text in item 1 of facts in the answer is 0, less than 1"),
    "a long text": (
        fact(text="x" * 11),
        "the length of text in item 1 of facts in the answer is 11, more than 10",
    ),
    "another word": (fact(tag="rule"), 'tag in item 1 of facts in the answer is none of "decision", "event"'),
}


@pytest.mark.parametrize(("value", "problem"), WRONG.values(), ids=WRONG)
def test_what_has_another_shape_is_told_where(value, problem) -> None:
    assert list(problems_of(value, FACTS)) == [problem]


def test_a_rule_that_is_not_known_is_never_believed_to_be_checked() -> None:
    with pytest.raises(ValueError, match="pattern"):
        list(problems_of("x", {"type": "string", "pattern": "^y"}))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here it is:\n```\n{"a": 1}\n```\nI hope that helps.',
        '<think>Shall I say {"a": 2}?</think>\n{"a": 1}',
    ],
)
def test_json_is_read_as_models_write_it(text) -> None:
    assert read_answer(text) == {"a": 1}


@pytest.mark.parametrize("said", ["a </think> b", "```\n1\n```"])
def test_a_text_in_the_answer_is_no_part_of_its_form(said) -> None:
    assert read_answer(json.dumps({"a": said})) == {"a": said}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot help with that.",
        'Sure! {"a": 1}',
        '{"a": 1} {"a": 2}',
        '```\n{"a": 1}\n```\n```\n{"a": 2}\n```',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\\ud800"}',
        '{"a": ' + "9" * 5000 + "}",
        "[" * 100_000,
    ],
    ids=lambda text: text[:20],
)
def test_anything_else_is_no_answer(text) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it is called, it is one kind
        read_answer(text)
