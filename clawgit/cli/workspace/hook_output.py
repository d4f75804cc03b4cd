"""The output of git's hooks: nothing, or the reason, the place and the way out. Each hook loads only what it needs."""

from __future__ import annotations

import gc
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, ConfigurationError, ExitCode
from clawgit.history.authorship.actors import CONNECTED_NOTE, OPERATOR, VOUCHED, check_actor, in_words
from clawgit.history.authorship.host_signs import acting, has_older_terminal, note_host, unattended
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import stopping
from clawgit.history.hooks.hook_call import HookCall, read_call
from clawgit.operations.wiring.open_settings import open_for_hook
from clawgit.text.safety.control_characters import first_few, folded, shown
from clawgit.text.trailers import parse_trailers, with_trailers, without_comments, without_trailer
from clawgit.workspace.user import workspace_registry
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding

OVERRIDE = "CLAWGIT_OVERRIDE"
PUSH = "pre-push"
SHOWN = 20
REVERTS = "\nThis reverts commit "
_ACTS = {PUSH: "push", "pre-merge-commit": "merge"}
_KEEPS_COMMENTS = ("whitespace", "verbatim")


def run_checks(name: str, arguments: Sequence[str]) -> int:
    """Run the checks of one hook and return its exit status: 3 after a bug, which stops git as 1 does.

    If files cannot be read, a commit goes on, since the next command looks at it again; a push is stopped, since what
    has left cannot be called back.
    """
    if name not in _CHECKS:
        from clawgit.history.hooks.install import HOOK_NAMES

        return _say(f"There is no hook {name}; these are known: {', '.join(HOOK_NAMES)}.", code=2)
    environment = dict(os.environ)
    for variable in [variable for variable in os.environ if variable.startswith("GIT_")]:
        del os.environ[variable]  # what is run from here on must not take another repository for this one
    try:
        call = read_call(environment, str(Path.cwd()))
        if call is None:
            return 0
        return _run(name, arguments, call, environment)
    except (ConfigurationError, workspace_registry.NotTheOrchestratorError) as error:
        return _say(str(error), code=1)
    except (ClawgitError, OSError) as error:
        if name == PUSH:
            return _say(f"What is about to leave could not be checked: {error} {_way_out(name)}", code=1)
        return _say(f"This could not be checked: {error}")
    except Exception as error:  # noqa: BLE001 - a bug must not let through what it should have found
        from clawgit.operations.caller import bug_report

        return _say(f"{bug_report(error)} {_way_out(name)}", code=ExitCode.BUG)


def _way_out(name: str) -> str:
    return f"`git {_ACTS.get(name, 'commit')} --no-verify` skips the check."


def _run(name: str, arguments: Sequence[str], call: HookCall, environment: Mapping[str, str]) -> int:
    history = open_for_hook(call, environment, f"hook {name}")
    if history is None:
        return 0
    actor = check_actor(acting(environment, has_older_terminal))
    if actor != OPERATOR and name != PUSH:
        registry = workspace_registry.registry_file(user_config_dir(environment, Path.home()))
        workspace_registry.refuse_all_but_orchestrator(registry, history.root)
    override = folded(environment.get(OVERRIDE, ""))
    note_host(history.state, environment)
    sign = unattended(environment, actor)
    intent = Intent(f"hook-{name}", actor, datetime.now(UTC), override=override, unattended=sign)
    return _CHECKS[name](history, call, intent, arguments)


def _commit(history: History, call: HookCall, intent: Intent, _: Sequence[str]) -> int:
    from clawgit.history.hooks.commit_checks import check_staged, mend_overtaken, staged_tree

    staged = staged_tree(history, Path(call.index_file))
    mended = mend_overtaken(history, call, staged)
    for path in mended:
        _say(f"{path} was staged as it was before clawgit's latest change; now it is staged as HEAD has it.")
    if mended:
        staged = staged_tree(history, Path(call.index_file))
    return _judge(check_staged(history, call, intent, staged), intent)


def _message(history: History, call: HookCall, intent: Intent, arguments: Sequence[str]) -> int:
    from clawgit.history.hooks.message_checks import check_message

    path = Path(call.in_root(arguments[0]))
    text = path.read_text("utf-8", "surrogateescape")
    message = without_trailer(_as_git_keeps(history, text, edited=call.edited), VOUCHED)
    if not message.strip():
        return 0  # git gives up by itself
    findings = check_message(history, message, intent)
    code = _judge(findings, intent)
    trailers = () if code else _trailers(history, call, intent, findings, message)
    if trailers:
        path.write_text(with_trailers(message, trailers), "utf-8", "surrogateescape")
    return code


