"""Models in folders, run without torch: an ONNX file through onnxruntime.

Mutants that these tests caught: padding counted in the mean, rows returned in the order of their lengths, the unreadable embedded all the same, a fingerprint of the name alone, a fingerprint of the weights alone,
a config of another kind believed.
"""

from __future__ import annotations

import json
import math
import shutil

import pytest
from chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2 import ONNXMiniLM_L6_V2
from tiny_models import WIDTH, numbers_of

from clawgit.recall.embedders.embedder import SENTENCE, EmbedderError, cosine
from clawgit.recall.embedders.local_model import LocalEmbedder, packaged_embedder, packaged_folder

WORDS = ["tea", "green", "deploy", "friday", "monday", "is", "on", "the"]


def load(folder):
    return LocalEmbedder(folder, "local")


@pytest.fixture
def folder(tmp_path, make_model):
    return make_model(tmp_path / "mine", WORDS, same={"monday": "friday"})


def test_rows_have_length_one_and_do_not_depend_on_their_company(folder):
    one = load(folder)
    texts = ["the deploy is on friday", "tea", "green tea is the tea on monday " * 9]

    rows = one.embed(texts)

    assert one.dimension == 32
    assert [round(math.hypot(*row), 5) for row in rows] == [1, 1, 1]
    for text, row in zip(texts, rows, strict=True):
        (alone,) = one.embed([text], query=True)
        assert cosine(alone, row) == pytest.approx(1, abs=1e-6)
    assert cosine(*one.embed(["tea on friday", "tea on monday"])) == pytest.approx(1, abs=1e-6)
    assert cosine(rows[0], rows[1]) < 0.9


def test_many_texts_come_back_in_their_order(folder):
    one = load(folder)
    texts = [" ".join(WORDS[n % 8 :][: 1 + n % 5]) for n in range(300)]

    assert all(
        cosine(row, one.embed([text])[0]) > 0.999 for row, text in zip(one.embed(texts), texts, strict=True)
    )


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("the deploy is on friday", True),
        ("the deploy is on sunday", True),
        ("the deploy sunday", False),
        ("데이", False),
        ("かい", False),
        ("데이터베이스", False),
        ("", False),
    ],
)
def test_what_the_model_knows_too_little_of_gets_no_row(folder, text, readable):
    (row,) = load(folder).embed([text])
    assert (row is not None) == readable


def test_other_weights_under_the_same_name_are_another_model(tmp_path, make_model):
    one = load(make_model(tmp_path / "a" / "mine", WORDS))
    same = load(make_model(tmp_path / "b" / "mine", WORDS))
    other = load(make_model(tmp_path / "c" / "mine", WORDS, seed="other"))

    assert one.model == same.model
    assert one.model.split("#")[0] == other.model.split("#")[0]
    assert one.model != other.model


def other_words(folder, write_tokenizer):
    write_tokenizer(folder, WORDS[::-1])


def other_pooling(folder, _):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')


@pytest.mark.parametrize("exchange", [other_words, other_pooling])
def test_the_same_weights_read_otherwise_are_another_model(folder, write_tokenizer, exchange):
    before = load(folder)
    exchange(folder, write_tokenizer)
    after = load(folder)

    assert cosine(*(one.embed(["green tea"])[0] for one in (before, after))) < 0.99
    assert before.model != after.model


def damage(name, what):
    def act(folder):
        path = folder / name
        data = path.read_bytes()
        if what == "gone":
            path.unlink()
        else:
            path.write_bytes(
                {"empty": b"", "halved": data[: len(data) // 2], "zeroed": bytes(len(data))}[what]
            )

    return pytest.param(act, id=f"{name} {what}")


def odd_part(folder):
    (folder / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.Dense"}]))


def odd_config(name, text):
    def act(folder):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)

    return pytest.param(act, id=f"{name} with {text}")


DAMAGES = [
    *(damage("model.onnx", what) for what in ("gone", "empty", "halved", "zeroed")),
    *(damage("tokenizer.json", what) for what in ("gone", "empty", "halved", "zeroed")),
    pytest.param(odd_part, id="a part of another kind"),
    odd_config("1_Pooling/config.json", "{"),
    odd_config("1_Pooling/config.json", "[]"),
    odd_config("sentence_bert_config.json", '"long"'),
    odd_config("modules.json", "{}"),
    odd_config("modules.json", "[1]"),
    pytest.param(shutil.rmtree, id="no folder"),
]


@pytest.mark.parametrize("act", DAMAGES)
def test_a_damaged_folder_is_a_refusal_that_names_it(folder, act):
    act(folder)

    with pytest.raises(EmbedderError) as refusal:
        load(folder)

    assert str(folder) in str(refusal.value)


def test_a_packaged_model_that_is_damaged_says_how_to_have_it_fetched_again(
    tmp_path, make_model, monkeypatch
):
    monkeypatch.setattr(ONNXMiniLM_L6_V2, "DOWNLOAD_PATH", tmp_path)
    folder = make_model(packaged_folder(), WORDS)
    (folder / "model.onnx").write_bytes(b"half of it")

    with pytest.raises(EmbedderError) as refusal:
        packaged_embedder()

    assert f"Remove {folder}" in refusal.value.hint


POOLINGS = {
    "": lambda rows: [sum(column) for column in zip(*rows, strict=True)],
    "pooling_mode_cls_token": lambda rows: rows[0],
    "pooling_mode_max_tokens": lambda rows: [max(column) for column in zip(*rows, strict=True)],
}


@pytest.mark.parametrize("pooling", POOLINGS)
def test_the_rows_of_the_tokens_are_pooled_as_the_folder_says(folder, pooling):
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({pooling: True}))
    texts = ["the deploy is on friday", "tea", "green tea is on the green"]

    rows = load(folder).embed(texts)

    nothing = [0.0] * WIDTH
    for text, row in zip(texts, rows, strict=True):
        expected = POOLINGS[pooling]([nothing, *(numbers_of(word, WIDTH) for word in text.split()), nothing])
        length = math.hypot(*expected) or 1.0
        assert list(row) == pytest.approx([number / length for number in expected], abs=3e-6)


def test_a_folder_without_an_onnx_file_says_what_is_missing(folder):
    (folder / "model.onnx").rename(folder / "model.safetensors")
    with pytest.raises(EmbedderError, match="runs only from an ONNX file") as refusal:
        load(folder)
    assert str(folder) in refusal.value.message


@pytest.mark.parametrize(
    ("name", "config", "question", "text"),
    [
        ("multilingual-e5-small", None, "query: tea", "passage: tea"),
        ("bge-small-en-v1.5", None, f"{SENTENCE}tea", "tea"),
        ("bge-m3", None, "tea", "tea"),
        ("mine", {"prompts": {"query": "green ", "document": "deploy "}}, "green tea", "deploy tea"),
    ],
)
def test_a_model_is_asked_as_it_wants_to_be(tmp_path, make_model, name, config, question, text):
    words = [*WORDS, "query", "passage", *SENTENCE.lower().replace(":", " :").split()]
    folder, plain = make_model(tmp_path / name, words), make_model(tmp_path / "plain", words)
    if config:
        (folder / "config_sentence_transformers.json").write_text(json.dumps(config), "utf-8")
    one, other = load(folder), load(plain)

    (asked,), (kept,) = one.embed(["tea"], query=True), one.embed(["tea"])

    assert cosine(asked, other.embed([question])[0]) == pytest.approx(1, abs=1e-6)
    assert cosine(kept, other.embed([text])[0]) == pytest.approx(1, abs=1e-6)
    assert (one.model.partition("#")[2] == other.model.partition("#")[2]) == (question == "tea")
