"""A reproach that does not say what is right is told from one that does."""

from __future__ import annotations

import pytest

from clawgit.understanding.corrections.reproaches import is_reproach


@pytest.mark.parametrize(
    "told",
    [
        "You forgot my timezone again.",
        "You've forgotten my timezone already.",
        "You forgot what timezone I'm in.",
        "You forgot about my timezone.",
        "You forgot my favourite drink.",
        "You forgot my work address.",
        "You forgot the start.",
        "You forgot Mia's needs again.",
        "We already talked about my favourite drink.",
        "You keep forgetting my timezone.",
        "You forgot my birthday, again!",
        "You forgot that I told you my timezone.",
        "You should know my timezone by now.",
        "You don't remember where I live.",
        "But you never remember my sister's name.",
        "We already talked about my timezone.",
        "We've been over this before.",
        "I already told you about my allergies.",
        "I have told you my name twice.",
        "你忘了我的时区。",
        "你又忘了我的时区",
        "你忘记了我的名字",
        "你忘了我叫什么",
        "내 시간대를 또 잊어버렸네.",
        "내 이름 까먹었어",
    ],
)
def test_what_was_forgotten_is_only_named(told: str) -> None:
    assert is_reproach(told)


@pytest.mark.parametrize(
    "told",
    [
        "You forgot that I'm vegan.",
        "You forgot my birthday is in May.",
        "You forgot my parents work in Rome.",
        "You forgot the shop starts late.",
        "You forgot that my dog drinks only water.",
        "You forgot my timezone, it's Europe/Berlin.",
        "You forgot my timezone: Europe/Berlin.",
        "You forgot that the review moved to Thursday.",
        "You forgot the review on Thursday at 10:00.",
        "We talked about this, the port is 8443.",
        "We talked about moving it to 9:30.",
        "I told you I live in Porto and have two cats.",
        "I told you my sister lives in Porto.",
        "你忘了我叫小明",
        "你忘了我对花生过敏",
        "내가 채식주의자라는 거 잊었어",
        "My timezone is Europe/Berlin.",
        "",
    ],
)
def test_what_was_forgotten_is_said(told: str) -> None:
    assert not is_reproach(told)
