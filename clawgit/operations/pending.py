"""What needs the operator's decision, of whatever kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import UsageError
from clawgit.pending.queue import Kind, read_pending

if TYPE_CHECKING:
    from clawgit.operations.caller import Caller
    from clawgit.pending.queue import Pending


class PendingRequest(NamedTuple):
    """Which items."""

    kind: str | None = None


def list_pending(caller: Caller, request: PendingRequest) -> list[Pending]:
    """Return the queue, or its items of one kind."""
    kinds = [each.value for each in Kind]
    if request.kind not in (None, *kinds):
        raise UsageError(f"{request.kind!r} is no kind of item.", hint=f"Kinds are {', '.join(kinds)}.")
    history = caller.history()
    items = read_pending(history, caller.now(history), caller.held_settings)
    return [item for item in items if request.kind in (None, item.kind.value)]
