"""`memory search` in enhanced mode, with Chroma: by meaning, and everything that core does works the same.

Mutants that these tests caught: hits of the vectors without the search's limits, a model's probe not compared, what is
gone not compared for the past, rows not kept, rows on a server that is down said to be dropped, answers from a tenth of the vectors, long texts not cut into pieces,
a model of zeros noted, rows forgotten before their service answers,
a question that the model cannot read reported by doctor.
"""

from __future__ import annotations

import json
import time
from datetime import timedelta
from itertools import permutations

import pytest

from clawgit.errors import ExitCode
from clawgit.http_client import Patience
from clawgit.recall import vector_search
from clawgit.recall.vectors.embedding_cache import PROBES

DAY = "memory/2026-03-18.md"
SAME = {"car": "automobile", "vehicle": "automobile", "feline": "cat", "autumn": "fall"}


@pytest.fixture
def notes(room, service):
    """Return a workspace with more lines than a handful, and a service that knows some synonyms."""
    service.same = SAME
    room.write(DAY, "# 2026-03-18\n\n- The automobile needs new tyres.\n- Ate soup with Ada.\n")
    room.write("memory/2026-03-17.md", "# 2026-03-17\n\n- Bought bread and butter.\n- Rain all day.\n")
    room.write("memory/pets.md", "# Pets\n\n- The cat is called Miso.\n- Walks in the park at noon.\n")
    room.keep("operator")
    return room


@pytest.fixture
def turn_on(clawgit, service, users_owner):
    def on(embedder: str = "openai:m", url: str | None = None, **more: str) -> None:
        values = {
            "embedder": embedder,
            "embedder_url": service.url if url is None else url,
            "mode": "enhanced",
        }
        for key, value in (values | more).items():
            assert clawgit("config", "set", key, value).code == 0

    return on


@pytest.fixture
def search(clawgit, turn_on):
    def ask(query: str, *words: str):
        said = clawgit("memory", "search", query, "--json", *words)
        assert said.code == 0, said.err
        return said.data

    return ask


def places(data) -> list[tuple[str, int]]:
    return [(hit["path"], hit["startLine"]) for hit in data["results"]]


def test_one_line_makes_a_word_that_nobody_wrote_findable(notes, search, turn_on):
    assert (DAY, 3) not in places(search("vehicle"))
    turn_on()

    found = search("vehicle")

    assert places(found)[0] == (DAY, 3)
    assert (found["mode"], found["provider"], found["model"], found["reason"]) == (
        "enhanced",
        "openai",
        "m",
        "",
    )
    assert 0.35 <= found["results"][0]["score"] <= 1


def test_what_the_keywords_find_is_found_as_before(notes, search, turn_on):
    plain = {query: places(search(query))[0] for query in ("soup", "Miso", "bread butter", "rain")}
    turn_on()
    for query, (path, line) in plain.items():
        best = search(query)["results"][0]
        assert best["path"] == path
        assert line in range(best["startLine"], best["endLine"] + 1)


def test_a_new_line_is_found_by_its_meaning_and_is_the_only_one_embedded(notes, search, turn_on, service):
    turn_on()
    search("vehicle")
    service.requests.clear()
    notes.write(DAY, notes.read(DAY) + "- The feline slept on the sofa.\n")

    assert places(search("cat sofa"))[0] == (DAY, 5)
    new = [text for text in service.texts() if text not in (PROBES[0], "cat sofa")]
    assert new == ["The feline slept on the sofa."]


def test_where_nothing_answers_well_guesses_follow_behind_what_reaches_the_minimum(notes, search, turn_on):
    """Mutants: in enhanced mode no guesses; guesses in the order of the ranking."""
    turn_on()
    shown = [hit["score"] >= 0.2 for hit in search("vehicle")["results"]]
    assert shown == sorted(shown, reverse=True)
    assert not all(shown)


def test_a_line_that_went_is_not_found_any_more(notes, search, turn_on):
    turn_on()
    assert places(search("vehicle"))[0] == (DAY, 3)
    notes.write(DAY, "# 2026-03-18\n\n- Ate soup with Ada.\n")
    assert not any("automobile" in hit["snippet"] for hit in search("vehicle")["results"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "there"),
    [
        (("--tier", "T2"), True),
        (("--tier", "T1"), False),
        (("--path", "memory/2026-03-*"), True),
        (("--path", "memory/pets.md"), False),
        (("--source", "extra"), False),
        (("--mmr", "0.5"), True),
    ],
)
def test_what_the_vectors_find_stays_within_the_limits(notes, search, turn_on, words, there):
    turn_on()
    assert ((DAY, 3) in places(search("vehicle", *words))) == there


