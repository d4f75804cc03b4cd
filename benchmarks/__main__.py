"""`make bench`."""

from __future__ import annotations

import argparse
import os
import platform
from datetime import UTC, datetime

from benchmarks.chat import chat
from benchmarks.corrections import corrections
from benchmarks.guards import guards
from benchmarks.long_history import long_history
from benchmarks.many_workspaces import many_workspaces
from benchmarks.moments.judge import moments
from benchmarks.one_change import one_change
from benchmarks.page_speed import page_speed
from benchmarks.search_speed import search_speed
from benchmarks.service_speed import service_speed
from benchmarks.start_up import start_up
from benchmarks.triage import triage_quality, triage_speed

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--messages", help="labelled messages for triage, as JSON")
    parser.add_argument("--talk", help="conversations between people (LoCoMo), as JSON")
    files = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # start-up would be the time that compiling takes
    print(f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}")
    one_change()
    start_up()
    guards()
    long_history()
    triage_quality(files.messages, files.talk)
    triage_speed()
    chat()
    search_speed()
    service_speed()
    page_speed()
    corrections()
    many_workspaces()
    moments()
