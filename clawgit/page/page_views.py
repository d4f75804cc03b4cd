"""The views: what each one asks, and how the answers are arranged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from markupsafe import Markup

from clawgit.page.drawings import growth, nights, slot_bars
from clawgit.page.page_answers import asked
from clawgit.page.shown_text import render, statement
from clawgit.page.visit import StaticVisit
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from clawgit.page.page_answers import Asked, Served
    from clawgit.page.visit import Visit

Context = Mapping[str, Any]
AT_ONCE = 50  # rows of a list
_QUEUE_ON_TODAY = 3
_MOST_RUNS = 500
_RUNS_SHOWN = 20
_FOLDER = Path(__file__).parent


class Page(NamedTuple):
    """One view: its address, its template, what it shows, and what it asks: that has its JSON beside it."""

    name: str
    path: str
    template: str
    view: Callable[[Visit], Context]
    asks: Callable[[Visit], Asked]

    @property
    def json_path(self) -> str:
        """Return the address of the JSON."""
        if self.path == "/":
            return "/today.json"
        return f"{self.path}.json"


class Day(NamedTuple):
    """What changed on a day, and what was routine."""

    day: str
    rows: Sequence[Mapping[str, Any]]
    routine: Sequence[str]


class Sheet(NamedTuple):
    """Some rows of a long list, and the numbers of the sheets before and after."""

    rows: Sequence[Any]
    number: int
    before: int
    after: int
    total: int


def sheet_of(rows: Sequence[Any], asked: str) -> Sheet:
    """Return the rows of one sheet; a number that is none means the first."""
    last = max(1, -(-len(rows) // AT_ONCE))
    number = 1
    if asked.isdecimal() and len(asked) < 7:
        number = min(max(int(asked), 1), last)
    after = 0
    if number < last:
        after = number + 1
    start = (number - 1) * AT_ONCE
    return Sheet(rows[start : start + AT_ONCE], number, number - 1, after, len(rows))


def _today(visit: Visit) -> Context:
    log = visit.needed(_today_asks(visit))
    entries = visit.data("memory.list", otherwise=[])
    runs = visit.data("runs", otherwise=[], limit=_MOST_RUNS)
    pending = visit.data("pending", otherwise=[])
    days = by_day(log["rows"])
    latest = _latest(days)
    return {
        "days": days,
        "after": log["after"],
        "latest": latest,
        "counts": _counts_of(latest),
        "queue": pending[:_QUEUE_ON_TODAY],
        "conflicts": _conflicts(visit, pending),
        "digest": visit.data("digest", otherwise=None),
        "entries": entries,
        "runner": visit.data("runner.status", otherwise=[]),
        "stats": visit.data("chat.stats", otherwise={}),
        "nights": nights(runs),
        "growth": growth(entries),
        "line": _today_asks(visit).line,
        "today": visit.look.now,
    }


def _today_asks(visit: Visit) -> Asked:
    return _asked_by_address(visit, "log", "since", "until", "file", "entry", "after")


def _asked_by_address(visit: Visit, name: str, *parameters: str) -> Asked:
    """Return what the parameters of an address ask."""
    values = {}
    for each in parameters:
        values[each] = visit[each.replace("_", "-")]
    return asked(name, **values)


def by_day(rows: Sequence[Mapping[str, Any]]) -> list[Day]:
    """Return rows by their day, the newest first, and of each day what was routine."""
    days: dict[str, tuple[list[Mapping[str, Any]], list[str]]] = {}
    for row in rows:
        told, routine = days.setdefault(row["when"][:10], ([], []))
        if row["verb"] != "routine":
            told.append(row)
        for each in row["routine"]:
            routine.append(f"{each['count']} {each['what']}")
    arranged = []
    for day, (told, routine) in days.items():
        arranged.append(Day(day, told, routine))
    return arranged


def _latest(days: Sequence[Day]) -> Day | None:
    """Return the latest day on which more than routine happened."""
    for day in days:
        if day.rows:
            return day
    return None


def _counts_of(day: Day | None) -> Mapping[str, int]:
    if day is None:
        return {}
    return _counted(day.rows, "verb")


def _conflicts(visit: Visit, items: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return both sides of each conflict, by its id; nothing is asked where no item is one."""
    conflicts: dict[str, Any] = {}
    if "conflict" in _counted(items, "kind"):
        for each in visit.data("conflicts.list", otherwise=[]):
            conflicts[each["id"]] = each
    return conflicts


