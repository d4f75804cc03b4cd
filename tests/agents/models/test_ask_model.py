"""Asking a model for a value, against a real service: good, useless, slow, dropped, hurried, endless, hostile answers.

Mutants that these tests caught: no repair, a third try, a useless answer kept for the next time, the model left out of
what tells questions apart, nothing set aside before an answer, days of UTC, answers kept for ever, failures that cost
nothing or always, any number of tokens believed, no second way to ask for a shape, questions of any length.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clawgit.agents.models.choose_model import model_named
from clawgit.agents.models.model import Asker, ModelError, ModelMessage
from clawgit.http_client import Patience
from clawgit.workspace.settings.settings import Settings

NOW = datetime(2026, 3, 19, 23, 59, tzinfo=UTC)
QUICK = Patience(0.6, tries=3, pause=0.01)
PATIENT = Patience(60, tries=3, pause=0.01)
SCHEMA = {
    "type": "object",
    "properties": {"words": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 20}}},
    "required": ["words"],
    "additionalProperties": False,
}
QUESTION = (ModelMessage("system", "You find words."), ModelMessage("user", "Which words?"))
GOOD = {"words": ["tea"]}


@pytest.fixture
def ask(scripted, tmp_path):
    """Return a function that makes an asker of the scripted model."""

    def make(
        model="openai:m", *, most=100_000, clock=lambda: NOW, environment=None, patience=PATIENT
    ) -> Asker:
        settings = Settings(model=model, model_url=scripted.url)
        found = model_named(settings, environment or {}, tmp_path, patience=patience)
        assert found is not None
        if hasattr(found, "service"):
            found.service.per_second = 1000
        return Asker(found, tmp_path / "records.db", most, clock, "memory-miner-1")

    return make


@pytest.fixture
def calls(tmp_path):
    """Return a function that reads what was recorded."""

    def read(columns="outcome, tokens"):
        with closing(sqlite3.connect(tmp_path / "records.db")) as db:
            return db.execute(f"SELECT {columns} FROM model_calls ORDER BY call_id").fetchall()

    return read


@pytest.mark.parametrize("model", ["openai:m", "anthropic:m", "ollama:m", "m"])
def test_each_kind_of_model_is_asked_as_it_wants_to_be(ask, scripted, model) -> None:
    scripted.says(GOOD)

    asker = ask(model)

    assert asker.complete(QUESTION, SCHEMA) == GOOD
    assert asker.spent == 100
    (body,) = scripted.bodies
    assert body["model"] == "m"
    if model == "anthropic:m":
        assert (body["system"], body["messages"]) == (
            "You find words.",
            [{"role": "user", "content": "Which words?"}],
        )
        assert body["tools"][0]["input_schema"] == SCHEMA
    else:
        assert [message["role"] for message in body["messages"]] == ["system", "user"]
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
        assert body["max_tokens"] == 8000


@pytest.mark.parametrize("code", [400, 422])
@pytest.mark.parametrize("model", ["m", "anthropic:m"])
def test_a_service_that_knows_no_shapes_is_asked_in_words_alone(ask, scripted, code, model) -> None:
    scripted.says(scripted.service.status(code, {"error": "unknown field"}), GOOD)
    asker = ask(model)

    assert asker.complete(QUESTION, SCHEMA) == GOOD
    assert asker.complete((*QUESTION, ModelMessage("user", "More?")), SCHEMA) == GOOD
    assert [bool({"response_format", "tools"} & body.keys()) for body in scripted.bodies] == [
        True,
        False,
        False,
    ]


def test_a_service_that_thinks_long_before_it_refuses_a_shape_has_no_more_time_for_that(
    ask, scripted
) -> None:
    """Mutant: the second way to ask begins anew."""

    def refuses_late(to, _):
        scripted.service.stopped.wait(0.8 * QUICK.seconds)
        scripted.service.send(to, {"error": "unknown field"}, 400)

    def answers_late(to, body):
        scripted.service.stopped.wait(0.6 * QUICK.seconds)
        scripted._answer(GOOD, 100)(to, body)

    scripted.says(refuses_late, answers_late)

    with pytest.raises(ModelError, match="too slow"):
        ask(patience=QUICK).complete(QUESTION, SCHEMA)


USELESS = {
    "no JSON": "Of course! Tea.",
    "another shape": {"files": {"SOUL.md": "I obey the web."}},
    "a file beside": {"words": [], "path": "SOUL.md"},
    "too much": {"words": ["a"] * 4},
    "nothing": "",
    "half a character": '{"words": ["\\ud800"]}',
}


@pytest.mark.parametrize("answer", USELESS.values(), ids=USELESS)
def test_a_useless_answer_is_repaired_once(ask, scripted, calls, answer) -> None:
    scripted.says(answer, GOOD)

    assert ask().complete(QUESTION, SCHEMA) == GOOD

    again = scripted.bodies[1]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert "That cannot be used" in again[-1]["content"]
    assert calls() == [("unusable", 100), ("answered", 100)]


@pytest.mark.parametrize("answer", USELESS.values(), ids=USELESS)
def test_a_second_useless_answer_is_the_end(ask, scripted, calls, answer) -> None:
    scripted.says(answer)

    with pytest.raises(ModelError, match="did not answer with what was asked for") as refusal:
        ask().complete(QUESTION, SCHEMA)

    assert len(scripted.bodies) == 2
    assert refusal.value.spent == 200
    assert calls("answer") == [("",), ("",)]


def half_an_answer(to, _):
    to.send_response(200)
    to.send_header("Content-Length", "1000")
    to.end_headers()
    to.wfile.write(b'{"choices": [')
    to.close_connection = True


def chat(content, **more):
    """Return an answer in OpenAI's form, with what else a service may put into it."""
    choice = {"message": {"content": content}} | {k: more.pop(k) for k in ("finish_reason",) if k in more}
    return {"choices": [choice], "usage": {"total_tokens": 100}} | more


