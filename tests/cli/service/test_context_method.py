"""The service's method `context`: in time, or empty with the reason."""

from __future__ import annotations

import threading

import pytest

from clawgit.cli.service.methods import in_time
from clawgit.errors import ClawgitError
from clawgit.service.requests import BAD_PARAMS, Request, RequestError

ASKED = Request(1, "context", "main", "host", {})


def test_what_is_ready_in_time_is_the_answer() -> None:
    assert in_time(lambda request: {"text": request.workspace})(ASKED) == {"text": "main"}


def test_what_takes_too_long_is_answered_without() -> None:
    done = threading.Event()

    said = in_time(lambda _: done.wait(), seconds=0.01)(ASKED)
    done.set()

    assert said["text"] == ""
    assert said["notes"] == ["The context was not ready in time, so this prompt goes without it."]


def test_what_comes_too_late_is_told_that_nobody_waits() -> None:
    """Mutant: it leaves a receipt that says that it was read."""
    begun, late, told = threading.Event(), threading.Event(), threading.Event()
    awaited = []

    def answer(request: Request) -> object:
        begun.set()
        late.wait()
        awaited.append(request.is_awaited())
        told.set()
        return {"text": "too late"}

    answering = in_time(answer, seconds=0.01)
    while not begun.is_set():  # what had not begun by then is not begun at all
        assert answering(ASKED)["text"] == ""
    late.set()
    told.wait()
    assert not any(awaited)


def test_what_was_ready_in_time_is_given_though_its_receipt_takes_until_the_end() -> None:
    """Mutant: it is given up while its receipt is written."""
    ready, ended = threading.Event(), threading.Event()

    def answer(request: Request) -> object:
        if request.is_awaited():
            ready.set()
            ended.wait(0.1)
        return {"text": "ready"}

    answering = in_time(answer, seconds=0.02, giving=600)
    said: object = None
    while not ready.is_set():
        said = answering(ASKED)
    assert said == {"text": "ready"}


def test_the_time_counts_from_the_arrival_of_the_request() -> None:
    """Mutant: it counts from the request's turn, and the host has given up meanwhile."""
    done = threading.Event()
    early = ASKED._replace(arrived=-3600.0)

    said = in_time(lambda _: done.wait(), seconds=1800)(early)
    done.set()

    assert said["text"] == ""


def test_a_refusal_is_no_error_and_wrong_words_are() -> None:
    def refuse(_: Request) -> object:
        raise ClawgitError("The disk is full.", hint="Make room.")

    def unfit(_: Request) -> object:
        raise RequestError(BAD_PARAMS, "No such parameter.")

    assert "The disk is full." in in_time(refuse)(ASKED)["notes"][0]
    with pytest.raises(RequestError):
        in_time(unfit)(ASKED)
