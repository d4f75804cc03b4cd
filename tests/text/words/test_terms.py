"""Terms meet where words do, and no tokenizer splits them again.

Mutants seen to fail here: no folding of accents or width, identifiers kept without their parts, pairs of a run
without its single characters, and a mark or a joint that FTS5 splits at.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clawgit.text.words.terms import TOKENIZER, folded_in_place, index_terms, plain, terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("- **!** 🎉", [], id="no words"),
        pytest.param("Painted paintings", ["paint", "paint"], id="English stems"),
        pytest.param("went, goes, gone", ["go", "go", "go"], id="irregular forms"),
        pytest.param(
            "Ada's café, naïve Ørsted", ["ada", "cafe", "naiv", "orst"], id="possessive and accents"
        ),
        pytest.param("l’ami qu'il", ["ami", "il"], id="French elision"),
        pytest.param("Ｆｕｌｌ １２", ["full", "12"], id="width"),
        pytest.param("pass\u200bword", ["password"], id="zero width"),
        pytest.param("$1,234,567", ["1234567"], id="thousands"),
        pytest.param("C# C++ R", ["csharp", "cplusplus", "r"], id="languages"),
        pytest.param("Má bán ở chợ", ["má", "bán", "ở", "chợ"], id="Vietnamese tones"),
        pytest.param("ёлка", ["елка"], id="Cyrillic"),
        pytest.param("كِتَابٌ كتــاب", ["كتاب", "كتاب"], id="Arabic vowel signs, and the stroke"),
        pytest.param("أحمد إلى آخر مؤتمر", ["احمد", "الي", "اخر", "موتمر"], id="Arabic hamza"),
        pytest.param("علی على کتاب كتاب", ["علي", "علي", "كتاب", "كتاب"], id="Persian keyboards"),
        pytest.param("שָׁלוֹם", ["שלום"], id="Hebrew points"),
        pytest.param("हिन्दी में।", ["हिन्दी", "में"], id="marks stay with their letters"),
        pytest.param("数据库", ["数据", "据库"], id="Chinese pairs"),
        pytest.param("库", ["库"], id="one character"),
        pytest.param("关于API的", ["关于", "api", "的"], id="Latin among Han"),
        pytest.param("デプロイ", ["デプ", "プロ", "ロイ"], id="katakana"),
        pytest.param("회의는 회의를 회의에서", ["회의", "회의", "회의"], id="Korean particles"),
        pytest.param("출원번호가", ["출원", "원번", "번호"], id="Korean pairs"),
        pytest.param("결정했다 결정하지", ["결정", "결정"], id="하다"),
        pytest.param("논의 나이", ["논의", "나이"], id="no particle"),
    ],
)
def test_terms_of(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        pytest.param("see snake_case_name", "snake_case_name", id="identifier, whole"),
        pytest.param("see snake_case_name", "case", id="identifier, a part"),
        pytest.param("see snakeCaseName", "snake_case_name", id="camel for snake"),
        pytest.param("TypeScript", "typescript", id="camel, whole"),
        pytest.param("OneClick Hosting", "click", id="camel, a part"),
        pytest.param("v1.2.3 is out", "v1.2.3", id="version"),
        pytest.param("v1.2.3 is out", "1.2.3", id="version without v"),
        pytest.param("v1.2.3 is out", "1.2", id="the beginning of a version"),
        pytest.param("on 2026-03-01", "2026-03-01", id="date"),
        pytest.param("on 2026-03-01", "2026-03", id="its month"),
        pytest.param("on 2026-03-01", "2026", id="its year"),
        pytest.param("call foo.bar() now", "foo.bar", id="call"),
        pytest.param("in memory/2026-01-20.md", "2026-01-20.md", id="the file of a path"),
        pytest.param("in memory/2026-01-20.md", "memory", id="the folder of a path"),
        pytest.param("192.168.10.2", "192.168.10.2", id="address"),
        pytest.param("at 14:15", "14:15", id="time"),
        pytest.param("$19.99/mo", "19.99", id="price"),
        pytest.param("No. 40-2026-0032591", "0032591", id="the end of a number"),
        pytest.param("the follow-up", "followup", id="joined"),
        pytest.param("a well-known author", "known", id="one of two"),
        pytest.param("snake_case를 쓴다", "snake_case", id="identifier before a particle"),
        pytest.param("爱喝茶", "茶", id="one character of a run"),
        pytest.param("차를 마신다", "차", id="one syllable before a particle"),
        pytest.param("O'Brien", "obrien", id="apostrophe"),
    ],
)
def test_what_is_written_is_found_whole_and_by_part(written: str, asked: str) -> None:
    assert set(terms_of(asked)) <= set(index_terms(written).split())


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        pytest.param("1.23", "123", id="a point counts"),
        pytest.param("12.3", "1.23", id="where it stands"),
        pytest.param("internal", "international", id="stems apart"),
        pytest.param("用户", "户用", id="order"),
    ],
)
def test_what_is_not_written_is_not_found(written: str, asked: str) -> None:
    assert not set(terms_of(asked)) & set(index_terms(written).split())


@settings(max_examples=60)
@given(st.text())
@example("a׀b c।d ๏ ⺀ ɐ̈ ﬁ İ ß ⼈ ＡΒ ..a__b-c v1.2 x’y’z 한\u1112\u1161")
@example("a.b_c/d@e+f 1,000,000.5 中a文b")
def test_fts5_holds_exactly_the_terms(text: str) -> None:
    stored = index_terms(text)
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(f'CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize="{TOKENIZER}")')
        db.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row)")
        db.execute("INSERT INTO words VALUES (?)", (stored,))
        held = {term for (term,) in db.execute("SELECT term FROM vocabulary")}

    assert held == set(stored.split())
    assert set(terms_of(text)) <= held


@given(st.text())
@example("ß İ ﬃ Å")
def test_folding_in_place_keeps_places(text: str) -> None:
    assert len(folded_in_place(plain(text))) == len(plain(text))


@given(st.lists(st.text(st.characters(codec="ascii")), max_size=6))
@example(["v1.2.3,", "1,200", "(snake_case)", "C++", "-", "Ada's"])
def test_no_term_reaches_over_a_space(parts: list[str]) -> None:
    assert index_terms(" ".join(parts)).split() == [
        term for part in parts for term in index_terms(part).split()
    ]


def test_korean_beside_vietnamese_is_found_by_what_a_question_asks_for() -> None:
    """Where a text's marks tell its words apart, Korean was stored as it was written, and no question asks for that."""
    text = "mạ 일본어"

    assert set(terms_of(text)) <= set(index_terms(text).split())
