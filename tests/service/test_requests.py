"""What is a request, and what is answered to everything else."""

from __future__ import annotations

import json

import pytest

from clawgit.service.requests import (
    BAD_PARAMS,
    NO_REQUEST,
    NOT_JSON,
    Request,
    RequestError,
    answered,
    check_named,
    read_request,
    refused,
)


def line(**changed: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "status", "params": {}} | changed).encode()


def test_a_request_names_its_workspace_and_its_actor_beside_the_methods_own_parameters() -> None:
    read = read_request(line(params={"workspace": "main", "actor": "host", "text": "Tea."}))

    assert read == Request(1, "status", "main", "host", {"text": "Tea."})


def test_one_without_an_id_wants_no_answer() -> None:
    assert not read_request(b'{"jsonrpc": "2.0", "method": "turn.end"}').wants_answer


@pytest.mark.parametrize(
    ("said", "code"),
    [
        pytest.param(b"tea\n", NOT_JSON, id="no JSON"),
        pytest.param(b'{"jsonrpc": "2.0", "meth', NOT_JSON, id="half a line"),
        pytest.param(b"[" * 100_000, NOT_JSON, id="deep"),
        pytest.param(b"\xff\xfe", NOT_JSON, id="no text"),
        pytest.param(b"[]", NO_REQUEST, id="a batch"),
        pytest.param(b'{"id": 1, "method": "status"}', NO_REQUEST, id="another version"),
        pytest.param(line(method=7), NO_REQUEST, id="a method that is a number"),
        pytest.param(line(params=["a"]), BAD_PARAMS, id="parameters by place"),
    ],
)
def test_what_is_none_is_told_why(said: bytes, code: int) -> None:
    with pytest.raises(RequestError) as caught:
        read_request(said)

    assert caught.value.code == code
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("workspace", "actor"),
    [("", "host"), ("main", ""), ("main", "memory-miner"), ("main", "Operator")],
    ids=["no workspace", "no actor", "an agent", "another spelling"],
)
def test_a_request_has_to_say_for_whom_and_where(workspace: str, actor: str) -> None:
    with pytest.raises(RequestError):
        check_named(Request(1, "status", workspace, actor, {}))


def test_an_answer_is_one_line_whatever_is_in_it() -> None:
    request = Request("a", "memory.get", "main", "host", {})

    assert answered(request, {"text": "one\ntwo\u2028three"}).count(b"\n") == 1
    assert json.loads(refused(None, RequestError(NOT_JSON, "no\nline")))["error"]["message"] == "no\nline"
