"""The views: which commands each one shows, and how their answers are arranged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from markupsafe import Markup

from clawgit.page.asked_commands import with_operands
from clawgit.page.drawings import growth, nights, slot_bars
from clawgit.page.shown_text import render, statement
from clawgit.page.visit import StaticVisit
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from clawgit.page.asked_commands import Served
    from clawgit.page.visit import Visit

Context = Mapping[str, Any]
AT_ONCE = 50  # rows of a list
_QUEUE_ON_TODAY = 3
_MOST_RUNS = 500
_RUNS_SHOWN = 20
_FOLDER = Path(__file__).parent


class Page(NamedTuple):
    """One view: its address, its template, what it shows, and the command whose JSON is beside it."""

    name: str
    path: str
    template: str
    view: Callable[[Visit], Context]
    json: Callable[[Visit], list[str]]

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
    log = visit.needed(*_today_words(visit))
    entries = visit.data("memory", "list", otherwise=[])
    runs = visit.data("runs", f"--limit={_MOST_RUNS}", otherwise=[])
    days = by_day(log["rows"])
    latest = _latest(days)
    return {
        "days": days,
        "after": log["after"],
        "latest": latest,
        "counts": _counts_of(latest),
        "queue": visit.data("pending", otherwise=[])[:_QUEUE_ON_TODAY],
        "conflicts": _conflicts(visit),
        "digest": visit.data("digest", otherwise=None),
        "entries": entries,
        "status": visit.needed("status"),
        "stats": visit.data("chat", "stats", otherwise={}),
        "nights": nights(runs),
        "growth": growth(entries),
        "words": _today_words(visit),
        "today": visit.now,
    }


def _today_words(visit: Visit) -> list[str]:
    words = ["log"]
    for name in ("since", "until", "file", "entry", "after"):
        words += _option(visit, name)
    return words


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


def _conflicts(visit: Visit) -> Mapping[str, Any]:
    """Return both sides of each conflict, by its id."""
    found = {}
    for each in visit.data("conflicts", "list", otherwise=[]):
        found[each["id"]] = each
    return found


def _pending(visit: Visit) -> Context:
    items = visit.needed(*_pending_words(visit))
    return {"items": items, "conflicts": _conflicts(visit), "kinds": _counted(items, "kind")}


def _pending_words(visit: Visit) -> list[str]:
    return ["pending", *_option(visit, "kind")]


def _counted(rows: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for each in rows:
        counts[each[name]] = counts.get(each[name], 0) + 1
    return counts


def _option(visit: Visit, name: str) -> list[str]:
    value = visit[name]
    if not value:
        return []
    return [f"--{name}={value}"]


def _memory(visit: Visit) -> Context:
    words = _memory_words(visit)
    answer = visit.ask(*words)
    found = answer.data
    if answer.problem or found is None:
        found = []
    if isinstance(found, dict):
        found = found["results"]
    first = visit.data("chat", "stats", otherwise={}).get("first") or ""
    return {
        "sheet": sheet_of(found, visit["sheet"]),
        "notes": list(filter(None, (answer.problem, *answer.notes))),
        "is_search": words[1] == "search",
        "is_past": bool(visit["as-of"]),
        "words": words,
        "first_day": first[:10],
    }


def _memory_words(visit: Visit) -> list[str]:
    """Return the command of the list: a search where there are words, memory of a day where there is a day."""
    if visit["q"]:
        return with_operands(["memory", "search", *_option(visit, "as-of")], visit["q"])
    if visit["as-of"]:
        return ["memory", "show", *_option(visit, "as-of")]
    words = ["memory", "list"]
    for name in ("trust", "tag", "source", "since"):
        words += _option(visit, name)
    return words


def _entry(visit: Visit) -> Context:
    entry_id = visit.named
    why = visit.needed(*_entry_words(visit))
    preview = visit.ask(*_undo_words(visit))
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


def _entry_words(visit: Visit) -> list[str]:
    return with_operands(["why"], visit.named)


def _undo(visit: Visit) -> Context:
    what = visit.named
    return {"id": what, "preview": visit.ask(*_undo_words(visit)), "leads_to": visit["back"] or "/"}


def _undo_words(visit: Visit) -> list[str]:
    return with_operands(["undo", "--dry-run"], visit.named)


def _soul(visit: Visit) -> Context:
    log = visit.data("soul", "log", otherwise=[])
    return {
        "blame": visit.data("soul", "blame", otherwise=[]),
        "log": log,
        "drift": visit.data("soul", "drift", otherwise=None),
        "shown": visit.data("soul", "show", otherwise={}),
    }


def _soul_words(_visit: Visit) -> list[str]:
    return ["soul", "log"]


def _versions(visit: Visit) -> Context:
    answer = visit.ask(*_version_words(visit))
    first, _, second = _versions_named(visit).partition("..")
    return {"diffs": answer.data or [], "problem": answer.problem, "first": first, "second": second}


def _version_words(visit: Visit) -> list[str]:
    return with_operands(["soul", "diff", "--word"], _versions_named(visit))


def _versions_named(visit: Visit) -> str:
    """Return two versions as `A..B`: from the address, or from the form that names them."""
    named = visit.named
    if named == "diff":
        return f"{visit['a']}..{visit['b']}"
    return named


def _talk(visit: Visit) -> Context:
    messages = visit.needed(*_talk_words(visit))
    kept = {}
    for entry in visit.data("memory", "list", otherwise=[]):
        for evidence in entry["evidence"]:
            kept[evidence.partition(" ")[0]] = entry["id"]
    talks: dict[tuple[str, str], list[Any]] = {}
    for each in messages:
        talks.setdefault((each["channel"], each["conversation"]), []).append(each)
    return {
        "talks": list(talks.items())[::-1],
        "kept": kept,
        "stats": visit.data("chat", "stats", otherwise={}),
        "words": _talk_words(visit),
    }


def _talk_words(visit: Visit) -> list[str]:
    words = ["chat", "log", f"--limit={AT_ONCE}"]
    for name in ("find", "channel", "conversation", "role", "since", "until"):
        words += _option(visit, name)
    if visit["flagged"]:
        words.append("--flagged")
    return words


def _message(visit: Visit) -> Context:
    found = visit.needed(*_entry_words(visit))
    return {"id": visit.named, "found": found}


def _prompt(visit: Visit) -> Context:
    return {"receipts": visit.needed(*_prompt_words(visit))}


def _prompt_words(_visit: Visit) -> list[str]:
    return ["receipts", "list"]


def _receipt(visit: Visit) -> Context:
    found = visit.needed(*_receipt_words(visit))
    return {
        "receipt": found,
        "bars": slot_bars(found.get("slots", [])),
        "receipts": visit.data("receipts", "list"),
    }


def _receipt_words(visit: Visit) -> list[str]:
    return with_operands(["receipts", "show"], visit.named)


def _prompt_diff(visit: Visit) -> Context:
    answer = visit.ask(*_prompt_diff_words(visit))
    return {"diff": answer.data, "problem": answer.problem, "a": visit["a"], "b": visit["b"]}


def _prompt_diff_words(visit: Visit) -> list[str]:
    return with_operands(["context", "diff"], visit["a"], visit["b"])


def _machine(visit: Visit) -> Context:
    runs = visit.data("runs", f"--limit={_MOST_RUNS}", otherwise=[])
    tokens = 0
    told = []
    for run in runs:
        tokens += run["tokens"]
        if run["outcome"] != "nothing":
            told.append(run)
    doctor = None
    if visit["doctor"]:  # it reads everything there is: seconds, over years
        doctor = visit.ask("doctor")
    return {
        "runner": visit.data("runner", "status", otherwise=[]),
        "runs": told[:_RUNS_SHOWN],
        "idle": len(runs) - len(told),
        "nights": nights(runs),
        "tokens": tokens,
        "doctor": doctor,
        "workspaces": visit.data("workspaces", "list", otherwise=[]),
        "status": visit.data("status", otherwise={}),
        "index": visit.data("memory", "status", otherwise={}),
        "jobs": AGENT_NAMES,
        "stats": visit.data("chat", "stats", otherwise={}),
    }


def _machine_words(_visit: Visit) -> list[str]:
    return ["runner", "status"]


def _rehearsal(visit: Visit) -> Context:
    """Show what a job would do now."""
    return {"id": visit.named, "answer": visit.ask(*_rehearsal_words(visit))}


def _rehearsal_words(visit: Visit) -> list[str]:
    return with_operands(["run", "--dry-run"], visit.named)


PAGES: Final = (
    Page("today", "/", "today.html", _today, _today_words),
    Page("pending", "/pending", "pending.html", _pending, _pending_words),
    Page("memory", "/memory", "memory.html", _memory, _memory_words),
    Page("memory", "/e/{id}", "entry.html", _entry, _entry_words),
    Page("memory", "/undo/{id}", "undo.html", _undo, _undo_words),
    Page("soul", "/soul", "soul.html", _soul, _soul_words),
    Page("soul", "/soul/{id}", "versions.html", _versions, _version_words),
    Page("talk", "/talk", "talk.html", _talk, _talk_words),
    Page("talk", "/talk/{id}", "message.html", _message, _entry_words),
    Page("prompt", "/prompt", "prompt.html", _prompt, _prompt_words),
    Page("prompt", "/prompt/diff", "prompt_diff.html", _prompt_diff, _prompt_diff_words),
    Page("prompt", "/prompt/{id}", "receipt.html", _receipt, _receipt_words),
    Page("machine", "/machine", "machine.html", _machine, _machine_words),
    Page("machine", "/machine/{id}", "rehearsal.html", _rehearsal, _rehearsal_words),
)


def static_today(served: Served, root: Path) -> str:
    """Return Today as one file, with its style in it, and a command where the page has a button."""
    visit = StaticVisit(served, root.name, root, "", {})
    style = Markup((_FOLDER / "page.css").read_text("utf-8"))
    frame = {"visit": visit, "waiting": visit.data("pending", otherwise=[]), "style": style}
    return render("today.html", frame | dict(_today(visit)))
