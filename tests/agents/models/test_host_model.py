"""The model that a connected host lends: a real socket, answers of the test's own."""

from __future__ import annotations

import json
import os
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.models.answering_models import HostModel, host_model
from clawgit.agents.models.choose_model import missing_for_models, model_named
from clawgit.agents.models.model import ModelError, ModelMessage, ModelQuestion
from clawgit.workspace.settings.settings import InForce, Settings
from clawgit.workspace.user.connections import Connection, connections_folder, read_token, write_connection
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ASKED = ModelQuestion((ModelMessage("system", "Be brief."), ModelMessage("user", "Hi")), {}, 50)


@pytest.fixture
def door(own_home):
    """Return a function that opens a door which answers every question with these bytes; and what it was asked."""
    place, listener, asked = own_home / "model.sock", socket.socket(socket.AF_UNIX), []
    listener.bind(str(place))
    listener.listen()
    threads: list[threading.Thread] = []

    def answered(said: bytes) -> tuple[str, list[object]]:
        def serve() -> None:
            line, _ = listener.accept()
            with line, line.makefile("rb") as file:
                asked.append(json.loads(file.readline()))
                line.sendall(said)

        threads.append(threading.Thread(target=serve))
        threads[0].start()
        return str(place), asked

    yield answered
    for thread in threads:
        thread.join()
    listener.close()


@pytest.fixture
def connected(own_home, tmp_path) -> Callable[[str], Path]:
    """Return a function that connects a workspace to a host which lends a model at a place."""

    def done(place: str) -> Path:
        folder = connections_folder(user_config_dir(os.environ, own_home))
        put = {"kind": "key", "place": ["plugins", "config"], "value": {"modelSocket": place}}
        changed = ({"file": "/x", "puts": [{"value": True}, put]},)
        write_connection(folder, Connection("openclaw", "openclaw", tmp_path, changed=changed))
        return folder

    return done


def test_the_hosts_model_is_asked_with_the_connections_token(door, connected, tmp_path) -> None:
    place, asked = door(b'{"text": "Hello.", "tokens": 7, "cut": false}\n')
    folder = connected(place)
    model = model_named(Settings(model="host"), os.environ, tmp_path)
    said = model.reply(ASKED)

    assert (said.text, said.told, said.cut) == ("Hello.", 7, False)
    assert asked == [
        {
            "token": read_token(folder, "openclaw"),
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
            "max_tokens": 50,
        }
    ]


@pytest.mark.parametrize(
    ("answer", "words", "reached"),
    [
        (b'{"error": "No key.", "reached": true}\n', "No key.", True),
        (b'{"error": "This token belongs to no connection."}\n', "belongs to no connection", False),
        (b"nonsense\n", "not answer in JSON", True),
        (b"[]\n", "not answer in JSON", True),
        (b'{"text": 7}\n', "it said nothing", False),
        (b'{"text": "half', "ended too soon", True),
    ],
)
def test_what_cannot_be_used_is_said(door, answer, words, reached) -> None:
    place, _ = door(answer)
    with pytest.raises(ModelError, match=words) as caught:
        HostModel(place, "openclaw.secret", 30).reply(ASKED)
    assert caught.value.reached is reached


def test_a_gateway_that_is_not_there_and_no_connection_at_all_are_told_apart(tmp_path, connected) -> None:
    with pytest.raises(ModelError, match="lends a model"):
        host_model(os.environ, tmp_path, 1).reply(ASKED)
    connected(str(tmp_path / "none.sock"))
    with pytest.raises(ModelError, match="Gateway does not answer"):
        host_model(os.environ, tmp_path, 1).reply(ASKED)


def test_doctor_says_that_no_host_lends_one(tmp_path, connected) -> None:
    in_force = InForce(Settings(model="host"), {}, {})
    before = [each.what for each in missing_for_models(in_force, os.environ, tmp_path)]
    connected("/somewhere")

    assert before == ["model is host, but no host that is connected to this workspace lends one."]
    assert list(missing_for_models(in_force, os.environ, tmp_path)) == []
