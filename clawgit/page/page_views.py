"""The views: the call of each one, and the arrangement of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from clawgit.history.provenance.statement_changes import amount_of
from clawgit.page.page_answers import NotShownError, PageCall, ServedPage, Visit, asked
from clawgit.page.shown_text import by_trust, nights, render, statement
from clawgit.understanding.corrections.ready_commands import line_of_yes, offered_line
from clawgit.workspace.layout import AGENT_NAMES

Context = Mapping[str, Any]
AT_ONCE = 50  # rows of a list
_QUEUE_ON_TODAY = 1
_MOST_RUNS = 500
_RUNS_SHOWN = 20
_FOLDER = Path(__file__).parent


class Page(NamedTuple):
    """One view: its address, its template, its call (with JSON beside it), and further data."""

    name: str
    path: str
    template: str
    asks: Callable[[Visit], PageCall]
    view: Callable[[Visit, Any], Context]

    @property
    def json_path(self) -> str:
        if self.path == "/":
            return "/today.json"
        return f"{self.path}.json"


class Day(NamedTuple):
    """The changes of a day, and its routine."""

    day: str
    rows: list[Mapping[str, Any]]
    routine: list[str]


class Sheet(NamedTuple):
    """Some rows of a long list, and the numbers of the sheets before and after."""

    rows: Sequence[Any]
    number: int
    before: int
    after: int
    total: int


def sheet_of(rows: Sequence[Any], parameter: str) -> Sheet:
    last = max(1, -(-len(rows) // AT_ONCE))
    number = min(_sheet_named(parameter), last)
    after = 0
    if number < last:
        after = number + 1
    start = (number - 1) * AT_ONCE
    return Sheet(rows[start : start + AT_ONCE], number, number - 1, after, len(rows))


def _sheet_named(parameter: str) -> int:
    """Return the number of a sheet; an invalid one means the first."""
    if parameter.isdecimal() and len(parameter) < 5:
        return max(int(parameter), 1)
    return 1


def _asks(operation: str, *parameters: str, **values: Any) -> Callable[[Visit], PageCall]:
    """Return the function that makes a call with ``values`` and parameters of the address, as `NAME` or `NAME=PARAMETER`."""

    def ask(visit: Visit) -> PageCall:
        given = {}
        for each in parameters:
            name, _, source = each.partition("=")
            given[name] = visit[source or name.replace("_", "-")]
        return asked(operation, **given, **values)

    return ask


def _nothing_more(_visit: Visit, _data: Any) -> Context:
    return {}


def _today(visit: Visit, log: Any) -> Context:
    entries = visit.data("entries", otherwise=[])
    pending = visit.data("pending", otherwise=[])
    days = by_day(log["rows"])
    latest = next((day for day in days if day.rows), None)  # something more than routine
    return {
        "days": days,
        "after": log["after"],
        "latest": latest,
        "counts": _counted(latest.rows, "verb") if latest else {},
        "queue": pending[:_QUEUE_ON_TODAY],
        "conflicts": _conflicts(visit, pending),
        "digest": visit.data("digest", otherwise=None),
        "entries": entries,
        "runner": visit.data("runner.status", otherwise=[]),
        "stats": visit.data("chat.stats", otherwise={}),
        "nights": nights(visit.data("runs", otherwise=[], limit=_MOST_RUNS)),
        "by_trust": by_trust(entries),
        "today": visit.look.now,
    }


def by_day(rows: Sequence[Mapping[str, Any]]) -> list[Day]:
    days: dict[str, Day] = {}
    for row in rows:
        date = row["when"][:10]
        day = days.setdefault(date, Day(date, [], []))
        if row["verb"] != "routine":
            day.rows.append(row)
        for each in row["routine"]:
            day.routine.append(amount_of(each["what"], each["count"]))
    return list(days.values())


def _conflicts(visit: Visit, items: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if "conflict" not in _counted(items, "kind"):
        return {}
    return {each["id"]: each for each in visit.data("conflicts.list", otherwise=[])}


def _pending(visit: Visit, items: Any) -> Context:
    return {"items": items, "conflicts": _conflicts(visit, items), "kinds": _counted(items, "kind")}


def _counted(rows: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, int]:
    return Counter(map(itemgetter(name), rows))


def _memory(visit: Visit, rows: Any) -> Context:
    is_search = isinstance(rows, dict)
    if is_search:
        rows = rows["results"]
    first = visit.data("chat.stats", otherwise={}).get("first") or ""
    return {"sheet": sheet_of(rows, visit["sheet"]), "is_search": is_search, "first_day": first[:10]}


def _memory_asks(visit: Visit) -> PageCall:
    if visit["q"]:
        return asked("memory.search", as_of=visit["as-of"], query=visit["q"])
    if visit["as-of"]:
        return asked("memory.show", as_of=visit["as-of"])
    most = AT_ONCE * (_sheet_named(visit["sheet"]) + 1)
    return _asks("memory.list", "trust", "tag", "source", "since", limit=most)(visit)


def _undo(visit: Visit, _data: Any) -> Context:
    return {"preview": visit.answer(asked("undo", what=visit["id"], dry_run=True))}


def _entry(visit: Visit, why: Any) -> Context:
    steps = []
    before = ""
    for wording in why.get("wordings", ()):
        messages = []
        for cited in wording["evidence"]:
            message = why.get("messages", {}).get(cited.partition(" ")[0])
            messages.append({"cited": cited, "message": message})
        steps.append({**wording, "before": before, "messages": messages})
        before = wording["text"]
    ready = ""
    for each in why.get("corrections", ()):
        if each["status"] == "linked":
            ready = line_of_yes(each["said"], each["trigger"], each["turn"])
            ready = ready or offered_line(each["said"], each["trigger"])
    now = statement(why.get("text") or "", 4000)
    return {**_undo(visit, why), "now": now, "steps": steps[::-1], "ready": ready}


def _soul(visit: Visit, log: Any) -> Context:
    drift = asked("soul.drift", most_days=1)
    if log:
        drift = drift._replace(of=log[0]["commit"])
    return {"blame": visit.data("soul.blame", otherwise=[]), "drift": visit.answer(drift).data}


def _versions_asks(visit: Visit) -> PageCall:
    """Return the call that compares two versions: of the address, `A..B`, or of the form."""
    first, _, second = visit["id"].partition("..")
    if visit["id"] == "diff":
        first, second = visit["a"], visit["b"]
    return asked("soul.diff", old=first or "HEAD", new=second or "HEAD")


def _versions(visit: Visit, _data: Any) -> Context:
    first = _versions_asks(visit).values[0][1]
    return {"back": visit.data("soul.diff", otherwise=[], old="HEAD", new=first)}


def _talk(visit: Visit, messages: Any) -> Context:
    entry_by_message = {}
    for entry in visit.data("entries", otherwise=[]):
        for evidence in entry["evidence"]:
            entry_by_message[evidence.partition(" ")[0]] = entry["id"]
    talks: dict[tuple[str, str], list[Any]] = {}
    for each in messages:
        talks.setdefault((each["channel"], each["conversation"]), []).append(each)
    not_kept = visit.data("chat.log", otherwise=[], not_kept=True)
    left = {each["id"]: len(each["not_kept"]) for each in not_kept}
    stats = visit.data("chat.stats", otherwise={})
    return {"talks": list(talks.items())[::-1], "kept": entry_by_message, "left": left, "stats": stats}


def _machine(visit: Visit, _runner: Any) -> Context:
    runs = visit.data("runs", otherwise=[], limit=_MOST_RUNS)
    shown_runs = [run for run in runs if run["outcome"] != "nothing"]
    context = {
        "runs": shown_runs[:_RUNS_SHOWN],
        "idle": len(runs) - len(shown_runs),
        "nights": nights(runs),
        "tokens": sum(map(itemgetter("tokens"), runs)),
        "paused": visit.data("paused"),
        "workspaces": visit.data("workspaces.list", otherwise=[]),
        "jobs": AGENT_NAMES,
        "stats": visit.data("chat.stats", otherwise={}),
    }
    if visit["doctor"]:  # it reads everything there is: seconds, over years
        context["doctor"] = visit.answer(asked("doctor"))
        context["index"] = visit.data("memory.status", otherwise={})
        context["by_trust"] = by_trust(visit.data("entries", otherwise=[]))
    return context


def _talk_asks(visit: Visit) -> PageCall:
    call = _asks("chat.log", "channel", "conversation", "role", "since", "until", limit=AT_ONCE)(visit)
    if visit["flagged"]:
        return call._replace(values=(*call.values, ("flagged", True)))
    return call


PAGES: Final = (
    Page("today", "/", "today.html", _asks("log", "since", "until", "file", "entry", "by", "after"), _today),
    Page("pending", "/pending", "pending.html", _asks("pending", "kind"), _pending),
    Page("memory", "/memory", "memory.html", _memory_asks, _memory),
    Page("memory", "/e/{id}", "entry.html", _asks("why", "what=id"), _entry),
    Page("memory", "/undo/{id}", "undo.html", _asks("undo", "what=id", dry_run=True), _undo),
    Page("soul", "/soul", "soul.html", _asks("soul.log"), _soul),
    Page("soul", "/soul/{id}", "versions.html", _versions_asks, _versions),
    Page("talk", "/talk", "talk.html", _talk_asks, _talk),
    Page("talk", "/talk/{id}", "message.html", _asks("why", "what=id"), _nothing_more),
    Page("prompt", "/prompt", "prompt.html", _asks("receipts.list"), _nothing_more),
    Page(
        "prompt", "/prompt/diff", "prompt_diff.html", _asks("context.diff", "old=a", "new=b"), _nothing_more
    ),
    Page("prompt", "/prompt/{id}", "receipt.html", _asks("receipts.show", "receipt=id"), _nothing_more),
    Page("machine", "/machine", "machine.html", _asks("runner.status"), _machine),
    Page("machine", "/machine/{id}", "rehearsal.html", _asks("run", "agent=id", dry_run=True), _nothing_more),
)


def shown(page: Page, visit: Visit, frame: Context) -> str:
    wish = page.asks(visit)
    answer = visit.answer(wish)
    if answer.problem:
        raise NotShownError(404, answer.problem)
    context = {
        "visit": visit,
        "id": visit["id"],
        "line": wish.line,
        "asks": dict(wish.values),
        "data": answer.data,
        "notes": answer.notes,
        "waiting": visit.data("pending", otherwise=[]),
    }
    return render(page.template, {**context, **frame, **page.view(visit, answer.data)})


def static_today(served: ServedPage, root: Path) -> str:
    """Return Today as one file, with its style, and commands in place of buttons."""
    style = Markup((_FOLDER / "page.css").read_text("utf-8"))
    return shown(PAGES[0], Visit(served, root.name, root, "", {}), {"style": style})
