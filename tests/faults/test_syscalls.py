"""P3."""

from __future__ import annotations

import shutil

import pytest

from clawgit.errors import ClawgitError

FAULTS = {"killed": "signal=SIGKILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
OP = "op-under-test"


@pytest.mark.parametrize("fault", FAULTS)
def test_explore(room, tracer, start, work, sound, durable_calls, tmp_path, fault):
    room.change({"memory/learned.md": "# Learned\n\n- one\n", "memory/old.md": "- gone soon\n"})
    files = {
        "memory/learned.md": "# Learned\n\n- one\n- two\n",
        "memory/new/note.md": "- new\n",
        "memory/old.md": None,
    }

    def copy(name):
        root = tmp_path / name
        shutil.copytree(room.root, root, symlinks=True)
        return root

    clean = copy("clean")
    said = tracer.run(start(work.change, clean, files, OP))
    calls = durable_calls(tracer.log, clean)
    print(said, len(calls))
    bad = []
    import time

    t = time.time()
    for i, call in enumerate(calls):
        root = copy(f"p{i}")
        said = tracer.inject(start(work.change, root, files, OP), call.name, call.number, FAULTS[fault])
        try:
            sound.fsck(root)
            acked = [c for c in said if isinstance(c, str)]
            errors = [c for c in said if isinstance(c, Exception)]
            n = sound.times(root, OP)
            assert all(isinstance(e, ClawgitError) for e in errors), errors
            if acked:
                assert n == 1
            if errors:
                assert n == 0, errors
                assert sound.git(root, "status", "--porcelain") == "", errors
                assert sound.leftovers(root) == []
            again = start(work.change, root, files, OP)
            again.go()
            said2 = again.said()
            assert [type(x) for x in said2] == [str], said2
            assert sound.times(root, OP) == 1
            assert (root / "memory/learned.md").read_text().count("- two") == 1
            sound.check(root)
        except AssertionError as e:
            bad.append((call.name, call.number, call.line[:150].replace(str(clean), "W"), str(e)[:300]))
        shutil.rmtree(root)
    print(time.time() - t, len(calls))
    for b in bad:
        print(b)
    print(len(bad), "bad")
