"""What commands say about git beside clawgit: commits that came without its checks, and git's hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.cli.crash_report import write_crash
from clawgit.errors import ClawgitError
from clawgit.history.review.unchecked_arrivals import nothing_arrived, read_arrivals

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hooks_status import HooksState
    from clawgit.history.review.unchecked_arrivals import Arrival, Arrivals

BRIEFLY = 0.3
AT_LENGTH = 3.0
SHOWN = 20


def catch_up(app: App, history: History, *, seconds: float = BRIEFLY) -> None:
    """Look at what git did meanwhile; that it cannot be done now stops no command."""
    try:
        if nothing_arrived(
            history
        ):  # nearly always; what looks at commits takes as long to load as all the rest
            return
        from clawgit.history.reconcile import reconcile

        for note in reconcile(history, app.now(history), seconds=seconds).notes:
            app.say(note)
    except ClawgitError:
        return  # busy, full or damaged: whoever writes says so, and the next command goes on
    except Exception as error:  # noqa: BLE001 - a commit that somebody made must not break every command
        app.say(
            f"New commits could not be looked at. This is a bug in clawgit ({type(error).__name__});"
            f" what happened is in {write_crash(error)}."
        )


class Outside(NamedTuple):
    """What was found in commits that came otherwise, and how git's hooks stand."""

    arrivals: Arrivals
    hooks: HooksState
    strange: tuple[str, ...]


def read_outside(app: App, history: History) -> Outside:
    """Return what there is to say, and note that it is being said."""
    from clawgit.history.doctor.risky_git_config import strange_things
    from clawgit.history.hooks.hooks_status import read_hooks_state
    from clawgit.workspace.user.trusted_programs import read_known

    arrivals = read_arrivals(history)
    if arrivals.new:
        from clawgit.history.reconcile import mark_told

        mark_told(history, arrivals)
    trusted = read_known(app.trust_file.parent, history.folder)
    strange = tuple(f"{thing.kind} {thing.name}" for thing in strange_things(history, trusted))
    return Outside(arrivals, read_hooks_state(history), strange)


def outside_data(outside: Outside) -> dict[str, Any]:
    """Return what `status --json` says: every open finding, how many commits are unread, and the hooks."""
    return {
        "arrived": [_data(arrival) for arrival in outside.arrivals.open],
        "unread": outside.arrivals.unread,
        "hooks": {"installed": outside.hooks.installed, "problems": list(outside.hooks.problems)},
        "strange": list(outside.strange),
    }


def _data(arrival: Arrival) -> dict[str, Any]:
    return {
        "commit": arrival.commit_id,
        "actor": arrival.actor,
        "rule": arrival.rule,
        "path": arrival.path,
        "line": arrival.line,
        "sentence": arrival.sentence,
        "way_out": arrival.way_out,
        "new": not arrival.told,
    }


def outside_lines(outside: Outside) -> list[str]:
    """Return what `status` says: what is new in full, what was shown before as a number."""
    arrivals = outside.arrivals
    lines = [f"! {arrival_line(arrival)}" for arrival in arrivals.new[:SHOWN]]
    if len(arrivals.new) > SHOWN:
        lines.append(f"! ... and {len(arrivals.new) - SHOWN} more; `clawgit doctor` lists them all.")
    earlier = sum(arrival.told for arrival in arrivals.lasting)
    if earlier:
        lines.append(f"! {earlier} finding(s) in commits made without clawgit are open (`clawgit doctor`).")
    if arrivals.unread:
        lines.append(f"  {arrivals.unread:,} new commits are not looked at yet; each command goes on.")
    lines += [f"! {problem} `clawgit hooks install` mends it." for problem in outside.hooks.problems]
    if outside.strange:
        lines.append(
            f"! {len(outside.strange)} setting(s) or hook(s) of this repository can run programs, and you have not"
            " trusted them (`clawgit doctor`)."
        )
    return lines


def hooks_lines(outside: Outside) -> list[str]:
    """Return a hint where no hooks are installed."""
    return [] if outside.hooks.installed else ["  git's hooks are not installed (`clawgit hooks install`)"]


def arrival_line(arrival: Arrival) -> str:
    """Return one finding with its commit and the ways out; what is only remarked on needs nobody to accept it."""
    from clawgit.memory.entries.tiers import is_derived

    commit = arrival.commit_id[:12]
    said = f"In {commit} ({arrival.actor}, {arrival.subject!r}): {arrival.sentence} {arrival.way_out}"
    if not arrival.path:
        return said
    ways = []
    if not is_derived(arrival.path):  # undo leaves rendered files alone
        ways.append(f"`clawgit undo {commit}` takes the commit back")
    if arrival.lasts:
        ways.append(f"`clawgit doctor --accept {commit} --reason ...` if it is meant so")
    return " ".join([said, "; ".join(ways) + "." if ways else ""]).rstrip()
