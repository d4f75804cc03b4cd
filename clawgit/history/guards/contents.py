"""Guards of what a file holds and is called: secrets, conflict markers, size, control and hidden characters, links, derived files.

Committed text is in every clone for ever, so no secret may reach a text, a name or a message.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.git.trees import EXECUTABLE, FILE, LINK
from clawgit.history.guards.finding import Finding, GuardStep, decoded, told
from clawgit.memory.entries.tiers import is_derived
from clawgit.text.markdown.lines import conflicts_in
from clawgit.text.safety.control_characters import find_unseen
from clawgit.text.safety.secrets import Secret, find_secrets, secret_in_path
from clawgit.workspace.safe_files import UnsafePathError, check_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.plan import Plan


UNSEEN = "control-character"


def find_conflict_markers(step: GuardStep) -> Iterator[Finding]:
    """Find new conflict markers; inside a code fence they are a quotation."""
    for path in step.paths:
        data = step.new.read(path)
        if data is None or b"<<<<<<<" not in data:
            continue
        conflicts = [conflict[0] for conflict in conflicts_in(data)]
        if len(conflicts) > len(conflicts_in(step.base.read(path) or b"")):
            sentence = f"{told(path)} has the markers of an unfinished merge from line {conflicts[-1]} on."
            way_out = "Choose between the two sides, or put a quotation of markers into a code fence."
            yield Finding("conflict-marker", path, sentence, way_out, conflicts[-1])


def find_oversize(step: GuardStep) -> Iterator[Finding]:
    for path in filter(step.is_oversize, step.changed):
        size = len(step.new.read(path) or b"")
        sentence = f"{told(path)}: {size:,} bytes; the limit is {step.settings.max_file_bytes:,}."
        yield Finding("file-size", path, sentence, "Split it, or raise max_file_bytes in CONFIG.md.")


def find_unseen_characters(step: GuardStep) -> Iterator[Finding]:
    """Find characters that command a terminal, are not seen or turn text around, if a Markdown file or a file's name gains them."""
    for path in step.added:
        if find_unseen(path):
            what = "contains characters that command a terminal, are not seen or turn it around."
            yield Finding(UNSEEN, path, f"The file name {told(path)} {what}", "Rename the file.")
    for path, before, text in step.texts():
        if (step.new.read(path) or b"").startswith(_UTF16):
            sentence = f"{told(path)} is written in UTF-16; git shows no lines of it."
            way_out = "Save it as UTF-8 in your editor. Search reads it as it is."
            yield Finding(UNSEEN, path, sentence, way_out)
            continue
        lines = text.split("\n")
        had = set(before.split("\n"))
        first = next((each for each in find_unseen(text) if lines[each.line - 1] not in had), None)
        if first is not None:
            sentence = f"{told(path)} has the unseen character U+{first.codepoint:04X} in line {first.line}."
            yield Finding(UNSEEN, path, sentence, "Remove it: a model reads what you do not see.", first.line)


UNSAFE, DERIVED = "unsafe-path", "derived-file"


def find_unsafe_paths(step: GuardStep) -> Iterator[Finding]:
    """Find links, nested repositories and names that lead into a repository, when they are added or changed."""
    for path in step.paths:
        entry = step.new.entry(path)
        if entry is None:
            continue
        if entry.mode not in (FILE, EXECUTABLE):
            what = "a symbolic link" if entry.mode == LINK else "a repository of its own"
            sentence = f"{told(path)} is {what}, not a file."
            yield Finding(UNSAFE, path, sentence, "Put a plain file in its place.")
        try:
            check_path(path)
        except UnsafePathError:
            yield Finding(UNSAFE, path, f"{told(path)} is no name for a file in a workspace.", "Rename it.")


def find_derived_files(step: GuardStep) -> Iterator[Finding]:
    for path in filter(is_derived, step.paths):
        if step.new.entry(path) is not None:
            sentence = f"{told(path)} is rendered from history, so it should not be in git: it would conflict in merges."
            way_out = f"`git rm --cached {quote(told(path))}` and a commit leave it to clawgit."
            yield Finding(DERIVED, path, sentence, way_out)


