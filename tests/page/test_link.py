"""Who gets a link: the operator's terminal, and no process of a host, no log, no file, no JSON."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys

import pytest
from page_visitor import Visitor, rehearsed
from running_service import posted, right
from typed_commands import typed

from clawgit.page.sign_in import SignIn
from clawgit.service.http_server import read_token
from clawgit.service.page_server import ADDRESS, LINK, REVOKE, PageAddress, PageServer

COMMAND = f"{sys.executable} -P -m clawgit page"
LINKS = re.compile(r"http://(\w+\.localhost:\d+)(/in/[\w-]+)")


ASKS = """
import json, socket, sys
service = socket.socket(socket.AF_UNIX)
service.connect(sys.argv[1])
asked = {"jsonrpc": "2.0", "id": 1, "method": "page.link", "params": {"actor": "operator"}}
service.sendall(json.dumps(asked).encode() + b"\\n")
print(service.recv(65536).decode())
"""


class Served:
    """What a visitor needs of the page of a service in another process."""

    def __init__(self, folder) -> None:
        name, port = (folder / ADDRESS).read_text().split()
        self.address = PageAddress(name, int(port))


def asked(running, method: str, **params):
    return running.client().ask(method, **params)


@pytest.mark.rest
def test_a_terminal_gets_a_link_that_opens_today(room, start_service) -> None:
    running = start_service()
    said = typed(room.root, COMMAND)
    host, path = LINKS.search(said).groups()
    visitor = Visitor(Served(running.folder))
    assert visitor.host == host
    assert visitor.enter(path).status == 303
    assert "Today" in visitor.ask("/").text


@pytest.mark.parametrize("words", [("page",), ("page", "--json")])
def test_without_a_terminal_there_is_no_link(clawgit, start_service, words: tuple[str, ...]) -> None:
    start_service()
    said = clawgit(*words)
    assert said.code == 1
    assert not LINKS.search(said.out + said.err)
    assert "terminal" in said.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize("actor", ["host", "unknown", ""])
@pytest.mark.parametrize("method", [LINK, REVOKE])
def test_the_service_gives_a_link_to_the_operator_alone(start_service, method: str, actor: str) -> None:
    answer = asked(start_service(), method, actor=actor)
    assert "operator" in answer["error"]["message"]


def test_a_process_below_a_host_gets_no_link(tmp_path, start_service) -> None:
    """Mutant: the sign is looked for in the process alone."""
    running = start_service()
    program = tmp_path / "ask.py"
    program.write_text(ASKS)
    done = subprocess.run(
        ["sh", "-c", f"env -u CLAUDECODE {sys.executable} {program} {running.requests}; true"],
        capture_output=True,
        check=True,
        env={**os.environ, "CLAUDECODE": "1"},
        text=True,
    )
    assert not LINKS.search(done.stdout)
    assert "CLAUDECODE" in done.stdout


@pytest.mark.rest
def test_neither_the_token_of_the_service_nor_the_log_has_a_link(room, start_service) -> None:
    running = start_service(http=0)
    address, token = running.http_address(), read_token(running.folder)
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "page.link", "params": {"actor": "%s"}}'
    for actor in (b"operator", b"host"):
        _, said, _ = posted(address, right(address, token), body % actor)
        assert not LINKS.search(said.decode())
    typed(room.root, COMMAND)
    for path in running.folder.iterdir():
        if stat.S_ISREG(path.stat().st_mode):
            assert b"/in/" not in path.read_bytes()


@pytest.mark.rest
def test_the_cookie_of_the_page_opens_nothing_of_the_service(room, start_service) -> None:
    running = start_service(http=0)
    address, token = running.http_address(), read_token(running.folder)
    visitor = Visitor(Served(running.folder))
    visitor.enter(LINKS.search(typed(room.root, COMMAND)).group(2))
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "health"}'
    for path in ("/rpc", "/mcp"):
        headers = {**right(address, token), "Cookie": visitor.cookie}
        assert posted(address, headers, body, path)[0] == 403
    assert visitor.ask("/", authorization=f"Bearer {token}").status == 403


def test_without_a_service_the_command_says_how_to_start_one(clawgit, own_home) -> None:
    said = clawgit("page", "--revoke", environment={"HOME": str(own_home)})
    assert (said.code, "clawgit up" in said.err) == (1, True)


@pytest.mark.rest
def test_every_browser_is_signed_out_by_a_command(room, start_service, clawgit, own_home) -> None:
    running = start_service()
    visitor = Visitor(Served(running.folder))
    visitor.enter(LINKS.search(typed(room.root, COMMAND)).group(2))
    assert clawgit("page", "--revoke", "--json", environment={"HOME": str(own_home)}).data == {
        "signed_out": 1
    }
    assert visitor.ask("/").status == 401


def test_today_as_a_file_has_no_links_no_buttons_and_nothing_from_elsewhere(clawgit) -> None:
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    said = clawgit("page", "--once")
    assert said.code == 0
    assert "rent is due on the 1st." in said.out
    assert not re.search(r"<(?:form|button|script|link|img|a) ", said.out)
    assert "http" not in said.out.replace("http://www.w3.org/2000/svg", "")


def test_today_as_a_file_is_of_the_day_that_is_given(clawgit) -> None:
    said = clawgit(
        "page", "--once", "--rehearse", "--now", "2099-12-04T09:00", environment={"CLAWGIT_REHEARSE": ""}
    )

    assert "4 December" in said.out


def test_a_terminal_is_told_to_keep_the_file_instead_of_seeing_html(room) -> None:
    seen = typed(room.root, f"{COMMAND} --once")

    assert "`clawgit page --once > today.html`" in seen
    assert "<html" not in seen


def test_name_and_port_stay_and_another_port_is_taken_where_that_one_is_not_free(tmp_path) -> None:
    served = rehearsed(tmp_path / "none.json")
    first = PageServer(tmp_path / "state", served, lambda _text: None)
    second = PageServer(tmp_path / "state", served, lambda _text: None)
    assert second.address.name == first.address.name
    assert second.address.port != first.address.port
    first.close()
    second.close()
    third = PageServer(tmp_path / "state", served, lambda _text: None)
    third.close()
    assert third.address == second.address
    assert isinstance(third.sign_in, SignIn)
