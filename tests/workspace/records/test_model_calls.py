"""The records of what models were asked: two who ask at once never go over the limit together.

Mutants that these tests caught: reading before the lock, nothing set aside, answers of any age.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from clawgit.workspace.records.record_tables import CallOutcome, ModelCall
from clawgit.workspace.records.records import open_records

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
CALL = ModelCall(NOW, "search", "m", "1")


def test_many_who_ask_at_once_stay_within_the_limit(tmp_path) -> None:
    path = tmp_path / "records.db"
    with open_records(path, NOW):
        pass

    def begin(_: int) -> int | None:
        with open_records(path, NOW) as records:
            return records.model_calls.begin(CALL, 30, 100)

    with ThreadPoolExecutor(8) as threads:
        begun = [each for each in threads.map(begin, range(16)) if each is not None]

    assert len(begun) == 3
    with open_records(path, NOW) as records:
        records.model_calls.end(begun[0], CallOutcome.ANSWERED, 5, '{"a": 1}')
        assert records.model_calls.tokens_on(NOW.date()) == 65
        assert records.model_calls.answer_to("1", NOW) == '{"a": 1}'
        assert records.model_calls.answer_to("2", NOW) is None
        assert records.model_calls.answer_to("1", NOW + timedelta(days=31)) is None
