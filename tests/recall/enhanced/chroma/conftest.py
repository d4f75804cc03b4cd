"""What needs the extra `enhanced` is collected where it is installed."""

from __future__ import annotations

import os
from importlib.util import find_spec

from clawgit.recall.embedders.embedder import QUIET

os.environ.update(QUIET)  # models run in the tests' own process, too
collect_ignore_glob = [] if find_spec("chromadb") else ["test_*.py"]
