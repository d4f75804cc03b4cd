"""Keywords and vectors in one order: what a near line gains, and the source's formula as it is written.

Mutants that these tests caught: a line the vectors alone found left out, neighbours that count across sections,
likeness that counts below what unrelated questions reach, the shares of the formula exchanged.
"""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

from clawgit.recall.index.places import Corpus, IndexedLine
from clawgit.recall.ranking.fusion import Near
from clawgit.recall.ranking.ranking import Ranked

VECTORS = TESTS / "vectors" / "hybrid_mmr.json"
CORPUS = Corpus(400, 10.0)
SHARES = (0.7, 0.3)  # of vectors and of keywords


def line(key: int, section: int = 1) -> IndexedLine:
    return IndexedLine(key, section, key, "", "", text=bytes([key]))


def near(best: tuple[int, ...] = (), **cosines: float) -> Near:
    named = {bytes([int(key[1:])]): cosine for key, cosine in cosines.items()}
    return Near(named, tuple(bytes([key]) for key in best), mean=0.2, spread=0.1, unrelated=0.25)


def keys(hits) -> list[int]:
    return [hit.key for hit in hits]


def test_of_lines_that_hold_the_same_words_the_nearer_one_comes_first():
    ranked = [Ranked(1, 5.0, 0.5, 0.5), Ranked(2, 5.0, 0.5, 0.5)]
    assert keys(near(t1=0.3, t2=0.6).fused(ranked, [line(1), line(2, 2)], CORPUS)) == [2, 1]


def test_a_line_that_only_the_vectors_found_is_an_answer_too():
    ranked = [Ranked(1, 5.0, 0.5, 0.5)]
    hits = near((2,), t2=0.6, t3=0.6).fused(ranked, [line(1), line(2, 2), line(3, 3)], CORPUS)
    assert keys(hits) == [2, 1]
    assert hits[0].coverage == pytest.approx((0.6 - 0.25) / 0.6)


def test_a_line_beside_a_near_one_gains_in_its_own_section_only():
    ranked = [Ranked(key, 5.0, 0.5, 0.5) for key in (1, 3, 5)]
    lines = [line(1), line(2), line(3), line(4, 2), line(5, 3)]
    hits = {hit.key: hit.order for hit in near(t2=0.6, t4=0.6).fused(ranked, lines, CORPUS)}
    assert hits[3] > hits[1] > hits[5] == 5.0


@pytest.mark.parametrize(
    ("cosine", "likeness"),
    [(1.0, 1.0), (0.85, 1.0), (0.55, 0.5), (0.25, 0.0), (0.1, 0.0), (-0.4, 0.0), (None, 0.0)],
)
def test_likeness_begins_where_unrelated_questions_end(cosine, likeness):
    told = Near({} if cosine is None else {b"t": cosine}, unrelated=0.25)
    assert told.likeness(b"t") == pytest.approx(likeness)


@pytest.mark.parametrize(("cosine", "height"), [(0.5, 3.0), (0.2, 0.0), (0.1, 0.0), (None, 0.0)])
def test_height_is_told_in_spreads_above_the_average(cosine, height):
    told = Near({} if cosine is None else {b"t": cosine}, mean=0.2, spread=0.1)
    assert told.height(b"t") == pytest.approx(height)


def test_rows_that_are_all_alike_change_nothing():
    ranked = [Ranked(1, 5.0, 0.5, 0.5)]
    told = Near({b"\1": 0.9}, (b"\1",), mean=0.9, spread=0.0, unrelated=1.0)
    assert told.fused(ranked, [line(1)], CORPUS) == ranked


def test_a_score_stays_between_the_keywords_own_and_one():
    hits = near(t1=0.55).fused([Ranked(1, 5.0, 0.5, 0.4)], [line(1)], CORPUS)
    assert (hits[0].coverage, hits[0].direct) == (pytest.approx(0.75), pytest.approx(0.7))


MERGES = [
    case
    for case in json.loads(VECTORS.read_text("utf-8"))["merge_cases"]
    if case["basis"] == "seed" and "temporalDecay" not in case["params"]
]


@pytest.mark.parametrize("case", MERGES, ids=lambda case: case["id"])
def test_the_formula_is_the_one_that_is_written(case):
    (vector,), (keyword,) = case["params"]["vector"], case["params"]["keyword"]
    hits = near(t1=vector["vectorScore"]).by_formula(
        [Ranked(1, 9.0, keyword["textScore"], 0.0)], [line(1)], SHARES
    )
    assert [hit.order for hit in hits] == [pytest.approx(each["score"]) for each in case["expect"]]
    assert hits[0].coverage == hits[0].order


@pytest.mark.parametrize(
    ("cosine", "keyword", "score"), [(0.8, None, 0.56), (None, 0.5, 0.15), (-0.3, 1.0, 0.3), (1.0, 1.0, 1.0)]
)
def test_the_formula_takes_what_there_is(cosine, keyword, score):
    ranked = [] if keyword is None else [Ranked(1, 9.0, keyword, 0.0)]
    told = near((1,), **({} if cosine is None else {"t1": cosine}))
    assert [hit.order for hit in told.by_formula(ranked, [line(1)], SHARES)] == [pytest.approx(score)]
