"""The choices of `--format`, apart from the commands that have it: its table is loaded where it is looked at (15 ms)."""

from __future__ import annotations

import click


class FormatChoice(click.Choice[str]):
    """The formats of transcripts that clawgit reads, or, ``written``, those that it can write again."""

    def __init__(self, *, written: bool = False) -> None:
        self.case_sensitive = True
        self._is_written = written

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """Return the names of the formats."""
        from clawgit.capture.transcripts.transcript_formats import FORMATS

        return tuple(
            each.name for each in FORMATS.values() if not self._is_written or each.prompt is not None
        )
