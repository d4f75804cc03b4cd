"""How many of the vendors' tokens are found, and how many technical lines are taken for one.

Each list was written before the shapes. A token is between « and »; its line is written backwards, or dots are in it,
so that no file of the project holds a whole one. Seen before the values that look random were weighed: 75 % of the
lines with surroundings.
"""

from __future__ import annotations

import re

import pytest
from tests_folder import TESTS

from clawgit.text.safety.secrets import find_secrets, redact

VENDORS = dict(
    line.split("\t") for line in (TESTS / "data/secrets/vendors.txt").read_text("utf-8").splitlines()
)
INNOCENT = (TESTS / "data/secrets/innocent.txt").read_text("utf-8").splitlines()
SURROUNDED = [
    line.replace("·", "").replace("\\n", "\n").split(" | ", 1)
    for line in (TESTS / "data/secrets/surroundings.txt").read_text("utf-8").splitlines()
]
INNOCENT_TALK = [
    line.replace("\\n", "\n")
    for line in (TESTS / "data/secrets/innocent-surroundings.txt").read_text("utf-8").splitlines()
    if not line.startswith("# ")
]


def unmasked(line: str) -> list[str]:
    """Return the secrets of the line of which a letter or digit could still be read."""
    pieces = re.split("[«»]", line)
    text = "".join(pieces)
    shown = list(text)
    for secret in find_secrets(text):
        shown[secret.start : secret.end] = " " * (secret.end - secret.start)
    places = [sum(map(len, pieces[:number])) for number in range(len(pieces))]
    return [
        piece
        for place, piece in list(zip(places, pieces, strict=True))[1::2]
        if any(char.isalnum() for char in shown[place : place + len(piece)])
    ]


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


def test_of_the_tokens_in_notes_files_and_commands_at_most_eight_in_a_hundred_can_be_read() -> None:
    missed = [name for name, line in SURROUNDED if unmasked(line)]

    assert len(SURROUNDED) >= 250
    assert len({name.partition("/")[0] for name, _ in SURROUNDED}) >= 150
    assert len(missed) <= len(SURROUNDED) * 8 // 100, missed


def test_of_a_hundred_innocent_lines_in_nine_languages_at_most_one_is_taken_for_a_secret() -> None:
    taken = [line for line in INNOCENT_TALK if find_secrets(line)]

    assert len(INNOCENT_TALK) >= 200
    assert len(taken) <= len(INNOCENT_TALK) // 100, taken


RANDOM = "q7Zp2KfX" + "9vLm4TbR" + "8sWj3HnD" + "5yGc"
DIGEST = "3f9a" * 4 + "c07e" * 4


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param(f"the key for the shop is {RANDOM}", "credential", id="a key, described"),
        pytest.param(f"Der Schlüssel lautet {RANDOM}", "credential", id="a key, in German"),
        pytest.param(f"{RANDOM} is our token for the shop", "credential", id="named behind"),
        pytest.param(f"SHOP_KEY={DIGEST}", "credential", id="hexadecimal, behind a setting's name"),
        pytest.param(f"use shop_live_{RANDOM}", "credential", id="a prefix that says live"),
        pytest.param(f"use xyz_{RANDOM}{RANDOM}", "credential", id="a short prefix and many characters"),
        pytest.param(f"Cookie: lang=de; sid={RANDOM}", "cookie", id="a cookie"),
        pytest.param(f"curl -b 'sid={RANDOM}' https://example.org", "cookie", id="a cookie of curl"),
        pytest.param(f"https://hooks.example.org/in/{RANDOM}", "webhook", id="a web hook"),
        pytest.param(f"private key: 0x{DIGEST}{DIGEST}", "credential", id="a wallet's key"),
        pytest.param(
            "SECRET_KEY=" + "c4fb2e48-11f5-68ec-52a8-e627ef2ebd2c", "credential", id="a UUID, in capitals"
        ),
        pytest.param("WLAN-Passwort: 77143297887307966649", "password", id="digits only"),
        pytest.param("Das Passwort für den Router ist Kx96!CdD", "password", id="described in German"),
        pytest.param("sshpass -p 'Kx96!CdD' ssh root@h", "password", id="an option"),
    ],
)
def test_a_value_is_found_by_what_is_beside_it(text: str, rule: str) -> None:
    assert [secret.rule for secret in find_secrets(text)] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"see {RANDOM} for more", id="nothing beside it"),
        pytest.param(f"the public key is {RANDOM}", id="a public key"),
        pytest.param(f"key fingerprint: {DIGEST}", id="a fingerprint"),
        pytest.param(f"cache key: {DIGEST}", id="a cache's key"),
        pytest.param(f"pk_live_{RANDOM} is the key in the page", id="a published key"),
        pytest.param(
            f"https://github.com/acme/webhooks/commit/{DIGEST}", id="a commit of a repository of hooks"
        ),
        pytest.param("key: c4fb2e48-11f5-68ec-52a8-e627ef2ebd2c", id="a UUID behind a bare word"),
        pytest.param(f"[redacted credential] {RANDOM}", id="the word of a mask"),
        pytest.param("Cookie: theme=dark; lang=de", id="cookies that anybody has"),
    ],
)
def test_a_value_that_only_looks_random_is_none(text: str) -> None:
    assert find_secrets(text) == []


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
