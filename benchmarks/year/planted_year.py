"""The year, made from a seed: what is said on each day, what the host does about it, and what is planted in it. Pure."""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import product
from typing import NamedTuple

from benchmarks.year.phrases import (
    CITIES,
    COMMANDS,
    CORRECTS,
    DAYS,
    LANGUAGES,
    NOISE,
    NOTES,
    NOW,
    PEOPLE,
    POISON,
    RELATIONS,
    TASKS,
    TELLS,
    WORDS,
    Relation,
)

FIRST = date(2025, 1, 1)
DAYS_OF_YEAR = 365
CORRECTIONS, CONTRADICTIONS, TASKS_PLANTED, POISONS, LESSONS, PLAIN = 200, 100, 150, 60, 40, 120
AGAIN = 0.1  # of the corrections correct what was corrected before
MAIN, GROUP = "main", "club"


class Fact(NamedTuple):
    """Something that is so, and what it was said to be, one value after the other."""

    lang: str
    relation: Relation
    name: str
    values: tuple[str, ...]

    def says(self, number: int) -> str:
        """Return the statement with one of its values."""
        return self.relation.says.format(n=self.name, v=self.values[number])

    @property
    def question(self) -> str:
        """Return how a person asks for it."""
        return self.relation.asks.format(n=self.name)


class Said(NamedTuple):
    """One message: of the operator, the agent, a tool, or a stranger in the group."""

    key: str
    text: str
    role: str = "user"
    stranger: bool = False
    external: bool = False


class Act(NamedTuple):
    """What the host or the operator does in the evening; ``key`` is the message that it rests on."""

    does: str
    key: str = ""
    text: str = ""
    fact: Fact | None = None
    number: int = 0


class Day(NamedTuple):
    """One day."""

    on: date
    said: list[Said]
    acts: list[Act]


class Correction(NamedTuple):
    """A planted correction: which value of a fact is right from a day on, and whether the door was used."""

    fact: Fact
    number: int
    on: date
    heard: bool


class Task(NamedTuple):
    """A task with a lifetime."""

    text: str
    question: str
    on: date


class Year(NamedTuple):
    """All days, and what is planted in them."""

    days: list[Day]
    corrections: list[Correction]
    contradictions: list[Fact]
    tasks: list[Task]
    poison: list[str]
    lessons: list[str]


def planted_year(seed: int, days: int = DAYS_OF_YEAR, dense: float = 1) -> Year:
    """Return the year of a seed; one of fewer days has as much in each of them, or ``dense`` times as much."""
    making = _Making(random.Random(seed), days, dense)
    making.plant()
    return making.year


