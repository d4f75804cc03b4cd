"""The owner of the vectors: one process for all, exact before Chroma is filled and after it is lost.

Mutants that these tests caught: rows that wait not compared, two owners, a folder held twice, retired rows left in
Chroma, rows of another length compared, an owner that outlives its socket, a cache read after it was replaced, new rows
never looked for in Chroma, telemetry of the runtime left on, an owner that runs in the
workspace, a moved workspace held against itself, a model's failure not caught while it is quiet, a text that failed taken for an unreadable one.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, median, pstdev

import pytest
from vector_room import digest_of, random_row, serving, whole_of, worker_pid

from clawgit.recall.embedders.embedder import QUIET, VectorsError, cosine
from clawgit.recall.vectors.embedding_cache import PROBES
from clawgit.recall.vectors.owner_client import Owner

NAMES = [f"note {number}" for number in range(300)]


def nearest(names, to, most):
    """Return what must be found: compared one by one, here."""
    row = random_row(to)
    hits = [(digest_of(name), cosine(row, random_row(name))) for name in names]
    return sorted(hits, key=lambda hit: -hit[1])[:most]


def alike(found, expected):
    assert [digest for digest, _ in found] == [digest for digest, _ in expected]
    assert [value for _, value in found] == pytest.approx([value for _, value in expected], abs=1e-5)


def test_what_is_nearest_is_found_before_chroma_is_filled_and_after(vectors):
    vectors.fill(*NAMES)

    at_once = vectors.find("note 7", 20)
    assert vectors.about()["placed"] < len(NAMES)
    vectors.settle()
    later = vectors.find("note 7", 20)

    alike(at_once, nearest(NAMES, "note 7", 20))
    alike(later, nearest(NAMES, "note 7", 20))
    assert vectors.about() == whole_of(300)


def test_it_fills_chroma_by_itself_when_it_is_quiet(vectors):
    vectors.fill(*NAMES)
    vectors.find("note 7")
    while vectors.about()["placed"] < len(NAMES):
        time.sleep(0.5)

    assert vectors.about()["placed"] == len(NAMES)


def test_rows_so_much_alike_that_chroma_loses_some_are_compared_one_by_one(vectors):
    vectors.fill("note 7", *(f"alike {number}" for number in range(600)))
    vectors.settle()

    about = vectors.about()
    assert (about["rows"], about["placed"]) == (601, 0)
    assert "could not be found again" in about["trouble"]
    assert vectors.find("note 7", 1)[0][0] == digest_of("note 7")


def test_what_is_retired_is_found_no_more_and_leaves_chroma(vectors):
    vectors.fill(*NAMES)
    vectors.settle()
    vectors.retire(*NAMES[:100])

    alike(vectors.find("note 7", 20), nearest(NAMES[100:], "note 7", 20))
    vectors.settle()

    alike(vectors.find("note 7", 20), nearest(NAMES[100:], "note 7", 20))
    assert vectors.about()["placed"] == 200


def test_texts_that_are_named_are_told_how_near_they_are(vectors):
    vectors.fill(*NAMES)
    vectors.retire(*NAMES[:100])
    named = [*NAMES[90:110], "never seen"]

    told = vectors.ask("note 7", near=[digest_of(name) for name in named])["near"]

    expected = {digest_of(name): cosine(random_row("note 7"), random_row(name)) for name in NAMES[90:110]}
    assert dict(told) == pytest.approx(expected, abs=1e-5)


def test_a_question_is_gauged_against_texts_in_general_and_against_other_questions(vectors):
    vectors.fill(*NAMES)

    told = vectors.ask("note 7")

    all_of_them = [value for _, value in nearest(NAMES, "note 7", 300)]
    reached = [nearest(NAMES, probe, 1)[0][1] for probe in PROBES]
    assert told["mean"] == pytest.approx(mean(all_of_them), abs=0.05)
    assert told["spread"] == pytest.approx(pstdev(all_of_them), abs=0.05)
    assert told["unrelated"] == pytest.approx(median(reached), abs=1e-5)


def test_rows_that_were_damaged_are_forgotten_and_never_compared(vectors):
    vectors.fill(*NAMES)
    with vectors.cache as cache:
        db = cache._db
        damaged = "UPDATE embeddings SET row = {} WHERE hash = ?".format
        db.execute(damaged("zeroblob(96)"), (bytes.fromhex(digest_of("note 7")),))
        db.execute(damaged("x'0000c07f'"), (bytes.fromhex(digest_of("note 8")),))

    alike(
        vectors.find("note 7", 5), nearest([n for n in NAMES if n not in ("note 7", "note 8")], "note 7", 5)
    )
    with vectors.cache as cache:
        kept = {text.hex() for text in cache.with_rows(1)}
    assert kept == {digest_of(name) for name in NAMES} - {digest_of("note 7"), digest_of("note 8")}


def test_there_is_one_owner_however_many_ask_at_once(vectors):
    vectors.fill(*NAMES)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: vectors.find("note 7", 5), range(8)))

    for hits in found:
        alike(hits, nearest(NAMES, "note 7", 5))
    while len(serving(vectors.owner)) > 1:
        time.sleep(0.05)
    assert worker_pid(vectors.owner)


def test_one_who_dies_is_replaced_and_nothing_is_lost(vectors):
    vectors.fill(*NAMES)
    vectors.settle()
    first = worker_pid(vectors.owner)
    os.kill(first, 9)

    alike(vectors.find("note 7", 20), nearest(NAMES, "note 7", 20))
    assert serving(vectors.owner) != [first]


def test_the_socket_is_the_users_own_and_no_port_is_opened(vectors):
    vectors.fill("note 7")
    vectors.find("note 7")

    assert stat.S_IMODE(vectors.owner.path.stat().st_mode) & 0o077 == 0
    for pid in serving(vectors.owner):
        sockets = {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.is_symlink()}
        listening = {
            f"socket:[{line.split()[9]}]"
            for table in ("tcp", "tcp6")
            for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
            if line.split()[3] == "0A"
        }
        assert not sockets & listening


def test_what_runs_models_is_told_to_report_to_nobody(vectors, monkeypatch):
    """P24: official builds of onnxruntime send what they do to their maker."""
    for name in QUIET:
        monkeypatch.delenv(name)
    vectors.fill("note 7")
    vectors.find("note 7")
    pid = worker_pid(vectors.owner)
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    assert {b"ORT_DISABLE_TELEMETRY=1", b"ORT_TELEMETRY_DISABLED=1"} <= set(environment)


def test_no_file_where_somebody_asks_tells_chroma_what_to_do(vectors, tmp_path, monkeypatch):
    """Chroma believes a file `.env` in its folder, and a host can write one into a workspace."""
    elsewhere = "chroma_api_impl=chromadb.api.fastapi.FastAPI\nchroma_server_host=127.0.0.1\n"
    (tmp_path / ".env").write_text(f"{elsewhere}chroma_server_http_port=9\n")
    monkeypatch.chdir(tmp_path)
    vectors.fill(*NAMES)

    assert vectors.stands_in_chroma()


def test_a_workspace_that_was_moved_keeps_its_vectors(vectors):
    vectors.fill(*NAMES)
    vectors.settle()
    moved = vectors.folder.parent.with_name("moved")
    vectors.folder.parent.rename(moved)
    vectors.folder = moved / vectors.folder.name

    alike(vectors.find("note 7", 20), nearest(NAMES, "note 7", 20))
    assert vectors.stands_in_chroma()


def test_an_owner_of_another_cache_is_told_that_the_vectors_are_held(vectors, tmp_path_factory):
    vectors.fill(*NAMES)
    vectors.find("note 7")
    other = Owner(tmp_path_factory.mktemp("other"), idle_seconds=5)
    try:
        with pytest.raises(VectorsError, match="Another process holds the vectors"):
            other.ask("about", store=vectors.store)
    finally:
        other.stop()

    vectors.owner.stop()
    assert vectors.about()["live"] == 300


def test_it_ends_when_nobody_asks_and_leaves_a_folder_that_was_closed(vectors):
    vectors.owner.idle_seconds = 0.5
    vectors.fill(*NAMES)
    vectors.settle()
    while serving(vectors.owner):
        time.sleep(0.05)

    assert serving(vectors.owner) == []
    assert not vectors.owner.path.exists()
    assert vectors.chroma().with_name(vectors.chroma().name + ".closed").exists()


def test_it_ends_when_its_socket_is_gone(vectors):
    vectors.fill("note 7")
    vectors.find("note 7")
    vectors.owner.path.unlink()
    while serving(vectors.owner):
        time.sleep(0.05)

    assert serving(vectors.owner) == []


def test_a_cache_that_was_made_anew_is_the_one_that_is_read(vectors):
    vectors.fill(*NAMES)
    vectors.settle()
    for path in vectors.folder.glob("embeddings.db*"):
        path.unlink()
    vectors.retire(*NAMES)
    vectors.fill("note 8", "note 9")

    alike(vectors.find("note 7", 20), nearest(["note 8", "note 9"], "note 7", 20))
    vectors.settle()
    assert vectors.about()["placed"] == 2


@pytest.mark.parametrize("length", [90, 150])
def test_a_socket_may_lie_deep(vectors, tmp_path_factory, length):
    folder = tmp_path_factory.mktemp("deep")
    folder = folder / ("d" * max(1, length - len(str(folder))))
    vectors.owner = Owner(folder, idle_seconds=5)
    vectors.fill("note 7")
    try:
        assert vectors.find("note 7")[0][0] == digest_of("note 7")
    finally:
        vectors.owner.stop()


def test_who_asks_imports_neither_chroma_nor_numpy(vectors):
    vectors.fill("note 7")
    program = (
        "import sys; from pathlib import Path; from clawgit.recall.vectors.owner_client import Owner; "
        f"print(Owner(Path({str(vectors.owner.folder)!r})).ask('about', store={vectors.store!r})['live'], "
        "{'numpy', 'chromadb', 'onnxruntime'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 set()"


@pytest.mark.parametrize(
    "request_", [{}, {"do": "find"}, {"do": "find", "store": 1}, {"do": "about", "store": {"folder": "/"}}]
)
def test_a_request_that_makes_no_sense_is_refused_and_harms_nobody(vectors, request_):
    vectors.fill("note 7")
    vectors.find("note 7")
    pid = worker_pid(vectors.owner)
    with pytest.raises(VectorsError):
        vectors.owner.ask(request_.pop("do", "nothing"), **request_)

    assert vectors.find("note 7")
    assert worker_pid(vectors.owner) == pid


def test_a_model_that_fails_at_a_text_ends_nobody(vectors, make_model, write_tokenizer, tmp_path):
    folder = make_model(tmp_path / "model", ["tea"])
    write_tokenizer(folder, ["tea", "soup"])  # a word for which the model has no row
    vectors.fill("soup")
    store = {**vectors.store, "local": str(folder)}
    with pytest.raises(VectorsError, match="cannot be run"):
        vectors.owner.ask("find", store=store, text="tea", most=5)
    pid = worker_pid(vectors.owner)
    time.sleep(0.5)  # until it is quiet

    assert worker_pid(vectors.owner) == pid
    assert vectors.owner.ask("about", store=store)["unreadable"] == 0
