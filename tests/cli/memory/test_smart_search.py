"""`memory search --smart` and what `doctor` says of models: a real service and real programs behind the settings.

Mutants that these tests caught: a correction that falls, invented ids, an id twice, more hits than wanted, a model asked
again after it failed, places below zero, scores that are no numbers, overlapping hits twice, a host's settings in force,
every wording noted as a search.
"""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing

import pytest

from clawgit.recall.search_results import CHARACTERS, GUESS_TOKENS

pytestmark = pytest.mark.rest

PATHS = [f"memory/{name}.md" for name in "pqrs"]
LINES = [
    "The automobile needs new tyres.",
    "Ate soup with Ada.",
    "Soup is better on Monday.",
    "The cat is called Mau.",
]


@pytest.fixture
def notes(room, lived_once):
    def life() -> None:
        for path, line in zip(PATHS, LINES, strict=True):
            room.write(path, f"- {line}\n")
        room.keep("operator")

    return lived_once("notes", life)


@pytest.fixture
def use(clawgit, service):
    """Return a function that sets settings as the operator; a reranker has time, unless a test says how much."""

    def put(**values: str) -> None:
        if "reranker_url" in values:
            values = {"reranker_budget_ms": "60000", **values}
        for key, value in values.items():
            assert clawgit("config", "set", key, value).code == 0

    return put


@pytest.fixture
def search(clawgit, notes):
    """Return a function that searches smartly and returns citations, notes, and what was said."""

    def call(query: str, *words: str, **more):
        said = clawgit("memory", "search", query, "--smart", "--json", *words, **more)
        assert said.code == 0, said.err
        return [result["citation"] for result in said.data["results"]], said.data["notes"], said.err

    return call


def at(*numbers: int) -> list[str]:
    return [f"{PATHS[number]}:1" for number in numbers]


def test_the_model_brings_other_words_and_the_order(use, search, scripted, clawgit) -> None:
    scripted.says({"queries": ["automobile", "soup"]}, {"best": ["n3", "n1", "n99", "n3", "SOUL.md"]})
    use(model="openai:m", model_url=scripted.url)
    plain = [
        each["citation"] for each in clawgit("memory", "search", "vehicle tyres", "--json").data["results"]
    ]
    assert plain == at(0)

    found, notes, said = search("vehicle tyres", "--verbose")

    assert (found, notes) == (at(2, 0, 1), [])
    assert f"Asked m at {scripted.url.split('/')[2]} for other words." in said
    assert "Also searched for: automobile" in said
    assert f"to put these in order: {at(0)[0]}" in said
    assert "Used 200 tokens." in said
    assert "vehicle tyres" in scripted.bodies[0]["messages"][1]["content"]
    assert LINES[0] in scripted.bodies[1]["messages"][1]["content"]

    assert search("vehicle tyres")[0] == found
    assert len(scripted.bodies) == 2


def test_a_search_without_smart_asks_nobody(use, notes, scripted, clawgit) -> None:
    use(model="openai:m", model_url=scripted.url, reranker_url=scripted.url)
    assert clawgit("memory", "search", "soup").code == 0
    assert scripted.bodies == []


def as_tei(script):
    def answer(to, body):
        if "texts" in body:
            script.send(to, [{"index": n, "score": 0.1 * n} for n in range(len(body["texts"]))])
        else:
            script.send(to, {"error": "missing field `texts`"}, 422)

    return answer


def as_jina(script):
    def answer(to, body):
        count = len(body["documents"])
        script.send(
            to, {"model": "m", "results": [{"index": n, "relevance_score": n} for n in range(count)][::-1]}
        )

    return answer


