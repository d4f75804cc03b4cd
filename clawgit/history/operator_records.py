"""Records of the operator: an earlier commit was the operator's, a host connected or left (commits without files), one setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, ConfigurationError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship import actors
from clawgit.plan import Edit, Plan
from clawgit.text.trailers import OP
from clawgit.understanding.triage.custom_patterns import read_patterns
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_file import read_config, set_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


PATTERNS = "heartbeat_custom_patterns"


def may_act_as(actor: str, claimed: str) -> None:
    if claimed == actors.OPERATOR and actor != actors.OPERATOR:
        sentence = f"This runs for {actors.in_words(actor)}, so it cannot act as you."
        raise ClawgitError(sentence, hint="Run it yourself, in a terminal of your own.")


def claim_commits(history: History, names: Sequence[str], intent: Intent) -> Recorded:
    """Record that the commits ``names`` were the operator's; the tree is unchanged."""
    claimed = []
    for name in names:
        commit = history.commit_named(name)
        if commit is None:
            raise ClawgitError(f"There is no commit {name}.", hint="`git log` lists them.")
        actor = actors.actor_in(history, commit)
        # a mail in it is an unknown author's
        is_his_own = actor == actors.OPERATOR and commit.trailers.first(OP) is None
        if actor != actors.UNKNOWN and not is_his_own:
            hint = "Only those can be claimed."
            raise ClawgitError(f"The commit {name} is not by an unknown author.", hint=hint)
        if not history.objects.contains(history.tip().commit_id, commit.commit_id):
            raise ClawgitError(f"The commit {name} is not part of this branch.")
        claimed.append(commit.commit_id)
    plan = Plan(
        f"claim: {len(claimed)} commit{'s' * (len(claimed) != 1)} as the operator's",
        trailers=tuple(("Clawgit-Claims", commit_id) for commit_id in claimed),
    )
    return apply_plan(history, lambda _: plan, intent)


def record_connected(history: History, host: str, intent: Intent, *, leaves: bool = False) -> bool:
    """Record by a commit without files that ``host`` is connected, or ``leaves``; False if that was so before."""
    key, summary = actors.CONNECTED, f"connect: {host}"
    if leaves:
        key, summary = actors.DISCONNECTED, f"disconnect: {host}"
    if (host in actors.connected_hosts(history)) == (key == actors.CONNECTED):
        return False
    beside = ((actors.BESIDE, name) for name in actors.tips_beside(history))
    plan = Plan(summary, trailers=((key, host), *beside))
    apply_plan(history, lambda _: plan, intent)
    actors.connected_hosts(history)  # renews the note that tells git's hooks whether to vouch
    return True


def set_setting(history: History, key: str, written: str, intent: Intent) -> Recorded:
    def plan(tree: Tree) -> Plan:
        old = (tree.read(CONFIG) or b"").decode("utf-8", "surrogateescape")
        new = set_value(old, key, written)
        items = read_config(new).values.get(PATTERNS, ()) if key == PATTERNS else ()
        for each in read_patterns(items if isinstance(items, tuple) else ()):
            if each.problem:  # triage would skip it
                raise ConfigurationError(
                    f"{PATTERNS}: /{each.pattern}/ cannot be run ({each.problem}), so nothing was changed.",
                    hint="docs/configuration.md says how a pattern is written; they are RE2's.",
                )
        return Plan(f"config: set {key}", (Edit(CONFIG, new.encode("utf-8", "surrogateescape")),))

    return apply_plan(history, plan, intent)
