"""Models in folders, run without torch: an ONNX file through onnxruntime, a BERT through numpy.

Mutants that these tests caught: padding counted in the mean, rows returned in the order of their lengths, a GELU of
tanh, padding seen by the attention, the unreadable embedded all the same, a fingerprint of the name alone, a fingerprint of the weights alone,
a config of another kind believed.
"""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest

from clawgit.recall.embedders import packaged_model as packaged
from clawgit.recall.embedders.embedder import EmbedderError, cosine
from clawgit.recall.embedders.local_model import LocalEmbedder

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
    monkeypatch.setattr(packaged.ONNXMiniLM_L6_V2, "DOWNLOAD_PATH", tmp_path)
    folder = make_model(packaged.packaged_folder(), WORDS)
    (folder / "model.onnx").write_bytes(b"half of it")

    with pytest.raises(EmbedderError) as refusal:
        packaged.packaged_embedder()

    assert f"Remove {folder}" in refusal.value.hint


SHAPE = {"model_type": "bert", "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_act": "gelu"}
SIZE, INNER, LAYERS, HEADS = 8, 12, 2, 2


def write_bert(folder, write_tokenizer, write_safetensors):
    """Write a BERT of two layers with weights from a generator, and return its weights."""
    tokens = write_tokenizer(folder, WORDS)
    numbers = np.random.default_rng(7)
    weights = {}

    def add(name, *shape):
        weights[name] = numbers.normal(0, 0.7, shape).astype(np.float32)

    for name, rows in (("word", len(tokens)), ("position", 40), ("token_type", 2)):
        add(f"embeddings.{name}_embeddings.weight", rows, SIZE)
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        dense = {"attention.self.query": (SIZE, SIZE), "attention.self.key": (SIZE, SIZE)}
        dense |= {"attention.self.value": (SIZE, SIZE), "attention.output.dense": (SIZE, SIZE)}
        dense |= {"intermediate.dense": (INNER, SIZE), "output.dense": (SIZE, INNER)}
        for name, shape in dense.items():
            add(f"{at}{name}.weight", *shape)
            add(f"{at}{name}.bias", shape[0])
        norms += [at + "attention.output.LayerNorm", at + "output.LayerNorm"]
    for name in norms:
        add(name + ".weight", SIZE)
        add(name + ".bias", SIZE)
    (folder / "config.json").write_text(json.dumps(SHAPE))
    arrays = {name: (list(found.shape), found.ravel().tolist()) for name, found in weights.items()}
    write_safetensors(folder / "model.safetensors", arrays)
    return weights, tokens


class SlowBert:
    """The same model, number by number, as its paper describes it."""

    def __init__(self, weights):
        self.weights = weights

    def states(self, ids):
        rows = [self.embedded(token, place) for place, token in enumerate(ids)]
        for layer in range(LAYERS):
            rows = self.layer(rows, f"encoder.layer.{layer}.")
        return rows

    def layer(self, rows, at):
        rows = self.added(rows, self.attended(rows, at + "attention.self."), at + "attention.output")
        wide = [[self.gelu(x) for x in self.dense(row, at + "intermediate.dense")] for row in rows]
        return self.added(rows, wide, at + "output")

    def added(self, rows, more, at):
        return [
            self.norm(
                [a + b for a, b in zip(row, self.dense(one, at + ".dense"), strict=True)], at + ".LayerNorm"
            )
            for row, one in zip(rows, more, strict=True)
        ]

    def embedded(self, token, place):
        parts = (("word", token), ("position", place), ("token_type", 0))
        rows = [self.weights[f"embeddings.{name}_embeddings.weight"][number] for name, number in parts]
        return self.norm([float(sum(column)) for column in zip(*rows, strict=True)], "embeddings.LayerNorm")

    def attended(self, rows, at):
        q, k, v = ([self.dense(row, at + part) for row in rows] for part in ("query", "key", "value"))
        width = SIZE // HEADS
        parts = [slice(head * width, (head + 1) * width) for head in range(HEADS)]
        return [
            [x for part in parts for x in self.head(one[part], [r[part] for r in k], [r[part] for r in v])]
            for one in q
        ]

    def head(self, one, keys, values):
        scores = [
            math.exp(sum(a * b for a, b in zip(one, key, strict=True)) / math.sqrt(len(one))) for key in keys
        ]
        return [
            sum(score * x for score, x in zip(scores, column, strict=True)) / sum(scores)
            for column in zip(*values, strict=True)
        ]

    def dense(self, row, name):
        matrix, bias = self.weights[name + ".weight"], self.weights[name + ".bias"]
        return [
            sum(w * x for w, x in zip(line, row, strict=True)) + b
            for line, b in zip(matrix, bias, strict=True)
        ]

    def norm(self, row, name):
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        scale, shift = self.weights[name + ".weight"], self.weights[name + ".bias"]
        return [(x - mean) / spread * s + b for x, s, b in zip(row, scale, shift, strict=True)]

    @staticmethod
    def gelu(x):
        return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


@pytest.fixture
def bert(tmp_path, write_tokenizer, write_safetensors):
    folder = tmp_path / "bert"
    weights, tokens = write_bert(folder, write_tokenizer, write_safetensors)
    return folder, weights, tokens


POOLINGS = {
    "": lambda rows: [sum(column) for column in zip(*rows, strict=True)],
    "pooling_mode_cls_token": lambda rows: rows[0],
    "pooling_mode_max_tokens": lambda rows: [max(column) for column in zip(*rows, strict=True)],
}


@pytest.mark.parametrize("pooling", POOLINGS)
def test_a_bert_without_onnx_gives_what_the_paper_says(bert, pooling):
    folder, weights, tokens = bert
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({pooling: True}))
    texts = ["the deploy is on friday", "tea", "green tea is on the green"]

    rows = load(folder).embed(texts)

    for text, row in zip(texts, rows, strict=True):
        ids = [tokens.index(token) for token in ("[CLS]", *text.split(), "[SEP]")]
        expected = POOLINGS[pooling](SlowBert(weights).states(ids))
        assert list(row) == pytest.approx([x / math.hypot(*expected) for x in expected], abs=3e-6)


@pytest.mark.parametrize("act", [damage("model.safetensors", what) for what in ("empty", "halved", "zeroed")])
def test_damaged_weights_are_a_refusal(bert, act):
    folder, *_ = bert
    act(folder)
    with pytest.raises(EmbedderError, match=str(folder)):
        load(folder)


@pytest.mark.parametrize(
    "about", [{"model_type": "xlm-roberta"}, {"hidden_act": "relu"}, {"num_hidden_layers": 3}]
)
def test_a_model_of_another_kind_is_refused(bert, about):
    folder, *_ = bert
    (folder / "config.json").write_text(json.dumps(SHAPE | about))
    with pytest.raises(EmbedderError, match=str(folder)):
        load(folder)
