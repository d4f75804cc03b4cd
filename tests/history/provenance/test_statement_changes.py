"""What a log tells of a commit: each row with the words that it rests on."""

from __future__ import annotations

import pytest

from clawgit.history.provenance.statement_changes import quote_of

EVIDENCE = (
    'chat:a "My sister Ana lives in Lisbon."',
    "chat:b",
    'chat:c "Remember that invoices of Acme are due in 45 days."',
)


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("2026-11-25: Remember that invoices of Acme are due in 45 days. #event", "Remember that invoices of Acme are due in 45 days."),
        ("User's sister lives in Lisbon.", "My sister Ana lives in Lisbon."),
        ("用户喜欢茶。", "My sister Ana lives in Lisbon."),
    ],
)  # fmt: skip
def test_the_quote_beside_a_statement_is_the_one_that_says_most_of_it(words: str, quote: str) -> None:
    """Seen: a line about invoices, `you: "My sister Ana lives in Lisbon."`: one change has one list of evidence."""
    assert quote_of(EVIDENCE, words) == quote
    assert quote_of((), words) == ""