def test_a_correction_stands_before_what_it_corrects_found_by_meaning(notes, clawgit, search, turn_on):
    added = clawgit("memory", "add", "The automobile is red.", "--tag", "knowledge", "--json")
    entry = added.data["entry"].removeprefix("m:")
    notes.change(
        {
            "CORRECTIONS.md": (
                "# Corrections\n\n## 2026-03-19 09:00 <!-- x:4f1c re-embedded:false -->\n"
                "- trigger: no\n- trigger confidence: 100\n- said: The automobile is red.\n"
                f"- correct: It is blue.\n- corrects: m:{entry}\n- status: open\n"
            )
        },
        actor="operator",
    )
    turn_on()

    first = search("vehicle colour red")["results"][0]

    assert first["path"] == "CORRECTIONS.md"
    assert ["The automobile is red." in old["text"] for old in first["corrects"]] == [True]


def test_what_left_memory_is_found_by_its_words(notes, clawgit, search, turn_on):
    turn_on()
    search("vehicle")
    notes.now += timedelta(days=2)
    notes.change({DAY: "# 2026-03-18\n\n- Ate soup with Ada.\n"})

    now = "2026-03-25T10:00:00+00:00"
    then = clawgit("memory", "search", "automobile", "--as-of", "2026-03-19", "--json", "--now", now).data
    deep = clawgit("memory", "search", "automobile", "--deep", "--json", "--now", now).data

    assert places(then)[0] == (DAY, 3)
    (retired,) = (hit for hit in deep["results"] if "retired" in hit)
    assert retired["path"] == DAY
    assert retired["retired"]["by"] == "memory-miner"


def test_decay_puts_old_notes_back_in_enhanced_mode_too(notes, search, turn_on):
    old = "memory/2020-01-01.md"
    notes.write(old, "# 2020-01-01\n\n- The automobile was new.\n")
    turn_on(temporal_decay_enabled="true")
    found = [path for path, _ in places(search("vehicle"))]
    assert found.index(DAY) < found.index(old)


def test_the_formula_of_the_source_can_be_had_exactly(notes, search, turn_on, service):
    turn_on(search_fusion="0.7/0.3")
    hit = search("vehicle", "--min-score", "0")["results"][0]
    assert (hit["path"], hit["startLine"]) == (DAY, 3)
    rows = service.rows({"input": ["vehicle", "The automobile needs new tyres."]})
    one, other = ([x / sum(y * y for y in row) ** 0.5 for x in row] for row in rows)
    cosine = sum(a * b for a, b in zip(one, other, strict=True))
    assert hit["score"] == pytest.approx(0.7 * cosine, abs=1e-4)


def test_a_large_workspace_waits_for_its_vectors_and_says_so(room, clawgit, search, turn_on, service):
    service.same = SAME
    lines = "".join(f"- note {n} of many things\n" for n in range(400))
    room.write(DAY, "- The automobile needs new tyres.\n" + lines)
    turn_on()

    first = search("note 7")
    assert first["mode"] == "core"
    assert "lines have vectors yet" in first["reason"]
    index = clawgit("memory", "index", "--json")
    assert (index.code, index.data["vectors"]["rows"]) == (0, index.data["vectors"]["live"])
    assert places(search("vehicle"))[0] == (DAY, 1)


def test_texts_of_a_service_are_paid_for_once(notes, clawgit, search, turn_on, service):
    turn_on()
    clawgit("memory", "index")
    asked = [text for text in service.texts() if text not in PROBES]
    assert len(asked) == len(set(asked))
    service.requests.clear()

    clawgit("memory", "index")
    notes.write("memory/2026-03-16.md", notes.read(DAY))  # said before, elsewhere
    search("soup")

    assert {text for text in service.texts() if text not in PROBES} <= {"soup"}


def test_another_model_never_meets_the_rows_of_the_one_before(notes, clawgit, search, turn_on, service):
    turn_on()
    assert places(search("vehicle"))[0] == (DAY, 3)
    service.dimension = 32

    reason = search("vehicle")["reason"]
    assert "32 numbers instead of 64" in reason
    clawgit("config", "set", "embedder", "openai:other")
    found = search("vehicle")
    assert (found["mode"], found["model"], places(found)[0]) == ("enhanced", "other", (DAY, 3))
    service.dimension = 64
    clawgit("config", "set", "embedder", "openai:m")
    assert search("vehicle")["mode"] == "enhanced"


