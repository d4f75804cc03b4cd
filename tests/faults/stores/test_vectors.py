"""P15, T13: Chroma may be damaged, killed, stopped or wrong; what was embedded is found all the same.

Mutants that these tests caught: a damaged folder trusted, no row looked for after opening, a folder that crashes its
owners opened again, what stood in a lost Chroma not compared in the same question, a server waited for without
limit (before, while and after it was reached), asked without its token or through a proxy, a copy of a
workspace that shares its collection, what was dropped put back as soon as it is quiet, a collection of another space or kind taken for ours.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import chromadb
import pytest
from vector_room import VectorRoom, digest_of, random_row, whole_of, worker_pid

from clawgit.recall.embedders.embedder import VectorsError, packed
from clawgit.recall.vectors.chroma import AGAIN_SECONDS
from clawgit.recall.vectors.held_vectors import HeldVectors

FORK = multiprocessing.get_context("fork")
NAMES = [f"note {number}" for number in range(400)]
GOOD = 0.999
FILES = (
    "chroma.sqlite3",
    "*/data_level0.bin",
    "*/header.bin",
    "*/index_metadata.pickle",
    "*/length.bin",
    "*/link_lists.bin",
)


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :] if data else b"\xff"


WAYS = {
    "gone": None,
    "empty": lambda data: b"",
    "halved": lambda data: data[: len(data) // 2],
    "zeroed": lambda data: bytes(len(data)),
    "noise": lambda data: random.Random(1).randbytes(len(data)),
    "a flip at the start": lambda data: flipped(data, 0),
    "a flip in the middle": lambda data: flipped(data, len(data) // 2),
    "longer": lambda data: data + b"\x00more",
}


def damage(path: Path, way) -> None:
    if way is None:
        path.unlink()
    else:
        path.write_bytes(way(path.read_bytes()))


@pytest.fixture
def filled(vectors):
    """Return a room whose vectors all stand in Chroma."""
    vectors.fill(*NAMES)
    assert vectors.stands_in_chroma()
    return vectors


@pytest.mark.parametrize("when", ["closed", "open"])
def test_whatever_happens_to_chromas_files_all_is_found_again(filled, when, full_length):
    """Each file in each way in turn; after each, all are found at once, and stand in Chroma again."""
    filled.fill(*(f"more {number}" for number in range(800)))  # Chroma writes some files at a thousand rows
    assert filled.stands_in_chroma()
    cases = [(file, way) for file in FILES for way in WAYS]
    for file, way in cases if full_length else random.Random(when).sample(cases, 2):
        if when == "closed":
            filled.owner.stop()
        (found,) = filled.chroma().glob(file)
        damage(found, WAYS[way])
        if when == "open":
            filled.fill(f"one more after {file} {way}")
            filled.settle()
            filled.owner.stop()
        else:
            assert filled.recalled(100) >= GOOD, (file, way)
        assert filled.stands_in_chroma(), (file, way)
        assert filled.recalled(100) >= GOOD, (file, way)


def test_a_folder_that_vanishes_under_an_open_chroma_is_made_again(filled):
    shutil.rmtree(filled.chroma())

    filled.fill("one more")
    filled.settle()
    assert filled.recalled() >= GOOD
    filled.owner.stop()
    assert filled.recalled() >= GOOD


def test_a_folder_that_nobody_closed_is_made_again_and_one_that_was_closed_stays(filled):
    """Mutant: a folder that crashes who opens it is opened for ever."""
    for how in (signal.SIGSEGV, signal.SIGKILL):
        before = filled.chroma()
        os.kill(worker_pid(filled.owner), how)
        assert filled.stands_in_chroma()
        assert filled.chroma() != before

    before = filled.chroma()
    filled.owner.stop()
    assert filled.stands_in_chroma()
    assert filled.chroma() == before


def test_kill_9_at_any_moment_loses_nothing(vectors, full_length):
    chance = random.Random(5)
    rounds = 40 if full_length else 3
    for number in range(rounds):
        vectors.fill(*(f"round {number} note {n}" for n in range(60)))
        vectors.find("anything")
        pid = worker_pid(vectors.owner)
        wait = chance.uniform(0, 0.5)
        killer = threading.Timer(wait, os.kill, (pid, signal.SIGKILL))
        killer.start()
        vectors.settle()
        killer.join()

        assert vectors.find(f"round {number} note 7", 1)[0][0] == digest_of(f"round {number} note 7")

    assert vectors.recalled() >= GOOD
    assert vectors.stands_in_chroma()


def writer(room, number: int, writes: int) -> None:
    for write in range(writes):
        name = f"writer {number} note {write}"
        room.fill(name)
        room.find(name, 1)
    os._exit(0)


def test_many_processes_write_at_once_and_all_is_there(vectors, full_length):
    writes = 400 if full_length else 10
    vectors.fill("the first")
    vectors.find("the first")
    processes = [FORK.Process(target=writer, args=(vectors, n, writes)) for n in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(600)

    assert [process.exitcode for process in processes] == [0] * 6
    vectors.names |= {f"writer {n} note {w}" for n in range(6) for w in range(writes)}
    assert vectors.recalled() >= GOOD
    assert vectors.stands_in_chroma()


def test_a_crash_in_the_middle_of_a_question_takes_nobody_along(filled):
    pid = worker_pid(filled.owner)
    os.kill(pid, signal.SIGSTOP)  # so that the question is surely under way
    threading.Timer(0.3, lambda: (os.kill(pid, signal.SIGSEGV), os.kill(pid, signal.SIGCONT))).start()

    assert filled.find("note 7", 1)[0][0] == digest_of("note 7")
    assert worker_pid(filled.owner) != pid


def test_an_owner_that_hangs_is_not_waited_for(filled):
    pid = worker_pid(filled.owner)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(VectorsError, match=r"within 0\.5 seconds"):
            filled.owner.ask("about", store=filled.store, seconds=0.5)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert filled.recalled() >= GOOD


def test_a_damaged_cache_is_made_anew_and_asks_for_its_rows(filled, full_length):
    for way in WAYS if full_length else ("gone", "a flip in the middle"):
        filled.owner.stop()
        damage(filled.folder / "embeddings.db", WAYS[way])

        try:
            filled.find("note 7")
        except VectorsError as error:
            expected = ("Nothing was turned into vectors yet", "It is rebuilt.")
            assert any(text in str(error) for text in expected)  # noqa: PT017 - either is right
        filled.fill(*NAMES)

        assert filled.recalled(100) >= GOOD, way


class Server:
    """`chroma run`, as a person starts it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        program = Path(sys.executable).with_name("chroma")
        command = [program, "run", "--path", self.folder, "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                with urlopen(self.url + "/api/v2/heartbeat"):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None


@pytest.fixture
def server(tmp_path):
    """Return a server that the test may stop."""
    one = Server(tmp_path / "served")
    one.start()
    yield one
    one.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def lasting_server(tmp_path_factory):
    """Return a server that serves several tests: each has collections of its own."""
    one = Server(tmp_path_factory.mktemp("served"))
    one.start()
    yield one
    one.stop(signal.SIGKILL)


def test_a_server_holds_the_vectors_and_may_stop_at_any_time(vectors, server):
    vectors.url = server.url
    vectors.fill(*NAMES)
    vectors.settle()
    assert vectors.about() == whole_of(400)
    assert vectors.recalled() >= GOOD

    server.stop(signal.SIGKILL)
    assert vectors.recalled() >= GOOD
    assert "Chroma failed" in vectors.about()["trouble"]

    server.start()
    vectors.owner.stop()
    assert vectors.recalled() >= GOOD
    assert vectors.about() == whole_of(400)
    assert not list(vectors.folder.glob("chroma-*"))


def test_a_server_that_hangs_is_not_waited_for(vectors, server):
    vectors.url = server.url
    vectors.fill(*NAMES)
    vectors.settle()
    server.process.send_signal(signal.SIGSTOP)

    assert vectors.find("note 7", 1)[0][0] == digest_of("note 7")
    assert vectors.about()["trouble"] == "Chroma failed: the server does not answer in time."


@pytest.mark.long
@pytest.mark.parametrize("operation", ["find", "about"])
@pytest.mark.parametrize(
    ("ends", "begins", "why"),
    [
        pytest.param(
            lambda server: server.process.send_signal(signal.SIGSTOP),
            lambda server: server.process.send_signal(signal.SIGCONT),
            "the server does not answer in time",
            id="it hung",
        ),
        pytest.param(
            lambda server: server.stop(signal.SIGKILL),
            Server.start,
            "no server answers at chroma_url",
            id="it was killed",
        ),
    ],
)
def test_what_was_wrong_with_a_server_is_told_no_more_once_it_is_back(
    vectors, server, ends, begins, why, operation
):
    """Mutants: it is told until it is known to be over; it is asked again only after somebody was told of before."""
    vectors.url = server.url
    vectors.fill(*NAMES)
    held = HeldVectors()

    def ask(operation: str) -> Any:
        row = packed(random_row("note 7"))
        return held.do(operation, {"store": vectors.store, "row": row, "most": 1})

    while ask("settle"):
        pass
    ends(server)
    failed = ask("find")["trouble"]
    begins(server)
    with urlopen(server.url + "/api/v2/heartbeat"):
        time.sleep(AGAIN_SECONDS + 1)  # before that nobody asks it
    after = ask(operation)
    held.close()

    assert failed == f"Chroma failed: {why}."
    assert after["trouble"] == ""


def test_a_server_that_lost_everything_is_filled_again(vectors, server):
    vectors.url = server.url
    vectors.fill(*NAMES)
    vectors.settle()
    vectors.owner.stop()
    server.stop()
    shutil.rmtree(server.folder)
    server.start()

    assert vectors.recalled() >= GOOD
    vectors.settle()
    assert vectors.about()["placed"] == 400


@pytest.mark.parametrize(("space", "numbers"), [("l2", 24), ("cosine", 7)])
def test_a_collection_of_our_name_that_holds_something_else_is_replaced(
    vectors, lasting_server, space, numbers
):
    vectors.url = lasting_server.url
    vectors.fill(*NAMES)
    with vectors.cache as cache:
        name = f"clawgit-{cache.place()}-1"
    client = chromadb.HttpClient(host="127.0.0.1", port=lasting_server.port)
    ours = {"made-by": "clawgit", "provider": "test", "model": "m", "dimension": 24}
    about = ours if space == "l2" else {}
    other = client.create_collection(
        name, configuration={"hnsw": {"space": space}}, embedding_function=None, metadata=about or None
    )
    other.upsert(ids=[digest_of("note 7")], embeddings=[[1.0] * numbers])

    vectors.settle()
    assert vectors.recalled() >= GOOD
    assert vectors.about() == whole_of(400)


def test_two_workspaces_on_one_server_do_not_see_each_other(vectors, lasting_server, tmp_path, owner):
    other = VectorRoom(tmp_path / "other" / "vectors", owner, lasting_server.url)
    other.folder.parent.mkdir()
    vectors.url = lasting_server.url
    vectors.fill(*NAMES)
    other.fill("theirs")
    vectors.settle()
    other.settle()

    assert other.find("note 7", 5) == other.find("note 7", 5)
    assert {digest for digest, _ in other.find("note 7", 5)} == {digest_of("theirs")}
    assert vectors.recalled() >= GOOD


def test_a_copy_of_a_workspace_leaves_the_vectors_of_the_first_alone(
    vectors, lasting_server, tmp_path, owner
):
    vectors.url = lasting_server.url
    vectors.fill(*NAMES[:50])
    vectors.settle()
    shutil.copytree(vectors.folder, tmp_path / "copy" / "vectors")
    copy = VectorRoom(tmp_path / "copy" / "vectors", owner, lasting_server.url)
    copy.fill(*NAMES[40:50])
    copy.settle()

    assert copy.stands_in_chroma()
    assert vectors.recalled() == 1


def test_what_a_workspace_drops_is_gone_from_the_server_with_earlier_models_and_nothing_else(
    vectors, lasting_server
):
    vectors.url = lasting_server.url
    vectors.fill(*NAMES[:50])
    vectors.settle()
    with vectors.cache as cache:
        ours = f"clawgit-{cache.place()}-"
    client = chromadb.HttpClient(host="127.0.0.1", port=lasting_server.port)
    for name in (ours + "7", "clawgit-other-1"):
        client.create_collection(name, embedding_function=None)
    assert vectors.owner.ask("drop", store=vectors.store)
    time.sleep(0.6)  # until it is quiet, and would be filled again

    left = {found.name for found in client.list_collections()}
    assert [name for name in left if name.startswith(ours)] == []
    assert "clawgit-other-1" in left


def test_what_is_no_chroma_server_is_done_without(vectors, service, full_length):
    vectors.url = service.url.removesuffix("/v1")
    vectors.fill(*NAMES[:50])
    does = {"raw": service.raw(b"hello"), "drop": service.drop, "slow": service.slow()}
    does["status"] = service.status(500)
    does["alive, but no more"] = lambda to, body: (
        service.send(to, {}) if to.path.endswith("heartbeat") else service.slow()(to, body)
    )
    for how in does if full_length else ("status", "drop"):
        service.always = does[how]
        vectors.owner.stop()

        found = vectors.find("note 7", 1)

        assert found[0][0] == digest_of("note 7")
        assert "Chroma failed" in vectors.about()["trouble"], how


def test_a_server_is_asked_where_it_is_and_always_with_its_token(vectors, service, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "example.org")
    vectors.url = service.url.removesuffix("/v1") + "/behind/a/gate/"
    vectors.fill("note 7")
    vectors.owner.ask("about", store=vectors.store | {"token": "sesame"})

    assert service.requests
    assert {(heard.get("Authorization"), heard.get("X-Chroma-Token")) for heard in service.headers} == {
        ("Bearer sesame", "sesame")
    }
    assert {request["path"].startswith("/behind/a/gate/api/v2/") for request in service.requests} == {True}


def test_nothing_of_ours_answers_a_page_that_asks_under_another_name(filled):
    """T13: the service listens on a socket of the file system, which no page can reach; on it, HTTP is no language."""
    with socket.socket(socket.AF_UNIX) as to:
        to.connect(str(filled.owner.path))
        to.sendall(b"GET /api/v2/heartbeat HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        to.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            assert not to.recv(100).startswith(b"HTTP")
    assert filled.recalled() >= GOOD
