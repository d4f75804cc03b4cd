"""How well `memory search` finds the lines that answer: `python -m benchmarks.retrieval locomo.json`."""
