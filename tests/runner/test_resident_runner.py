"""The runner that stays, over days of a clock that is told."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from rehearsed_runner import MONDAY, job
from rounds import some
from running_service import until

from clawgit.runner import resident_runner
from clawgit.runner.resident_runner import Account, ResidentRunner, stamp_below

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.rest
def test_a_week_of_a_laptop_that_sleeps_leaves_one_run_for_each_slot(rehearsal) -> None:
    """Mutants: a slot runs for each wake; what was missed in sleep is not noted."""
    chance = random.Random(11)

    def step(self):
        asleep = chance.random() < 0.03
        return self.on(chance.randint(1, 30) * 3600 if asleep else 1200)

    found = rehearsal(
        job("nightly", "02:30"), job("daily", "18:00"), job("weekly", "Sunday 03:00"), step=step
    )
    found.work(MONDAY + 8 * DAY)

    noted = Counter((event.note.job, event.note.day) for event in found.events if _is_end(event))
    assert set(noted.values()) == {1}
    assert len(found.ran) == len(set(found.ran))
    days = sorted(day for name, day in noted if name == "nightly")
    assert days == [days[0] + each * DAY for each in range(len(days))]
    assert len(days) >= 6


def _is_end(event) -> bool:
    return event.note is not None and event.note.state.value in ("done", "skipped")


@pytest.mark.rest
def test_many_workspaces_have_their_slots_once_and_a_few_at_once(rehearsal) -> None:
    """Mutants: no limit on what works at once; a workspace is begun again while it is at work."""
    found = rehearsal(job("nightly", "02:30"), many=6, step=lambda self: self.on(1800))
    found.work(MONDAY + DAY)

    assert sorted(found.ran) == sorted(f"w{each} nightly 2026-03-23" for each in range(6))
    assert found.most_at_work == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "most",
    [
        pytest.param(1, id="one at a time"),
        pytest.param(3, id="three"),
        pytest.param(4, id="four"),
    ],
)
def test_how_many_work_at_once_the_setting_says(rehearsal, most) -> None:
    """Mutant: the setting is not read. Each job works until as many as may have begun."""
    wait = f"import time\nwhile len(open({{ran!r}}).readlines()) < {most}: time.sleep(0.01)"
    found = rehearsal(job("nightly", "02:30"), many=4, step=lambda self: self.on(1800))
    found.jobs = (job("nightly", "02:30", wait.format(ran=str(found.folder / "ran"))),)
    found.settings = {f"w{number}": {"jobs_at_once": most} for number in range(4)}
    # ten minutes past the hour: where one slot alone begins at 02:30, its job would wait for others
    found.reading = found.reading._replace(wall=(MONDAY + timedelta(minutes=10)).timestamp())
    found.work(MONDAY + DAY)

    assert len(found.ran) == 4
    assert found.most_jobs == most


@pytest.mark.rest
def test_jobs_that_hang_hold_up_no_other_workspace(rehearsal) -> None:
    """Mutant: what hangs keeps its place. Two hang where two may work at once, and the others have their turn."""
    hangs = "import time\nif room in ('w0', 'w1'): time.sleep(999)"
    found = rehearsal(job("nightly", "02:30", hangs), many=5)
    found.work(MONDAY + HOUR)

    def step(self):
        if len(set(self.ran)) == 5:
            self.runner.stop()
            self.runner.stop()
            return None
        return self.on(5) if self.now < MONDAY + 4 * HOUR else self.reading

    found.step, found.is_patient = step, False
    found.work(MONDAY + 300 * DAY)

    assert Counter(found.ran) == {f"w{each} nightly 2026-03-23": 1 for each in range(5)}


@pytest.mark.rest
def test_after_a_start_jobs_wait_a_minute_and_what_arrived_does_not(rehearsal) -> None:
    """Mutants: no pause; a pause for the queue, too."""
    waits = [True]
    queue = job("queue", None, has_input=lambda _: bool(waits and waits.pop()))
    found = rehearsal(queue, job("nightly", "02:30"), step=lambda self: self.on(10))
    found.work(MONDAY + HOUR)
    waits.append(True)
    found.reading = found.reading._replace(wall=(MONDAY + timedelta(hours=3)).timestamp())
    begin = found.now
    found.work(MONDAY + 4 * HOUR)

    begun = {event.note.job: event.note.started for event in found.events if event.note is not None}
    assert begun["queue"] - begin < timedelta(minutes=1)
    assert timedelta(minutes=1) <= begun["nightly"] - begin < timedelta(minutes=3)


@pytest.mark.rest
@pytest.mark.parametrize(
    "hours", some([-24, 24, -1], each=3), ids=["a day back", "a day ahead", "an hour back"]
)
def test_a_clock_that_is_moved_repeats_nothing_and_stops_nothing(rehearsal, hours: int) -> None:
    """Mutant: what is noted ahead counts."""
    jump = [timedelta(hours=hours).total_seconds()]

    def step(self):
        is_time = jump and not self.runner.at_work and self.now > MONDAY + DAY + timedelta(hours=3)
        return self.on(1200, stepped=jump.pop() if is_time else 0.0)

    found = rehearsal(job("nightly", "02:30"), step=step)
    found.work(MONDAY + 3 * DAY)

    ran = [line.split()[-1] for line in found.ran]
    assert len(ran) == len(set(ran))
    assert ran[-1] == "2026-03-25"
    assert len(ran) >= 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("zone", "changes"),
    [
        *(("Europe/Oslo", each) for each in [(3, 29), (10, 25)]),
        *(("America/New_York", each) for each in [(3, 8), (11, 1)]),
        *(("Australia/Lord_Howe", each) for each in [(4, 5), (10, 4)]),
    ],
    ids=str,
)
def test_each_date_has_its_slot_once_where_the_clocks_change(
    rehearsal, zone: str, changes: tuple[int, int]
) -> None:
    """Mutants: a time that a day does not have is left out; one that it has twice runs twice."""
    found = rehearsal(job("nightly", "02:30"), zone=zone, step=lambda self: self.on(7200))
    begin = datetime(2026, *changes, 12, tzinfo=UTC) - 3 * DAY
    found.reading = found.reading._replace(wall=begin.timestamp())
    found.work(begin + 5 * DAY)

    days = [line.split()[-1] for line in found.ran]
    assert days == [(begin + each * DAY).date().isoformat() for each in range(1, 6)]


@pytest.mark.rest
def test_a_workspace_that_breaks_is_set_aside_told_once_and_taken_up_again(rehearsal) -> None:
    """Mutants: it ends the runner; it is looked at without end; it is never tried again."""
    found = rehearsal(job("nightly", "02:30"), many=2)
    found.work(MONDAY + HOUR)
    head = found.roots[0] / ".git/HEAD"
    aside = head.read_bytes()
    head.unlink()

    def step(self):
        if self.now > MONDAY + 2 * DAY and not head.exists():
            head.write_bytes(aside)
        return self.on(1800)

    found.step = step
    found.work(MONDAY + 4 * DAY)

    assert len(found.told("aside")) == len(found.told("back")) == 1
    days = {root: [line.split()[-1] for line in found.ran if line.startswith(root)] for root in ("w0", "w1")}
    assert days["w1"] == ["2026-03-23", "2026-03-24", "2026-03-25", "2026-03-26"]
    assert days["w0"][-1] == "2026-03-26"


@pytest.mark.rest
def test_what_arrives_is_dealt_with_though_nobody_says_so(rehearsal) -> None:
    """Mutant: only the time is a reason for a look. A message changes the messages' file."""
    messages = "messages.db"

    def has_input(asking) -> bool:
        path = asking.history.state / messages
        return path.exists() and path.stat().st_size > len(found.ran)

    def step(self):
        minute = (self.now - MONDAY) // timedelta(minutes=1)
        (self.roots[0] / ".git/clawgit" / messages).write_text("x" * minute)
        return self.on(2)

    found = rehearsal(job("queue", None, has_input=has_input), step=step)
    found.work(MONDAY + timedelta(minutes=4, seconds=30))

    assert len(found.ran) == 4


