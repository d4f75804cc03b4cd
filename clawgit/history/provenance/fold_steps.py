"""The history as the fold reads it: what each commit added to and took from the Markdown, as pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, trust_of
from clawgit.memory.corrections.corrected_entries import correction_pieces
from clawgit.memory.corrections.correction_log import is_correction_file
from clawgit.memory.entries.tiers import holds_entries
from clawgit.memory.provenance.fold import Step, lowest
from clawgit.memory.provenance.pieces import Text, changed_pieces
from clawgit.memory.trust import LOWEST, TRUSTS
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import FileStep, LoggedChange
    from clawgit.memory.provenance.pieces import Piece

HELD_BYTES = 64 * 1024 * 1024


class StepReader:
    """Turns commits into steps; what one commit wrote is what the next one changes, so the last texts are held."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._held: dict[str, Text] = {}
        self._bytes = 0

    def step(self, change: LoggedChange) -> Step:
        """Return a change as the fold takes it.

        Raises:
            ClawgitError: A text is damaged or missing.
        """
        added: list[tuple[str, Piece]] = []
        removed: list[Piece] = []
        for file in _read_files(change.files):
            olds = [self._text(blob_id) for blob_id in file.olds]
            come, gone = changed_pieces(olds, self._text(file.new, olds[0]))
            added += ((file.path, piece) for piece in come)
            removed += gone
            if is_correction_file(file.path):
                added += ((file.path, piece) for piece in self._corrections(file))
        return _step(change, tuple(added), tuple(removed))

    def _corrections(self, file: FileStep) -> list[Piece]:
        """Return the corrections that read otherwise than in every parent."""
        *olds, new = (correction_pieces(self._text(name).data, file.path) for name in (*file.olds, file.new))
        return [piece for piece in new if not any(piece in old for old in olds)]

    def _text(self, blob_id: str | None, earlier: Text | None = None) -> Text:
        if blob_id is None:
            return Text(b"")
        found = self._held.get(blob_id)
        if found is None:
            found = Text(self._history.objects.blob(blob_id), earlier)
            self._bytes += len(found.data)
            if self._bytes > HELD_BYTES:
                self._held, self._bytes = {}, len(found.data)
            self._held[blob_id] = found
        return found


def _read_files(files: Sequence[FileStep]) -> list[FileStep]:
    """Return the Markdown, without what only went to another place and holds no entries, as daily notes do."""
    found = [file for file in files if file.path.endswith(".md")]
    gone = {file.olds[0]: file for file in found if file.new is None}
    come = {file.new: file for file in found if file.olds == (None,)} if gone else {}
    for blob_id in gone.keys() & come.keys():
        if not holds_entries(gone[blob_id].path) and not holds_entries(come[blob_id].path):
            found.remove(gone[blob_id])
            found.remove(come[blob_id])
    return found


def _most_trust(change: LoggedChange) -> str:
    """Return the most that a change's words can rest on: an agent's on the operator's where it names what he said.

    Whoever could forge such a commit could as well commit under the operator's own name.
    """
    return OPERATOR if change.actor in AGENT_NAMES and change.evidence else trust_of(change.actor)


def _step(change: LoggedChange, added: tuple[tuple[str, Piece], ...], removed: tuple[Piece, ...]) -> Step:
    trailers, actor = change.trailers, change.actor
    said, most = trailers.first("Clawgit-Trust"), _most_trust(change)
    return Step(
        change.commit_id,
        change.at,
        actor,
        most if said is None else lowest([most, said if said in TRUSTS else LOWEST]),
        change.evidence,
        trailers.all("Clawgit-Mention"),
        trailers.all("Clawgit-Class"),
        added,
        removed,
        is_woven=len(change.parent_ids) > 1 or change.takes_back,
    )