TEXT = json.dumps(GOOD)
READ = {
    "in parts": chat([{"type": "thinking", "thinking": []}, {"type": "text", "text": TEXT}]),
    "reasons beside": chat(TEXT) | {"choices": [{"message": {"content": TEXT, "reasoning_content": "Tea?"}}]},
    "in a block": chat(f"Here it is:\n```JSON\r\n{TEXT}\r\n```"),
    "no usage": chat(TEXT, usage=None),
    "a strange usage": chat(TEXT, usage=[1, 2]),
    "usage in two": chat(TEXT, usage={"prompt_tokens": 60, "completion_tokens": 40}),
}


@pytest.mark.parametrize("answer", READ.values(), ids=READ)
def test_answers_are_read_as_services_give_them(ask, scripted, answer) -> None:
    scripted.says(scripted.service.raw(answer))

    assert ask().complete(QUESTION, SCHEMA) == GOOD
    assert len(scripted.bodies) == 1
    assert scripted.bodies[0]["stream"] is False


CUT = {
    "openai": chat(TEXT, finish_reason="length"),
    "anthropic": {"content": [{"type": "tool_use", "input": {"words": []}}], "stop_reason": "max_tokens"},
}


@pytest.mark.parametrize(("kind", "answer"), CUT.items(), ids=CUT)
def test_an_answer_that_was_cut_off_is_no_use_whatever_it_looks_like(ask, scripted, kind, answer) -> None:
    """Mutant: half an answer that has the right shape is taken for all of it."""
    scripted.says(scripted.service.raw(answer), GOOD)

    assert ask(f"{kind}:m").complete(QUESTION, SCHEMA) == GOOD

    assert len(scripted.bodies) == 2
    assert "cut off" in scripted.bodies[1]["messages"][-1]["content"]


def test_an_error_that_comes_as_an_answer_is_told_and_has_no_key_in_it(ask, scripted) -> None:
    """Mutant: the error is not looked for."""
    said = {"error": {"code": 502, "message": "Provider said: sk-secret has no quota"}, "choices": []}
    scripted.says(scripted.service.raw(said))

    with pytest.raises(ModelError, match=r"Provider said: \[key\] has no quota"):
        ask(environment={"CLAWGIT_MODEL_KEY": "sk-secret"}).complete(QUESTION, SCHEMA)


KEY = "sk-0123456789abc"


@pytest.mark.parametrize("told", [f'{{"words": ["{KEY}"]}}', f"Your key is {KEY}."], ids=["fit", "unfit"])
def test_a_key_that_a_model_repeats_is_nowhere_kept_nor_sent_back(ask, scripted, tmp_path, told) -> None:
    """Mutant: the answer is kept as it came."""
    scripted.says(told, GOOD)

    ask(environment={"CLAWGIT_MODEL_KEY": KEY}).complete(QUESTION, SCHEMA)

    assert KEY.encode() not in (tmp_path / "records.db").read_bytes()
    assert KEY not in json.dumps(scripted.bodies)


def test_a_word_that_stands_for_a_key_may_be_said(ask, scripted) -> None:
    """Mutant: it is cut out of the answer."""
    scripted.says(GOOD)

    assert ask(environment={"CLAWGIT_MODEL_KEY": "tea"}).complete(QUESTION, SCHEMA) == GOOD


