"""What one lookup of trust learned, the next one knows; what was committed since, it sees.

Mutants: answers are held beyond a commit, or beyond a claim.
"""

from __future__ import annotations

from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.operator_records import claim_commits
from clawgit.history.provenance.trust_lookup import open_trusts

LINES = b"- tea at five\n- the vet is Dr. Bassi\n"


def trusts_of(room) -> list[str]:
    with open_trusts(room.history) as trusts:
        return [trusts.of_lines(LINES, number, number) for number in (1, 2)]


def test_what_is_committed_between_two_lookups_is_known_to_the_second(room) -> None:
    assert trusts_of(room) == ["unknown", "unknown"]

    room.write("MEMORY.md", "- tea at five\n")
    room.keep("host")
    assert trusts_of(room) == ["host", "unknown"]

    room.write("MEMORY.md", LINES.decode())
    (commit,) = room.keep("unknown").commits
    assert trusts_of(room) == ["host", "unknown"]

    claim_commits(room.history, [commit], Intent(new_op(), "operator", room.now))
    assert trusts_of(room) == ["host", "operator"]
