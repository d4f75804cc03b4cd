"""`clawgit runner once`: the real jobs, each as a process, at their times."""

from __future__ import annotations

import os
from datetime import datetime

import pytest

from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.agents.runner_output import slot_lines
from clawgit.cli.app import App
from clawgit.operations.status import ServiceState, folder_of
from clawgit.runner.jobs import JOBS
from clawgit.runner.run_due_jobs import run_due_jobs
from clawgit.service.daemon import OnlyService
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.records.records import RECORDS, open_records

NIGHT, MORNING = "2026-03-20T06:00:00+00:00", "2026-03-20T07:30:00+00:00"


WATCHED = ("recall-validator", "session-end", "memory-miner", "digest")


def watched(slots: list[dict[str, str]]) -> list[dict[str, str]]:
    """Leave out the other jobs: they have slots of their own, and tests of their own."""
    return [each for each in slots if each["job"] in WATCHED]


def pass_over_others(room, now: str) -> None:
    """Note the slots of the other jobs as done: each of them would be a process that nobody looks at."""
    at = datetime.fromisoformat(now)
    with open_records(room.history.state / RECORDS, at) as records:
        for job in JOBS:
            table = job.timetable(room.history.settings)
            if table is not None and job.name not in WATCHED:
                records.job_slots.note(
                    SlotNote(job.name, table.last(at), SlotState.DONE, at, at, 1, at, "nothing")
                )


@pytest.fixture
def once(clawgit, room):
    """Return a function that lets the runner look once, at a time; the first look was a day before."""

    def call(now: str) -> list[dict[str, str]]:
        pass_over_others(room, now)
        done = clawgit("--rehearse", "--now", now, "runner", "once", "--json")
        assert done.code == 0, done.err
        (workspace,) = done.data
        return watched(workspace["slots"])

    call("2026-03-19T10:22:00+00:00")
    return call


def said(clawgit, text: str, *, at: str = "2026-03-20T04:30") -> None:
    """Keep a message of the session that is going on at NIGHT."""
    now = ("--now", f"{at}:00+00:00") if at > "2026-03-19T11" else ()
    assert clawgit(*now, "chat", "add", text, "--at", at, "--id", "1").code == 0


@pytest.mark.rest
def test_the_miner_runs_at_its_time_and_once(clawgit, once, room) -> None:
    said(clawgit, "I prefer tea over coffee.")

    assert "memory-miner" not in [each["job"] for each in once("2026-03-20T05:59:00+00:00")]
    slots = {each["job"]: each for each in once(NIGHT)}
    after = room.head()

    assert (slots["memory-miner"]["slot"], slots["memory-miner"]["outcome"]) == ("2026-03-20", "applied")
    assert "I prefer tea over coffee." in room.read("MEMORY.md")
    assert room.git("log", "--format=%B").count("Clawgit-Slot: 2026-03-20T00:00+00:00") == 1
    assert once("2026-03-20T06:05:00+00:00") == []
    assert room.head() == after


@pytest.mark.rest
def test_the_validator_works_off_its_queue_at_each_look_without_waiting_for_the_night(
    clawgit, once, room
) -> None:
    clawgit(
        "--now", "2026-03-19T08:00:00+00:00", "memory", "add", "We deploy on Mondays.", "--to", "MEMORY.md"
    )
    told = ("chat", "add", "No, we deploy on Thursdays, not on Mondays.", "--at", "2026-03-19T09:00")
    clawgit("--now", "2026-03-19T10:24:00+00:00", *told)

    slots = once("2026-03-19T10:25:00+00:00")

    assert [(each["job"], each["outcome"]) for each in slots] == [("recall-validator", "applied")]
    assert "Thursdays" in room.read("CORRECTIONS.md")


