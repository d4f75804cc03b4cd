"""Secrets: what is committed is in every clone for ever, so no secret may reach a text, a name or a message."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.guards.finding import Finding, decoded, told
from clawgit.text.safety.secrets import Secret, find_secrets, secret_in_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.guards.finding import Step
    from clawgit.plan import Plan

RULE, ALLOWED = "secret", "secret-allowed"
MOST = 10  # a file that is nothing but secrets says so ten times
_ALLOW = r"(?:#|<!--|//)[ \t]*clawgit:[ \t]*allow[ \t]+(?P<why>[^\s-].*?)[ \t]*(?:-->.*)?$"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WAY_OUT = (
    "It is not committed. Move it to a password manager, or list the file in .gitignore. If it is no secret, end"
    " its line with `<!-- clawgit: allow REASON -->`, then run `clawgit keep --as operator`."
)

_WAY_BACK = (
    "It is committed: the history, clones and backups keep it. Change the key where it was issued, then take it"
    " out of the line and run `clawgit keep --as operator`. If it was not pushed yet, git takes it out of the history"
    " too: `git commit --amend` of the last commit, else `git rebase -i`."
)
_UNWRITTEN = "Nothing was written. Keep it in a password manager, and remember where it is."
_BY_HAND = (
    " If it is no secret, write the line into the file yourself, with `<!-- clawgit: allow REASON -->` at its end, and"
    " run `clawgit keep --as operator`."
)


def way_out_unwritten(actor: str) -> str:
    """Return what to do where nothing holds the secret yet; how to get past the guard is for the operator alone."""
    if actor == OPERATOR:
        return _UNWRITTEN + _BY_HAND
    return f"{_UNWRITTEN} Your operator can write it himself."


def find_gained_secrets(step: Step) -> Iterator[Finding]:
    """Find secrets that a text, a file's name or the message gains; what one of these files held before is no gain."""
    found = list(_in_texts(step))
    for path in step.added:
        kind = secret_in_path(path)
        if kind:
            allowed = _allowed(step, path, kind)
            said = f"The file name {told(path)} holds a secret ({kind}). {allowed}".rstrip()
            found.append(Finding(ALLOWED if allowed else RULE, path, said, "Rename the file."))
    yield from found
    if not any(finding.rule == RULE for finding in found) and any(find_secret_words(step.plan, step.intent)):
        values = {value for _, value in _known(step)}  # what the changed files may hold
        for path in step.paths:
            text = _text(step.new.read(path) or b"")
            for secret in find_secrets(text):
                if _allowed(step, path, secret.rule) or _reason(step, text, secret):
                    values.add(text[secret.start : secret.end])
        yield from find_secret_words(step.plan, step.intent, frozenset(values))


def find_secret_words(
    plan: Plan | None, intent: Intent, let_in: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Find secrets in what the message would say, but for values that are ``let_in``; quotes of evidence are redacted there instead."""
    words = {
        "op": intent.op,
        "run or slot": f"{intent.run}\n{intent.slot}",
        "override": intent.override,
        "loss": "\n".join(f"{path}\n{why}" for path, why in (intent.losses or {}).items()),
    }
    if plan is not None:
        words |= {
            "summary": plan.summary,
            "reason": plan.reason,
            "evidence": "\n".join(item.evidence_id for item in plan.evidence),
            "trailers": "\n".join(value for _, value in plan.trailers),
        }
    for what, said in words.items():
        for secret in find_secrets(said):
            if said[secret.start : secret.end] not in let_in:
                told_of = f"The {what} of the change holds a secret ({secret.rule})."
                yield Finding(RULE, "", told_of, "Say it without it.")
                break


def _in_texts(step: Step) -> Iterator[Finding]:
    known: set[tuple[str, str]] | None = None
    for path in step.paths:
        text = _text(step.new.read(path) or b"")
        found = find_secrets(text)
        if found and known is None:
            known = set(_known(step))
        gained = [each for each in found if (each.rule, text[each.start : each.end]) not in (known or ())]
        for secret in gained[:MOST]:
            what = f"a secret ({secret.rule}) in line {secret.line}."
            said = f"{told(path)} would hold {what}"
            done = f"{told(path)} holds {what}"
            why = _allowed(step, path, secret.rule) or _reason(step, text, secret)
            if why:
                said, done = (f"{sentence} It is let in: {why}" for sentence in (said, done))
                yield Finding(ALLOWED, path, said, "Nothing needs to be done.", secret.line, done=done)
            else:
                way_out = _WAY_OUT if step.plan is None else way_out_unwritten(step.intent.actor)
                yield Finding(RULE, path, said, way_out, secret.line, done=done, way_back=_WAY_BACK)


def _known(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the secrets that the changed files held before: moved about, they are not gained."""
    for path in step.paths:
        text = _text(step.base.read(path) or b"")
        for secret in find_secrets(text):
            yield secret.rule, text[secret.start : secret.end]


def _text(data: bytes) -> str:
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    return decoded(data)


def _allowed(step: Step, path: str, kind: str) -> str:
    """Return the item of the setting `secrets_allowed` that lets this one in: RULE or RULE:PATTERN, `*` for any rule."""
    for item in step.settings.secrets_allowed:
        rule, _, pattern = item.partition(":")
        if rule in ("*", kind) and fnmatchcase(path, pattern or "*"):
            return f"secrets_allowed has {item}."
    return ""


def _reason(step: Step, text: str, secret: Secret) -> str:
    """Return why the operator let this one in, in the line itself; nobody else's word counts."""
    if step.intent.actor != OPERATOR:
        return ""
    end = text.find("\n", secret.end)
    line = text[text.rfind("\n", 0, secret.start) + 1 : len(text) if end < 0 else end].rstrip("\r")
    found = re.search(_ALLOW, line)
    if found is None:
        return ""
    return f"{found['why']}."
