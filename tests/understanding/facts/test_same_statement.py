"""Same, in conflict, or different."""

from __future__ import annotations

import pytest

from clawgit.understanding.facts.same_statement import Relation, Statements, contradicts, overlap, relation

SAME, CONFLICT, DIFFERENT = Relation.SAME, Relation.CONFLICT, Relation.DIFFERENT


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param("User prefers TypeScript over JavaScript", "User prefers TypeScript over JavaScript.", SAME, id="the same text"),
        pytest.param("one two three four five", "one two three six seven", DIFFERENT, id="60 % is not more than 60 %"),
        pytest.param("Postgres", "The project uses Postgres 16 with logical replication on two nodes", DIFFERENT, id="a word inside"),
        pytest.param("数据库使用PostgreSQL", "数据库用的是PostgreSQL", SAME, id="Chinese, other words"),
        pytest.param("我们决定使用REST而不是GraphQL", "我们决定使用REST而非GraphQL", SAME, id="Chinese, another negation"),
        pytest.param("今天天气很好", "数据库使用PostgreSQL", DIFFERENT, id="Chinese, unrelated"),
        pytest.param("the the the the cat", "the cat", SAME, id="repeated words"),
        pytest.param("!!! ???", "... ---", DIFFERENT, id="no words"),
        pytest.param("", "", DIFFERENT, id="nothing"),
        pytest.param("서버 포트는 8443 이다", "서버 포트는 8443 입니다", SAME, id="Korean, another ending"),
        pytest.param("Use uv instead of pip for installs", "Use uv instead of pip for all installs now", SAME, id="filler"),
        pytest.param("The budget is $5,000.", "The budget is $5000.", SAME, id="digits in threes"),
        pytest.param("The budget is $5,000.", "The budget is $50,000.", CONFLICT, id="ten times as much"),
        pytest.param("Use REST rather than GraphQL.", "Use REST instead of GraphQL.", SAME, id="rather than"),
        pytest.param("Use REST rather than GraphQL.", "Use GraphQL instead of REST.", CONFLICT, id="rather, turned round"),
        pytest.param("Backup job runs at 02:00 UTC", "Backup job runs at 02:00 UTC daily", SAME, id="one word more"),
        pytest.param("The port is 8080", "The port is 8443", CONFLICT, id="a number"),
        pytest.param("Ada is allergic to nuts", "Ada is not allergic to nuts", CONFLICT, id="a not"),
        pytest.param("We deploy on Friday", "We deploy on Monday", CONFLICT, id="a day"),
        pytest.param("The lead of the team is Maria", "The lead of the team is Peter", CONFLICT, id="a name"),
        pytest.param("User prefers tea over coffee", "User prefers coffee over tea", CONFLICT, id="turned round"),
        pytest.param("On Friday the team meets", "The team meets on Friday", SAME, id="only told otherwise"),
        pytest.param("User loves tea", "User loves hiking", DIFFERENT, id="another fact"),
        pytest.param('User: "By the way, I prefer short answers."', "I prefer short answers!", SAME, id="what opens a sentence"),
        pytest.param("Remember that the port is 8443.", "Note: the port is 8443.", SAME, id="what asks to remember"),
    ],
)  # fmt: skip
def test_a_threshold_alone_merges_nothing(a: str, b: str, expected: Relation) -> None:
    """Mutants: no guard; no look at the order; `at least` for `more than` 60 %; the least measure is the smaller side's."""
    assert relation(a, b) is expected
    assert relation(b, a) is expected


def test_what_passes_the_measure_passes_all_four() -> None:
    a, b = set("abcdefghi"), set("abcdefgxy")
    shared = len(a & b)
    others = (shared / min(len(a), len(b)), shared / max(len(a), len(b)), 2 * shared / (len(a) + len(b)))

    assert overlap(" ".join(a), " ".join(b)) <= min(others)


def test_lessons_merge_only_where_they_are_nearly_the_same_text() -> None:
    a, b = "Use uv instead of pip for installs", "Use uv instead of pip for new installs here"

    assert relation(a, b) is SAME
    assert relation(a, b, by_overlap=False) is DIFFERENT


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("standing", "said", "expected"),
    [
        pytest.param("User is allergic to nuts.", "User is allergic to penicillin.", [], id="another thing"),
        pytest.param("User is allergic to nuts.", "User is allergic to pine nuts.", [], id="a word more, where each counts"),
        pytest.param("User's son is allergic to nuts.", "User's daughter is allergic to nuts.", [], id="another person"),
        pytest.param("The backup of the customers runs on the small server", "The backup of the customers runs on the large server", [], id="one word in a long one"),
        pytest.param("User prefers tea.", "User really prefers tea!", [SAME], id="the same"),
        pytest.param("Run the migrations before the first deploy.", "Run each migration before the first deploy.", [CONFLICT], id="how many"),
        pytest.param("User has dogs at home in Porto.", "User has a dog at home in Porto.", [SAME], id="another form of a word"),
        pytest.param("User drinks tea.", "User no longer drinks tea.", [CONFLICT], id="no longer"),
        pytest.param("用户对花生过敏", "用户对花生酱过敏", [], id="Chinese, a letter more"),
        pytest.param("用户喜欢喝茶。", "用户很喜欢喝茶。", [SAME], id="Chinese, a light letter more"),
        pytest.param("사용자는 부산에 살아요.", "사용자는 부산에 삽니다.", [SAME], id="Korean, more politely"),
        pytest.param("사용자는 부산에 살아요.", "사용자는 서울에 살아요.", [CONFLICT], id="Korean, another town"),
    ],
)  # fmt: skip
def test_a_new_fact_is_no_mention_of_another(standing: str, said: str, expected: list[Relation]) -> None:
    """Mutants: what shares most words is the same; two forms of a word are two words."""
    assert [how for _, how in Statements([standing]).like(said)] == expected
    assert [how for _, how in Statements([said]).like(standing)] == expected


def test_the_same_come_before_what_contradicts() -> None:
    """Mutant: the latest first, whatever it is."""
    statements = Statements(["The port is 8080.", "The port is 8443.", "Ada likes tea."])

    assert statements.like("The port is 8080") == [(0, SAME), (1, CONFLICT)]


@pytest.mark.parametrize(
    ("statement", "against"),
    [
        pytest.param("The Apollo review is on Wednesday.", True, id="what was wrong"),
        pytest.param("The Apollo review is on Friday.", True, id="a third thing"),
        pytest.param("The Apollo review is on Thursday.", False, id="what is right"),
        pytest.param("The Zeus review is on Friday.", False, id="another review"),
        pytest.param("Ada likes tea.", False, id="something else"),
    ],
)
def test_a_correction_speaks_against_what_it_set_right(statement: str, against: bool) -> None:
    """Mutant: only the old words count."""
    said, correct = "The Apollo review is on Wednesday.", "The Apollo review is on Thursday."

    assert contradicts(statement, said, correct) is against


@pytest.mark.parametrize(
    ("statement", "against"), [("Item 3 is on shelf 2.", False), ("Item 1 is on shelf 5.", True)]
)
def test_a_correction_of_one_item_says_nothing_of_another(statement: str, against: bool) -> None:
    """Seen: "Item 3 is on shelf 2." counted as against a correction of item 1, and was not remembered."""
    assert contradicts(statement, "Item 1 is on shelf 1.", "Item 1 is on shelf 4.") is against
