"""Over HTTP only the one right combination of host, origin, token and kind is answered; all else changes nothing."""

from __future__ import annotations

import itertools
import json
import socket
import stat

import pytest
from running_service import posted, right, until

from clawgit.service.http_server import MOST_AT_ONCE, MOST_BYTES

pytest.importorskip("uvicorn")


@pytest.fixture
def running(start_service):
    return start_service(http=0)


@pytest.fixture
def address(running) -> str:
    return running.http_address()


@pytest.fixture
def token(running, address) -> str:
    path = running.folder / "http.token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return path.read_text()


def message(actor: str = "host", **more: object) -> bytes:
    params = {"workspace": "main", "actor": actor, "text": "I like tea."}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "message.in", "params": params | more}).encode()


def messages(running) -> int:
    found = running.client().ask(
        "memory.search", workspace="main", actor="host", query="tea", max_results=1000
    )
    assert "result" in found, found
    return len(found["result"]["results"])


def test_only_the_right_request_is_answered(running, address, token) -> None:
    """T12: Host x Origin x token x kind; what is refused changes nothing. Mutant: one of the four is not looked at."""
    port = address.rpartition(":")[2]
    hosts = [address, f"localhost:{port}", "127.0.0.1", "evil.example", f"127.0.0.1:{int(port) - 1}"]
    origins = [None, "http://evil.example", f"http://localhost:{port}", "null"]
    tokens = [token, "wrong", None]
    kinds = ["application/json", "text/plain"]
    answered = {}
    for host, origin, bearer, kind in itertools.product(hosts, origins, tokens, kinds):
        headers = {"Host": host, "Content-Type": kind}
        headers |= {} if origin is None else {"Origin": origin}
        headers |= {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
        answered[host, origin, bearer, kind] = posted(address, headers, message())[0]

    good = [each for each, status in answered.items() if status == 200]
    assert good == [(address, None, token, "application/json")]
    assert set(answered.values()) == {200, 421, 403, 401, 415}
    assert messages(running) == 1


def test_its_own_origin_may_ask(running, address, token) -> None:
    status, body, headers = posted(
        address, right(address, token) | {"Origin": f"http://{address}"}, message()
    )

    assert status == 200
    assert json.loads(body)["result"]["outcome"] == "stored"
    assert not [name for name in headers if name.startswith("access-control")]


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("method", "path"),
    [("OPTIONS", "/rpc"), ("GET", "/rpc"), ("POST", "/"), ("POST", "/x/../rpc"), ("POST", "/rpc/")],
    ids=["OPTIONS", "GET", "the root", "a longer way", "a slash"],
)
def test_there_is_one_way_in(address, token, method: str, path: str) -> None:
    status, _, headers = posted(address, right(address, token), message(), path, method)

    assert status in (404, 405, 307)
    assert not [name for name in headers if name.startswith("access-control")]


def test_a_token_in_the_address_is_none(address, token) -> None:
    headers = {name: value for name, value in right(address, token).items() if name != "Authorization"}

    assert posted(address, headers, message(), f"/rpc?token={token}&access_token={token}")[0] == 401


def test_nobody_is_the_operator(running, address, token) -> None:
    status, body, _ = posted(address, right(address, token), message("operator"))

    assert status == 200
    assert "nobody is the operator" in json.loads(body)["error"]["message"]
    assert messages(running) == 0


def test_a_body_that_is_too_long_is_refused(running, address, token) -> None:
    body = message(text="x" * (MOST_BYTES + 1))

    try:
        status = posted(address, right(address, token), body)[0]
    except OSError:
        status = 413  # hung up before all was sent
    assert status == 413
    assert posted(address, right(address, token), b"no JSON")[0] == 200


def test_beyond_the_bound_requests_are_told_that_it_is_busy(address, token) -> None:
    """Mutant: everybody waits."""
    half = "".join(f"{name}: {value}\r\n" for name, value in right(address, token).items())
    asked = [connected(address) for _ in range(MOST_AT_ONCE)]
    try:
        for each in asked:
            each.sendall(f"POST /rpc HTTP/1.1\r\n{half}Content-Length: 99\r\n\r\nx".encode())
        until(lambda: posted(address, right(address, token), message())[0] == 503)
    finally:
        for each in asked:
            each.close()

    until(lambda: posted(address, right(address, token), message())[0] == 200)


def connected(address: str) -> socket.socket:
    host, port = address.split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def test_it_is_reached_from_this_machine_alone(address) -> None:
    assert address.startswith("127.0.0.1:")


def test_a_port_that_is_taken_is_named(start_service, tmp_path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        running = start_service(http=taken.getsockname()[1])
        running.process.join()

    assert running.process.exitcode == 4
    assert "cannot be used" in (tmp_path / "service-0.out").read_text()
    assert not running.requests.exists()
