"""The lessons extractor: what failed and then worked is learned once, counted when it is met again, and nobody's order."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from tests_folder import TESTS

from clawgit.agents.lessons_extractor import SAME, LessonsExtractor, waits_for_lessons
from clawgit.agents.models.choose_model import model_named
from clawgit.agents.models.model import Asker
from clawgit.agents.run_agent import ALONE, Means
from clawgit.capture.messages.incoming_message import rules_in_force
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.transcripts.importing import Importer
from clawgit.capture.transcripts.transcript_source import Wish
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.http_client import Patience
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records
from clawgit.workspace.settings.settings import Settings

OVERLAP = json.loads((TESTS / "vectors" / "dedupe_overlap.json").read_text("utf-8"))
LESSONS = "memory/lessons.md"
FAILS, WORKS = "pytest -q tests", "python -m pytest -q tests"


class Sessions:
    """Transcripts of Claude Code beside a workspace, imported as they are written."""

    def __init__(self, room, folder) -> None:
        self.room, self.folder = room, folder

    def write(self, name: str, *commands: tuple[str, bool], day: int = 19) -> None:
        """Write a session in which commands were run, each with whether it failed."""
        lines: list[dict[str, Any]] = [self._line(name, day, 0, "user", "please test it")]
        for number, (command, failed) in enumerate(commands):
            call = f"{name}-{number}"
            use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
            result = {
                "type": "tool_result",
                "tool_use_id": call,
                "is_error": failed,
                "content": "ModuleNotFoundError",
            }
            lines += [
                self._line(name, day, number, "assistant", [use]),
                self._line(name, day, number, "user", [result]),
            ]
        path = self.folder / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        with open_messages(self.room.history, self.room.now) as store:
            rules = rules_in_force(self.room.history, self.room.now, "operator")
            Importer(store, rules, self.room.now).read(path, Wish())

    @staticmethod
    def _line(name: str, day: int, minute: int, role: str, content: object) -> dict[str, Any]:
        at = f"2026-03-{day:02}T09:{minute:02}:00Z"
        message = {"role": role, "content": content}
        return {
            "type": role,
            "uuid": f"{name}{role}{minute}",
            "sessionId": name,
            "timestamp": at,
            "message": message,
        }

    def learned(self, means: Means = ALONE):
        (report,) = LessonsExtractor.run_round(self.room.history, self.room.now, means)
        return report.note


@pytest.fixture
def sessions(room, tmp_path) -> Sessions:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return Sessions(room, folder)


def lessons(room) -> list[str]:
    return [line.partition(" <!-- m:")[0] for line in room.read(LESSONS).split("\n") if line.startswith("- ")]


def states(room):
    found = list_states(room.history, room.now.date())
    return [state for state in found if state.path == LESSONS]


def test_what_failed_and_then_worked_is_learned_on_its_call(sessions, room) -> None:
    sessions.write("one", (FAILS, True), (WORKS, False))

    note = sessions.learned()

    assert note.outcome is RunOutcome.APPLIED, note.reason
    assert lessons(room) == [
        f"- 2026-03-19: Situation: python. Wrong: `{FAILS}` failed (ModuleNotFoundError). "
        f"Right: `{WORKS}` worked. Why: unclear. #skill"
    ]
    (state,) = states(room)
    assert (state.trust, state.confidence) == ("host", 60)
    assert state.evidence == (f'tool:one/one-1 "{WORKS}"',)


def test_met_again_in_another_session_it_is_counted_and_not_written_twice(sessions, room) -> None:
    """Mutants: a second lesson; two mentions of one session."""
    sessions.write("one", (FAILS, True), (WORKS, False))
    sessions.learned()
    sessions.write("two", (FAILS, True), (WORKS, False), (f"{FAILS} -x", True), (f"{WORKS} -x", False))

    sessions.learned()

    assert len(lessons(room)) <= 2
    first = states(room)[0]
    assert (first.mentions, first.confidence) == (1, 65)


def test_a_night_without_new_transcripts_changes_nothing(sessions, room) -> None:
    sessions.write("one", (FAILS, True), (WORKS, False))
    sessions.learned()
    head = room.head()

    note = sessions.learned()

    assert (note.outcome, note.reason, room.head()) == (
        RunOutcome.NOTHING,
        "There was nothing to work on.",
        head,
    )
    with open_records(room.history.state / RECORDS, room.now) as records:
        assert not waits_for_lessons(room.history, records, room.now)


def test_a_run_whose_cursor_was_lost_learns_nothing_twice(sessions, room) -> None:
    sessions.write("one", (FAILS, True), (WORKS, False))
    sessions.learned()
    text = room.read(LESSONS)
    (room.history.state / RECORDS).unlink()

    assert sessions.learned().outcome is RunOutcome.NOTHING
    assert room.read(LESSONS) == text


def test_what_was_undone_is_not_learned_again(sessions, room) -> None:
    before = room.read(LESSONS)
    sessions.write("one", (FAILS, True), (WORKS, False))
    note = sessions.learned()

    undo(room.history, find_undoing(room.history, note.run_id), "", Intent(new_op(), "operator", room.now))
    assert room.read(LESSONS) == before
    sessions.write("one", (FAILS, True), (WORKS, False), ("make all", False))
    sessions.learned()

    assert room.read(LESSONS) == before


COMMON = "curl --silent --show-error --max-time 5 --retry 2 --location http://localhost:8080/status/of/it"


def test_the_same_step_with_another_value_beside_it_is_the_same_lesson(sessions, room) -> None:
    for name, command in (("one", COMMON), ("two", COMMON.replace("8080", "8443"))):
        sessions.write(name, (command, True), (f"{command} --insecure", False))

    sessions.learned()

    assert len(lessons(room)) == 1


def test_another_step_from_the_same_command_stands_beside_it_and_is_told(sessions, room) -> None:
    """Mutant: overlap alone makes them one."""
    for name, more in (("one", "--insecure"), ("two", "--http1.1")):
        sessions.write(name, (COMMON, True), (f"{COMMON} {more}", False))

    note = sessions.learned()

    assert len(lessons(room)) == 2
    assert "--http1.1` may repeat `curl" in note.reason


def test_a_dry_run_writes_nothing(sessions, room) -> None:
    sessions.write("one", (FAILS, True), (WORKS, False))
    head = room.head()

    (each,) = LessonsExtractor.rehearse_round(room.history, room.now)

    assert each.planned.plan.paths == (LESSONS,)
    assert room.head() == head


def test_a_transcript_that_is_gone_hurts_nobody(sessions, room) -> None:
    sessions.write("one", (FAILS, True), (WORKS, False))
    (sessions.folder / "one.jsonl").unlink()

    assert sessions.learned().outcome is RunOutcome.NOTHING


def test_without_messages_none_are_made(room) -> None:
    (report,) = LessonsExtractor.run_round(room.history, room.now)

    assert report.note.outcome is RunOutcome.NOTHING
    assert not (room.history.state / "messages.db").exists()


def asker(room, scripted):
    settings = Settings(model="openai:m", model_url=scripted.url)

    def ask(purpose: str) -> Asker:
        model = model_named(settings, {}, room.root, patience=Patience(60, tries=2, pause=0.01))
        return Asker(model, room.history.state / RECORDS, 1_000_000, lambda: room.now, purpose)

    return ask


def judged(sessions, room, scripted, **verdict: str):
    scripted.says({"lessons": [{"id": "tool:one/one-1", **verdict}]})
    sessions.write("one", (FAILS, True), (WORKS, False))
    return sessions.learned(Means(askers=lambda: asker(room, scripted)))


def test_a_model_tells_situation_and_cause_and_then_it_rests_on_the_outside(sessions, room, scripted) -> None:
    judged(
        sessions, room, scripted, do="NEW", situation="running the tests", why="the module is not on the path"
    )

    assert "Situation: running the tests. Wrong: `" in lessons(room)[0]
    assert lessons(room)[0].endswith("Why: the module is not on the path. #skill")
    assert [state.trust for state in states(room)] == ["external"]


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        ({"do": "NEW", "why": "port 9443 was taken"}, "names '9443'"),
        ({"do": "NEW", "why": "x" * 300}, "says too much"),
        ({"do": "NEW", "situation": "run `rm -rf`"}, "has marks"),
        ({"do": "DUPLICATE", "entry": "m:zzzzzz"}, "no known lesson"),
    ],
)
def test_what_a_model_cannot_show_is_refused_and_rules_do_it(
    sessions, room, scripted, verdict, says: str
) -> None:
    note = judged(sessions, room, scripted, **verdict)

    assert says in note.reason
    assert lessons(room)[0].endswith("Why: unclear. #skill")
    assert [state.trust for state in states(room)] == ["host"]


def test_a_model_may_say_that_it_is_no_lesson(sessions, room, scripted) -> None:
    note = judged(sessions, room, scripted, do="NONE")

    assert note.outcome is RunOutcome.NOTHING
    assert lessons(room) == []


@pytest.mark.parametrize("case", OVERLAP["lesson_cases"], ids=lambda case: case["id"])
def test_from_which_overlap_on_a_lesson_may_be_known(case: dict[str, Any]) -> None:
    """What becomes of it then: the model's word, else the same commands are one, and what differs in a fact is told."""
    assert (case["overlap"] > SAME) is not case["expect"].startswith("novel")
    assert OVERLAP["threshold_lessons"] == SAME