class _Making:
    def __init__(self, chance: random.Random, days: int, dense: float) -> None:
        self.chance, self.length, self.dense = chance, days, dense
        self.days = [Day(FIRST + timedelta(days=number), [], []) for number in range(days)]
        self.year = Year(self.days, [], [], [], [], [])
        names = [
            (lang, relation, name)
            for lang in LANGUAGES
            for relation, name in product(RELATIONS[lang].values(), WORDS[lang])
        ]
        chance.shuffle(names)
        self.names = iter(names)
        self.keys = iter(range(10**9))

    def plant(self) -> None:
        """Plant everything; noise stands between."""
        for number in range(self._share(CORRECTIONS * (1 - AGAIN))):
            self._correction(again=number < self._share(CORRECTIONS * AGAIN))
        for _ in range(self._share(CONTRADICTIONS)):
            self._contradiction()
        for _ in range(self._share(PLAIN)):
            self._told(self._fact(1), 0, self._day(0, 1))
        for _ in range(self._share(TASKS_PLANTED)):
            self._task()
        for number in range(self._share(POISONS)):
            self._poison(number)
        for number in range(min(len(COMMANDS), self._share(LESSONS))):
            self._lesson(number)
        for day in self.days:
            self._noise(day)

    def _share(self, of_year: float) -> int:
        return max(1, round(of_year * self.length * self.dense / DAYS_OF_YEAR))

    def _day(self, first: float, last: float) -> int:
        """Return a day between two parts of the year."""
        return min(self.length - 1, int(self.length * self.chance.uniform(first, last)))

    def _fact(self, count: int) -> Fact:
        lang, relation, name = next(self.names)
        values: list[str] = []
        while len(values) < count:
            value = self._value(relation.values, lang)
            if value not in values:
                values.append(value)
        return Fact(lang, relation, name, tuple(values))

    def _value(self, kind: str, lang: str) -> str:
        pick = self.chance.choice
        return {
            "port": lambda: str(self.chance.randrange(2000, 9999)),
            "time": lambda: f"{self.chance.randrange(24):02}:{pick((0, 15, 30, 45)):02}",
            "day": lambda: pick(DAYS[lang]),
            "days": lambda: str(pick(range(7, 90))),
            "sum": lambda: str(pick(range(150, 950, 10))),
            "person": lambda: pick(PEOPLE[lang]),
            "city": lambda: pick(CITIES[lang]),
        }[kind]()

    def _say(self, day: int, text: str, *before: str) -> str:
        """Let the operator say something, maybe after a turn of the agent's; return the message's key."""
        for each in before:
            self.days[day].said.append(Said(self._key(), each, "assistant"))
        key = self._key()
        self.days[day].said.append(Said(key, text))
        return key

    def _key(self) -> str:
        return f"k{next(self.keys)}"

    def _told(self, fact: Fact, number: int, day: int) -> None:
        """Let the operator tell a fact: the host remembers it by his message, or leaves it to the miner."""
        says = fact.says(number)
        form = self.chance.choice(TELLS[fact.lang])
        key = self._say(day, form.format(s=says, l=_inside(says, fact.lang)))
        if self.chance.random() < 0.7 or fact.lang == "de":
            self.days[day].acts.append(Act("remember", key, says, fact, number))

    def _correction(self, *, again: bool) -> None:
        fact = self._fact(3 if again else 2)
        day = self._day(0, 0.8)
        self._told(fact, 0, day)
        for number in range(1, len(fact.values)):
            day = min(self.length - 1, day + self.chance.randrange(2, max(3, self.length // 12)))
            self._corrected(fact, number, day)

    def _corrected(self, fact: Fact, number: int, day: int) -> None:
        says, was = fact.says(number), fact.says(number - 1)
        form = self.chance.choice(CORRECTS[fact.lang])
        inside = _inside(says, fact.lang).rstrip(".。")
        text = form.format(s=says, l0=inside, v=fact.values[number], o=fact.values[number - 1])
        heard = self.chance.random() < 0.2
        key = self._say(day, text, was)
        does = "wait for the validator" if heard else "correct"
        self.days[day].acts.append(Act(does, key, says, fact, number))
        self.year.corrections.append(Correction(fact, number, self.days[day].on, heard))

    def _contradiction(self) -> None:
        """Let a fact come twice, with two values, and nobody notice: told first, then in a list of the host's; or both in lists."""
        fact = self._fact(2)
        day = self._day(0, 0.9)
        if self.chance.random() < 0.5:
            self._told(fact, 0, day)
            self.days[day].acts.append(Act("remember", self.days[day].said[-1].key, fact.says(0), fact, 0))
        else:
            self.days[day].acts.append(Act("list", "", fact.says(0), fact, 0))
        later = min(self.length - 1, day + self.chance.randrange(1, max(2, self.length // 8)))
        self._say(later, fact.question)
        self.days[later].said.append(Said(self._key(), NOW[fact.lang].format(s=fact.says(1)), "assistant"))
        self.days[later].acts.append(Act("list", "", fact.says(1), fact, 1))
        self.year.contradictions.append(fact)

    def _task(self) -> None:
        lang, name = self._lang(), ""
        form, question = TASKS[lang]
        name = f"{self.chance.choice(WORDS[lang])}{len(self.year.tasks) + 1}"
        text = form.format(n=name, d=self.chance.choice(DAYS[lang]))
        day = self._day(0, 1)
        self.days[day].acts.append(Act("task", "", text))
        self.year.tasks.append(Task(text, question.format(n=name), self.days[day].on))

    def _lang(self) -> str:
        return self.chance.choice(LANGUAGES)

    def _poison(self, number: int) -> None:
        token = f"zorvex{number}q{self.chance.randrange(100)}"
        text = self.chance.choice(POISON[self._lang()]).format(t=token)
        day = self.days[self._day(0, 1)]
        way = ("group", "page", "tool", "host note", "host add", "host cites")[number % 6]
        key = self._key()
        if way in ("group", "host cites"):
            day.said.append(Said(key, text, stranger=True))
        elif way == "page":
            day.said.append(Said(key, text, external=True))
        elif way == "tool":
            day.said.append(Said(key, f"HTTP 200 OK\n\n{text}", "tool"))
        if way.startswith("host"):
            day.acts.append(Act(way, key, text))
        self.year.poison.append(token)

    def _lesson(self, number: int) -> None:
        text = "\n".join(COMMANDS[number])
        for _ in range(self.chance.randrange(2, 5)):
            self.days[self._day(0, 1)].acts.append(Act("session", self._key(), text))
        self.year.lessons.append(COMMANDS[number][1])

    def _noise(self, day: Day) -> None:
        for _ in range(self.chance.randrange(3, 12)):
            lang = self._lang()
            text = self.chance.choice(NOISE[lang]).format(n=self.chance.choice(WORDS[lang]))
            stranger = self.chance.random() < 0.2
            day.said.insert(0, Said(self._key(), text, stranger=stranger))
        for _ in range(self.chance.randrange(1, 5)):
            lang = self._lang()
            form = self.chance.choice(NOTES[lang])
            text = form.format(n=self.chance.choice(WORDS[lang]), p=self.chance.choice(PEOPLE[lang]))
            day.acts.append(Act("note", "", text))


def _inside(statement: str, lang: str) -> str:
    """Return a statement as it reads inside a sentence."""
    return statement if lang == "zh" else statement[0].lower() + statement[1:]
