"""What commands say about git beside clawgit: commits that came without its checks, and git's hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.history.review.unchecked_arrivals import read_arrivals

if TYPE_CHECKING:
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hooks_status import HooksState
    from clawgit.history.review.unchecked_arrivals import Arrival, Arrivals

SHOWN = 20


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
