"""Names of session files are safe, and never those of another session."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest
from tests_folder import TESTS

from clawgit.capture.sessions.session_end import LONGEST, safe_slug, session_path, subject_of

VECTORS = json.loads((TESTS / "vectors/session_hook.json").read_text("utf-8"))
AT = datetime(2026, 1, 16, 14, 30)


@pytest.mark.parametrize("case", VECTORS["slug_cases"], ids=lambda case: case["id"])
def test_the_vectors(case) -> None:
    path = session_path(safe_slug(case["model_text"]), AT, ())

    assert re.fullmatch(r"memory/2026-01-16-[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?\.md", path)
    assert path == f"memory/{case['peer_filename']}"


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        pytest.param("the whole story of a very long migration", "the-whole-story-of-a-very-long", id="at a word"),
        pytest.param("a" * 40, "a" * LONGEST, id="one long word"),
        pytest.param("Café Ünïcode", "cafe-unicode", id="accents"),
        pytest.param("../../etc/passwd", "etc-passwd", id="a path"),
        pytest.param("aaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", id="no dash at the end"),
    ],
)  # fmt: skip
def test_a_slug_is_short_and_whole(text: str, slug: str) -> None:
    assert safe_slug(text) == slug


def test_no_session_takes_the_place_of_another() -> None:
    taken: set[str] = set()
    for _ in range(3):
        taken.add(session_path("api", AT, taken))

    assert sorted(taken) == [
        "memory/2026-01-16-api-2.md",
        "memory/2026-01-16-api-3.md",
        "memory/2026-01-16-api.md",
    ]


@pytest.mark.parametrize("slug", ["a" * LONGEST, "the-whole-story-of-a-very-long"])
def test_a_number_makes_no_name_longer(slug: str) -> None:
    """Mutant: the number behind a name that has its full length."""
    taken = {session_path(slug, AT, ())}
    for _ in range(11):
        taken.add(session_path(slug, AT, taken))

    assert len(taken) == 12
    assert all(re.fullmatch(r"memory/2026-01-16-[a-z0-9-]{1,30}\.md", path) for path in taken)


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        pytest.param(
            ["Hello there", "Hi! How can I help?", "What is 2+2?", "2+2 equals 4"], "", id="small talk"
        ),
        pytest.param(
            ["Plan the pitch", "Which pitch?", "The vendor pitch, vendor first"], "pitch", id="comes back"
        ),
        pytest.param(
            ["the API design", "Design of which API?", "API design for Acme"],
            "api design",
            id="in their order",
        ),
        pytest.param(["migrate the ledger", "The migrations ran"], "migrate", id="one stem"),
        pytest.param(["Rotate signing keys", "Done."], "rotate signing keys", id="nothing comes back"),
        pytest.param(["API 설계를 하자", "API 설계 끝"], "api", id="among Korean"),
        pytest.param(["我们谈谈数据库", "好的"], "", id="Chinese alone"),
        pytest.param(["see https://acme.example/login", "https://acme.example/login"], "", id="addresses"),
        pytest.param(
            [
                "An welchem Tag ist der Bericht für Orkan fällig?",
                "Der Bericht für Dachs ist am Freitag fällig.",
            ],
            "bericht fallig",
            id="German",
        ),
        pytest.param([], "", id="nothing"),
    ],
)
def test_a_subject_is_what_the_talk_comes_back_to(said: list[str], subject: str) -> None:
    assert subject_of(said) == subject


@pytest.mark.parametrize(("text", "slug"), [("REST와API", "rest-api"), ("Ünïcode 설계", "unicode")])
def test_letters_that_a_slug_has_not_part_words(text: str, slug: str) -> None:
    assert safe_slug(text) == slug
