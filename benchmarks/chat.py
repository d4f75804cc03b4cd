"""The message store: how many messages a second it takes, and how long answers take with a million of them."""

from __future__ import annotations

import multiprocessing
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import Rules, take_down
from clawgit.capture.messages.message import ChatMessage, IncomingMessage, MessageQuery
from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.sqlite_messages import MESSAGES, SqliteMessages
from clawgit.recall.search_messages import search_messages
from clawgit.recall.search_results import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
RULES = Rules(operator_ids=("ada",))
MANY = 1_000_000
ROUNDS = 60
FORK = multiprocessing.get_context("fork")
COMMON = [
    "the",
    "a",
    "to",
    "and",
    "of",
    "in",
    "is",
    "it",
    "you",
    "that",
    "was",
    "for",
    "on",
    "are",
    "with",
    "as",
    "i",
    "his",
    "they",
    "be",
    "at",
    "one",
    "have",
    "this",
    "from",
    "or",
    "had",
    "by",
    "hot",
    "but",
    "some",
    "what",
    "there",
    "we",
    "can",
    "out",
    "other",
    "were",
    "all",
    "your",
    "when",
    "up",
    "use",
    "word",
    "how",
    "said",
    "an",
    "each",
    "she",
    "which",
    "do",
    "their",
    "time",
    "if",
    "will",
    "way",
    "about",
    "many",
    "then",
    "them",
    "would",
]


def chat() -> None:
    """Print writers' rates and readers' times."""
    with tempfile.TemporaryDirectory() as folder:
        _writers(Path(folder))
        _readers(Path(folder))


def _writers(folder: Path) -> None:
    """Print how many messages a second four processes keep, masked, triaged and synced, one or ten in a transaction."""
    for together in (1, 10):
        path = folder / f"writers-{together}.db"
        MessageStore(SqliteMessages(path, NOW), "ws").close()
        count = 1000
        processes = [FORK.Process(target=_write, args=(path, n, count, together)) for n in range(4)]
        start = time.perf_counter()
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        seconds = time.perf_counter() - start
        store = MessageStore(SqliteMessages(path, NOW), "ws")
        kept = store.stats().messages
        store.close()
        print(
            f"capture by 4 processes, {together} message(s) a transaction: {4 * count / seconds:,.0f} a second (to reach: 1,000),"
            f" {kept} of {4 * count} kept"
        )


def _write(path: Path, writer: int, count: int, together: int) -> None:
    store = MessageStore(SqliteMessages(path, NOW), "ws")
    for first in range(0, count, together):
        heard = [
            IncomingMessage(
                "user",
                f"No, it's {n} o'clock and lunch is at the office in Berlin.",
                sender="ada",
                message_id=f"{writer}-{n}",
            )
            for n in range(first, first + together)
        ]
        store.add(
            [message for each in heard if isinstance(message := take_down(each, RULES, NOW), ChatMessage)]
        )


def _readers(folder: Path) -> None:
    start = time.perf_counter()
    database = SqliteMessages(folder / MESSAGES, NOW, fsync=False)
    store = MessageStore(database, "ws")
    messages = _messages()
    while some := [message for message, _ in zip(messages, range(20_000), strict=False)]:
        store.add(some)
    size = (folder / MESSAGES).stat().st_size / 1e6
    print(f"{MANY:,} messages kept in {time.perf_counter() - start:.0f} s, {size:.0f} MB")
    dice = random.Random(3)
    questions: dict[str, Callable[[], object]] = {
        "chat log": lambda: store.log(MessageQuery()),
        "chat log of one conversation": lambda: store.log(
            MessageQuery(conversation=f"talk-{dice.randrange(50)}")
        ),
        "chat log, flagged": lambda: store.log(MessageQuery(flagged=True)),
        "chat log of a day": lambda: store.log(
            MessageQuery(since=NOW - timedelta(days=9), until=NOW - timedelta(days=8))
        ),
        "the miner's queue": store.to_mine,
        "the validator's queue": store.to_validate,
        "the feed, 1,000 from the middle": lambda: store.since(MANY // 2, 1000),
        "search, rare and common words": lambda: search_messages(
            store.candidates, Query(_question(dice)), NOW
        ),
        "search, common words alone": lambda: search_messages(store.candidates, Query(_common(dice)), NOW),
    }
    for name, ask in questions.items():
        taken = sorted(_taken(ask) for _ in range(ROUNDS))
        print(
            f"{name}, {MANY:,} messages: median {statistics.median(taken):.1f} ms, p95 {taken[ROUNDS * 95 // 100]:.1f} ms (to reach: 50)"
        )
    store.close()


def _taken(ask: Callable[[], object]) -> float:
    start = time.perf_counter()
    ask()
    return (time.perf_counter() - start) * 1000


def _question(dice: random.Random) -> str:
    return f"{' '.join(dice.sample(COMMON, 4))} word{dice.randrange(20_000)} word{dice.randrange(300)}"


def _common(dice: random.Random) -> str:
    return f"{' '.join(dice.sample(COMMON, 3))} word1 word2"


def _messages() -> Iterator[ChatMessage]:
    """Yield a million messages: words as often as in talk, every fiftieth flagged, two years long."""
    dice = random.Random(1)
    kept = take_down(IncomingMessage("user", "x", sender="ada"), RULES, NOW)
    flagged = take_down(IncomingMessage("user", "Don't forget: I told you.", sender="ada"), RULES, NOW)
    assert isinstance(kept, ChatMessage)
    assert isinstance(flagged, ChatMessage)
    for number in range(MANY):
        words = dice.choices(COMMON, k=9) + [f"word{int(dice.paretovariate(0.4)) % 50_000}" for _ in range(5)]
        like = flagged if number % 50 == 0 else kept
        read_by = None if number > MANY * 0.9 else "run-1"
        yield like._replace(
            text=" ".join(words),
            message_id=str(number),
            conversation=f"talk-{number % 50}",
            sent_at=NOW - timedelta(minutes=MANY - number),
            mined_in=read_by,
            validated_in=read_by,
        )
