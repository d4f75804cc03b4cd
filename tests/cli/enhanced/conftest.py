"""What needs the extra `enhanced` is collected where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("chromadb") else ["test_*.py"]