def test_a_model_that_was_exchanged_under_its_name_is_noticed(notes, clawgit, search, turn_on, service):
    turn_on()
    search("vehicle")
    service.same = {
        word: f"other {word}" for word in ["what", "is", "the", "boiling", "point", "of", "tungsten"]
    }

    found = search("soup")
    assert (found["mode"], places(found)[0]) == ("core", (DAY, 4))
    assert "answers differently from before" in found["reason"]

    assert clawgit("memory", "index", "--force").code == 0
    assert search("soup")["mode"] == "enhanced"


def test_a_first_answer_of_zeros_teaches_nothing_about_the_model(notes, search, turn_on, service):
    turn_on()
    service.always = lambda to, body: service.send(
        to, {"data": [{"index": n, "embedding": [0] * 64} for n, _ in enumerate(body["input"])]}
    )
    assert "nothing but zeros" in search("vehicle")["reason"]
    service.always = None

    assert places(search("vehicle"))[0] == (DAY, 3)


@pytest.mark.rest
def test_rows_are_forgotten_only_for_a_service_that_can_make_others(notes, clawgit, search, turn_on, service):
    turn_on()
    clawgit("memory", "index")
    service.always = service.status(500)
    assert clawgit("memory", "index", "--force").code == ExitCode.REFUSED
    service.always = None
    service.requests.clear()

    assert search("vehicle")["mode"] == "enhanced"
    assert {text for text in service.texts() if text not in PROBES} == {"vehicle"}


def test_doctor_and_status_say_how_the_vectors_stand(notes, clawgit, search, turn_on, service):
    turn_on()
    clawgit("memory", "index")
    assert [item for item in clawgit("doctor", "--json").data if item["check"] == "vectors"] == []
    status = clawgit("memory", "status", "--json").data
    vectors = status["vectors"]
    assert (status["mode"], vectors["rows"], vectors["placed"]) == (
        "enhanced",
        vectors["live"],
        vectors["live"],
    )
    assert "Vectors: " in clawgit("memory", "status").out

    service.always = service.status(500)
    (found,) = [item for item in clawgit("doctor", "--json").data if item["check"] == "vectors"]
    assert "Searches use keywords alone" in found["what"]


@pytest.mark.parametrize("words", [(), ("--force",)], ids=["first", "again"])
def test_an_index_waits_for_a_service_that_still_loads_its_model(
    notes, clawgit, turn_on, service, monkeypatch, words
):
    turn_on()
    clawgit("memory", "index", *words)
    if not words:
        clawgit("memory", "index", "--drop-vectors")
    monkeypatch.setattr(vector_search, "ASKING", Patience(0.2, tries=1))

    def loads(to, body):
        time.sleep(0.4)
        service.good(to, body)

    service.always = loads

    said = clawgit("memory", "index", *words)

    assert "too slow" not in said.err
    assert "Vectors: 13 of 13 texts" in said.out


MEMORIES = {
    "Chinese": ("- 妈妈住在海边的老房子里。\n", True),
    "English": (
        "".join(f"- {' '.join(order)}\n" for order in permutations(["the", "green", "tea", "is", "hot"])),
        False,
    ),
}


@pytest.mark.parametrize("memory", MEMORIES)
def test_writing_that_the_packaged_model_cannot_read_is_told(
    room, clawgit, users_owner, make_model, own_home, memory
):
    lines, is_told = MEMORIES[memory]
    make_model(
        own_home / ".cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx", ["the", "green", "tea", "is", "hot"]
    )
    room.write(DAY, lines)
    room.keep("operator")
    clawgit("config", "set", "mode", "enhanced")

    assert ("reads English only" in clawgit("memory", "index").out) is is_told
    assert clawgit("memory", "status", "--json").data["vectors"]["advice"].endswith("bge-m3`.") is is_told


def test_dropped_vectors_are_gone_and_made_again_when_they_are_wanted(notes, clawgit, search, turn_on):
    turn_on()
    search("vehicle")
    assert clawgit("memory", "index", "--drop-vectors").code == 0
    assert not list((notes.history.state / "vectors").glob("*"))
    assert places(search("vehicle"))[0] == (DAY, 3)