@pytest.mark.parametrize("how", [as_tei, as_jina], ids=["TEI", "llama.cpp, Jina, Cohere"])
def test_a_reranker_decides_the_order(use, search, service, how) -> None:
    service.always = how(service)
    use(reranker_url=service.url, reranker_model="rank-m")

    found, notes, said = search("soup", "--verbose", environment={"CLAWGIT_RERANKER_KEY": "own-key"})

    assert (found, notes) == (at(2, 1), [])
    assert service.requests[0]["path"] == "/v1/rerank"
    assert service.requests[0]["body"]["model"] == "rank-m"
    assert service.requests[0]["body"]["query"] == "soup"
    assert service.headers[0]["Authorization"] == "Bearer own-key"
    assert "rank-m at 127.0.0.1" in said
    assert "own-key" not in said


def test_guesses_cost_no_more_with_a_reranker(use, notes, service, room, clawgit) -> None:
    for number in range(20):
        room.write(f"memory/soup-{number}.md", f"- Soup of day {number}: {'leeks and cream ' * 6}\n")
    room.keep("operator")
    service.always = as_jina(service)
    use(reranker_url=service.url, search_reranked="true")
    question = "which soup did the archbishop prefer behind the cathedral"

    found = clawgit("memory", "search", question, "--source", "memory", "--json").data

    assert found["confidence"] == "low"
    assert len(found["results"]) > 1
    assert sum(len(each["snippet"]) + 1 for each in found["results"]) <= GUESS_TOKENS * CHARACTERS


def test_what_a_reranker_misses_is_said_in_its_own_words(use, search, service) -> None:
    def wants_a_model(to, body):
        told = "model is required" if "documents" in body else "documents is required"
        service.send(to, {"message": told}, 400)

    service.always = wants_a_model
    use(reranker_url=service.url)

    found, notes, _ = search("soup")

    assert found == at(1, 2)
    assert "model is required" in notes[0]


