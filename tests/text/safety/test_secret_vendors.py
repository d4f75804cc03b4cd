"""How many of the vendors' tokens are found, and how many technical lines are taken for one.

Both lists were written before the shapes. A token stands between « and », and its line is written backwards, so that
no file of the project holds a whole one.
"""

from __future__ import annotations

import pytest
from tests_folder import TESTS

from clawgit.text.safety.secrets import find_secrets, redact

VENDORS = dict(
    line.split("\t") for line in (TESTS / "data/secrets/vendors.txt").read_text("utf-8").splitlines()
)
INNOCENT = (TESTS / "data/secrets/innocent.txt").read_text("utf-8").splitlines()


def is_masked(backwards: str) -> bool:
    """Say whether every character of the token lies in what was found."""
    before, token, after = backwards[::-1].replace("\\n", "\n").replace("»", "«").split("«")
    begin, end = len(before), len(before) + len(token)
    return any(secret.start <= begin and end <= secret.end for secret in find_secrets(before + token + after))


def test_nine_tenths_of_the_vendors_tokens_are_masked_whole() -> None:
    missed = [vendor for vendor, line in VENDORS.items() if not is_masked(line)]

    assert len(VENDORS) >= 60
    assert len(missed) <= len(VENDORS) // 10, missed


def test_of_a_hundred_technical_lines_at_most_one_is_taken_for_a_secret() -> None:
    taken = [line for line in INNOCENT if find_secrets(line)]

    assert len(INNOCENT) >= 200
    assert len(taken) <= len(INNOCENT) // 100, taken


@pytest.mark.parametrize(
    ("before", "token", "after"),
    [
        pytest.param(
            "https://api.telegram.org/bot", "7070994552" + ":AAOG" + "9f4P" * 8, "/sendMessage", id="in a URL"
        ),
        pytest.param("", "snyk" + "_sat.Fpqsvj7G." + "9nAfKQ" * 9, " is theirs", id="two dots"),
        pytest.param("AZURE_DEVOPS_EXT_PAT=", "qkvcz8gqd2l8" * 4, "", id="no shape but a name"),
    ],
)
def test_a_token_is_masked_where_it_stands(before: str, token: str, after: str) -> None:
    masked = redact(before + token + after)

    assert token not in masked
    assert masked.startswith(before)
    assert masked.endswith(after)