def test_what_a_server_cannot_be_asked_to_forget_is_not_said_to_be_gone(notes, clawgit, search, turn_on):
    turn_on(chroma_url="http://127.0.0.1:9")
    assert places(search("vehicle"))[0] == (DAY, 3)

    said = clawgit("memory", "index", "--drop-vectors")

    assert said.code == ExitCode.REFUSED
    assert "http://127.0.0.1:9 could not be deleted" in said.err
    assert (notes.history.state / "vectors/embeddings.db").exists()
    clawgit("config", "set", "chroma_url", "")
    assert clawgit("memory", "index", "--drop-vectors").code == 0
    assert not (notes.history.state / "vectors").exists()


WORDS = [
    "the",
    "automobile",
    "needs",
    "new",
    "tyres",
    "ate",
    "soup",
    "with",
    "ada",
    "cat",
    "is",
    "called",
    "bought",
    "bread",
    "and",
    "butter",
    "what",
    "do",
    "we",
]


def test_a_model_in_a_folder_answers_without_any_service(
    notes, search, turn_on, make_model, tmp_path, service
):
    folder = make_model(tmp_path / "mine", [*WORDS, "vehicle"], same={"vehicle": "automobile"})
    turn_on(f"local:{folder}", "")

    found = search("vehicle")

    assert (found["mode"], found["provider"], found["model"]) == ("enhanced", "local", "mine")
    assert places(found)[0] == (DAY, 3)
    assert service.requests == []


def test_a_model_that_reads_other_questions_than_doctors_is_in_order(
    notes, clawgit, turn_on, make_model, tmp_path
):
    turn_on(f"local:{make_model(tmp_path / 'mine', WORDS)}", "")
    clawgit("memory", "index")

    assert [item for item in clawgit("doctor", "--json").data if item["check"] == "vectors"] == []


def test_what_the_model_cannot_read_is_left_to_the_keywords(notes, search, turn_on, make_model, tmp_path):
    notes.write("memory/2026-03-16.md", "- 데이터베이스는 포스트그레스\n- 天气很好\n")
    turn_on(f"local:{make_model(tmp_path / 'mine', WORDS)}", "")

    korean = search("데이터베이스")
    assert (korean["mode"], places(korean)[0]) == ("core", ("memory/2026-03-16.md", 1))
    assert "cannot read this question" in korean["reason"]
    english = search("automobile tyres")
    assert (english["mode"], places(english)[0]) == ("enhanced", (DAY, 3))


def test_a_folder_that_went_is_a_reason_and_no_failure(notes, search, turn_on, tmp_path):
    turn_on(f"local:{tmp_path / 'nowhere'}", "")
    found = search("soup")
    assert (found["mode"], places(found)[0]) == ("core", (DAY, 4))
    assert "nowhere" in found["reason"]


def test_long_texts_are_read_to_their_end(room, search, turn_on, service):
    service.same = SAME
    filler = " ".join(f"word{n}" for n in range(600))
    room.write(DAY, f"A paragraph: {filler} automobile automobile automobile.\n\n- Ate soup.\n- Rain.\n")
    turn_on()

    assert places(search("vehicle", "--min-score", "0.05"))[0] == (DAY, 1)
    longest = max(service.texts(), key=len)
    assert len(longest) < 1200


def test_an_index_that_cannot_be_written_is_searched_by_keywords(
    notes, clawgit, search, turn_on, monkeypatch
):
    turn_on()
    search("vehicle")
    folder = notes.history.state / "vectors"
    for path in folder.glob("embeddings.db*"):
        path.unlink()
    (folder / "embeddings.db").mkdir()

    found = search("soup")

    assert (found["mode"], places(found)[0]) == ("core", (DAY, 4))
    assert clawgit("memory", "status").code == ExitCode.DONE
    for words in (("doctor",), ("memory", "index")):
        assert clawgit(*words).code == ExitCode.REFUSED
    assert clawgit("memory", "index", "--drop-vectors").code == ExitCode.DONE
    assert places(search("vehicle"))[0] == (DAY, 3)
    assert found["reason"]


def test_nothing_of_the_vectors_is_ever_committed_or_shown_by_git(notes, search, turn_on):
    turn_on()
    before = notes.git("status", "--porcelain")
    search("vehicle")
    assert notes.git("status", "--porcelain") == before
    assert json.dumps(before) == '""'
