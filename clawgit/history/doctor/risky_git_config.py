"""What in a repository can run programs or send data elsewhere, until the operator trusts it.

git obeys `.git/config` and the hooks; a copied folder brings both along. clawgit's own git commands read neither. All
that is not known to be harmless counts.
"""

from __future__ import annotations

import os
import re
import sys
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.hooks import install
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.history.git.repository import History

_SAMPLE = ".sample"

# Settings that describe a repository, name people and branches, or choose between git's own ways.
_CORE = """
repositoryformatversion filemode bare logallrefupdates ignorecase symlinks precomposeunicode autocrlf eol
safecrlf quotepath abbrev commentchar compression loosecompression bigfilethreshold fsync fsyncmethod
fsyncobjectfiles untrackedcache splitindex sparsecheckout sparsecheckoutcone commitgraph multipackindex
checkstat trustctime preloadindex sharedrepository protecthfs protectntfs excludesfile whitespace worktree
"""
_OTHERS = """
extensions.worktreeconfig extensions.preciousobjects extensions.relativeworktrees extensions.noop
user.name user.email user.useconfigonly user.signingkey branch.sort remote.pushdefault push.default
push.autosetupremote push.followtags push.gpgsign pull.rebase pull.ff fetch.prune fetch.prunetags
fetch.fsckobjects fetch.writecommitgraph fetch.parallel transfer.fsckobjects receive.fsckobjects merge.ff
merge.conflictstyle merge.renames merge.stat merge.log merge.branchdesc rebase.autostash
rebase.autosquash rebase.updaterefs rerere.enabled rerere.autoupdate diff.algorithm diff.renames
diff.mnemonicprefix diff.noprefix diff.colormoved diff.context index.version index.threads index.skiphash
index.sparse feature.manyfiles feature.experimental commit.gpgsign commit.verbose commit.cleanup
commit.status tag.gpgsign tag.sort gpg.format init.defaultbranch gc.auto gc.autopacklimit gc.autodetach
gc.writecommitgraph maintenance.auto maintenance.strategy pack.threads pack.windowmemory submodule.active
submodule.recurse lfs.repositoryformatversion
"""
_PATTERNS = """
author.* committer.* branch.*.remote branch.*.merge branch.*.rebase branch.*.pushremote
branch.*.description branch.auto* remote.*.fetch remote.*.push remote.*.tagopt remote.*.prune
remote.*.mirror color.* column.* advice.* status.* log.* i18n.*
"""
_NAMES = [*(f"core.{name}" for name in _CORE.split()), *_OTHERS.split()]
_PLAIN_URL = lazy_pattern(
    r"(?:https?|ssh|git|file)://[^-].*|(?:[\w.-]+@)?[\w.-]+:(?!:|//)[^-].*|[./~\w][^:]*", re.DOTALL
)
_ADDRESS = lazy_pattern(r"remote\..*\.(?:url|pushurl)")
_ON_OR_OFF = {"core.fsmonitor", "core.usebuiltinfsmonitor"}


class Strange(NamedTuple):
    """A setting, a hook or a program, and the digest of its content."""

    kind: str
    name: str
    digest: str


def strange_things(history: History, trusted: Collection[str] = ()) -> list[Strange]:
    """Return what is neither harmless nor among the ``trusted`` digests."""
    things = _hooks(history)
    for name, value in history.own_settings():  # not the user's own settings
        is_harmless = name in _NAMES or any(fnmatchcase(name, pattern) for pattern in _PATTERNS.split())
        if _ADDRESS.fullmatch(name):
            is_harmless = _PLAIN_URL.fullmatch(value) is not None
        elif name == install.DRIVER:
            is_harmless = value == install.DRIVER_COMMAND  # its program is checked by itself
        elif name in _ON_OR_OFF:
            is_harmless = value.lower() in ("true", "false")
        if not is_harmless:
            things.append(_strange("setting", name, value))
    program = install.interpreter_of(history)
    if program not in ("", sys.executable):  # the copy of a workspace names the Python that runs here already
        things.append(_strange("program", install.INTERPRETER, program))
    return [thing for thing in dict.fromkeys(things) if thing.digest not in trusted]


def _strange(kind: str, name: str, reads: str) -> Strange:
    digested = "\0".join((kind, name, reads)).encode("utf-8", "surrogateescape")
    return Strange(kind, name, sha256(digested).hexdigest())


def _hooks(history: History) -> list[Strange]:
    try:
        folder = install.hooks_place(history).folder
        paths = sorted(folder.iterdir())
    except (install.HooksPathError, OSError):
        return []
    hooks = []
    for path in paths:
        is_run = path.suffix != _SAMPLE and path.is_file() and os.access(path, os.X_OK)
        if is_run and install.kind_of(path) != "ours":
            hooks.append(_strange("hook", path.name.removesuffix(install.KEPT), install.fingerprint(path)))
    return hooks
