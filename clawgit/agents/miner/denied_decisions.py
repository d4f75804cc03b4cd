"""What of the agent's the operator denied at once: a decision that he answers with a no is none."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from clawgit.agents.miner.mined_material import by_operator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.capture.messages.message import ChatMessage

_OPENED = r"(?:(?:hm+|oh|wait|sorry|actually|well|but|um+|eh)\b[\s,.!]*)*"
_DENIES = re.compile(
    rf"\W*{_OPENED}(?:no+(?! (?:problem|worries|objections?|questions?|doubt|idea|need|rush|hurry))|nope|nah|wrong|false|incorrect|stop|never"
    r"|not (?:true|right|so|quite|yet|at all|what|decided)|(?:it|that|this)(?:['’]s| is| was) (?:not|wrong|another|a different|never)"
    r"|(?:it|that|this) (?:isn|wasn)['’]t|i meant|(?:we|i|nobody) (?:never|(?:did|have|do)(?:n['’]t| not))"
    r"|nobody|who (?:said|says|decided|told)|says who|since when|where did)\b"
    r"|\W*(?:不(?![错錯客要])|没有|沒有|没说|错了|錯了|谁说|誰說|我[没沒])|\W*(?:아니|아뇨|틀렸|틀려|안 ?돼|누가|그런 (?:적|말)|그게 아니)",
    re.IGNORECASE,
)


def denied_in(messages: Iterable[ChatMessage]) -> frozenset[str]:
    """Return the ids of the agent's messages whose answer by the operator begins with a denial."""
    talks: dict[tuple[str, str], list[ChatMessage]] = {}
    for message in sorted(messages, key=lambda each: each.sent_at):
        talks.setdefault((message.channel, message.conversation), []).append(message)
    return frozenset(
        said.chat_id
        for talk in talks.values()
        for said, answer in pairwise(talk)
        if said.role == "assistant" and by_operator(answer) and _DENIES.match(answer.text)
    )