def test_what_is_asked_for_while_jobs_work_waits_for_their_end(rehearsal) -> None:
    """Mutant: a second look begins beside the first, finds its lock, and says so."""
    slow = job("queue", None, "import time; time.sleep(0.5)", has_input=lambda _: len(found.ran) < 2)
    asked = []

    def step(self):
        if len(asked) < len(self.ran):  # once while each works
            asked.append(self.now)
            self.runner.look_soon(self.roots[0])
        return self.on(1)

    found = rehearsal(slow, step=step)
    found.work(MONDAY + timedelta(minutes=2))

    assert len(found.ran) == 2
    assert found.told("notice") == []


def test_of_many_messages_in_a_row_not_each_is_followed_by_a_look(rehearsal) -> None:
    """Mutant: what is asked for is done at once, however often."""
    looks = []

    def has_input(_) -> bool:
        looks.append(found.now)
        return False

    def step(self):
        self.runner.look_soon(self.roots[0])
        return self.on(0.05)

    found = rehearsal(job("queue", None, has_input=has_input), step=step)
    found.work(MONDAY + timedelta(seconds=10))

    assert 10 <= len(looks) <= 25


@pytest.mark.rest
def test_what_waits_and_does_not_go_is_not_tried_without_end(rehearsal) -> None:
    """Mutant: a queue that stays is worked off again at once."""
    found = rehearsal(job("queue", None), step=lambda self: self.on(1))
    found.work(MONDAY + 2 * HOUR)

    assert 5 <= len(found.ran) <= 40


