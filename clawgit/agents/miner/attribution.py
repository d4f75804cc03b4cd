"""Whose words an entry is, where they are not the operator's: the entry itself says it. Pure."""

from __future__ import annotations

from clawgit.text.comparing.similarity import words
from clawgit.understanding.facts.first_person import AGENT, SAYS, USER

_OPERATOR_ELSEWHERE = ("用户", "用戶", "사용자")  # what memory calls the operator, where words have no ends


def attributed(statement: str, who: str) -> str:
    """Return a statement of ``who`` as memory keeps it: it begins with whose it is, unless it is the operator's.

    The agent's own stand as they are, but for those about the operator: these would read like his.
    """
    if who == USER or _begins_with(statement, who) or (who == AGENT and not _is_about_operator(statement)):
        return statement
    return f"{who}{SAYS}{statement}"


def _begins_with(statement: str, who: str) -> bool:
    rest = statement[len(who) : len(who) + 1]
    return statement.casefold().startswith(who.casefold()) and not rest.isalnum()


def _is_about_operator(statement: str) -> bool:
    named = {USER.casefold(), f"{USER.casefold()}'s"}
    return not named.isdisjoint(words(statement)) or any(name in statement for name in _OPERATOR_ELSEWHERE)
