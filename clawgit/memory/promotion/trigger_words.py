"""The words by which a note is recognised as worth keeping, and what each counts, in hundredths. Data.

Words in Latin letters match as whole words, in any case, with or without an `s`; those marked exact as they are written.
Other words are looked for anywhere: their scripts have no spaces, or particles behind them.
"""

from __future__ import annotations

from typing import NamedTuple


class Triggers(NamedTuple):
    """The triggers of one category: words, other patterns, and what each of them that is found counts."""

    category: str
    weight: int
    words: tuple[str, ...]
    patterns: tuple[str, ...] = ()


# Of equals the first is the strongest.
CATEGORIES = (
    Triggers(
        "explicit",
        50,
        ("기억해", "★"),
        (
            r"(?-i:\b(?:IMPORTANT|CRITICAL)\b)|\bimportant:",
            r"(?<!不用)(?<!不要)(?<!不必)(?<!别)记住",
            r"(?<!不)重要[:：]",
        ),
    ),
    Triggers(
        "legal", 45, ("trademark", "patent", "GDPR", "상표", "특허", "商标", "专利"), (r"(?-i:\bToS\b)",)
    ),
    Triggers(
        "decision",
        40,
        ("decided", "confirmed", "approved", "결정", "확정", "승인", "决定", "确定", "确认", "批准"),
    ),
    Triggers(
        "financial",
        35,
        ("pricing", "margin", "BEP", "revenue", "가격 책정", "매출", "定价", "利润", "营收"),
        (r"[$₩￥¥]\s?\d",),
    ),
    Triggers(
        "architecture",
        35,
        ("design", "schema", "stack", "architecture", "아키텍처", "설계", "架构", "技术栈"),
    ),
    Triggers("strategy", 35, ("roadmap", "vision", "strategy", "로드맵", "전략", "路线图", "战略", "愿景")),
    Triggers(
        "milestone",
        35,
        ("launch", "shipped", "released", "출시", "发布", "上线"),
        (r"\bphase \d+\b", r"第\S{1,2}阶段"),
    ),
    Triggers("people", 30, ("partner", "client", "변리사", "客户", "合作伙伴")),
    Triggers("people", 40, ("meeting results", "미팅 결과", "회의 결과", "会议结果")),
)