WRONG = {
    "no scores": b'{"results": []}',
    "another shape": b'{"data": 1}',
    "a place that is not there": b'{"results": [{"index": 7, "relevance_score": 1}]}',
    "a place below": b'{"results": [{"index": -1, "relevance_score": 1}]}',
    "twice the same": b'{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 2}]}',
    "not a number": b'{"results": [{"index": 0, "relevance_score": NaN}]}',
    "a word": b'{"results": [{"index": 0, "relevance_score": "SOUL.md"}]}',
    "very large": b'{"results": [{"index": 0, "relevance_score": 1%s}]}' % (b"0" * 400),
    "a page": b"<html>",
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_a_reranker_that_answers_nonsense_leaves_the_plain_order(use, search, service, answer) -> None:
    service.always = service.raw(answer)
    use(reranker_url=service.url)

    found, notes, _ = search("soup")

    assert found == at(1, 2)
    assert notes[0].startswith("The hits are in plain order: 127.0.0.1")


REFUSALS = {
    "dropped": lambda s: s.drop,
    "a refused key": lambda s: s.status(401),
    "hurried": lambda s: s.status(429),
    "useless": lambda s: s.raw(b'{"choices": [{"message": {"content": "I would rather not."}}]}'),
    "files": lambda s: s.raw(
        b'{"choices": [{"message": {"content": "{\\"queries\\": [], \\"SOUL.md\\": \\"x\\"}"}}]}'
    ),
    "10 MB": lambda s: s.raw(b" " * 10_000_000),
}


@pytest.mark.parametrize("how", REFUSALS.values(), ids=REFUSALS)
def test_without_a_usable_answer_the_plain_order_stands_and_that_is_said(
    use, search, scripted, room, how
) -> None:
    scripted.service.always = how(scripted.service)
    use(model="openai:m", model_url=scripted.url)
    before = room.git("status", "--porcelain"), room.head()

    found, notes, said = search("soup", environment={"CLAWGIT_MODEL_KEY": "sk-secret"})

    assert found == at(1, 2)
    (note,) = notes
    assert note.startswith("The question was not reworded, and the hits are in plain order: ")
    assert note in said
    assert "sk-secret" not in said
    assert (room.git("status", "--porcelain"), room.head()) == before


def test_the_limit_of_the_day_holds_for_searches(use, search, scripted) -> None:
    scripted.says({"queries": []})
    use(model="openai:m", model_url=scripted.url, model_daily_tokens="500")

    found, notes, _ = search("soup")

    assert found == at(1, 2)
    assert "The day's limit would be passed" in notes[0]
    assert scripted.bodies == []


def test_what_a_day_had_too_little_of_the_next_one_has_again(use, search, scripted) -> None:
    scripted.says({"queries": []}, {"best": []}, tokens=2500)
    use(model="openai:m", model_url=scripted.url, model_daily_tokens="3000")

    today = search("soup")[1]
    tomorrow = search("soup", "--now", "2026-03-20T00:00:01")[1]

    assert [note.partition(",")[0] for note in today] == [
        "The hits are in plain order: The day's limit would be passed: 2"
    ]
    assert tomorrow == []
    assert len(scripted.bodies) == 2  # what was answered today is not asked again


def test_a_model_that_the_host_wrote_waits_and_is_not_asked(clawgit, search, scripted) -> None:
    clawgit("config", "set", "model", "openai:m", actor="host")
    clawgit("config", "set", "model_url", scripted.url, actor="host")

    found, notes, _ = search("soup")

    assert found == at(1, 2)
    assert notes == ["The hits are in plain order: model needs `clawgit approve model`."]
    assert scripted.bodies == []
    (first, *_) = [item for item in clawgit("doctor", "--json").data if item["check"] == "models"]
    assert "another model than the one in force" in first["what"]


def test_nothing_set_says_what_to_set(search) -> None:
    assert search("soup")[1] == [
        "The hits are in plain order: neither `model` nor `reranker_url` is set in CONFIG.md."
    ]


def test_a_program_is_asked_once_it_is_trusted_and_no_longer_when_it_changed(
    clawgit, search, room, tmp_path
) -> None:
    program = tmp_path / "ask"
    program.write_text(
        """#!/bin/sh\nprintf '%s' '{"text": "{\\"queries\\": [\\"automobile\\"], \\"best\\": []}"}'\n"""
    )
    program.chmod(stat.S_IRWXU)
    clawgit("config", "set", "model", f"command {program}")
    assert "needs `clawgit approve model`" in search("soup")[1][0]

    clawgit("approve", "model")
    assert search("soup")[1][0].startswith(
        "The question was not reworded"
    )  # it ran: `best` was not asked for
    program.write_text("""#!/bin/sh\nprintf '%s' '{"text": "{\\"queries\\": [\\"automobile\\"]}"}'\n""")
    assert "needs `clawgit approve model`" in search("soup")[1][0]
    clawgit("approve", "model")

    found, notes, _ = search("soup")
    assert sorted(found) == at(0, 1, 2)
    assert notes[0].startswith("The hits are in plain order")  # this one knows no `best`


def test_a_reranker_orders_where_the_model_fails(use, search, scripted, service) -> None:
    def either(to, body):
        if "documents" in body:
            as_jina(service)(to, body)
        else:
            service.send(to, b"", 401)

    scripted.service.always = either
    use(model="openai:m", model_url=scripted.url, reranker_url=service.url)

    found, notes, _ = search("soup")

    assert found == at(2, 1)
    (note,) = notes
    assert note.startswith("The question was not reworded: ")


def test_a_correction_never_comes_to_stand_lower(clawgit, use, search, service, room) -> None:
    room.write(
        "CORRECTIONS.md",
        "# Corrections\n\n## 2026-03-01 10:22 <!-- x:4f1c re-embedded:false -->\n\n- trigger: soup\n- trigger confidence: 100\n"
        "- said: Ada hates soup.\n- correct: Ada likes soup.\n- corrects: m:none\n- status: active\n",
    )
    room.keep("operator")
    service.always = as_jina(service)
    use(reranker_url=service.url)

    found, _, _ = search("Ada soup")

    assert found[0].startswith("CORRECTIONS.md")
    assert len(found) > 1


def test_only_what_was_shown_is_noted(use, search, scripted, room) -> None:
    scripted.says({"queries": ["automobile", "cat"]}, {"best": ["n2"]})
    use(model="openai:m", model_url=scripted.url)

    found, _, _ = search("soup", "--top", "1", "--session", "s1")

    with closing(sqlite3.connect(room.history.state / "records.db")) as db:
        assert db.execute("SELECT query FROM searches").fetchall() == [("soup",)]
        assert db.execute("SELECT COUNT(*) FROM search_hits").fetchone() == (len(found),) == (1,)


def test_no_key_is_kept_anywhere(use, search, scripted, room, own_home) -> None:
    key = "sk-never-to-be-seen-0123456789"
    scripted.says(
        {"queries": []}, {"best": []}, scripted.service.status(400, {"error": {"message": f"bad {key}"}})
    )
    use(model="openai:m", model_url=scripted.url)

    said = [search(query, "--verbose", environment={"CLAWGIT_MODEL_KEY": key}) for query in ("soup", "cat")]

    assert scripted.service.headers[0]["Authorization"] == f"Bearer {key}"
    assert key not in str(said)
    files = [path for folder in (room.root, own_home) for path in folder.rglob("*") if path.is_file()]
    assert [path for path in files if key.encode() in path.read_bytes()] == []


def test_smart_and_as_of_do_not_go_together(clawgit, notes) -> None:
    said = clawgit("memory", "search", "soup", "--smart", "--as-of", "2026-03-19")
    assert said.code == 2


@pytest.fixture
def plainly(clawgit, notes):
    """Return a function that searches without --smart and returns citations, notes, and what was said."""

    def call(query: str, *words: str, **more):
        said = clawgit("memory", "search", query, "--json", *words, **more)
        assert said.code == 0, said.err
        return [result["citation"] for result in said.data["results"]], said.data["notes"], said.err

    return call


@pytest.mark.parametrize("how", [as_tei, as_jina], ids=["TEI", "llama.cpp, Jina, Cohere"])
def test_three_lines_of_settings_have_every_search_reranked(use, plainly, service, scripted, how) -> None:
    """Mutants: the setting is not read; the model is asked as well."""
    service.always = how(service)
    use(reranker_url=service.url, reranker_model="rank-m", search_reranked="true")
    use(model="openai:m", model_url=scripted.url)

    found, notes, said = plainly("soup", "--verbose")

    assert (found, notes) == (at(2, 1), [])
    assert {request["body"]["query"] for request in service.requests} == {"soup"}
    assert "rank-m at 127.0.0.1" in said
    assert "other words" not in said


@pytest.fixture
def many(room, notes):
    room.write(
        "memory/many.md", "".join(f"- Soup number {n} of day {n * 7}.\n\n## Part {n}\n\n" for n in range(120))
    )
    room.keep("operator")


@pytest.mark.usefixtures("many")
def test_the_first_hundred_hits_are_reranked_whatever_is_shown(use, plainly, service) -> None:
    service.always = as_jina(service)
    use(reranker_url=service.url, search_reranked="true")

    found, _, _ = plainly("soup", "--top", "1", "--min-score", "0")

    assert [len(request["body"]["documents"]) for request in service.requests] == [25] * 4
    assert len(found) == 1


@pytest.mark.usefixtures("many")
def test_hits_that_the_reranker_scores_too_late_keep_their_place(use, plainly, service) -> None:
    """Mutant: an answer that is not whole counts for nothing."""
    plain, _, _ = plainly("soup", "--top", "60", "--min-score", "0")
    soon, never = as_jina(service), service.slow()

    def answer(to, body):
        (soon if len(service.requests) == 1 else never)(to, body)

    service.always = answer
    use(reranker_url=service.url, search_reranked="true", reranker_budget_ms="8000")

    found, notes, _ = plainly("soup", "--top", "60", "--min-score", "0")

    assert notes == ["The reranker scored 25 of 100 hits in time."]
    assert [set(found[:25]), found[25:]] == [set(plain[:25]), plain[25:]]


@pytest.mark.parametrize("how", REFUSALS.values(), ids=REFUSALS)
def test_a_search_whose_reranker_fails_answers_in_plain_order(use, plainly, service, how) -> None:
    service.always = how(service)
    use(reranker_url=service.url, search_reranked="true")

    found, (note,), said = plainly("soup", environment={"CLAWGIT_RERANKER_KEY": "rk-secret"})

    assert found == at(1, 2)
    assert note.startswith("The hits are in plain order: 127.0.0.1")
    assert note in said
    assert "rk-secret" not in said


@pytest.mark.parametrize("how", ["slow", "drip"])
def test_a_reranker_that_never_answers_is_not_waited_for(use, plainly, service, how) -> None:
    service.always = getattr(service, how)()
    use(reranker_url=service.url, search_reranked="true", reranker_budget_ms="400")

    found, (note,), _ = plainly("soup")

    assert found == at(1, 2)
    assert "too slow" in note


@pytest.mark.parametrize("waiting", ["reranker_url", "search_reranked"])
def test_what_the_host_wrote_sends_nothing(clawgit, use, plainly, service, waiting) -> None:
    """Mutant: a setting that is not guarded."""
    values = {"reranker_url": service.url, "search_reranked": "true"}
    theirs = values.pop(waiting)
    use(**values)
    clawgit("config", "set", waiting, theirs, actor="host")

    found, notes, _ = plainly("soup")

    assert found == at(1, 2)
    assert service.requests == []
    wanted = ["The hits are in plain order: reranker_url needs `clawgit approve reranker_url`."]
    assert notes == (wanted if waiting == "reranker_url" else [])


def test_a_search_that_shall_be_reranked_by_nobody_says_so(use, plainly) -> None:
    use(search_reranked="true")
    assert plainly("soup")[1] == ["The hits are in plain order: `reranker_url` is not set in CONFIG.md."]


DOCTOR = {
    "no key": ({"model": "openai:m"}, {}, "OPENAI_API_KEY is not set"),
    "no key for Anthropic": ({"model": "anthropic:m"}, {}, "ANTHROPIC_API_KEY is not set"),
    "a key in the open": (
        {"model": "m", "model_url": "http://models.example/v1"},
        {"CLAWGIT_MODEL_KEY": "sk"},
        "travels unencrypted to models.example",
    ),
    "no key at all": (
        {"model": "openai:m"},
        {"CLAWGIT_MODEL_KEY": "s k"},
        "holds characters that no key has",
    ),
    "an address alone": ({"model_url": "http://127.0.0.1:1/v1"}, {}, "model_url is set, but no model"),
    "nothing to spend": ({"model": "ollama:m", "model_daily_tokens": "0"}, {}, "model_daily_tokens is 0"),
    "nobody to rerank": ({"search_reranked": "true"}, {}, "search_reranked is on, but no reranker_url"),
    "a reranker in the open": (
        {"reranker_url": "http://rank.example"},
        {"CLAWGIT_RERANKER_KEY": "sk"},
        "key of the reranker travels unencrypted",
    ),
}


@pytest.mark.parametrize(("values", "environment", "told"), DOCTOR.values(), ids=DOCTOR)
def test_doctor_says_what_a_model_lacks(clawgit, use, values, environment, told) -> None:
    use(**values)

    found = [
        item["what"]
        for item in clawgit("doctor", "--json", environment=environment).data
        if item["check"] == "models"
    ]

    assert len(found) == 1
    assert told in found[0]


@pytest.mark.parametrize(
    ("values", "environment"),
    [
        ({}, {}),
        ({"model": "ollama:m"}, {}),
        ({"model": "openai:m"}, {"OPENAI_API_KEY": "sk"}),
        ({"model": "m", "model_url": "http://127.0.0.1:1234/v1"}, {"CLAWGIT_MODEL_KEY": "sk"}),
    ],
)
def test_doctor_is_silent_where_nothing_lacks(clawgit, use, values, environment) -> None:
    use(**values)
    assert [
        i for i in clawgit("doctor", "--json", environment=environment).data if i["check"] == "models"
    ] == []
