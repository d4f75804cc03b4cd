"""A sentence as memory says it: word for word, in quotation marks where it has an `I` or a `you`."""

from __future__ import annotations

import pytest

from clawgit.memory.provenance.readings import is_verbatim
from clawgit.understanding.forms.user_words import as_remembered, is_beside, written_names


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "is_quoted"),
    [
        pytest.param("I prefer tea.", True, id="I"),
        pytest.param("I'm allergic to nuts.", True, id="short"),
        pytest.param("My sister is called Maria.", True, id="my"),
        pytest.param("We use Postgres.", True, id="we"),
        pytest.param("Always call me Sam.", True, id="me"),
        pytest.param("我住在上海。", True, id="Chinese"),
        pytest.param("저는 채식을 선호해요.", True, id="Korean"),
        pytest.param("Meine Schwester heißt Maria.", True, id="German"),
        pytest.param("Weißt du, dass Bob der Chef ist?", True, id="German you"),
        pytest.param("Bob est en congé la semaine du 7 décembre.", False, id="a French article"),
        pytest.param("The office closes at 18:00.", False, id="nobody's"),
        pytest.param("M. Blanc prefers mornings", False, id="an initial"),
        pytest.param("never deploy on a Friday.", False, id="an order"),
        pytest.param("내일 서버를 옮긴다.", False, id="nobody's, Korean"),
    ],
)
def test_no_word_is_changed(said: str, is_quoted: bool) -> None:
    """Mutants: each line is a quotation; none is."""
    remembered = as_remembered(said)

    assert remembered == (f'User: "{said}"' if is_quoted else said)
    assert is_verbatim(remembered, said)


def test_quotation_marks_inside_do_not_end_it() -> None:
    assert as_remembered('I said "no" to Bob.') == "User: \"I said 'no' to Bob.\""


def test_a_date_right_behind_it_says_which_thursday_is_meant() -> None:
    assert not is_beside("The dentist is next Thursday, Dec 10 at 14:00.")
    assert is_beside("The dentist is next Thursday, the parcel comes on Dec 10.")


def test_the_name_behind_what_to_call_them_is_one() -> None:
    """Seen: OpenClaw's own label of USER.md was none. Mutant: only `call them:` is."""
    assert written_names(b"- **What to call them:** Al\n") == ["Al"]
