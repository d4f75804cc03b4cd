"""Changes that rest on the operator's messages, as agents make them: a reading, a correction that is one, a link."""

from __future__ import annotations

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.memory.corrections.correction_log import Correction, Status, add_correction
from clawgit.plan import Edit, Evidence, Plan

OLD = "Board meetings are in Zurich."
NEW = "Board meetings are in Basel."
QUOTE = "the board isn't where it was this year, we go to Basel"
WITH_QUOTE = f'the operator\'s words, 8 March: "{QUOTE}"; before: Zurich'
LINK = "No Zurich this year, Basel it is!"
WITH_LINK = f'the operator said on 9 March: "{LINK}"'


def line(statement: str, entry_id: str = "aaa111") -> str:
    return f"- {statement} <!-- m:{entry_id} -->\n"


def write(room, text: str, quote: str = "", *, actor: str = "memory-miner", trust: str = "operator", more=(), path="MEMORY.md", trailers=()) -> None:  # fmt: skip
    """Let somebody write a file; whoever is not the operator cites a message of his."""
    edits = (Edit(path, text.encode()), *more)
    evidence = (Evidence("chat:a", quote),) if actor != "operator" else ()
    intent = Intent(new_op(), actor, room.now, trust=trust, by_message=actor == "host")
    apply_plan(room.history, lambda _: Plan("a change", edits, evidence=evidence, trailers=trailers), intent)


def correct(
    room, quote: str = QUOTE, *, status: Status = Status.UNDERSTOOD, trust: str = "operator"
) -> Correction:
    """Let the operator write an entry, and the validator correct it."""
    write(room, line(OLD), actor="operator")
    item = Correction("4f1c", "2026-03-08 10:00", quote, "high", OLD, NEW, ("aaa111",), status, evidence=("chat:a",))  # fmt: skip
    ledger = Edit(
        "CORRECTIONS.md", add_correction((room.history.tip().tree.read("CORRECTIONS.md") or b""), item)
    )
    write(room, line(NEW), quote, actor="recall-validator", trust=trust, more=(ledger,))
    return item


def link(room, said: str = OLD, entry_ids=("aaa111",), *, name: str = "71nk", at: str = "2026-03-09 09:00", trigger: str = LINK, confidence: str = "medium") -> None:  # fmt: skip
    """Let the validator put a sentence of the operator's beside an entry."""
    item = Correction(
        name,
        at,
        trigger,
        confidence,
        said=said,
        status=Status.LINKED,
        may_correct=entry_ids,
        evidence=("chat:b",),
    )
    data = add_correction(room.history.tip().tree.read("CORRECTIONS.md") or b"", item)
    plan = Plan("link", (Edit("CORRECTIONS.md", data),), evidence=(Evidence("chat:b", trigger),))
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "recall-validator", room.now, trust="operator"))
