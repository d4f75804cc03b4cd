from __future__ import annotations

import pytest

from clawgit.identity.principles import DriftKind, drift_between, read_principles

SOUL = b"""# SOUL

## Values

- Say what is true.
- Look before you ask.

## Limits

- Never share what people tell you.
- Always ask before anything leaves this machine.

Be kind to whoever writes.
"""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        pytest.param("- Look before you ask.\n", "", "removed", id="gone"),
        pytest.param("Be kind to", "- Be short.\n\nBe kind to", "added", id="new"),
        pytest.param("Look before you ask.", "Look well before you ask.", "reworded", id="other words"),
        pytest.param("Never share", "Avoid to share", "softened", id="never to avoid"),
        pytest.param("Always ask before", "Usually ask before", "softened", id="always to usually"),
        pytest.param("Never share what", "Share what", "contradicted", id="never to nothing"),
        pytest.param("Always ask", "Never ask", "contradicted", id="always to never"),
    ],
)
def test_a_changed_principle_is_named_by_what_became_of_it(old: str, new: str, kind: str) -> None:
    text = SOUL.decode()
    assert old in text

    drift = drift_between(SOUL, text.replace(old, new).encode())

    assert [each.kind for each in drift.principles] == [DriftKind(kind)]
    assert 0 < drift.distance < 0.5


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        pytest.param("永远不要分享别人的秘密。", "尽量不要分享别人的秘密。", "softened", id="Chinese"),
        pytest.param("Teile niemals Geheimnisse.", "Teile keine Geheimnisse.", "softened", id="German"),
        pytest.param("Ne partage jamais les secrets.", "Partage les secrets.", "contradicted", id="French"),
        pytest.param("비밀을 절대 말하지 않는다.", "비밀을 되도록 말하지 않는다.", "softened", id="Korean"),
    ],
)
def test_softer_words_are_seen_in_other_languages(old: str, new: str, kind: str) -> None:
    assert [each.kind.value for each in drift_between(old.encode(), new.encode()).principles] == [kind]


def test_order_and_place_do_not_count() -> None:
    """Mutant: compare by section as well."""
    moved = SOUL.replace(b"- Look before you ask.\n", b"").replace(
        b"- Never share", b"- Look before you ask.\n- Never share"
    )

    assert drift_between(SOUL, moved) == ((), 0.0)


def test_a_mended_typing_error_is_next_to_nothing() -> None:
    long = SOUL + b"- Write to whoever asks, in the langauge of the question.\n" * 10

    drift = drift_between(long, long.replace(b"langauge", b"language", 1))

    assert drift.distance < 0.01


@pytest.mark.rest
def test_small_steps_add_up_against_the_baseline() -> None:
    text = "".join(
        f"- Principle {number} is about subject {number} and nothing else.\n" for number in range(100)
    )
    now, last = text, 0.0
    for number in range(100):
        now = now.replace(
            f"Principle {number} is about subject {number} and nothing", f"Rule {number} differs"
        )
        distance = drift_between(text.encode(), now.encode()).distance
        assert distance > last
        last = distance

    assert last > 0.5


def test_nothing_and_everything() -> None:
    assert drift_between(b"", b"") == ((), 0.0)
    assert drift_between(SOUL, b"").distance == 1.0
    assert drift_between(b"", SOUL).distance == 1.0


def test_equal_principles_are_counted() -> None:
    """Mutant: compare sets of principles."""
    twice = b"- Be kind.\n- Be kind.\n"

    assert [each.kind.value for each in drift_between(twice, b"- Be kind.\n").principles] == ["removed"]


def test_a_principle_is_an_item_a_paragraph_or_code_and_no_heading_comment_or_front_matter() -> None:
    text = b"""---
name: soul
---
# SOUL

<!-- not for you -->
First,
on two lines. <!-- m:abc -->

- One
  1. Two

> Quoted.

```
code
```
"""

    assert [(each.text, each.section) for each in read_principles(text)] == [
        ("First, on two lines.", ("SOUL",)),
        ("One", ("SOUL",)),
        ("Two", ("SOUL",)),
        ("Quoted.", ("SOUL",)),
        ("code", ("SOUL",)),
    ]


def test_a_text_of_thousands_of_other_principles_is_compared_as_a_whole() -> None:
    old, new = (
        "".join(f"- {word} {number}.\n" for number in range(1000)).encode() for word in ("Old", "New")
    )

    drift = drift_between(old, new)

    assert {each.kind.value for each in drift.principles} == {"removed", "added"}
    assert drift.distance == 1.0