@pytest.mark.rest
def test_workspaces_come_and_go_while_it_works(rehearsal) -> None:
    found = rehearsal(job("nightly", "02:30"), many=3)
    late = found.roots.pop()

    def step(self):
        if self.now > MONDAY + DAY and late not in self.roots:
            self.roots = [late, self.roots[1]]
            self.runner.look_soon(late)
        return self.on(900)

    found.step = step
    found.work(MONDAY + 3 * DAY)

    assert Counter(line.split()[0] for line in found.ran) == {"w0": 1, "w1": 3, "w2": 2}


@pytest.mark.rest
def test_a_workspace_that_is_deleted_while_its_job_works_hurts_nobody_and_does_not_come_back(
    rehearsal,
) -> None:
    """Mutant: what became of the job is noted in a folder that is made for it."""
    found = rehearsal(job("nightly", "02:30", "import time; time.sleep(1)"), many=2, is_patient=True)
    found.work(MONDAY + HOUR)
    gone = found.roots[0]

    def step(self):
        if any(line.startswith("w0") for line in self.ran) and gone.exists():
            shutil.rmtree(gone)
        return self.on(600)

    found.step = step
    found.work(MONDAY + DAY)

    assert not gone.exists()
    assert found.told("aside")
    assert len(found.told("aside")) == len(set(found.told("aside")))
    assert [line for line in found.ran if line.startswith("w1")] == ["w1 nightly 2026-03-23"]


@pytest.mark.rest
def test_a_job_at_work_when_the_runner_is_stopped_is_handed_back_and_run_again(rehearsal) -> None:
    """Mutants: the job is waited for; it counts as a failed attempt, or waits like one; the next job begins all the same."""
    found = rehearsal(job("nightly", "02:30", "import time; time.sleep(999)"), job("next", "02:30"))

    def step(self):
        if self.ran:
            self.runner.stop()
            self.runner.stop()
            return None
        return self.on(60)

    found.work(MONDAY + HOUR)
    found.step = step
    found.work(MONDAY + DAY)
    assert found.ran == ["w0 nightly 2026-03-23"]
    found.jobs = (job("nightly", "02:30"),)
    found.step = lambda self: self.on(30)
    found.work(found.now + timedelta(minutes=10))

    last = [event.note for event in found.events if event.note is not None][-1]
    assert (last.state.value, last.attempt) == ("done", 1)
    assert found.ran == ["w0 nightly 2026-03-23"] * 2


@pytest.mark.rest
def test_a_job_that_fails_is_retried_after_one_minute_and_five(rehearsal) -> None:
    """Mutant: only the next slot, or the next look without a reason, is a time for it."""
    found = rehearsal(job("nightly", "02:30", "raise SystemExit(1)"), step=lambda self: self.on(10))
    found.work(MONDAY + timedelta(hours=3))

    notes = [event.note for event in found.events if event.note and event.note.state.value == "failed"]
    pauses = [after.started - before.ended for before, after in pairwise(notes)]
    assert [note.attempt for note in notes] == [1, 2, 3]
    assert timedelta(minutes=1) <= pauses[0] < timedelta(minutes=2)
    assert timedelta(minutes=5) <= pauses[1] < timedelta(minutes=6)


@pytest.mark.rest
def test_a_queue_that_was_given_up_is_tried_again_after_an_hour(rehearsal) -> None:
    """Mutant: what comes after three failures waits until the next day."""
    queue = job("queue", None, "import os\nraise SystemExit(not os.path.exists('mended'))")
    found = rehearsal(queue, step=lambda self: self.on(30))
    found.work(MONDAY + HOUR)
    assert found.done == [("queue", "failed")] * 3
    (found.roots[0] / ".git/clawgit/mended").touch()

    found.work(MONDAY + 2 * HOUR)

    notes = [
        event.note for event in found.events if event.note and event.note.state.value in ("failed", "done")
    ]
    assert notes[3].state.value == "done"
    assert HOUR <= notes[3].started - notes[2].ended < HOUR + timedelta(minutes=10)


