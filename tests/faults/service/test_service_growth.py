"""What has been asked leaves nothing behind: no files, no threads, no memory that grows with the number of requests."""

from __future__ import annotations

from pathlib import Path

from running_service import until

FEW = 10  # what comes and goes by itself; a request that left something would have left hundreds
HERE = {"workspace": "main", "actor": "host"}


def held(pid: int) -> tuple[int, int]:
    """Return how many files a process has open, and how many threads."""
    process = Path("/proc") / str(pid)
    return len(list((process / "fd").iterdir())), len(list((process / "task").iterdir()))


def memory(pid: int) -> int:
    """Return a process's memory in kB."""
    lines = (Path("/proc") / str(pid) / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def asked(client, times: int) -> None:
    for number in range(times):
        client.ask("triage", **HERE, text=f"Don't forget: {number}.")
        client.ask("memory.search", **HERE, query=f"tea {number}")
        client.ask("memory.get", **HERE, path="MEMORY.md")
        client.ask("nothing.such", **HERE)
        client.send(b"no JSON\n")
        client.line()


def test_many_requests_leave_nothing_behind(start_service, room, full_length) -> None:
    """Mutant: each request opens the workspace and leaves it open."""
    running = start_service()
    client = running.client()
    asked(client, 60)  # all threads of the service are there
    before, size = held(running.pid), memory(running.pid)

    asked(client, 3000 if full_length else 150)

    until(lambda: all(now < was + FEW for now, was in zip(held(running.pid), before, strict=True)))
    assert memory(running.pid) < size + 20_000
