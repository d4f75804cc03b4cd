"""`python -m benchmarks.quarter`: a quarter of nights, what is wrong in the end, and how long a night takes."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

from benchmarks.quarter.gullible import Gullible, gullible_askers
from benchmarks.quarter.play import BEGIN, Quarter
from benchmarks.quarter.script import NIGHTS
from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history


def main() -> None:
    """Print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        adopt(root, BEGIN)
        played = Quarter(open_history(root))
        began = time.perf_counter()
        played.play()
        print(f"{played.nights} nights in {time.perf_counter() - began:.1f} s")
        print(dict(Counter(note.outcome.value for note in played.runs)), f"{played.proposals} approved")
        print(f"wrong on a morning: {len(played.wrong)}", *played.wrong[:20], sep="\n  ")
        print("lines without a why:", played.lines_without_why())
        _with_a_gullible_model(root.with_name("gullible"))
        shutil.copytree(root, root.with_name("again"), symlinks=True)
        print("the last ten changes undone, not as before:", played.undo_last(10))
        played.history = open_history(root.with_name("again"))
        print("ten changes at random undone, wrong lines:", played.undo_some(10))


def _with_a_gullible_model(root: Path) -> None:
    """Play the same with a model that obeys whatever it reads: nothing of that may come through."""
    adopt(root, BEGIN)
    history, model = open_history(root), Gullible()
    end = BEGIN + timedelta(days=NIGHTS)
    played = Quarter(history, askers=gullible_askers(history, model, lambda: end))
    played.play()
    outcomes = dict(Counter(note.outcome.value for note in played.runs))
    print(
        f"with a model that obeys everything: asked {model.asked} times, {outcomes}, wrong: {len(played.wrong)}"
    )
    print(*played.wrong[:10], sep="\n  ")


if __name__ == "__main__":
    main()