RULE = "secret"
MOST = 10  # findings for one file
_ALLOW = r"(?:#|<!--|//)[ \t]*clawgit:[ \t]*allow[ \t]+[^\s-].*?[ \t]*(?:-->.*)?$"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
HELD_WHOLE = "Until it is out, nothing new in its file is committed or remembered."
_WAY_OUT = (
    f"{HELD_WHOLE} Move the line to a password manager, or list the file in .gitignore. If it is no secret, end"
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
    """Return what to do while no file holds the secret; only the operator learns how to override the guard."""
    if actor == OPERATOR:
        return _UNWRITTEN + _BY_HAND
    return f"{_UNWRITTEN} Your operator can write it himself."


def find_gained_secrets(step: GuardStep) -> Iterator[Finding]:
    """Find secrets that a text, a file's name or the message gains; a secret that a changed file held before is not a gain."""
    findings = list(_in_texts(step))
    for path in step.added:
        kind = secret_in_path(path)
        if kind and not _is_allowed(step, path, kind):
            sentence = f"The file name {told(path)} holds a secret ({kind})."
            findings.append(Finding(RULE, path, sentence, "Rename the file."))
    yield from findings
    if not findings and any(find_secret_words(step.plan, step.intent)):
        values = {value for _, value in _known(step)}  # that the changed files may hold
        for path in step.paths:
            text = _text(step.new.read(path) or b"")
            for secret in find_secrets(text):
                if _is_let_in(step, path, text, secret):
                    values.add(text[secret.start : secret.end])
        yield from find_secret_words(step.plan, step.intent, frozenset(values))


def find_secret_words(
    plan: Plan | None, intent: Intent, let_in: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Find secrets in the message's words, except values in ``let_in``; quotes of evidence are redacted there."""
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
            "evidence": "\n".join(map(attrgetter("evidence_id"), plan.evidence)),
            "trailers": "\n".join(value for _, value in plan.trailers),
        }
    for what, text in words.items():
        if not text.strip():
            continue
        for secret in find_secrets(text):
            if text[secret.start : secret.end] not in let_in:
                told_of = f"The {what} of the change holds a secret ({secret.rule})."
                yield Finding(RULE, "", told_of, "Say it without it.")
                break


def _in_texts(step: GuardStep) -> Iterator[Finding]:
    known_secrets: set[tuple[str, str]] | None = None
    for path in step.paths:
        text = _text(step.new.read(path) or b"")
        gained = []
        for secret in find_secrets(text):
            if known_secrets is None:
                known_secrets = set(_known(step))
            is_known = (secret.rule, text[secret.start : secret.end]) in known_secrets
            if not is_known and not _is_let_in(step, path, text, secret):
                gained.append(secret)
        for secret in gained[:MOST]:
            sentence = f"{told(path)}: a secret ({secret.rule}) in line {secret.line}."
            way_out = _WAY_OUT if step.plan is None else way_out_unwritten(step.intent.actor)
            yield Finding(RULE, path, sentence, way_out, secret.line, way_back=_WAY_BACK)


def _known(step: GuardStep) -> Iterator[tuple[str, str]]:
    """Yield the secrets that the changed files held before: moving them is not a gain."""
    for path in step.paths:
        text = _text(step.base.read(path) or b"")
        for secret in find_secrets(text):
            yield secret.rule, text[secret.start : secret.end]


def _text(data: bytes) -> str:
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    return decoded(data)


def _is_allowed(step: GuardStep, path: str, kind: str) -> bool:
    """Say whether the setting `secrets_allowed` allows this secret: RULE or RULE:PATTERN, `*` for any rule."""
    for item in step.settings.secrets_allowed:
        rule, _, pattern = item.partition(":")
        if rule in ("*", kind) and fnmatchcase(path, pattern or "*"):
            return True
    return False


def _is_let_in(step: GuardStep, path: str, text: str, secret: Secret) -> bool:
    """Say whether the setting or the operator's reason in the line itself allows the secret; another actor's does not count."""
    end = text.find("\n", secret.end)
    line = text[text.rfind("\n", 0, secret.start) + 1 : len(text) if end < 0 else end].rstrip("\r")
    is_excused = step.intent.actor == OPERATOR and re.search(_ALLOW, line) is not None
    return is_excused or _is_allowed(step, path, secret.rule)
