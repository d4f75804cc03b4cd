"""Lines that state what was corrected since, whichever words they say it in, and the correction that holds instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.trust import OPERATOR
from clawgit.recall.index.places import CLAIMED, CORRECTION, HEADING, NOTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from clawgit.recall.index.places import Place
    from clawgit.recall.index.search_index import Index

LOGGED = (CORRECTION, NOTED, CLAIMED)


class OutdatedPlaces:
    """The operator's corrections that some texts may have been overtaken by: those whose old words they hold."""

    def __init__(self, index: Index, texts: Iterable[str], names: frozenset[str]) -> None:
        """Look for corrections; ``names`` are the operator's."""
        self._names = names
        self._corrections: list[tuple[Place, Place, str, str, frozenset[str]]] = []
        corrections = index.correction_texts()
        if not corrections:
            return
        together = "\n".join(texts).lower()
        may_be = [
            place_id
            for place_id, text in corrections
            if any(word in together for word in _rules().gone_words(*_statements(text)))
        ]
        places = [place for place in index.places(may_be).values() if _is_his(index, place)]
        self._corrections += [_known(place, right) for place in places if (right := _latest(index, place))]

    def correction_of(self, place: Place) -> Place | None:
        """Return what holds instead of a line."""
        if not self._corrections or place.kind in LOGGED:
            return None
        said_on = place.day or "" if _rules().is_said_by_user(place.text, self._names) else ""
        return self.correction_of_text(place.text, said_on=said_on)

    def correction_beside(self, place: Place) -> Place | None:
        """Return what is to be read before a line: it names a value that gave way, and may say something else of it."""
        if not self._corrections or place.kind in (*LOGGED, HEADING):
            return None
        said_on = place.day or "" if _rules().is_said_by_user(place.text, self._names) else ""
        return self._first(_rules().repeats_value, place.text, said_on, "")

    def correction_of_text(self, text: str, *, said_on: str = "", speaker: str = "") -> Place | None:
        """Return what holds instead of a text; what the operator himself said on a later day has the last word."""
        if not self._corrections:
            return None
        return self._first(_rules().is_outdated, text, said_on, speaker)

    def correction_above_text(self, text: str, *, said_on: str = "", speaker: str = "") -> Place | None:
        """Return what holds instead of a text, or is to be read before it."""
        if not self._corrections:
            return None
        stated = self._first(_rules().is_outdated, text, said_on, speaker)
        return stated or self._first(_rules().repeats_value, text, said_on, speaker)

    def _first(self, applies: Callable[..., bool], text: str, said_on: str, speaker: str) -> Place | None:
        low = text.lower()
        for place, right, said, correct, gone in self._corrections:
            if said_on > (place.day or said_on) or not any(word in low for word in gone):
                continue
            if applies(text, said, correct, speaker=speaker, names=self._names):
                return right
        return None


def _rules() -> ModuleType:
    from clawgit.understanding.corrections import outdated

    return outdated


def _is_his(index: Index, place: Place) -> bool:
    return place.kind == CORRECTION and index.trust_of_correction(place.words) == OPERATOR


def _known(place: Place, right: Place) -> tuple[Place, Place, str, str, frozenset[str]]:
    """Return a correction and what holds, the two statements, and the beginnings of words of which one is in each outdated text."""
    said, (_, correct) = _statements(place.text)[0], _statements(right.text)
    return place, right, said, correct, _rules().gone_words(said, correct)


def _latest(index: Index, place: Place) -> Place | None:
    later = index.superseded([place.entry]).get(place.entry)
    if later is None:
        return place
    found = (each for each in index.entries([later.correction_id]) if each.kind == CORRECTION)
    return next(found, None)


def _statements(text: str) -> tuple[str, str]:
    correct, _, said = text.partition("\n")
    return said.partition("\n")[0], correct
