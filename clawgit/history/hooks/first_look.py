"""A first look at a commit: whether the guards have nothing to say, found out without what only a finding needs.

The guards are the same ones, over the same files and the same message. libgit2, the settings' history and the words
to a person are not loaded. Whatever a guard finds, and whatever is not as usual, is left to the whole check, which
decides and speaks.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, host_sign
from clawgit.history.hooks.hook_call import read_call, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clawgit.history.hooks.hook_call import HookCall

    Look = Callable[["HookCall", str, Sequence[str], Mapping[str, str]], bool]

_LOOKS = {
    "pre-commit": "staged_look:may_commit",
    "pre-merge-commit": "staged_look:may_commit",
    "commit-msg": "message_look:may_say",
}
KNOWN_FORMAT = 1


def has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    """Say whether the checks of the hook ``name`` would let git go on without a word.

    False where that is not sure: something is damaged, cannot be read or is not as usual.
    """
    try:
        return _has_nothing_to_say(name, arguments, environment, root)
    except (ClawgitError, OSError):
        return False


def _has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    if environment.get(ACTOR_VARIABLE, "operator") != "operator" or host_sign(environment):
        return False
    if environment.get("CLAWGIT_OVERRIDE"):
        return False
    call = read_call(environment, root)
    if call is None or name not in _LOOKS:
        return False
    folder = os.path.join(
        call.git_folder, (text_of(os.path.join(call.git_folder, "commondir")) or "").strip()
    )
    version = text_of(os.path.join(folder, "clawgit/format"))
    if version is None:
        return True  # no workspace: nothing here is clawgit's
    if version.strip() != str(KNOWN_FORMAT):
        return False
    module, _, function = _LOOKS[name].partition(":")
    look: Look = getattr(import_module(f"{__package__}.{module}"), function)
    return look(call, folder, arguments, environment)
