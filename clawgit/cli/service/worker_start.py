"""How the process that does commands is started where the one that the service forked was ended: it loads all first."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(waiting: int) -> None:
    """Be that process, in the folder of this account's service; its pipe is open."""
    from clawgit.cli.service.methods import plain_environment
    from clawgit.cli.service.workings import run_here, warm_up
    from clawgit.client import service_folder
    from clawgit.service.command_server import be_worker

    os.set_inheritable(waiting, False)
    folder = Path(service_folder(os.environ))
    warm_up(folder, plain_environment(os.environ))
    be_worker(folder, waiting, run_here)


if __name__ == "__main__":
    main(int(sys.argv[1]))