def test_on_an_event_loop_it_works_beside_other_tasks_and_ends_with_its_task(rehearsal) -> None:
    found = rehearsal(job("nightly", "02:30"))
    account = Account(lambda: (found.roots, ""), found._open)
    runner = ResidentRunner(account, tell=found.events.append)

    async def beside() -> None:
        task = asyncio.create_task(runner.run())
        while not found.told("workspace"):
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(beside())

    until(lambda: not runner.at_work)


@pytest.mark.rest
def test_edits_are_kept_half_a_minute_after_the_last_one_and_not_while_somebody_writes(rehearsal) -> None:
    """Mutants: edits are kept as soon as they are seen; what bears an old date counts as quiet since then."""
    found = rehearsal(job("nightly", "02:30"))
    note = found.roots[0] / "memory/a.md"
    note.parent.mkdir(exist_ok=True)
    written = []

    def step(self):
        minutes = (self.now - MONDAY) / timedelta(minutes=1)
        if 10 <= minutes < 15:
            note.write_text(f"- {self.now}\n")
            os.utime(note, (len(written), len(written)))
            written.append(self.now)
        return self.on(10)

    found.step = step
    found.work(MONDAY + timedelta(minutes=19))

    after = [at - written[-1] for at, _ in found.kept if at > written[0]]
    assert timedelta(seconds=30) <= after[0] <= timedelta(minutes=2)
    assert len(after) == 1


@pytest.mark.rest
def test_edits_are_looked_for_every_five_minutes_whatever_the_stamps_say(rehearsal) -> None:
    """Mutant: what could not be kept at first stays an edit until another file changes."""
    found = rehearsal(job("nightly", "02:30"), step=lambda self: self.on(10))
    found.work(MONDAY + timedelta(minutes=21))

    assert 4 <= len(found.kept) <= 5


def test_an_edit_that_comes_while_others_are_kept_is_kept_as_well(rehearsal) -> None:
    """Mutant: what is there when they are kept counts as seen."""
    found = rehearsal(job("nightly", "02:30"), step=lambda self: self.on(10))
    keep = found._keep

    def keep_while_somebody_writes(root) -> None:
        keep(root)
        if len(found.kept) == 1:
            (root / "b.md").write_text("came while others were kept\n")

    found._keep = keep_while_somebody_writes
    found.work(MONDAY + timedelta(minutes=4))

    assert len(found.kept) == 2


def test_an_error_without_words_is_told_by_its_kind(rehearsal) -> None:
    """Mutant: what has no text is no error, and the edit waits as if it were kept."""

    def fail(_root) -> None:
        raise TimeoutError

    found = rehearsal(job("nightly", "02:30"), step=lambda self: self.on(10))
    found._keep = fail
    found.work(MONDAY + timedelta(minutes=4))

    assert found.runner.aside == {str(found.roots[0]): "TimeoutError"}
    assert found.told("aside") == ["is left alone for now: TimeoutError"]


@pytest.mark.parametrize("change", ["written", "added", "removed", "moved", "same size, same second"])
def test_every_change_of_a_file_changes_the_stamp(tmp_path, change: str) -> None:
    (tmp_path / "memory").mkdir()
    file = tmp_path / "memory/a.md"
    file.write_text("tea\n")
    os.utime(file, (1, 1))
    before = stamp_below(tmp_path)

    match change:
        case "written":
            file.write_text("coffee\n")
        case "added":
            (tmp_path / "memory/b.md").write_text("")
        case "removed":
            file.unlink()
        case "moved":
            file.rename(tmp_path / "memory/c.md")
        case _:
            fresh = tmp_path / "memory/new"
            fresh.write_text("pie\n")
            os.utime(fresh, (1, 1))
            fresh.replace(file)

    assert stamp_below(tmp_path) != before


def test_gits_own_files_and_reading_change_no_stamp(room) -> None:
    before = stamp_below(room.root)

    room.git("gc", "-q")
    (room.root / "MEMORY.md").read_bytes() if (room.root / "MEMORY.md").exists() else None

    assert stamp_below(room.root) == before


def test_of_many_messages_in_a_row_not_each_is_followed_by_a_look_at_all_files(
    rehearsal, monkeypatch
) -> None:
    """Mutant: each look compares all files of the workspace."""
    found = rehearsal(job("nightly", "02:30"))
    compared = []

    def step(self):
        self.runner.look_soon(self.roots[0])
        return self.on(1)

    def stamp(root):
        compared.append(root)
        return stamp_below(root)

    monkeypatch.setattr(resident_runner, "stamp_below", stamp)
    found.step = step
    found.work(MONDAY + timedelta(minutes=3))

    assert 3 <= len(compared) <= 6
