"""Questions that a correction was proven with: no later job may put anything before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.recall.proof import Claim, prove
from clawgit.recall.searched import is_searched

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.repository import History
    from clawgit.plan import Plan
    from clawgit.workspace.records import Records

CORRECTING = "recall-validator"  # sets corrections right again, and proves each change itself
MOST = 100  # questions, those kept last: about a second for an agent's change


class RegressionError(ClawgitError):
    """After a change, something else than the correction would come first."""


@dataclass(frozen=True, slots=True)
class Regressions:
    """The questions of a workspace that must go on to bring their corrections first."""

    history: History
    records: Records
    now: datetime

    def refuse(self, plan: Plan) -> None:
        """Refuse a plan after which a question that brings its correction first now would not do so any more.

        Raises:
            RegressionError: It would.
        """
        texts = {edit.path: edit.data or b"" for edit in plan.edits if is_searched(edit.path)}
        kept = self.records.kept_queries(most=MOST) if texts else []
        claims = [Claim(correction, (query,)) for query, correction in kept]
        if not claims or prove(self.history, texts, claims, self.now).holds:
            return
        for claim in claims:
            proof = prove(self.history, texts, [claim], self.now)
            if not proof.holds and prove(self.history, {}, [claim], self.now).holds:
                raise RegressionError(
                    f"A correction would not come first any more. {proof.why_not}",
                    hint="Leave what it corrects as it stands, or name the correction.",
                )
