"""What is logged: every event, in files of bounded size, whatever the disk does."""

from __future__ import annotations

import resource
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.service.service_log import KEPT, LOG, MOST_BYTES, Event, ServiceLog, read_log


def texts(folder) -> list[str]:
    return [said["text"] for said in read_log(folder)]


def test_what_is_written_is_read_in_order(tmp_path) -> None:
    log = ServiceLog(tmp_path)
    for number in range(3):
        log.write(Event("note", f"line\n{number}", "/ws"))

    assert texts(tmp_path) == ["line\n0", "line\n1", "line\n2"]
    assert (tmp_path / LOG).read_bytes().count(b"\n") == 3
    assert (tmp_path / LOG).stat().st_mode & 0o777 == 0o600


def test_only_what_came_since_is_read(tmp_path) -> None:
    log, moment = ServiceLog(tmp_path), datetime(2026, 3, 19, 10, tzinfo=UTC)
    log.write(Event("note", "before", at=moment - timedelta(seconds=1)))
    log.write(Event("note", "after", at=moment))

    assert [said["text"] for said in read_log(tmp_path, moment)] == ["after"]


def test_a_secret_is_masked(tmp_path) -> None:
    ServiceLog(tmp_path).write(Event("note", "password: tiger777"))

    assert "tiger777" not in (tmp_path / LOG).read_text()


@pytest.mark.rest
def test_its_files_do_not_grow_for_ever(tmp_path) -> None:
    """Mutant: nothing is rotated."""
    log = ServiceLog(tmp_path)
    for number in range(6 * MOST_BYTES // 60_000):
        log.write(Event("note", f"{number} {'x' * 60_000}"))

    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) <= KEPT + 1
    assert max(sizes) <= MOST_BYTES + 61_000
    numbers = [int(text.split()[0]) for text in texts(tmp_path)]
    assert numbers == list(range(numbers[0], numbers[-1] + 1)), "the oldest go first, and none between"


def test_a_damaged_line_is_passed_over(tmp_path) -> None:
    log = ServiceLog(tmp_path)
    log.write(Event("note", "one"))
    with (tmp_path / LOG).open("ab") as file:
        file.write(b'{"at": "2026-03\n\xff\xfe\n[]\n{"at": 7}\n')
    log.write(Event("note", "two"))

    assert texts(tmp_path) == ["one", "two"]


def test_what_a_full_disk_left_out_is_counted(tmp_path, monkeypatch) -> None:
    """Mutant: the error is raised."""
    log = ServiceLog(tmp_path)
    log.write(Event("note", "before"))
    (tmp_path / LOG).rename(tmp_path / "aside")
    (tmp_path / LOG).mkdir()  # nothing can be written there
    for _ in range(3):
        log.write(Event("note", "lost"))
    (tmp_path / LOG).rmdir()
    (tmp_path / "aside").rename(tmp_path / LOG)

    log.write(Event("note", "after"))

    assert texts(tmp_path) == ["before", "3 events before this one could not be written.", "after"]


def test_half_a_line_that_still_fitted_spoils_no_other(tmp_path) -> None:
    """Mutant: it stays."""
    log = ServiceLog(tmp_path)
    log.write(Event("note", "before"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / LOG).stat().st_size + 20, hard))
    try:
        log.write(Event("note", "lost"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    log.write(Event("note", "after"))

    assert texts(tmp_path) == ["before", "1 events before this one could not be written.", "after"]
