from __future__ import annotations

import subprocess
import sys

# an installation without the extra `http`
RUN = "import sys; sys.modules.update(starlette=None, uvicorn=None); sys.argv[0] = 'clawgit'; from clawgit.__main__ import program; program()"


def test_without_the_extra_it_says_what_to_install(tmp_path) -> None:
    """Seen: only the command for a package index, where clawgit was installed from a folder."""
    words = [sys.executable, "-c", RUN, "up", str(tmp_path / "agent"), "--http", "0"]

    ended = subprocess.run(words, capture_output=True, text=True, check=False)

    assert 'pip install "clawgit[http]"' in ended.stderr
    assert 'in a checkout `pip install ".[http]"`' in ended.stderr
    assert "bug" not in ended.stderr
