"""Made-up corrections in three languages: what is remembered, what the agent says, how it is corrected, what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Planted:
    """One fact that was wrong; ``remembered`` in core memory, else only in a dated note."""

    language: str
    fact: str
    told: str
    question: str
    old: str
    new: str
    remembered: bool


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
ENGLISH_NAMES = ("Apollo", "Borealis", "Cobalt", "Dahlia", "Ember", "Falcon", "Granite", "Harbor", "Indigo", "Juniper", "Kestrel", "Lumen")  # fmt: skip
ENGLISH = (
    ("The {s} review is on {v}.", "When is the {s} review?", DAYS),
    ("The {s} deadline is {v}.", "What is the deadline of {s}?", ("March 3", "April 15", "May 21", "June 8")),
    ("The {s} budget is {v}.", "How large is the {s} budget?", ("$5,000", "$7,500", "$12,000", "$900")),
    ("The {s} server listens on port {v}.", "Which port does the {s} server use?", ("8080", "9090", "8443", "3000")),
    ("The {s} contact is {v}.", "Who is the contact for {s}?", ("Bob", "Carol", "Dave", "Erin")),
    ("The {s} call is at {v}.", "At what time is the {s} call?", ("9:30", "14:00", "16:15", "11:45")),
    ("The {s} colour is {v}.", "What colour is {s}?", ("red", "green", "blue", "violet")),
)  # fmt: skip
ENGLISH_TOLD = ("Actually, it's {v}.", "No, it's {v}.", "That's wrong, it's {v}.", "No, {f}", "I already told you, it's {v}.", "Correction: {f}")  # fmt: skip

WEEK = ("周一", "周二", "周三", "周四", "周五")
CHINESE_NAMES = ("苹果项目", "北极项目", "蓝鲸项目", "长城项目", "大海项目", "飞鹰项目", "高山项目", "红木项目", "金星项目", "孔雀项目", "流星项目", "明月项目")  # fmt: skip
CHINESE = (
    ("{s}的评审在{v}。", "{s}的评审在哪天？", WEEK),
    ("{s}的截止日期是{v}。", "{s}什么时候截止？", ("3月3日", "4月15日", "5月21日", "6月8日")),
    ("{s}的预算是{v}。", "{s}的预算是多少？", ("5000元", "7500元", "12000元", "900元")),
    ("{s}的端口是{v}。", "{s}用哪个端口？", ("8080", "9090", "8443", "3000")),
    ("{s}的会议在{v}。", "{s}的会议是几点？", ("9点半", "14点", "16点", "11点")),
    ("{s}的负责人是{v}。", "{s}的负责人是谁？", ("小王", "小李", "老张", "阿陈")),
    ("{s}的颜色是{v}。", "{s}是什么颜色？", ("红色", "绿色", "蓝色", "紫色")),
)
CHINESE_TOLD = ("不对，是{v}", "其实是{v}", "错了，应该是{v}", "不是{o}，是{v}", "不对，{f}", "我已经告诉过你了，是{v}")  # fmt: skip

KOREAN_WEEK = ("월요일", "화요일", "수요일", "목요일", "금요일")
KOREAN_NAMES = ("사과 프로젝트", "북극 프로젝트", "고래 프로젝트", "장성 프로젝트", "바다 프로젝트", "매 프로젝트", "산악 프로젝트", "단풍 프로젝트", "금성 프로젝트", "공작 프로젝트", "유성 프로젝트", "달빛 프로젝트")  # fmt: skip
KOREAN = (
    ("{s} 리뷰는 {v}이에요.", "{s} 리뷰는 무슨 요일이야?", KOREAN_WEEK),
    ("{s} 마감은 {v}이에요.", "{s} 마감이 언제야?", ("3월 3일", "4월 15일", "5월 21일", "6월 8일")),
    ("{s} 예산은 {v}이에요.", "{s} 예산이 얼마야?", ("500만원", "750만원", "1200만원", "90만원")),
    ("{s} 서버 포트는 {v}이에요.", "{s} 서버 포트가 뭐야?", ("8080", "9090", "8443", "3000")),
    ("{s} 회의는 {v}예요.", "{s} 회의는 몇 시야?", ("9시", "14시", "16시", "11시")),
    ("{s} 담당자는 {v}이에요.", "{s} 담당자가 누구야?", ("민준", "서연", "지훈", "하은")),
    ("{s} 색은 {v}이에요.", "{s}의 색은 뭐야?", ("빨간색", "초록색", "파란색", "보라색")),
)
KOREAN_TOLD = ("아니, {v}이야", "사실은 {v}이에요", "틀렸어요, {v}입니다", "{o}이 아니라 {v}이에요", "아니에요, {f}", "내가 말했잖아, {v}이라고")  # fmt: skip

SETS = (
    ("English", ENGLISH_NAMES, ENGLISH, ENGLISH_TOLD),
    ("Chinese", CHINESE_NAMES, CHINESE, CHINESE_TOLD),
    ("Korean", KOREAN_NAMES, KOREAN, KOREAN_TOLD),
)


def planted() -> Iterator[Planted]:
    """Yield 252 corrections, 84 of each language, each way of correcting in turn, half of them of core memory."""
    for language, names, facts, ways in SETS:
        for number, (at, (kind, fact)) in enumerate(product(range(len(names)), enumerate(facts))):
            shape, question, values = fact
            old, new = values[at % len(values)], values[(at + 1) % len(values)]
            right = shape.format(s=names[at], v=new)
            told = ways[(at + kind) % len(ways)].format(v=new, o=old, f=right[0].lower() + right[1:])
            yield Planted(
                language,
                shape.format(s=names[at], v=old),
                told,
                question.format(s=names[at]),
                old,
                new,
                remembered=(number // 2 + at) % 2 == 0,
            )
