"""From texts to what a model reads of them.

Mutants that these tests caught: dates left in, tags left in, a text of tags alone made empty.
"""

from __future__ import annotations

import pytest

from clawgit.recall.vectors.embed_texts import statement


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
