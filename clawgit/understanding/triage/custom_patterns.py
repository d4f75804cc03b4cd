"""The operator's own patterns: read from `heartbeat_custom_patterns`, run by RE2, which no pattern can make hang.

An item is a pattern with its flags and its route: ``/invoice \\d+/i -> accounting``. Without slashes the
whole item is the pattern, in any case, for the miner.
"""

from __future__ import annotations

from clawgit.text.lazy_pattern import Lazy
from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

MAX_PATTERNS = 100
MAX_LENGTH = 500
# RE2 takes about a nanosecond for each byte and each step of the program, in the worst case.
MAX_STEPS, MAX_STEPS_TOGETHER, MAX_BYTES = 1000, 50_000, 16 * 1024
_HEAD = MAX_BYTES * 3 // 4
_WRITTEN = Lazy(
    r"/(?P<pattern>.+)/(?P<flags>[a-z]*)(?:\s*(?:->|=>|:)?\s*(?P<route>[\w.-]{1,40}))?", flags="s"
)
_FLAGS = {"i", "s", "m"}
_ROUTES = {"": MEMORY, "miner": MEMORY, "high": EXPLICIT, "medium": SOFT}


class CustomPattern:
    """One pattern of the operator's, as written; ``problem`` says why it is not run."""

    __slots__ = ("flags", "name", "pattern", "problem", "route")

    def __init__(self, name: str, pattern: str, route: str, flags: str, problem: str = "") -> None:
        self.name, self.pattern, self.route, self.flags, self.problem = name, pattern, route, flags, problem

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        return self.name, self.pattern, self.route, self.flags, self.problem

    @property
    def expression(self) -> str:
        return f"(?{self.flags}:{self.pattern})" if self.flags else self.pattern


class CustomPatterns:
    """Valid patterns; each is run only on texts with its literal words."""

    __slots__ = ("_good", "_together")

    def __init__(self, good: Sequence[CustomPattern]) -> None:
        self._good = good
        self._together: Any = None

    def hits(self, text: str) -> list[CustomPattern]:
        """Return the patterns that match ``text``; of a long one, its head and its tail."""
        if self._together is None:
            self._together = _together(self._good)
        data = text.encode("utf-8", "replace")
        if len(data) > MAX_BYTES:
            data = data[:_HEAD] + b"\n" + data[_HEAD - MAX_BYTES :]
        return [self._good[number] for number in sorted(self._together.Match(data) or ())]


def read_patterns(items: Iterable[str]) -> list[CustomPattern]:
    """Read the items of the setting; each invalid one gets its problem."""
    patterns = [_read(item, number) for number, item in enumerate(items, 1)]
    left = MAX_STEPS_TOGETHER
    for number, pattern in enumerate(patterns):
        steps = 0 if pattern.problem else _check(pattern)
        if not pattern.problem and (number >= MAX_PATTERNS or steps > left):
            pattern.problem = "it is one too many; the patterns before it are run"
        left -= 0 if pattern.problem else steps
    return patterns


def _read(item: str, number: int) -> CustomPattern:
    name = f"custom:{number}"
    match = _WRITTEN.now.fullmatch(item.strip())
    if match is None:
        custom = CustomPattern(name, item, MEMORY, "i")
    else:
        route = match["route"] or ""
        custom = CustomPattern(name, match["pattern"], _ROUTES.get(route, route), match["flags"])
    unknown = set(custom.flags) - _FLAGS
    if unknown:
        custom.problem = f"its flag {min(unknown)!r} is none of i, s, m"
    elif match is None and item.strip().startswith("/") and item.count("/") > 1:
        custom.problem = "it does not read as /pattern/flags -> route, with a route of one word"
    elif len(custom.pattern) > MAX_LENGTH:
        custom.problem = f"it is longer than {MAX_LENGTH} characters"
    return custom


def _check(custom: CustomPattern) -> int:
    """Return a character's steps at most; note a problem if they are too many, or the pattern is invalid."""
    program = compiled(custom.expression)
    if isinstance(program, str):
        custom.problem = program
        return 0
    steps = int(program.programsize)
    if steps > MAX_STEPS:
        custom.problem = f"it takes {steps} steps a character; {MAX_STEPS} are allowed"
    return steps


def compiled(expression: str) -> Any:
    """Return a compiled expression, or a sentence on its error."""
    try:
        import re2  # noqa: PLC0415 - takes milliseconds, and most workspaces have no patterns of their own
    except ImportError:
        return "google-re2 is not installed, which runs it safely"
    try:
        return re2.compile(expression, _options())
    except re2.error as error:
        reason = error.args[0] if error.args else "RE2 does not take it"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


def _together(good: Sequence[CustomPattern]) -> Any:
    import re2  # noqa: PLC0415

    together = re2.Filter()
    options = _options()
    for pattern in good:
        together.Add(pattern.expression, options)
    together.Compile()
    return together


def _options() -> Any:
    import re2  # noqa: PLC0415

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True  # capturing groups takes a hundred times longer
    options.max_mem = 4 << 20
    return options
