"""What the buttons do: each is a command in its words, and says afterwards what takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.page.asked_commands import command_line, with_operands
from clawgit.page.sign_in import Told
from clawgit.page.visit import NotShownError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.page.asked_commands import Answer
    from clawgit.page.visit import SignedInVisit

_MOST_NOTES = 12


class Form:
    """The fields of a form that was sent."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        """Return a field, empty where it was not sent."""
        return self._fields.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        """Return what was sent under one name, such as every box that was ticked."""
        return self._fields.get(name, [])

    def option(self, name: str) -> list[str]:
        """Return an option of the command that takes the field, nothing where it is empty."""
        if not self[name]:
            return []
        return [f"--{name}={self[name]}"]


def _approve(form: Form) -> list[str]:
    options = form.option("reason")
    chosen = form.all("only")
    if form["pieces"] != str(len(chosen)):
        for number in chosen:
            options.append(f"--only={number}")
    operands = [form["what"]]
    if form["words"]:
        operands.append(form["words"])
    return with_operands(["approve", *options], *operands)


def _approve_all(form: Form) -> list[str]:
    return ["approve", f"--all-like={form['what']}"]


def _reject(form: Form) -> list[str]:
    return with_operands(["reject", "--yes", *form.option("reason")], form["what"])


def _undo(form: Form) -> list[str]:
    return with_operands(["undo", *form.option("reason")], form["what"])


def _forget(form: Form) -> list[str]:
    return with_operands(["forget", "--yes", *form.option("reason")], form["what"])


def _correct(form: Form) -> list[str]:
    return with_operands(["correct"], form["what"], form["words"])


def _remember(form: Form) -> list[str]:
    return with_operands(["memory", "add"], form["words"])


def _revive(form: Form) -> list[str]:
    return with_operands(["memory", "revive"], form["what"])


def _restore(form: Form) -> list[str]:
    return with_operands(["soul", "restore", *form.option("reason")], form["what"])


def _revert(form: Form) -> list[str]:
    return with_operands(["soul", "revert", *form.option("reason")], form["what"])


def _snapshot(form: Form) -> list[str]:
    return ["soul", "snapshot", f"--message={form['words']}"]


def _run(form: Form) -> list[str]:
    return with_operands(["run"], form["what"])


def _pause(form: Form) -> list[str]:
    return ["pause"]


def _resume(form: Form) -> list[str]:
    return ["resume"]


ACTIONS: Mapping[str, Callable[[Form], list[str]]] = {
    "approve": _approve,
    "approve-all": _approve_all,
    "reject": _reject,
    "undo": _undo,
    "forget": _forget,
    "correct": _correct,
    "remember": _remember,
    "revive": _revive,
    "restore": _restore,
    "revert": _revert,
    "snapshot": _snapshot,
    "run": _run,
    "pause": _pause,
    "resume": _resume,
}
_APPROVING = ("approve", "approve-all", "reject")


def act(visit: SignedInVisit, verb: str, fields: Mapping[str, list[str]]) -> str:
    """Do what a button says, note what became of it for the next view, and return the address of that."""
    action = ACTIONS.get(verb)
    form = Form(fields)
    if action is None:
        raise NotShownError(404, "There is no such button.")
    if not visit.is_of_form(f"{verb} {form['what']}", form["token"]):
        raise NotShownError(403, "This form is not of this session. Go back, load the page again, and retry.")
    if visit.needs_key and verb in _APPROVING:
        raise NotShownError(403, "Here an approval counts only with a touched key: use the command.")
    words = action(form)
    answer = visit.do(words)
    visit.session.told.append(_told(verb, form, words, answer))
    return _back(visit, form["back"])


def _back(visit: SignedInVisit, path: str) -> str:
    """Return where a form leads to: a page of this workspace, never another place."""
    if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable():
        return visit.base + path
    return f"{visit.base}/"


def _told(verb: str, form: Form, words: list[str], answer: Answer) -> Told:
    command = command_line(words)
    if answer.problem:
        return Told(answer.problem, command, is_refusal=True, notes=answer.notes[:_MOST_NOTES])
    says, *notes = [*answer.notes[-_MOST_NOTES:], ""]
    refused = _refusals(answer.data)
    commit = _commit_of(answer.data)
    done = f"Done. {says}".rstrip()
    if refused:
        done = refused[0]
    return Told(done, command, commit, bool(refused), tuple(filter(None, notes)))


def _commit_of(data: Any) -> str:
    """Return the commit that a command made, the latest of several: empty where it made none."""
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
