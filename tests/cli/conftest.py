"""What is collected where the extra `enhanced` is not installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = ["test_without_extra.py"] if find_spec("chromadb") else []