def test_a_service_that_streams_all_the_same_is_asked_once_and_not_listened_to(ask, scripted) -> None:
    """Mutant: it is asked again, as one that gave no JSON."""

    def streams(to, _):
        to.send_response(200)
        to.send_header("Content-Type", "text/event-stream; charset=utf-8")
        to.end_headers()
        to.wfile.write(b'data: {"choices": []}\n\n')
        scripted.service.stopped.wait(0.3)

    scripted.says(streams)

    with pytest.raises(ModelError, match="streams its answer"):
        ask().complete(QUESTION, SCHEMA)

    assert len(scripted.bodies) == 1


def test_a_pause_that_is_longer_than_the_patience_is_not_waited_for(ask, scripted) -> None:
    """Mutant: a service that wants to be left alone for an hour is asked again in half a minute."""
    scripted.says(scripted.service.status(429, Retry_After="3600"))
    asker = ask()
    asker.model.service.patience = Patience(40, tries=3, pause=0.01)

    with pytest.raises(ModelError, match=r"status 429\). It asks for a pause of 3,600 seconds"):
        asker.complete(QUESTION, SCHEMA)

    assert len(scripted.bodies) == 1


@pytest.mark.parametrize("key", ["", "sk-secret"])
def test_a_proxy_is_asked_for_what_is_elsewhere_and_never_for_what_is_here(
    ask, scripted, monkeypatch, key
) -> None:
    """Mutant: a model on this machine is looked for behind the proxy."""
    scripted.says(GOOD)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert ask().complete(QUESTION, SCHEMA) == GOOD
    monkeypatch.setenv("http_proxy", scripted.url.removesuffix("/v1"))
    elsewhere = ask("elsewhere", environment={"CLAWGIT_MODEL_KEY": key})
    elsewhere.model.service.url = "http://model.example/v1"

    assert elsewhere.complete(QUESTION, SCHEMA) == GOOD

    assert [request["path"] for request in scripted.service.requests] == [
        "/v1/chat/completions",
        "http://model.example/v1/chat/completions",
    ]


TROUBLE = {
    "429": lambda s: [s.status(429, Retry_After="0.01"), s.status(503)],
    "dropped": lambda s: [s.drop],
    "broken off": lambda _: [half_an_answer],
    "no JSON around it": lambda s: [s.raw(b"<html>")],
}


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
def test_what_passes_is_waited_for(ask, scripted, trouble) -> None:
    scripted.says(*trouble(scripted.service), GOOD)

    assert ask().complete(QUESTION, SCHEMA) == GOOD


HOSTILE = {
    "slow": (lambda s: s.slow(), "too slow"),
    "dripping": (lambda s: s.drip(), "too slow"),
    "always 429": (lambda s: s.status(429), r"status 429\). Try again later"),
    "a page": (lambda s: s.raw(b"<html>"), "not answer with JSON"),
    "10 MB": (lambda s: s.raw(b'"' + b"x" * 10_000_000 + b'"'), "too great length"),
    "a redirect": (lambda s: s.status(307, Location="http://127.0.0.1:1/"), "status 307"),
    "no choices": (lambda s: s.raw(b'{"choices": []}'), "as a model does"),
    "a list": (lambda s: s.raw(b"[[]]"), "as a model does"),
    "no text": (lambda s: s.raw(b'{"choices": [{"message": {"content": 5}}]}'), "as a model does"),
    "nested": (lambda s: s.raw(b"[" * 200_000), "not answer with JSON"),
}


@pytest.mark.parametrize(("how", "told"), HOSTILE.values(), ids=HOSTILE)
def test_no_answer_is_a_sentence_in_time_and_counts_if_it_was_read(ask, scripted, calls, how, told) -> None:
    scripted.says(how(scripted.service))

    with pytest.raises(ModelError, match=told) as refusal:
        ask(
            environment={"CLAWGIT_MODEL_KEY": "sk-secret"}, patience=QUICK if told == "too slow" else PATIENT
        ).complete(QUESTION, SCHEMA)

    assert "sk-secret" not in str(refusal.value)
    ((outcome, tokens),) = calls()
    assert outcome == "failed"
    assert (tokens > 0) == ("status" not in told)
    assert refusal.value.spent == tokens


def test_a_refused_key_says_where_keys_come_from(ask, scripted, calls) -> None:
    scripted.says(scripted.service.status(401, {"error": {"message": "bad key sk-secret"}}))

    with pytest.raises(ModelError, match="CLAWGIT_MODEL_KEY") as refusal:
        ask(environment={"CLAWGIT_MODEL_KEY": "sk-secret"}).complete(QUESTION, SCHEMA)

    assert "sk-secret" not in str(refusal.value)
    assert calls() == [("failed", 0)]


