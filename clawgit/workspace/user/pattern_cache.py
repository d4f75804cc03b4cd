"""The user's cache of compiled expressions: compiling one command's takes up to half of its time.

One file for all workspaces, named after its Python. It is derived: it can be deleted at any time.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit import __version__
from clawgit.text.lazy_pattern import MADE_BY, compiled_here, kept_forms, use_kept
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    from clawgit.text.lazy_pattern import Form, Key

FILE = f"patterns-{sys.implementation.cache_tag}"
# There are some hundred expressions; a larger number has those of older versions.
_MOST = 1_500
# Characters of expressions that are worth a file: about a millisecond to compile.
_WORTH_KEEPING = 1_000

_read: dict[Key, Form] = {}


def revive_patterns() -> None:
    """Use the expressions that an earlier command compiled."""
    compiled_here.clear()  # of an earlier command in the same process
    try:
        with (cache_folder() / FILE).open("rb") as file:
            status = os.fstat(file.fileno())
            if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or status.st_uid not in (os.geteuid(), 0):
                return
            version, made_by, forms = marshal.loads(file.read())
        if version == __version__ and use_kept(forms, made_by):
            _read.update(forms)
    except (OSError, EOFError, RuntimeError, TypeError, ValueError):  # RuntimeError: without a home folder
        return


def keep_patterns() -> None:
    """Add newly compiled expressions to the cache if they are many; ignores a full disk."""
    if sum(len(text) for text, _ in compiled_here) < _WORTH_KEEPING:
        return
    forms = kept_forms(compiled_here)
    compiled_here.clear()
    if len(_read) + len(forms) <= _MOST:
        forms = {**_read, **forms}
    with suppress(OSError, RuntimeError):
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = marshal.dumps((__version__, MADE_BY, forms))
        write_file(folder, FILE, FileContent(data), fsync=False)
