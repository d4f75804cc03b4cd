"""Values in a text by what they mean, so that `4pm` and `16:00`, `next Thursday` and its date, `18k` and `18,000` are one. Pure."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.words.word_lists import MONTHS
from clawgit.understanding.evidence import said_shapes as shapes

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    Meaning = tuple[str | int | None, ...]  # what kind it is of, and what it is

LONG_AGO, FAR_AHEAD = 1900, 2100  # a number between them may be a year
LATEST_UNSAID = 8  # before this hour nobody says that it is in the afternoon
_DAY_LENGTH = 24 * 60


class Said(NamedTuple):
    """A value as it was written, and everything that it may mean there."""

    shown: str
    meanings: frozenset[Meaning]

    @property
    def is_name(self) -> bool:
        """Say whether it is called so: letters and digits, as `1Password` has them."""
        return self.kinds == {"l"} and any(map(str.isalpha, self.shown))

    @property
    def kinds(self) -> frozenset[object]:
        """Return what kinds of value it may be."""
        return frozenset(meaning[0] for meaning in self.meanings)


def same_value(stated: Said, told: Said) -> bool:
    """Say whether what is stated may be what was told; what was told says as much, or more."""
    return any(_is_same(one, other) for one in stated.meanings for other in told.meanings)


def _is_same(stated: Meaning, told: Meaning) -> bool:
    kinds = f"{stated[0]}{told[0]}"
    if kinds == "dd":
        return all(one is None or one == other for one, other in zip(stated[1:], told[1:], strict=True))
    if kinds == "nn":
        return stated[1] == told[1] and (stated[2] == told[2] or not (stated[2] and told[2]))
    if kinds == "tn":
        return stated[1] in _minutes(told)
    return stated == told or (kinds == "nt" and told[1] in _minutes(stated))


def _minutes(number: Meaning) -> list[int]:
    """Return the minutes of the day that a bare hour may mean: `at 4` is hardly at night, `at 9` is in the morning."""
    _, hour, unit, half = number
    found = int(str(hour)) if str(hour).isdigit() and not unit else 99
    early, late = found * 60, (found % 12 + 12) * 60
    if found > 24 or half:
        return [] if found > 24 else [late if half == "pm" else early]
    return [early, late] if found < LATEST_UNSAID else [early]


def completed(told: tuple[Said, ...], old: tuple[Said, ...]) -> list[Said]:
    """Return what was named by its number alone, as the entry says the rest: the month of `the 19th`, the half of the day of `9`, the `k` of `18`.

    A month that was named by itself comes before the entry's.
    """
    said = [one[1:3] for each in told for one in each.meanings if one[0] == "d" and one[2] and one[3] is None]
    known = [one[1:3] for each in old for one in each.meanings if one[0] == "d" and one[2]]
    months = set(said or known) if known else set()
    full = [
        Said(each.shown, frozenset(("d", *at, day, None) for at in months))
        for each in told
        if (day := _day_alone(each)) and months
    ]
    if any(one[0] == "t" and int(str(one[1])) >= _DAY_LENGTH // 2 for each in old for one in each.meanings):
        hours = ((each.shown, int(each.shown)) for each in told if each.shown.isdecimal())
        full += [Said(shown, frozenset({("t", (hour + 12) * 60)})) for shown, hour in hours if 0 < hour < 12]
    scaled = ((shapes.SCALED.search(each.shown), one) for each in old for one in each.meanings)
    scales = {(shapes.SCALES[found["scale"]], one[2]) for found, one in scaled if found is not None}
    for scale, unit in scales if len(scales) == 1 else ():
        counts = {each.shown: str(int(each.shown) * scale) for each in told if each.shown.isdecimal()}
        full += [Said(shown, frozenset({("n", count, unit, "")})) for shown, count in counts.items()]
    return full


def _day_alone(told: Said) -> int:
    """Return the day of a month that a value may name by itself: `the 22nd`, `22`, `22日`; 0 where it names none."""
    for one in told.meanings:
        if one[:3] == ("d", None, None) and one[3]:
            return int(str(one[3]))
    counts = (str(one[1]) for one in told.meanings if one[0] == "n" and one[2] in ("", "d"))
    return next((int(count) for count in counts if count.isdecimal() and 0 < int(count) <= 31), 0)


def may_replace(one: Said, other: Said) -> bool:
    """Say whether a value may be in the place of another: of its kind, and a number of its unit, where both have one."""
    for mine, its in product(one.meanings, other.meanings):
        if mine[0] == its[0] and (mine[0] != "n" or mine[2] == its[2] or not (mine[2] and its[2])):
            return True
    return False


def are_rivals(one: Said, other: Said) -> bool:
    """Say whether two values say differently what only one of them can be: `June` and `July`."""
    sorts = [{_sort(meaning) for meaning in each.meanings} - {("l",)} for each in (one, other)]
    return bool(sorts[0] & sorts[1]) and not (same_value(one, other) or same_value(other, one))


def _sort(meaning: Meaning) -> Meaning:
    """Return what a value is of: its unit, or as much of a date as it says."""
    if meaning[0] == "d":
        return tuple(part is None for part in meaning)
    return meaning[::2][:2] if meaning[0] == "n" else meaning[:1]


def values_of(text: str, on: date) -> tuple[list[Said], str]:
    """Return the values of a text of a day, and its other words; the text is in small letters."""
    found: list[Said] = []
    context = "pm" if shapes.AFTERNOON.search(text) else "am" if shapes.MORNING.search(text) else ""
    for name, pattern in shapes.SHAPES:

        def put(match: re.Match[str], name: str = name) -> str:
            parts = {key: part or "" for key, part in match.groupdict().items()}
            meanings = frozenset(_READERS[name](parts | {"all": match.group()}, on, context))
            found.extend([Said(match.group().strip(), meanings)] if meanings else [])
            return " " if meanings else match.group()

        text = pattern.sub(put, text)
    return found, text


def _literal(part: dict[str, str], _on: date, _context: str) -> Iterator[Meaning]:
    written = part["all"].rstrip(".,:;").removeprefix("https://").removeprefix("http://")
    yield ("l", written.removeprefix("v").replace("-", ""))


def _phone(part: dict[str, str], _on: date, _context: str) -> Iterator[Meaning]:
    yield ("l", "".join(filter(str.isdigit, part["all"])))


def _date(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read a date; without a year it is one that is near, and of a day alone the next one or the last."""
    named = part.get("month", "") or part.get("alone", "")
    year, day = (int(_count(part[name])) if part.get(name) else None for name in ("year", "day"))
    month = MONTHS.get(named) or (int(_count(named) or 0) or None)
    if which := part.get("which"):
        year = on.year + {"明": 1, "내": 1, "去": -1, "작": -1}.get(which, 0)
    if (month or 1) > 12 or not 1 <= (day or 1) <= 31:
        return
    yield ("d", year, month, day, None)
    if "count" in part:  # `the 12th` may be of something else
        yield ("n", part["day"], "", "")
    near = _near(on, month, day or 0) if year is None else []
    for at in [year * 12 + month - 1] if year and month and day else near:
        if day is None:
            yield ("d", at // 12, at % 12 + 1, None, None)
        elif day <= monthrange(at // 12, at % 12 + 1)[1]:
            yield _of(date(at // 12, at % 12 + 1, day))


def _near(on: date, month: int | None, day: int) -> list[int]:
    """Return the months, counted from the year 0, that a date without its year may be of."""
    now = on.year * 12 + on.month - 1
    if month is None:
        return [now, now + 1] if day < on.day else [now]
    ahead = (month - on.month) % 12
    is_past = ahead >= 6 or (ahead == 0 and 0 < day < on.day)
    return [now + ahead, now + ahead - 12] if is_past else [now + ahead]


def _of(day: date) -> Meaning:
    return ("d", day.year, day.month, day.day, day.weekday())


def _weekday(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read the name of a day: that day of any week, the next one, the last one."""
    number = shapes.DAYS[part["name"]]
    yield ("d", None, None, None, number)
    ahead = on + timedelta(days=(number - on.weekday() - 1) % 7 + 1)
    this_week, week = on + timedelta(days=number - on.weekday()), timedelta(days=7)
    meant = (ahead, this_week + week) if part["next"] or part.get("after") else (ahead, ahead - week)
    yield from map(_of, (ahead - week, this_week - week) if part["last"] else meant)


def _day_away(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    yield _of(on + timedelta(days=shapes.DAYS_AWAY[part["all"]]))


def _count_away(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read `in three weeks`, `two days ago`: its day, and the count."""
    count, unit = _count(part["count"]) or "1", shapes.UNITS[part["unit"]]
    yield ("n", count, unit, "")
    if unit in ("d", "w"):
        days = timedelta(days=int(count) * (7 if unit == "w" else 1))
        yield _of(on - days if part.get("ago") else on + days)


def _period(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    """Read `next week`, `last month`, `this year`: its days, its month, its year."""
    steps = 1 if part["next"] else -1 if part["last"] else 0
    unit = shapes.UNITS.get(part["unit"], "mo")
    if unit == "y":
        yield ("d", on.year + steps, None, None, None)
    elif unit == "mo":
        at = on.year * 12 + on.month - 1 + steps
        yield ("d", at // 12, at % 12 + 1, None, None)
    else:
        monday = on + timedelta(days=7 * steps - on.weekday())
        for day in (monday + timedelta(days=day) for day in range(7)):
            yield ("d", day.year, day.month, -day.day, None)  # which of them was not said


def _season(part: dict[str, str], on: date, _context: str) -> Iterator[Meaning]:
    number = 20 + shapes.SEASONS.index(
        next(name for name in shapes.SEASONS if part["name"].startswith(name[:3]))
    )
    years = [int(part["year"])] if part["year"] else [on.year, on.year - 1 if on.month < 7 else on.year]
    yield from (("d", year, number, None, None) for year in years)
    if not part["year"]:
        yield ("d", None, number, None, None)


def _time(part: dict[str, str], _on: date, context: str) -> Iterator[Meaning]:
    hour = int(_count(part["hour"]) or 99)
    minute = int(_count(part.get("minute", "")) or shapes.PART_OF_HOUR.get(part.get("half", ""), 0))
    if part.get("part"):
        away = shapes.PART_OF_HOUR.get(part["part"]) or int(_count(part["part"]) or 0)
        minute = away if part["to"] == "past " else -away
    if hour > 24 or minute > 59:
        return
    at = (hour * 60 + minute) % _DAY_LENGTH
    half = part.get("am", "")[:2].replace(".", "")
    half = half or (context if hour < 12 else "")
    if half in shapes.LATE:
        yield ("t", at % (_DAY_LENGTH // 2) + _DAY_LENGTH // 2)
    else:
        yield ("t", at % (_DAY_LENGTH // 2) if half else at)
        if hour < LATEST_UNSAID and not half:
            yield ("t", at + _DAY_LENGTH // 2)


def _number(part: dict[str, str], _on: date, context: str) -> Iterator[Meaning]:
    unit = shapes.UNITS.get(part.get("unit") or part.get("money") or "", "")
    for count in _counts(part["count"]):
        value = _plain(f"{float(count) * shapes.SCALES[scale]:f}") if (scale := part.get("scale")) else count
        if value != "1" or part["count"].isdigit():  # `a`, `one`, 一
            yield ("n", value, unit, context)
        if value.isdigit() and LONG_AGO <= int(value) < FAR_AHEAD and not unit:
            yield ("d", int(value), None, None, None)


def _counts(written: str) -> Iterator[str]:
    """Yield what a number may be: `18.000` is eighteen here and thousands there."""
    groups = written.replace(",", ".").split(".")
    if len(groups) == 1:
        yield _plain(written) if written[0].isdigit() else _count(written)
    elif all(len(group) == 3 for group in groups[1:]) and len(groups[0]) < 4:
        yield "".join(groups)
    if len(groups) == 2 and not (len(groups[1]) == 3 and "," in written):
        yield _plain(".".join(groups))
    elif len(groups) > 2 and "," in written and len(groups[-1]) < 3:
        yield _plain("".join(groups[:-1]) + "." + groups[-1])


def _plain(number: str) -> str:
    whole, dot, rest = number.partition(".")
    return (whole.lstrip("0") or "0") + (dot + rest if rest.strip("0") else "")


def _count(written: str) -> str:
    """Return a whole number that is written in digits or words, empty where it is none."""
    if written.isdecimal():
        return str(int(written))
    total = current = 0
    for word in written.replace("-", " ").split():
        if word[0] in shapes.HAN_DIGITS or word[0] in shapes.HAN_SCALES:
            current = _han(word)
        elif word not in shapes.SCALES:
            current += shapes.NUMBERS.get(word, 0)
        elif shapes.SCALES[word] == 100:
            current = max(current, 1) * 100
        else:
            total, current = total + max(current, 1) * shapes.SCALES[word], 0
    return str(total + current) if written else ""


def _han(written: str) -> int:
    total = current = 0
    for char in written:
        if char in shapes.HAN_SCALES:
            total, current = total + max(current, 1) * shapes.HAN_SCALES[char], 0
        else:
            current = current * 10 + shapes.HAN_DIGITS.get(char, 0)
    return total + current


_READERS = {
    "literal": _literal, "phone": _phone, "date": _date, "weekday": _weekday, "day away": _day_away, "count away": _count_away,
    "period": _period, "season": _season, "time": _time, "number": _number,
}  # fmt: skip
