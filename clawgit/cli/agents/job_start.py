"""The start of a job's process: it takes over the runner's lock, limits itself, and becomes a command.

The limits hold even if the runner that started it is gone.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.cli.app import App
    from clawgit.history.git.repository import History
    from clawgit.runner.run_due_jobs import Runner

NICE = 10
MEMORY = 4 * 1024**3  # bytes of addresses
MORE_SECONDS = 30  # seconds more, until a job ends by itself after its runner was killed


def runner_for(app: App, history: History) -> Runner:
    """Return the runner of a workspace's jobs: each job is this program, as its agent."""
    from clawgit.history.authorship.actors import RUNNER
    from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, BEGUN_BY_HOST, host_sign, without_signs
    from clawgit.runner.job_process import JobLimits
    from clawgit.runner.run_due_jobs import Runner
    from clawgit.workspace.layout import AGENT_NAMES

    limits = JobLimits()
    most = limits.seconds + limits.grace + MORE_SECONDS

    def start(job: str, words: Sequence[str], handle: int) -> tuple[Sequence[str], Mapping[str, str]]:
        # the actor of a job is its agent, not the host that may have started the runner
        environment = without_signs({**os.environ, **app.environment})
        if host_sign({**os.environ, **app.environment}):
            environment[BEGUN_BY_HOST] = "1"
        environment[ACTOR_VARIABLE] = job if job in AGENT_NAMES else RUNNER
        rehearsed = app.now_text or environment.get("CLAWGIT_NOW")
        if rehearsed:
            environment["CLAWGIT_NOW"] = rehearsed
        if app.rehearse:
            environment["CLAWGIT_REHEARSE"] = "1"
        return [*job_arguments(handle, most), "-w", str(history.root), *words], environment

    return Runner(lambda: app.now(history), start, limits, steady=app.steady)


def job_arguments(handle: int, seconds: float) -> list[str]:
    return [sys.executable, "-P", "-m", __name__, str(handle), str(int(seconds))]


def main(arguments: list[str]) -> None:
    handle, seconds, *words = arguments
    os.set_inheritable(int(handle), False)  # child processes do not inherit it
    signal.alarm(int(seconds))
    os.nice(NICE)
    with suppress(ValueError, OSError):  # macOS has no such limit
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    from clawgit.cli.main import run

    sys.exit(run(words, dict(os.environ)))


if __name__ == "__main__":
    main(sys.argv[1:])
