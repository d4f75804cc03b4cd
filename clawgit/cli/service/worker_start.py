"""How the process that does commands is started where the one that the service forked was ended: it loads all first."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Be that process, in the folder of this account's service; its pipe and its line for jobs are open."""
    from clawgit.cli.agents.job_start import job_program
    from clawgit.cli.agents.job_start import main as be_job
    from clawgit.cli.service.methods import plain_environment
    from clawgit.cli.service.workings import run_here, warm_up
    from clawgit.client import service_folder
    from clawgit.service.command_worker import be_worker
    from clawgit.service.warm_jobs import WarmJobs

    waiting, asked = map(int, arguments)
    for number in (waiting, asked):
        os.set_inheritable(number, False)
    folder, jobs = Path(service_folder(os.environ)), WarmJobs(be_job, len(job_program()))
    jobs.take(asked)
    warm_up(folder, plain_environment(os.environ))
    be_worker(folder, waiting, run_here, jobs)


if __name__ == "__main__":
    main(sys.argv[1:])
