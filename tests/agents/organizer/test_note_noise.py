"""Which text of a note is no memory: output of tools, tasks, and what was pasted."""

from __future__ import annotations

import pytest

from clawgit.agents.organizer import is_noise


@pytest.mark.parametrize(
    ("text", "noise"),
    [
        ("TODO: renew the certificate by Friday.", True),
        ("[ ] renew the certificate", True),
        ("2026-03-19 10:00:01 ERROR schema approved", True),
        ("$ git push origin main", True),
        ("Traceback (most recent call last):", True),
        ("```\nImportant: x\n```", True),
        ("> Important: your parcel waits", True),
        ("Decided to ship in May.", False),
        ("Decided to ship in May.\nTODO: tell Ana by Friday.", False),
        ("결정: 5월에 출시한다.", False),
    ],
)
def test_noise(text: str, noise: bool) -> None:
    assert is_noise(text) is noise
