"""The buttons: each runs an operation with values of its form, and then names the way back."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.page.page_answers import NotShownError, PageAnswer, PageCall, SignedInVisit, asked
from clawgit.page.sign_in import ActionOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_MOST_NOTES = 12
_REOPENED = ("p-", "t-")  # of these a no makes no commit, and a yes may still come
_WAYS_BACK = {"snapshot": ("", "", ""), "pause": ("resume", "", "Undo"), "resume": ("pause", "", "Undo")}
_STAYS = ("m:", "u-")  # a yes leaves these as they are
_DEEDS = ("Undone", "Taken back", "Forgotten")


class Action(NamedTuple):
    """The operation of a button, and the form's field for each of its values."""

    name: str
    fields: Mapping[str, str]


ACTIONS: Mapping[str, Action] = {
    "approve": Action("approve", {"reason": "reason", "names": "what", "words": "words"}),
    "approve-all": Action("approve", {"like": "what"}),
    "reject": Action("reject", {"reason": "reason", "names": "what"}),
    "undo": Action("undo", {"reason": "reason", "what": "what"}),
    "forget": Action("forget", {"reason": "reason", "what": "what"}),
    "correct": Action("correct", {"until": "ends", "old": "what", "new": "words"}),
    "remember": Action("memory.add", {"text": "words"}),
    "revive": Action("memory.revive", {"what": "what"}),
    "restore": Action("soul.restore", {"reason": "reason", "revision": "what"}),
    "snapshot": Action("soul.snapshot", {"message": "words"}),
    "run": Action("run", {"agent": "what"}),
    "pause": Action("pause", {}),
    "resume": Action("resume", {}),
}
_APPROVING = ("approve", "approve-all", "reject")


def act(visit: SignedInVisit, verb: str, fields: Mapping[str, Sequence[str]]) -> str:
    """Do the action of a button, note its outcome for the next view, and return that view's address."""
    form = defaultdict(str, {name: values[0] for name, values in fields.items()})
    what = form["what"]
    if verb not in ACTIONS:
        raise NotShownError(404, "There is no such button.")
    if not visit.is_of_form(f"{verb} {what}", form["token"]):
        raise NotShownError(403, "This form is not of this session. Go back, load the page again, and retry.")
    if visit.needs_key and verb in _APPROVING:
        raise NotShownError(403, "Here an approval counts only with a touched key: use the command.")
    name, taken = ACTIONS[verb]
    values: dict[str, Any] = {value: form[field] for value, field in taken.items()}
    if "names" in values:
        values["names"] = (what,)
    if "pieces" in form:
        numbers = fields.get("only", ())
        if not numbers:
            raise NotShownError(400, "No piece is ticked, so nothing was approved.")
        if str(len(numbers)) != form["pieces"]:  # all of them are the whole
            values["only"] = tuple(int(each) for each in numbers if each.isdecimal())
    wish = asked(name, **values)
    outcome = _told(wish, visit.look.do(wish))
    way_back = _way_back(verb, what, outcome.undo, form["words"])
    if not outcome.is_refusal and way_back is not None:
        outcome.undo, outcome.way_back = "", way_back
    visit.session.told.append(outcome)
    path = form["back"]
    if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable():
        return visit.base + path
    return f"{visit.base}/"  # a page of this workspace, never another place


def _way_back(verb: str, what: str, undo: str, words: str) -> tuple[str, str, str] | None:
    """Return the button that reverses an action without changed files; undoing its commit would not."""
    if verb == "approve" and what.startswith(_STAYS) and not words:
        return "undo", what.removeprefix("u-"), "No after all"
    if verb == "reject" and what.startswith(_REOPENED):
        return "approve", what, "Yes after all"
    if verb == "reject" and what.isidentifier():  # the value of a setting: taken back, it is in force
        return "undo", undo, "Yes after all"
    return _WAYS_BACK.get(verb)


def _told(wish: PageCall, answer: PageAnswer) -> ActionOutcome:
    """Return the outcome of an action; of several items, the first refusal and the latest commit."""
    if answer.problem:
        return ActionOutcome(answer.problem, wish.line, is_refusal=True, notes=answer.notes[:_MOST_NOTES])
    notes = answer.notes[-_MOST_NOTES:]
    says = "".join(notes[:1])
    for note in notes:
        if note.startswith(_DEEDS):
            says = note
    rows = answer.data
    if not isinstance(rows, list):
        rows = [rows]
    commit, refusal = "", ""
    for row in rows:
        if isinstance(row, dict):
            commit = str(row.get("commit") or commit)
            if not says and "agent" in row:
                says = f"{row['agent']}: {row['reason'] or row['outcome']}"
            if row.get("outcome") == "refused":
                refusal = refusal or str(row.get("says") or "Refused.")
    return ActionOutcome(refusal or f"Done. {says}", wish.line, commit, bool(refusal), notes)