def _pending(visit: Visit) -> Context:
    items = visit.needed(_pending_asks(visit))
    return {"items": items, "conflicts": _conflicts(visit, items), "kinds": _counted(items, "kind")}


def _pending_asks(visit: Visit) -> Asked:
    return _asked_by_address(visit, "pending", "kind")


def _counted(rows: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for each in rows:
        counts[each[name]] = counts.get(each[name], 0) + 1
    return counts


def _memory(visit: Visit) -> Context:
    wish = _memory_asks(visit)
    answer = visit.answer(wish)
    found = answer.data
    if answer.problem or found is None:
        found = []
    if isinstance(found, dict):
        found = found["results"]
    first = visit.data("chat.stats", otherwise={}).get("first") or ""
    return {
        "sheet": sheet_of(found, visit["sheet"]),
        "notes": list(filter(None, (answer.problem, *answer.notes))),
        "is_search": wish.name == "memory.search",
        "is_past": bool(visit["as-of"]),
        "line": wish.line,
        "first_day": first[:10],
    }


def _memory_asks(visit: Visit) -> Asked:
    """Return what lists: a search where there are words, memory of a day where there is a day."""
    if visit["q"]:
        return asked("memory.search", as_of=visit["as-of"], query=visit["q"])
    if visit["as-of"]:
        return asked("memory.show", as_of=visit["as-of"])
    return _asked_by_address(visit, "memory.list", "trust", "tag", "source", "since")


def _entry(visit: Visit) -> Context:
    entry_id = visit.named
    why = visit.needed(_entry_asks(visit))
    preview = visit.answer(_undo_asks(visit))
    now = statement(why.get("text") or "", 4000)
    steps = []
    before = ""
    for wording in why.get("wordings", ()):
        messages = []
        for cited in wording["evidence"]:
            message = why.get("messages", {}).get(cited.partition(" ")[0])
            messages.append({"cited": cited, "message": message})
        steps.append({**wording, "before": before, "messages": messages})
        before = wording["text"]
    return {"id": entry_id, "why": why, "now": now, "steps": steps[::-1], "preview": preview}


def _entry_asks(visit: Visit) -> Asked:
    return asked("why", what=visit.named)


def _undo(visit: Visit) -> Context:
    what = visit.named
    return {"id": what, "preview": visit.answer(_undo_asks(visit)), "leads_to": visit["back"] or "/"}


def _undo_asks(visit: Visit) -> Asked:
    return asked("undo", what=visit.named, dry_run=True)


def _soul(visit: Visit) -> Context:
    return {
        "blame": visit.data("soul.blame", otherwise=[]),
        "log": visit.data("soul.log", otherwise=[]),
        "drift": visit.data("soul.drift", most_days=1),
        "shown": visit.data("soul.show", otherwise={}),
    }


def _versions(visit: Visit) -> Context:
    answer = visit.answer(_versions_asks(visit))
    first, second = _versions_named(visit)
    return {"diffs": answer.data or [], "problem": answer.problem, "first": first, "second": second}


def _versions_asks(visit: Visit) -> Asked:
    first, second = _versions_named(visit)
    return asked("soul.diff", old=first or "HEAD", new=second or "HEAD")


def _versions_named(visit: Visit) -> tuple[str, str]:
    """Return two versions: from the address, `A..B`, or from the form that names them."""
    if visit.named == "diff":
        return visit["a"], visit["b"]
    first, _, second = visit.named.partition("..")
    return first, second


def _talk(visit: Visit) -> Context:
    messages = visit.needed(_talk_asks(visit))
    kept = {}
    for entry in visit.data("memory.list", otherwise=[]):
        for evidence in entry["evidence"]:
            kept[evidence.partition(" ")[0]] = entry["id"]
    talks: dict[tuple[str, str], list[Any]] = {}
    for each in messages:
        talks.setdefault((each["channel"], each["conversation"]), []).append(each)
    return {
        "talks": list(talks.items())[::-1],
        "kept": kept,
        "stats": visit.data("chat.stats", otherwise={}),
        "line": _talk_asks(visit).line,
    }


def _talk_asks(visit: Visit) -> Asked:
    wish = _asked_by_address(visit, "chat.log", "channel", "conversation", "role", "since", "until")
    more = asked("chat.log", find=visit["find"], limit=AT_ONCE, flagged=bool(visit["flagged"]) or None)
    return wish._replace(values=wish.values + more.values)


def _message(visit: Visit) -> Context:
    found = visit.needed(_entry_asks(visit))
    return {"id": visit.named, "found": found}


def _prompt(visit: Visit) -> Context:
    return {"receipts": visit.needed(asked("receipts.list"))}


def _receipt(visit: Visit) -> Context:
    found = visit.needed(_receipt_asks(visit))
    return {
        "receipt": found,
        "bars": slot_bars(found.get("slots", [])),
        "receipts": visit.data("receipts.list"),
    }


def _receipt_asks(visit: Visit) -> Asked:
    return asked("receipts.show", receipt=visit.named)


def _prompt_diff(visit: Visit) -> Context:
    answer = visit.answer(_prompt_diff_asks(visit))
    return {"diff": answer.data, "problem": answer.problem, "a": visit["a"], "b": visit["b"]}


def _prompt_diff_asks(visit: Visit) -> Asked:
    return asked("context.diff", old=visit["a"], new=visit["b"])


def _machine(visit: Visit) -> Context:
    runs = visit.data("runs", otherwise=[], limit=_MOST_RUNS)
    tokens = 0
    told = []
    for run in runs:
        tokens += run["tokens"]
        if run["outcome"] != "nothing":
            told.append(run)
    doctor = None
    if visit["doctor"]:  # it reads everything there is: seconds, over years
        doctor = visit.answer(asked("doctor"))
    return {
        "runner": visit.data("runner.status", otherwise=[]),
        "runs": told[:_RUNS_SHOWN],
        "idle": len(runs) - len(told),
        "nights": nights(runs),
        "tokens": tokens,
        "doctor": doctor,
        "workspaces": visit.data("workspaces.list", otherwise=[]),
        "connections": visit.data("connections", otherwise=[]),
        "status": visit.data("status", otherwise={}),
        "index": visit.data("memory.status", otherwise={}),
        "jobs": AGENT_NAMES,
        "stats": visit.data("chat.stats", otherwise={}),
    }


def _rehearsal(visit: Visit) -> Context:
    """Show what a job would do now."""
    return {"id": visit.named, "answer": visit.answer(_rehearsal_asks(visit))}


def _rehearsal_asks(visit: Visit) -> Asked:
    return asked("run", agent=visit.named, dry_run=True)


PAGES: Final = (
    Page("today", "/", "today.html", _today, _today_asks),
    Page("pending", "/pending", "pending.html", _pending, _pending_asks),
    Page("memory", "/memory", "memory.html", _memory, _memory_asks),
    Page("memory", "/e/{id}", "entry.html", _entry, _entry_asks),
    Page("memory", "/undo/{id}", "undo.html", _undo, _undo_asks),
    Page("soul", "/soul", "soul.html", _soul, lambda _: asked("soul.log")),
    Page("soul", "/soul/{id}", "versions.html", _versions, _versions_asks),
    Page("talk", "/talk", "talk.html", _talk, _talk_asks),
    Page("talk", "/talk/{id}", "message.html", _message, _entry_asks),
    Page("prompt", "/prompt", "prompt.html", _prompt, lambda _: asked("receipts.list")),
    Page("prompt", "/prompt/diff", "prompt_diff.html", _prompt_diff, _prompt_diff_asks),
    Page("prompt", "/prompt/{id}", "receipt.html", _receipt, _receipt_asks),
    Page("machine", "/machine", "machine.html", _machine, lambda _: asked("runner.status")),
    Page("machine", "/machine/{id}", "rehearsal.html", _rehearsal, _rehearsal_asks),
)


def static_today(served: Served, root: Path) -> str:
    """Return Today as one file, with its style in it, and a command where the page has a button."""
    visit = StaticVisit(served, root.name, root, "", {})
    style = Markup((_FOLDER / "page.css").read_text("utf-8"))
    frame = {"visit": visit, "waiting": visit.data("pending", otherwise=[]), "style": style}
    return render("today.html", frame | dict(_today(visit)))
