"""`clawgit soul propose`: a line for the soul that waits for the operator."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.cli.soul.revert import in_words

LONGEST = 500


@click.command("propose", cls=Command)
@click.argument("text")
@click.option("--reason", required=True, callback=in_words, help="One sentence; the operator reads it.")
@click.pass_obj
def propose_command(app: App, text: str, reason: str) -> None:
    """Propose a line for SOUL.md.

    It changes nothing until the operator approves it, whoever proposes it.

    \b
    Example:
      clawgit soul propose "I answer in short sentences." --reason "Three long answers were cut short by the user."
    """
    from clawgit.agents.vetoed_words import refuse_vetoed
    from clawgit.errors import ClawgitError
    from clawgit.history.review.proposals import propose_principle, why_rejected
    from clawgit.identity.principle_edits import with_principles
    from clawgit.plan import Edit, Plan
    from clawgit.text.safety.control_characters import folded
    from clawgit.text.safety.secrets import redact

    line = folded(text).lstrip("-*# ").strip()
    if not line or len(line) > LONGEST or redact(line + reason) != line + reason:
        raise ClawgitError(
            f"A principle is one sentence of at most {LONGEST} characters, without secrets.",
            hint="Write it as SOUL.md shall say it.",
        )
    history = app.history()
    soul = history.tip().tree.read("SOUL.md") or b""
    if line.encode() in soul:
        raise ClawgitError("SOUL.md says so already.", hint="Leave it as it is.")
    plan = Plan(f"soul: {line}", (Edit("SOUL.md", with_principles(soul, [line])),), folded(reason))
    intent = app.intent(history)
    for sentence in (line, reason):
        refuse_vetoed(history, sentence, intent)
    proposal_id = propose_principle(history, line, plan, intent)
    rejected = why_rejected(history, proposal_id)
    if rejected is not None:
        raise ClawgitError(f"The operator rejected this before: {rejected}", hint="Leave SOUL.md as it is.")
    app.say(f"It needs the operator's approval, proposal {proposal_id}: `clawgit approve {proposal_id}`.")
    app.report({"outcome": "proposed", "proposal": proposal_id}, lambda: [proposal_id])
