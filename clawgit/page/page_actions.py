"""What the buttons do: each is an operation with values from its form, and says afterwards what takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.page.page_answers import asked
from clawgit.page.sign_in import Told
from clawgit.page.visit import NotShownError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.page.page_answers import Answer, Asked
    from clawgit.page.visit import SignedInVisit

_MOST_NOTES = 12
_REOPENED = ("p-", "t-")  # of these a no makes no commit, and a yes may still come


class Form:
    """The fields of a form that was sent."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        """Return a field, empty where it was not sent."""
        return self._fields.get(name, [""])[0]

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the boxes of that name that were ticked."""
        return tuple(int(each) for each in self._fields.get(name, []) if each.isdecimal())


class Action(NamedTuple):
    """The operation of a button, and which field of the form gives each of its values."""

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
    "revert": Action("soul.revert", {"reason": "reason", "revision": "what"}),
    "snapshot": Action("soul.snapshot", {"message": "words"}),
    "run": Action("run", {"agent": "what"}),
    "pause": Action("pause", {}),
    "resume": Action("resume", {}),
    "backup": Action("backup", {"file": "words"}),
    "disconnect": Action("disconnect", {"host": "what"}),
}
_APPROVING = ("approve", "approve-all", "reject")


def act(visit: SignedInVisit, verb: str, fields: Mapping[str, list[str]]) -> str:
    """Do what a button says, note what became of it for the next view, and return the address of that."""
    form = Form(fields)
    if verb not in ACTIONS:
        raise NotShownError(404, "There is no such button.")
    if not visit.is_of_form(f"{verb} {form['what']}", form["token"]):
        raise NotShownError(403, "This form is not of this session. Go back, load the page again, and retry.")
    if visit.needs_key and verb in _APPROVING:
        raise NotShownError(403, "Here an approval counts only with a touched key: use the command.")
    wish = _wish(verb, form)
    answer = visit.look.do(wish)
    told = _told(form, wish, answer)
    if verb == "reject" and not told.is_refusal and not told.undo and form["what"].startswith(_REOPENED):
        told.reopens = form["what"]
    visit.session.told.append(told)
    return _back(visit, form["back"])


def _wish(verb: str, form: Form) -> Asked:
    action = ACTIONS[verb]
    values: dict[str, Any] = {}
    for name, field in action.fields.items():
        values[name] = form[field]
        if name == "names":
            values[name] = (form[field],)
    if verb == "approve" and form["pieces"] != str(len(form.numbers("only"))):
        values["only"] = form.numbers("only")
    return asked(action.name, **values)


def _back(visit: SignedInVisit, path: str) -> str:
    """Return where a form leads to: a page of this workspace, never another place."""
    if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable():
        return visit.base + path
    return f"{visit.base}/"


def _told(form: Form, wish: Asked, answer: Answer) -> Told:
    if answer.problem:
        return Told(answer.problem, wish.line, is_refusal=True, notes=answer.notes[:_MOST_NOTES])
    says, *notes = [*answer.notes[-_MOST_NOTES:], ""]
    refused = _refusals(answer.data)
    commit = _commit_of(answer.data)
    done = f"Done. {says}".rstrip()
    if refused:
        done = refused[0]
    return Told(done, wish.line, commit, bool(refused), tuple(filter(None, notes)))


def _commit_of(data: Any) -> str:
    """Return the commit that an act made, the latest of several: empty where it made none."""
    if isinstance(data, dict):
        return str(data.get("commit") or "")
    if isinstance(data, list):
        for each in reversed(data):
            commit = _commit_of(each)
            if commit:
                return commit
    return ""


def _refusals(data: Any) -> list[str]:
    """Return why items of several were refused."""
    found = []
    if not isinstance(data, list):
        return []
    for each in data:
        if isinstance(each, dict) and each.get("outcome") == "refused":
            found.append(str(each.get("says") or "Refused."))
    return found
