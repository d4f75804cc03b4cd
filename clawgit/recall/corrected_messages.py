"""Messages that state what was corrected since: the correction is shown above the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.trust import EXTERNAL, OPERATOR
from clawgit.recall.candidates import Reading, Sources
from clawgit.recall.index.search_index import open_index
from clawgit.recall.ranked_answers import result_of
from clawgit.recall.ranking.outdated_places import OutdatedPlaces
from clawgit.recall.ranking.results import Scored
from clawgit.recall.search import asked, file_of, weights_of
from clawgit.recall.search_results import how_many_fit

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.recall.index.places import Place
    from clawgit.recall.search_results import Found, Message, Result, Wanted

USER, ASSISTANT, SOMEBODY = "user", "assistant", "Somebody"


def below_corrections(history: History, found: Found, wanted: Wanted, now: datetime) -> Found:
    """Return what was found with each correction above the messages that state what was wrong."""
    texts = [each.message.text for each in found.results if each.message]
    if not texts:
        return found
    with open_index(history) as index:
        outdated = OutdatedPlaces(index, texts, weights_of(history, now).names)
        right = {at: _right(each, outdated, now) for at, each in enumerate(found.results)}
        if not any(right.values()):
            return found
        sources, question = Sources(index, Reading(lambda place: file_of(history, place))), asked(wanted, now)
        results: list[Result] = []
        for at, each in enumerate(found.results):
            place = right[at]
            shown = place and result_of([Scored(place, each.score, each.score)], question, sources)
            if shown and not any(shown.entry in other.entries for other in results):
                results.append(shown)
            if not each.is_correction or not any(each.entry in other.entries for other in results):
                results.append(each)
    results = results[: wanted.most]
    return found._replace(results=tuple(results[: how_many_fit(results, wanted.tokens)]))


def _right(result: Result, outdated: OutdatedPlaces, now: datetime) -> Place | None:
    if result.message is None:
        return None
    message, said_on = result.message, ""
    if message.trust == OPERATOR:
        said_on = message.sent_at.astimezone(now.tzinfo).date().isoformat()
    return outdated.correction_above_text(message.text, said_on=said_on, speaker=_speaker(message))


def _speaker(message: Message) -> str:
    """Return whose `I` it is: of a stranger's message, nobody's here."""
    if message.role == ASSISTANT:
        return ASSISTANT
    return USER if message.role == USER and message.trust != EXTERNAL else message.sender or SOMEBODY
