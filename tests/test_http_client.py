"""Asking a service, against a real server that never comes to an end, repeats what it was told, or says too much.

Mutants that these tests caught: no time limit around the whole request, no limit on the length of an answer, a key
that is cut out only after the message was shortened or not where it was sent back, answers that are too long asked for
again, only the last try counted.
"""

from __future__ import annotations

import pytest

from clawgit.http_client import Patience, RefusedError, Service, ServiceError

QUICK = Patience(0.5, tries=3, pause=0.01)
PATIENT = Patience(60, tries=3, pause=0.01)
KEY = "sk-a-key-of-some-length"


def ask(service, *, patience=PATIENT, **more):
    return Service(service.url, patience=patience, per_second=1000, **more).post("/ask", {"q": 1})


def endless(piece: bytes):
    """Return how to send a piece again and again, until the test is over."""

    def make(service):
        def answer(to, _):
            to.wfile.write(b"HTTP/1.1 200 OK\r\n" if piece.startswith(b"X") else b"")
            while not service.stopped.wait(0.02):
                to.wfile.write(piece)

        return answer

    return make


NEVER = {
    "headers": endless(b"X"),  # one line that goes on and on
    "continue": endless(b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("how", NEVER.values(), ids=NEVER)
def test_an_answer_that_never_begins_is_given_up_in_time(service, how) -> None:
    """The service goes on until the test is over."""
    service.always = how(service)

    with pytest.raises(ServiceError) as refusal:
        ask(service, patience=QUICK)

    assert refusal.value.reached


def test_an_answer_that_is_too_long_is_not_read_to_its_end_nor_asked_for_again(service) -> None:
    service.always = service.raw(b'"' + b"x" * 2_000_000 + b'"')

    with pytest.raises(ServiceError, match="too great length"):
        ask(service, most_bytes=100_000)

    assert len(service.requests) == 1


@pytest.mark.parametrize("before", [0, 145], ids=["whole", "where the message is cut"])
def test_a_service_that_repeats_the_key_does_not_have_it_shown(service, before) -> None:
    service.always = service.status(400, {"error": {"message": "y" * before + f" bad key {KEY} given"}})

    with pytest.raises(RefusedError) as refusal:
        ask(service, key=KEY)

    assert "sk-a" not in str(refusal.value)
    assert KEY not in repr(Service(service.url, KEY))


def test_a_service_that_answers_with_what_it_was_sent_does_not_have_the_key_shown(service) -> None:
    service.always = lambda to, _: to.wfile.write(f"{to.headers['Authorization']}\r\n\r\n".encode())

    with pytest.raises(ServiceError) as refusal:
        ask(service, key=KEY)

    assert "[key]" in str(refusal.value)
    assert KEY not in str(refusal.value)


def test_nobody_there_is_told_from_somebody_who_did_not_answer(service) -> None:
    with pytest.raises(ServiceError) as nobody:
        Service("http://127.0.0.1:1", patience=PATIENT).post("/ask", {})
    service.always = service.drop
    with pytest.raises(ServiceError) as somebody:
        ask(service)

    service.next.extend([service.drop])
    service.always = service.status(503)
    with pytest.raises(ServiceError, match="503") as first_somebody:
        ask(service)

    assert [each.value.reached for each in (nobody, somebody, first_somebody)] == [False, True, True]


def test_a_key_goes_where_its_service_looks_for_it(service) -> None:
    service.always = service.raw(b"{}")
    ask(service, key=KEY)
    ask(service, key=KEY, key_header="x-api-key", headers={"anthropic-version": "1"})

    first, second = ({name.lower(): value for name, value in each.items()} for each in service.headers)
    assert first["authorization"] == f"Bearer {KEY}"
    assert (second["x-api-key"], second["anthropic-version"]) == (KEY, "1")
    assert "authorization" not in second