def _word(history: History, call: HookCall, message: str) -> tuple[tuple[str, str], ...]:
    if not (history.state / CONNECTED_NOTE).exists():
        return ()
    from clawgit.history.hooks.commit_checks import staged_tree, vouching_word

    word = ((VOUCHED, vouching_word(history, call, staged_tree(history, Path(call.index_file)))),)
    try:
        with_trailers(message, word)
    except ValueError:
        sentence = "this message takes no trailer, so the commit counts as unknown. `clawgit keep --as operator` claims it."
        _say(sentence)
        return ()
    return word


def _prepared(history: History, call: HookCall, intent: Intent, arguments: Sequence[str]) -> int:
    """Check a host's `git revert`: git runs no other hook that could tell its author."""
    text = Path(call.in_root(arguments[0])).read_text("utf-8", "surrogateescape")
    if intent.actor == OPERATOR or REVERTS not in text:
        return 0
    return _commit(history, call, intent, arguments) or _message(history, call, intent, arguments)


def _as_git_keeps(history: History, text: str, *, edited: bool) -> str:
    """Return the final message: git removes comments from an edited one."""
    if not edited or history.configured("commit.cleanup") in _KEEPS_COMMENTS:
        return text
    mark = history.configured("core.commentChar")
    return without_comments(text, "#" if mark in ("", "auto") else mark)


def _trailers(
    history: History, call: HookCall, intent: Intent, findings: Sequence[Finding], message: str
) -> tuple[tuple[str, str], ...]:
    if intent.actor != OPERATOR:
        from clawgit.history.hooks.message_checks import signature

        return signature(intent.actor)
    shown_as = _word(history, call, message)
    if intent.unattended:
        shown_as = (("Clawgit-Unattended", intent.unattended), *shown_as)
    if not intent.override:
        return shown_as
    from clawgit.history.hooks.commit_checks import check_staged, staged_tree

    staged = staged_tree(history, Path(call.index_file))
    earlier = intent._replace(override=parse_trailers(message).first("Clawgit-Override") or "").overridden
    now = (finding.rule for finding in (*findings, *check_staged(history, call, intent, staged)))
    rules = dict.fromkeys((*sorted(earlier), *now))
    let_through = (("Clawgit-Override", f"{', '.join(rules)}: {intent.override}"),) if rules else ()
    return let_through + shown_as


def _push(history: History, _: HookCall, intent: Intent, arguments: Sequence[str]) -> int:
    from clawgit.history.hooks.message_checks import check_push, read_pushed

    gc.enable()  # it may look at thousands of commits
    pushed = read_pushed(sys.stdin.read())
    leavings = list(
        check_push(history, arguments[0], pushed, intent, url=arguments[1] if arguments[1:] else "")
    )
    stopping_it = [leaving for leaving in leavings if leaving.stops]
    lines = [f"{leaving.where}: {_line(leaving.finding)}" for leaving in stopping_it or leavings]
    return _verdict(lines, intent, "push", stops=bool(stopping_it))


def _judge(findings: Sequence[Finding], intent: Intent) -> int:
    return _verdict(
        [_line(finding) for finding in findings], intent, "commit", stops=bool(stopping(findings))
    )


def _verdict(lines: Sequence[str], intent: Intent, act: str, *, stops: bool) -> int:
    """Print the findings; return 1 if they stop git, unless the operator gave a reason to go on."""
    if not lines:
        return 0
    shown_lines = first_few([f"  {line}" for line in lines], SHOWN, "  ... and {} more.")
    if not stops or (intent.override and intent.actor == OPERATOR):
        return _say("\n".join([f"this {act} goes through, but:", *shown_lines]))
    way_out = f'If it is meant so: {OVERRIDE}="the reason" git {act} ...'
    if intent.actor != OPERATOR:
        way_out = (
            f"This runs for {in_words(intent.actor)}; only the operator can override it. `clawgit keep` commits what may be"
            " committed, and keeps the rest for the operator."
        )
    return _say("\n".join([f"this {act} was stopped.", *shown_lines, way_out]), code=1)


def _line(finding: Finding) -> str:
    sentence = f"{finding.sentence} {finding.way_out}"
    if not finding.path:
        return sentence
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return f"{place}: {sentence}"


def _say(text: str, *, code: int = 0) -> int:
    sys.stderr.write(shown(f"clawgit: {text}") + "\n")
    return code


_CHECKS = {
    "pre-commit": _commit,
    "pre-merge-commit": _commit,
    "prepare-commit-msg": _prepared,
    "commit-msg": _message,
    PUSH: _push,
}