@pytest.mark.rest
def test_a_run_that_linked_is_no_run_that_came_to_nothing(clawgit, once) -> None:
    """Mutant: the weightiest of its outcomes is looked for among some alone."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    late = ("--at", "2026-03-19T10:23")  # it comes an hour later, and is left to the job
    told = ("chat", "add", "The wifi at the studio is Albatros now.", *late)
    clawgit("--now", "2026-03-19T11:24:00+00:00", *told)

    (slot,) = once("2026-03-19T11:25:00+00:00")

    assert slot["outcome"] == "linked"
    assert "you said" in slot["reason"]


@pytest.mark.rest
def test_a_session_that_is_over_is_ended_and_not_asked_for_again(clawgit, once, room) -> None:
    """Mutants: only a host ends sessions; each look starts a process to find that it ended."""
    said(clawgit, "I prefer tea over coffee.", at="2026-03-19T09:00")

    assert [each["job"] for each in once("2026-03-20T03:59:00+00:00")] == ["recall-validator"]
    (slot,) = once("2026-03-20T04:00:00+00:00")
    now = ("--now", "2026-03-20T04:03:00+00:00")
    clawgit(*now, "chat", "add", "I like plums.", "--at", "2026-03-20T03:30", "--id", "2")
    read, late = once("2026-03-20T04:05:00+00:00")

    assert (slot["job"], late["job"], slot["state"]) == ("session-end", "session-end", "done")
    assert read["job"] == "recall-validator"
    assert "tea over coffee" in room.read("memory/2026-03-19-prefer-tea-coffee.md")
    assert once("2026-03-20T04:10:00+00:00") == once("2026-03-20T05:59:00+00:00") == []


@pytest.mark.rest
def test_a_session_that_was_silent_when_another_ended_ends_in_its_turn(clawgit, once) -> None:
    """Mutant: only what was said since the last ending is looked at."""
    clawgit("config", "set", "session_reset", "idle 2880")
    for talk, at in (("a", "2026-03-18T08:00"), ("b", "2026-03-19T09:00")):
        clawgit("chat", "add", "I prefer tea over coffee.", "--conversation", talk, "--at", at)

    ended = []
    for now in ("2026-03-20T08:01", "2026-03-20T08:02", "2026-03-21T09:01"):
        ended.append("session-end" in [each["job"] for each in once(f"{now}:00+00:00")])

    assert ended == [True, False, True]


@pytest.mark.rest
def test_a_session_that_the_runner_ended_is_the_runners_at_every_door(clawgit, once, room) -> None:
    """Mutant: the log names nobody, and a search names the host."""
    said(clawgit, "I prefer tea over coffee.", at="2026-03-19T09:00")
    once("2026-03-20T04:00:00+00:00")
    note = "memory/2026-03-19-prefer-tea-coffee.md"
    now = ("--now", "2026-03-20T05:00:00+00:00")

    (line,) = room.git(
        "log", "--format=%an %(trailers:key=Clawgit-Actor,valueonly,separator=)", "--", note
    ).splitlines()
    why = clawgit(*now, "why", "I prefer tea over coffee.", "--json").data
    results = clawgit(*now, "memory", "search", "tea over coffee", "--json").data["results"]
    trusts = {each["trust"] for each in results if each["path"] == note}

    assert line == "runner runner"
    assert {each["actor"] for each in why["wordings"]} == {"runner"}
    assert trusts == {why["trust"]} == {"operator"}
    assert clawgit(*now, "status", "--json").data["unclaimed"] == []


def test_what_a_run_did_is_told_and_jobs_with_nothing_to_do_are_not() -> None:
    """Mutant: a reason that says something is left out."""
    now = datetime.fromisoformat(NIGHT)

    def noted(job: str, outcome: str, reason: str = "") -> SlotNote:
        return SlotNote(job, now.date(), SlotState.DONE, now, now, 1, now, outcome, reason)

    links = 'linked: a "1", you said "no; 2" → one; linked: b "3", you said "4" → two'
    lines = slot_lines(
        [
            noted("recall-validator", "linked", links),
            noted("soul-keeper", "nothing"),
            noted(
                "memory-compactor",
                "nothing",
                "Nothing moves: `clawgit approve t-memory-compactor` allows it.",
            ),
            noted("decay-engine", "nothing", "There was nothing to work on."),
            noted("organizer", "applied"),
        ]
    )

    assert lines == [
        f"recall-validator 2026-03-20: linked ({links})",
        "memory-compactor 2026-03-20: nothing (Nothing moves: `clawgit approve t-memory-compactor` allows it.)",
        "organizer 2026-03-20: applied",
    ]


MONTHS_LATER = "2026-06-20T08:00:00+00:00"


@pytest.mark.rest
def test_a_catch_up_of_months_is_one_line_a_job(clawgit, once, room) -> None:
    """Mutant: a line for each slot that is made up for by another."""
    pass_over_others(room, MONTHS_LATER)

    out = clawgit("--rehearse", "--now", MONTHS_LATER, "runner", "once").out

    skipped = [line for line in out.splitlines() if "skipped" in line and "memory-miner" in line]
    assert skipped == ["memory-miner 2026-04-21 to 2026-06-19: skipped 60 times (A later run did its work.)"]
    assert sum("skipped" in line for line in out.splitlines() if line.startswith("digest ")) == 1


@pytest.mark.rest
def test_a_resident_runner_hears_of_a_catch_up_once_a_job(once, room) -> None:
    pass_over_others(room, MONTHS_LATER)
    environment = {"CLAWGIT_WORKSPACE": str(room.root), "CLAWGIT_NOW": MONTHS_LATER, "CLAWGIT_REHEARSE": "1"}
    heard: list[SlotNote] = []
    runner = runner_for(App(environment), room.history)._replace(told=heard.append)

    ran = run_due_jobs(room.history, runner)

    skipped = [note for note in heard if note.state is SlotState.SKIPPED and note.job == "memory-miner"]
    assert len([note for note in ran.notes if note.job == "memory-miner"]) > 60
    assert [note.reason for note in skipped] == [
        "A later run did its work. So it was with 59 more since 2026-04-21."
    ]


@pytest.mark.rest
def test_where_nothing_waits_no_process_is_started(clawgit, once, room, monkeypatch) -> None:
    """Mutant: the agent is started to find that there is nothing."""
    once(NIGHT)
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    (slot, *_) = once("2026-03-21T06:00:00+00:00")

    assert (slot["job"], slot["state"], slot["outcome"]) == ("memory-miner", "done", "nothing")


@pytest.mark.rest
def test_a_process_that_cannot_be_started_is_tried_three_times_and_is_told(
    clawgit, once, monkeypatch
) -> None:
    """Mutants: no pause between two attempts; a fourth one."""
    said(clawgit, "I prefer tea over coffee.")
    once("2026-03-20T05:00:00+00:00")
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    times = ("06:00:00", "06:00:59", "06:01:00", "06:05:59", "06:06:00", "06:31:00", "07:00:00")
    found = {time: once(f"2026-03-20T{time}+00:00") for time in times}

    mined = ((time, each) for time, slots in found.items() for each in slots if each["job"] == "memory-miner")
    attempts = {time: each["attempt"] for time, each in mined}
    assert attempts == {"06:00:00": 1, "06:01:00": 2, "06:06:00": 3}
    assert found["06:06:00"][0]["reason"] == "It could not be started (No such file or directory)."


@pytest.mark.rest
def test_while_the_agents_are_paused_no_attempt_is_spent(clawgit, once, room) -> None:
    said(clawgit, "I prefer tea over coffee.")
    clawgit("pause", "Looking.")
    assert once(NIGHT) == []
    clawgit("resume")

    jobs = [each["job"] for each in once("2026-03-20T07:00:00+00:00")]

    assert jobs == ["recall-validator", "memory-miner"]


@pytest.mark.rest
def test_after_four_days_off_each_job_runs_once_and_what_was_missed_is_noted(clawgit, once, room) -> None:
    once(NIGHT)
    said(clawgit, "I prefer tea over coffee.")

    slots = [each for each in once("2026-03-24T07:00:00+00:00") if each["job"] == "memory-miner"]

    assert [(each["slot"], each["state"]) for each in slots] == [
        ("2026-03-21", "skipped"),
        ("2026-03-22", "skipped"),
        ("2026-03-23", "skipped"),
        ("2026-03-24", "done"),
    ]
    assert slots[-1]["outcome"] == "applied"


@pytest.mark.rest
def test_what_a_night_learned_is_told_in_the_morning_after_a_day_off(clawgit, once, room) -> None:
    """Mutant: the digest of the day before is sent in the night with what the night learned, and the morning is silent."""
    once(MORNING)
    said(clawgit, "I prefer tea over coffee.")

    night = {each["job"]: each["state"] for each in once("2026-03-22T02:30:00+00:00")}
    sent = room.history.state / "digests"
    in_the_night = sorted(sent.glob("*.md"))
    once("2026-03-22T07:30:00+00:00")

    assert (night["memory-miner"], night["digest"]) == ("done", "skipped")
    assert in_the_night == sorted(sent.glob("2026-03-20.md"))
    assert "I prefer tea over coffee." in (sent / "2026-03-22.md").read_text()


@pytest.mark.rest
def test_every_registered_workspace_is_looked_at_and_a_broken_one_hurts_no_other(
    clawgit, once, room, tmp_path
) -> None:
    """Mutant: the first that cannot be opened ends the command."""
    said(clawgit, "I prefer tea over coffee.")
    broken = tmp_path / "broken"
    assert clawgit("init", str(broken)).code == 0
    for name, root in (("broken", broken), ("good", room.root)):
        assert clawgit("workspaces", "add", name, str(root)).code == 0
    (broken / ".git/HEAD").unlink()
    pass_over_others(room, NIGHT)

    done = clawgit("--rehearse", "--now", NIGHT, "runner", "once", "--all", "--json")

    told = {each["workspace"]: each for each in done.data}
    assert done.code == 0
    assert told[str(broken)]["problem"]
    jobs = [each["job"] for each in watched(told[str(room.root)]["slots"])]
    assert jobs == ["recall-validator", "memory-miner"]


def test_a_job_cannot_do_what_only_the_operator_may(clawgit, room) -> None:
    """Mutant: a job's process has the runner's own environment and is the operator."""
    runner = runner_for(App({"CLAWGIT_WORKSPACE": str(room.root)}), room.history)

    assert runner.start("memory-miner", ("run",), 9)[1]["CLAWGIT_ACTOR"] == "memory-miner"
    assert runner.start("digest", ("digest",), 9)[1]["CLAWGIT_ACTOR"] == "runner"


@pytest.mark.rest
def test_a_job_of_a_runner_in_a_hosts_shell_is_its_agents(clawgit, once, room, monkeypatch) -> None:
    """Mutant: the job has the shell's sign, and so it is the host's."""
    monkeypatch.setenv("CLAUDECODE", "1")
    said(clawgit, "I prefer tea over coffee.")

    once(NIGHT)

    assert "memory-miner" in room.actors()


@pytest.mark.rest
def test_the_status_says_when_each_job_ran_and_is_due_and_is_well(clawgit, once) -> None:
    said(clawgit, "I prefer tea over coffee.")
    once("2026-03-20T06:00:00+00:00")
    later = ("--rehearse", "--now", "2026-03-20T06:30:00+00:00")

    told, short = clawgit(*later, "runner", "status"), clawgit(*later, "status")
    (data,) = clawgit(*later, "runner", "status", "--json").data

    assert told.code == 0
    assert "memory-miner: 2026-03-20: applied; next 2026-03-21 06:00" in told.out
    assert (
        "  next job: conflict-detector at 2026-03-20 07:00 where `clawgit up` or a timer runs"
        in short.out.splitlines()
    )
    jobs = {each["job"]: each for each in data["jobs"]}
    assert jobs["memory-miner"]["next"] == "2026-03-21T06:00:00+00:00"
    assert (data["troubles"], data["proposals"], data["clock_ahead"]) == ([], 0, [])


def test_where_no_runner_was_ever_the_status_says_so_and_is_well(clawgit) -> None:
    told = clawgit("runner", "status")

    assert told.code == 0
    assert "The runner was never here" in told.out
    assert clawgit("status", "--json").data["runner"] is None


@pytest.mark.rest
def test_a_job_that_failed_three_times_needs_a_person_until_it_goes_well(clawgit, once, monkeypatch) -> None:
    """Mutants: a failure is forgotten with its slot; the digest is silent about it."""
    said(clawgit, "I prefer tea over coffee.")
    once("2026-03-20T05:00:00+00:00")
    with monkeypatch.context() as broken:
        broken.setattr("sys.executable", "/nowhere/python")
        for minutes in ("00", "01", "06"):
            once(f"2026-03-20T06:{minutes}:00+00:00")
    later = ("--rehearse", "--now", "2026-03-20T07:00:00+00:00")
    told, short = clawgit(*later, "runner", "status"), clawgit(*later, "status")
    digest = clawgit(*later, "digest").out
    once("2026-03-21T06:00:00+00:00")

    trouble = (
        "! memory-miner failed 3 times on 2026-03-20: It could not be started (No such file or directory)."
    )
    assert told.code == 1
    assert trouble in told.out
    assert trouble in short.out
    assert "## Jobs that failed" in digest
    assert trouble.removeprefix("! ") in digest
    assert clawgit("--rehearse", "--now", "2026-03-21T06:30:00+00:00", "runner", "status").code == 0


@pytest.mark.rest
def test_jobs_that_nobody_calls_need_a_person(clawgit, once) -> None:
    """Mutant: lateness is counted from the newest slot, which is never old."""
    once(NIGHT)

    well = clawgit("--rehearse", "--now", "2026-03-22T06:00:00+00:00", "runner", "status")
    later = ("--rehearse", "--now", "2026-03-24T07:00:00+00:00")
    told, short = clawgit(*later, "runner", "status"), clawgit(*later, "status")

    assert (well.code, told.code) == (0, 1)
    assert "memory-miner is late by 3 days" in told.out
    assert short.out.count("late by 3 days") == 1, "jobs in the same trouble are one line"


def test_a_registered_workspace_in_which_no_job_ever_ran_needs_a_person(clawgit, room) -> None:
    """Seen: exit code 0 for weeks where the service was killed before its first night."""
    soon, later = ("2026-03-21T06:00:00+00:00", "2026-03-24T06:00:00+00:00")
    said(clawgit, "I prefer tea over coffee.")
    unregistered = clawgit("--rehearse", "--now", later, "runner", "status")
    clawgit("workspaces", "add", "mine", str(room.root))

    well, told = (clawgit("--rehearse", "--now", now, "runner", "status", "--all") for now in (soon, later))

    assert (unregistered.code, well.code, told.code) == (0, 0, 1)
    assert "! memory-miner is late by 4 days: no runner is there" in told.out


@pytest.mark.rest
def test_a_digest_does_not_say_of_itself_that_it_is_late(clawgit, once, room) -> None:
    """Seen: "digest is late by 2 days: no runner is there" in the digest that the runner made, after days off."""
    once("2026-03-20T08:00:00+00:00")
    said(clawgit, "I prefer tea over coffee.", at="2026-03-24T05:00")
    once("2026-03-24T08:00:00+00:00")

    digest = (room.history.state / "digests/2026-03-24.md").read_text()

    assert "tea" in digest
    assert "is late" not in digest


@pytest.mark.rest
def test_slots_of_a_clock_that_was_ahead_are_told_and_stop_nothing(clawgit, once) -> None:
    once("2026-03-23T06:00:00+00:00")
    now = ("--rehearse", "--now", "2026-03-20T06:30:00+00:00")

    told = clawgit(*now, "runner", "status")
    (status,) = clawgit(*now, "runner", "status", "--json").data

    assert "are noted for a time to come" in told.out
    assert "skipped" not in {each["state"] for each in status["clock_ahead"]}, "those run again"
    assert [each["slot"] for each in once("2026-03-20T06:30:00+00:00")] == ["2026-03-20"]


def test_status_of_all_workspaces_names_the_one_that_cannot_be_read(clawgit, once, room, tmp_path) -> None:
    clawgit("workspaces", "add", "good", str(room.root))
    broken = tmp_path / "broken"
    clawgit("init", str(broken))
    clawgit("workspaces", "add", "broken", str(broken))
    (broken / ".git/HEAD").unlink()

    told = clawgit("runner", "status", "--all")

    assert told.code == 1
    assert str(broken) in told.out
    assert str(room.root) in told.out


@pytest.mark.rest
def test_what_is_not_to_be_remembered_is_deleted_though_nobody_speaks(clawgit, once, room) -> None:
    """Mutant: only whoever speaks, or a session that ends, deletes it."""
    clawgit("config", "set", "session_reset", "never")
    said(clawgit, "Please don't remember this: my locker code is 4711.")
    store = room.root / ".git/clawgit/messages.db"

    once("2026-03-20T23:00:00+00:00")
    kept = clawgit("chat", "stats", "--json").data["messages"]
    once("2026-03-21T05:00:00+00:00")

    assert kept == 1
    assert not any(b"locker" in path.read_bytes() for path in store.parent.glob("messages.db*"))


@pytest.mark.rest
def test_of_a_model_that_fails_rules_do_the_work_in_the_same_slot(clawgit, once, room, tmp_path) -> None:
    """Mutants: the slot is tried again though memory has it; what the model did is not told."""
    program = tmp_path / "model"
    program.write_text("#!/bin/sh\necho nothing\n")
    program.chmod(0o755)
    clawgit("config", "set", "model", f"command {program}")
    clawgit("approve", "model")
    said(clawgit, "I prefer tea over coffee.")

    slot = {each["job"]: each for each in once(NIGHT)}["memory-miner"]

    assert (slot["state"], slot["attempt"], slot["outcome"]) == ("done", 1, "applied")
    assert clawgit("runs", "--json").data[0]["reason"].startswith("Rules did it: ")
    assert "tea" in room.read("MEMORY.md")
    assert once("2026-03-20T06:02:00+00:00") == []


def test_the_status_has_the_resident_runner_and_the_age_of_the_last_backup(clawgit, once, tmp_path) -> None:
    """Mutant: one that hangs counts as well."""
    at = "2026-03-20T08:00:00+00:00"
    clawgit("--rehearse", "--now", "2026-03-20T06:00:00+00:00", "backup", str(tmp_path / "a.backup"))
    later = ("--rehearse", "--now", "2026-03-20T08:05:00+00:00", "runner", "status")
    home = {"HOME": os.environ["HOME"]}
    before = clawgit(*later, environment=home)
    OnlyService(folder_of(os.environ)).take(ServiceState(os.getpid(), at, "1", jobs_seen=at))
    told = clawgit(*later, environment=home)
    (data,) = clawgit(*later, "--json", environment=home).data
    much_later = ("--rehearse", "--now", "2026-03-20T08:30:00+00:00", "runner", "status")
    hanging = clawgit(*much_later, environment=home)

    assert (before.code, told.code, hanging.code) == (0, 0, 1)
    assert "is at work" not in before.out
    assert told.out.startswith(f"`clawgit up` is at work (process {os.getpid()}, since 2026-03-20 08:00).")
    assert data["resident"] == {
        "pid": os.getpid(),
        "since": at,
        "version": "1",
        "seen": at,
        "is_there": True,
        "hangs": False,
    }
    assert data["backup"]["age_seconds"] == 125 * 60
    assert "has stopped since 2026-03-20 08:00" in hanging.out


@pytest.mark.rest
def test_a_config_that_is_garbage_for_a_while_keeps_the_times_that_were_good_last(
    clawgit, once, room
) -> None:
    """Mutants: a file that cannot be read stops the jobs; the defaults come into force; the good one never comes back."""
    before = room.read("CONFIG.md")
    clawgit("config", "set", "cron_memory_miner", "02:30")
    good = room.read("CONFIG.md")
    assert good != before
    said(clawgit, "I prefer tea over coffee.")
    for text in (
        "```yaml\ncron_memory_miner: [oops\n",
        "```yaml\ncron_memory_miner: 25:99\n```\n",
    ):
        room.write("CONFIG.md", text)
        room.git("commit", "-qam", "garbage")
    (night, *_) = [each for each in once("2026-03-20T02:30:00+00:00") if each["job"] == "memory-miner"]
    room.write("CONFIG.md", good.replace("02:30", "03:30"))
    room.git("commit", "-qam", "good again")
    said(clawgit, "I like plums.")

    jobs = {
        time: [each["job"] for each in once(f"2026-03-21T{time}:00+00:00")] for time in ("02:45", "03:30")
    }

    assert (night["due"], night["outcome"]) == ("2026-03-20T02:30:00+00:00", "applied")
    assert "memory-miner" not in jobs["02:45"]
    assert "memory-miner" in jobs["03:30"]


def test_a_workspace_that_cannot_be_looked_at_is_no_day_without_work(clawgit) -> None:
    """Mutant: `There was nothing to do.` stands on stdout, and 0 says that all is well."""
    done = clawgit(
        "--now", "2098-03-19T10:22:00+00:00", "runner", "once", environment={"CLAWGIT_REHEARSE": ""}
    )

    assert (done.code, done.out) == (1, "")
    assert "ahead of the clock" in done.err
