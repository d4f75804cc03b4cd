"""What a list of results is worth: recall, hits and rank, by result and by what reading it costs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.retrieval.conversations import Asked

COLUMNS = ("R@5", "R@10", "H@10", "MRR", "R@500t", "R@1500t")
_CHARACTERS = 4  # to a token


@dataclass(frozen=True)
class Range:
    """Lines of a file, from 1, both ends included."""

    path: str
    first: int
    last: int


def measured(
    asked: Asked, results: Sequence[Range], files: dict[str, list[str]], budget: float = 0.0
) -> dict[str, float]:
    """Return the measures of one question, `within` for what ``budget`` tokens reach; a line returned twice is paid twice."""
    rank: dict[tuple[str, int], int] = {}
    paid: dict[tuple[str, int], float] = {}
    spent = 0.0
    for number, result in enumerate(results, start=1):
        lines = files[result.path]
        for line in range(result.first, min(result.last, len(lines)) + 1):
            spent += (len(lines[line - 1]) + 1) / _CHARACTERS
            if (result.path, line) in asked.gold:
                rank.setdefault((result.path, line), number)
                paid.setdefault((result.path, line), spent)
    gold = len(asked.gold)
    return {
        "R@5": sum(at <= 5 for at in rank.values()) / gold,
        "R@10": sum(at <= 10 for at in rank.values()) / gold,
        "H@10": float(any(at <= 10 for at in rank.values())),
        "MRR": 1 / min(rank.values()) if rank else 0.0,
        "R@500t": sum(cost <= 500 for cost in paid.values()) / gold,
        "R@1500t": sum(cost <= 1500 for cost in paid.values()) / gold,
        "within": sum(cost <= budget for cost in paid.values()) / gold,
    }


def cost_of(results: Iterable[Range], files: dict[str, list[str]]) -> float:
    """Return the tokens of all results together."""
    return sum(
        (len(line) + 1) / _CHARACTERS
        for result in results
        for line in files[result.path][result.first - 1 : result.last]
    )


def mean(rows: Iterable[dict[str, float]]) -> dict[str, float]:
    """Return the means in per cent."""
    listed = list(rows)
    return {column: 100 * fmean(row[column] for row in listed) for column in COLUMNS}