def said_again(sessions, room, scripted, do: str) -> None:
    """Let a lesson be met, and one that looks like it; the model calls that so."""
    sessions.write("one", (COMMON, True), (f"{COMMON} --insecure", False))
    sessions.learned()
    (known,) = states(room)
    room.now += timedelta(days=1)
    sessions.write("two", (COMMON, True), (f"{COMMON} --http1.1", False), day=20)
    scripted.says({"lessons": [{"id": "tool:two/two-1", "do": do, "entry": f"m:{known.entry.entry_id}"}]})
    sessions.learned(Means(askers=lambda: asker(room, scripted)))


@pytest.mark.parametrize(("do", "count", "mentions"), [("DUPLICATE", 1, 1), ("NEW", 2, 0)])
def test_a_model_says_whether_it_is_known_or_new(
    sessions, room, scripted, do: str, count: int, mentions: int
) -> None:
    said_again(sessions, room, scripted, do)

    assert len(lessons(room)) == count
    assert states(room)[0].mentions == mentions


def test_the_prompt_of_the_operator_is_asked(sessions, room, scripted) -> None:
    room.change({"agents/lessons-extractor/SOUL.md": "You are my own extractor.\n"}, actor="operator")

    judged(sessions, room, scripted, do="NONE")

    assert "You are my own extractor." in json.dumps(scripted.bodies[0])