def test_a_place_that_is_not_there_says_where_to_look(ask, scripted) -> None:
    scripted.says(scripted.service.status(404))

    with pytest.raises(ModelError, match="mostly with /v1"):
        ask().complete(QUESTION, SCHEMA)


def test_the_same_question_is_not_asked_twice(ask, scripted, calls) -> None:
    scripted.says(GOOD, {"words": ["other"]})
    ask().complete(QUESTION, SCHEMA)

    again = ask()

    assert again.complete(QUESTION, SCHEMA) == GOOD
    assert (again.spent, len(scripted.bodies)) == (0, 1)
    assert ask("other").complete(QUESTION, SCHEMA) == {"words": ["other"]}
    assert ask().complete(QUESTION[:1], SCHEMA) == {"words": ["other"]}
    assert len(calls()) == 3


def test_a_question_that_failed_is_asked_again(ask, scripted) -> None:
    scripted.says("", "", GOOD)
    with pytest.raises(ModelError, match="did not answer with what was asked for"):
        ask().complete(QUESTION, SCHEMA)

    assert ask().complete(QUESTION, SCHEMA) == GOOD


def test_answers_are_forgotten_after_thirty_days_and_their_tokens_are_not(ask, scripted, calls) -> None:
    scripted.says(GOOD)
    ask().complete(QUESTION, SCHEMA)
    later = ask(clock=lambda: NOW + timedelta(days=31))
    later.complete(QUESTION[:1], SCHEMA)

    assert calls("tokens, answer <> ''") == [(100, 0), (100, 1)]


def test_the_limit_of_a_day_holds_before_a_question_is_sent(ask, scripted, calls) -> None:
    scripted.says(GOOD, tokens=9_000)
    ask(most=10_000).complete(QUESTION, SCHEMA)

    with pytest.raises(ModelError, match=r"9,000 of 10,000 tokens are used") as refusal:
        ask(most=10_000).complete(QUESTION[:1], SCHEMA)

    assert "model_daily_tokens" in str(refusal.value)
    assert len(scripted.bodies) == 1
    assert calls() == [("answered", 9_000)]


def test_the_limit_counts_for_the_repair_as_well(ask, scripted) -> None:
    scripted.says("", tokens=9_000)

    with pytest.raises(ModelError, match=r"9,000 of 10,000") as refusal:
        ask(most=10_000).complete(QUESTION, SCHEMA)

    assert (len(scripted.bodies), refusal.value.spent) == (1, 9_000)


def test_what_another_one_is_asking_right_now_counts(ask, scripted, calls) -> None:
    def meanwhile(to, body):
        with pytest.raises(ModelError, match="limit"):
            ask(most=10_000).complete(QUESTION[:1], SCHEMA)
        scripted._answer(GOOD, 100)(to, body)

    scripted.says(meanwhile, GOOD)

    assert ask(most=10_000).complete(QUESTION, SCHEMA) == GOOD
    assert calls() == [("answered", 100)]


def test_a_new_day_begins_at_midnight_of_the_workspaces_zone(ask, scripted, calls) -> None:
    clock = [datetime(2026, 3, 19, 23, 59, 59, tzinfo=ZoneInfo("Asia/Seoul"))]
    asker = ask(most=10_000, clock=lambda: clock[0])

    def over_midnight(to, body):
        clock[0] += timedelta(seconds=2)
        scripted._answer(GOOD, 9_000)(to, body)

    scripted.says(over_midnight)
    asker.complete(QUESTION, SCHEMA)
    asker.complete(QUESTION[:1], SCHEMA)

    assert calls("day, tokens") == [("2026-03-19", 9_000), ("2026-03-20", 9_000)]
    with pytest.raises(ModelError, match="limit"):
        asker.complete(QUESTION[1:], SCHEMA)


@pytest.mark.parametrize("told", [-5, 0, "many", None, [], 10**30, True, 2.5])
def test_what_a_service_says_that_it_used_is_believed_within_reason(ask, scripted, calls, told) -> None:
    scripted.says(GOOD, tokens=told)

    ask().complete(QUESTION, SCHEMA)

    ((outcome, tokens),) = calls()
    assert (outcome, 5 < tokens < 50) == ("answered", True)


def test_a_question_without_measure_is_not_sent(ask, scripted) -> None:
    with pytest.raises(ModelError, match="too long"):
        ask().complete([ModelMessage("user", "word " * 200_000)], SCHEMA)

    assert scripted.bodies == []
