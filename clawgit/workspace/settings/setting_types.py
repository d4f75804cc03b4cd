"""One setting: its values, its purpose, and the reading of its text."""

from __future__ import annotations

import re
import shlex
import unicodedata
from datetime import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MAX_IDLE_MINUTES = 7 * 24 * 60

_TIME = lazy_pattern(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_CRON = lazy_pattern(r"([0-9]{1,2})[ \t]+([0-9]{1,2})[ \t]+\*[ \t]+\*[ \t]+(\*|[0-7]|[A-Za-z]{3,9})")
_RESET = lazy_pattern(r"(?:daily[ \t]+(?P<at>\S+))?[ \t]*(?:idle[ \t]+(?P<idle>[0-9]{1,6}))?", re.IGNORECASE)


class SlotSpec(NamedTuple):
    """When a job is due, by wall clock in the workspace's zone; ``weekday`` counts from Monday = 0."""

    weekday: int | None
    hour: int
    minute: int

    def __str__(self) -> str:
        at = f"{self.hour:02}:{self.minute:02}"
        return at if self.weekday is None else f"{WEEKDAYS[self.weekday]} {at}"


class SessionReset(NamedTuple):
    """When a session ends; neither set means never, both mean whichever comes first."""

    at: time | None = None
    idle_minutes: int | None = None

    def __str__(self) -> str:
        words = [f"daily {self.at:%H:%M}"] if self.at else []
        if self.idle_minutes:
            words.append(f"idle {self.idle_minutes}")
        return " ".join(words) or "never"


def parse_time_of_day(text: str) -> time:
    """Return the time in ``text``, ``2:30`` as well as ``02:30``; ValueError for anything else."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a time of day between 00:00 and 23:59.")
    return time(int(match[1]), int(match[2]))


OFF = "off"


def parse_slot(text: str) -> SlotSpec | None:
    """Read ``HH:MM``, ``Weekday HH:MM`` or the cron form ``M H * * D``, None for ``off``; ValueError for anything else."""
    if text.strip().lower() == OFF:
        return None
    cron = _CRON.fullmatch(text.strip())
    if cron is not None:
        at = parse_time_of_day(f"{cron[2]}:{cron[1]:0>2}")
        day = cron[3].replace("*", "")
    else:
        day, _, clock = text.strip().rpartition(" ")
        at = parse_time_of_day(clock)
    weekday = None
    if cron is not None and day.isdigit():
        weekday = (int(day) - 1) % 7
    elif day.strip():
        weekday = _weekday(day)
    return SlotSpec(weekday, at.hour, at.minute)


def parse_session_reset(text: str) -> SessionReset:
    """Read ``daily HH:MM``, ``idle MINUTES``, both in this order, or ``never``; ValueError otherwise."""
    if text.strip().lower() == "never":
        return SessionReset()
    match = _RESET.fullmatch(text.strip())
    if match is None or not (match["at"] or match["idle"]):
        raise ValueError(f"{text!r} says no time at which a session ends.")
    at = parse_time_of_day(match["at"]) if match["at"] else None
    idle = int(match["idle"]) if match["idle"] else None
    if idle is not None and not 1 <= idle <= MAX_IDLE_MINUTES:
        raise ValueError(f"A session may idle from 1 to {MAX_IDLE_MINUTES} minutes, not {idle}.")
    return SessionReset(at, idle)


def _weekday(word: str) -> int:
    lowered = word.strip().lower()
    for number, name in enumerate(WEEKDAYS):
        if lowered in (name.lower(), name[:3].lower()):
            return number
    raise ValueError(f"{word!r} is not a day of the week.")


Value = bool | int | float | str | tuple[str, ...]

MAX_TEXT = 1000
MAX_ITEMS = 200

_WHOLE = lazy_pattern(r"-?[0-9]{1,15}")
_DECIMAL = lazy_pattern(r"-?(?:[0-9]{1,9}(?:\.[0-9]{1,2})?|\.[0-9]{1,2})")
_SLASHED = lazy_pattern(r"/(.+)/([a-z]*)")
_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_SECRET_QUERY = lazy_pattern(r"key|token|secret|passw", re.IGNORECASE)
_MODEL_NAME = lazy_pattern(r"(?!(?:openai|anthropic|ollama):$)[^\s\"'`]+")
BEST = "best"
_WEIGHTS = lazy_pattern(r"(?:0?\.\d{1,2}|[01])/(?:0?\.\d{1,2}|[01])", re.ASCII)
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class Setting(NamedTuple):
    """One setting; ``read`` turns written text into a value or raises ValueError.

    A ``guarded`` value needs the operator's word (a commit or trust), one that ``executes`` and names a program
    (``argv_of``) the operator's trust.
    """

    kind: str
    default: Value
    accepts: str
    says: str
    read: Callable[[str], Value]
    guarded: bool = False
    executes: bool = False
    name: str = ""
    section: str = ""

    @property
    def is_list(self) -> bool:
        """Say whether the value is a list; ``read`` then reads one item."""
        return isinstance(self.default, tuple)


def hundredths(value: float) -> int:
    """Return a decimal setting as whole hundredths, in which rules calculate."""
    return round(value * 100)


def argv_of(setting: Setting, value: Value) -> tuple[str, ...]:
    if not setting.executes or not isinstance(value, str):
        return ()
    if setting.kind == "command":
        return tuple(shlex.split(value))
    word, _, rest = value.partition(" ")
    return tuple(shlex.split(rest)) if word == "command" else ()


def whole(default: int, low: int, high: int, says: str) -> Any:
    """Declare an integer from ``low`` to ``high``: a limit, a budget or a lifetime. Always guarded."""

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    return Setting("int", default, f"a whole number from {low} to {high}", says, read, guarded=True)


def decimal(default: float, low: float, high: float, says: str) -> Any:
    """Declare a number with at most two decimals, exact in hundredths. Always guarded: it weighs or limits."""

    def read(text: str) -> float:
        if not _DECIMAL.fullmatch(text) or not hundredths(low) <= hundredths(float(text)) <= hundredths(high):
            raise ValueError(text)
        return float(text)

    accepts = f"a number from {low:g} to {high:g} with at most two decimals"
    return Setting("decimal", default, accepts, says, read, guarded=True)


def yes_no(default: bool, says: str) -> Any:
    """Declare a switch. Always guarded."""

    def read(text: str) -> bool:
        if text.lower() not in _YES_NO:
            raise ValueError(text)
        return _YES_NO[text.lower()]

    return Setting("bool", default, "true or false", says, read, guarded=True)


def choice(options: tuple[str, ...], says: str, *, guarded: bool = False) -> Any:
    """Declare one word out of ``options``; the first is the default."""
    read = _matching(lambda text: text in options)
    return Setting("choice", options[0], f"one of {', '.join(options)}", says, read, guarded)


def fusion(says: str) -> Any:
    """Declare how two scores are joined: `best`, or weights of vectors and keywords such as `0.7/0.3`. Always guarded."""
    accepts = "best, or two weights such as 0.7/0.3: of vectors and of keywords"
    read = _matching(lambda text: text == BEST or _WEIGHTS.fullmatch(text) is not None)
    return Setting("fusion", BEST, accepts, says, read, guarded=True)


def words(default: str, says: str, *, guarded: bool = False) -> Any:
    accepts = f"one line of at most {MAX_TEXT} characters"
    return Setting("text", default, accepts, says, _one_line, guarded)


def listing(says: str, *, spaced: bool = True) -> Any:
    """Declare a list of texts, empty by default; without ``spaced``, items have no white space or commas. Always guarded."""

    def read(text: str) -> str:
        if not spaced and re.search(r"[\s,]", text):
            raise ValueError(text)
        return _filled_line(text)

    accepts = f"a list of at most {MAX_ITEMS} {'texts' if spaced else 'words'}, as in [one, two]"
    return Setting("list", (), accepts, says, read, guarded=True)


def patterns(says: str) -> Any:
    """Declare patterns, each as text such as ``/invoice/i -> accounting`` or in keys: pattern, flags, route."""
    accepts = f"a list of at most {MAX_ITEMS} patterns, as in ['/invoice/i -> accounting']"
    return Setting("patterns", (), accepts, says, _filled_line)


def pattern_text(keys: Mapping[str, str]) -> str:
    """Return a pattern in keys as its stored text; it may have slashes and flags already."""
    if not keys.get("pattern") or not set(keys) <= {"pattern", "flags", "route"}:
        raise ValueError(str(sorted(keys)))
    route = keys.get("route", "")
    written = _SLASHED.fullmatch(keys["pattern"])
    pattern, flags = written.groups() if written else (keys["pattern"], "")
    flags = "".join(dict.fromkeys(flags + keys.get("flags", "")))
    return f"/{pattern}/{flags}{f' -> {route}' if route else ''}"


def slot(default: str, says: str) -> Any:
    """Declare the time of a job; the value is its normal form, such as ``Sunday 03:00``. Always guarded."""
    accepts = 'a time such as "02:30" or "Sunday 03:00", or "off"'
    return Setting("time", default, accepts, says, lambda text: str(parse_slot(text) or OFF), guarded=True)


def reset(default: str, says: str) -> Any:
    """Declare when sessions end; the value is the normal form of ``SessionReset``. Always guarded."""
    accepts = '"daily HH:MM", "idle MINUTES", "daily HH:MM idle MINUTES" or "never"'
    return Setting("reset", default, accepts, says, lambda text: str(parse_session_reset(text)), guarded=True)


def zone(says: str) -> Any:
    """Declare a time zone; empty means the machine's own."""

    def read(text: str) -> str:
        if text in ("", "UTC"):
            return text
        import zoneinfo

        try:
            zoneinfo.ZoneInfo(text)
        except (zoneinfo.ZoneInfoNotFoundError, OSError) as error:
            raise ValueError(text) from error
        return text

    return Setting("zone", "", 'a zone such as "Europe/Berlin", or "" for this machine\'s', says, read)


def url(schemes: tuple[str, ...], says: str) -> Any:
    """Declare an address without a password; empty means none. Always guarded."""
    starts = ", ".join(f"{scheme}://" + "/PATH" * (scheme == "sqlite") for scheme in schemes)
    accepts = f'an address ({starts}) without a password or key, or ""'
    return Setting("url", "", accepts, says, lambda text: text and _address(text, schemes), guarded=True)


def embedder_name(says: str) -> Any:
    """Declare the source of vectors. Always guarded: it can read a folder or use the network."""
    accepts = '"default", "openai:MODEL", "ollama:MODEL" or "local:FOLDER" with its whole path'

    def read(text: str) -> str:
        kind, _, what = _one_line(text).partition(":")
        is_whole = kind != "local" or what.startswith(("/", "~/"))
        names_model = bool(what) != (kind == "default")
        if kind not in ("default", "openai", "ollama", "local") or not names_model or not is_whole:
            raise ValueError(text)
        return text

    return Setting("embedder", "default", accepts, says, read, guarded=True)


def command(says: str) -> Any:
    """Declare a program with its arguments; empty means none. Always guarded, as it names a program."""
    accepts = 'a program by its path, with arguments, or ""'
    return _program("command", "", accepts, says, lambda text: text and _command_line(text))


def channel(says: str) -> Any:
    accepts = '"file", "off", "webhook URL" or "command PROGRAM ARGUMENTS"'

    def read(text: str) -> str:
        word, _, rest = text.partition(" ")
        if word == "webhook":
            return f"webhook {_address(rest.strip(), ('https', 'http'))}"
        command = _command_in(text)
        if not command and text not in ("file", "off"):
            raise ValueError(text)
        return command or text

    return _program("channel", "file", accepts, says, read)


def source(says: str) -> Any:
    """Declare a file, or a command whose output replaces it."""
    accepts = 'a file, or "command PROGRAM ARGUMENTS"'
    return _program("source", "", accepts, says, lambda text: _command_in(text) or (text and _one_line(text)))


def model_name(says: str) -> Any:
    """Declare a model, or a command that answers in its place; empty or `none` means none."""
    models = '"openai:MODEL", "anthropic:MODEL", "ollama:MODEL"'

    def read(text: str) -> str:
        if text in ("", "none"):
            return ""
        command = _command_in(text)
        if not command and not _MODEL_NAME.fullmatch(_one_line(text)):
            raise ValueError(text)
        return command or text

    return _program("model", "", f'{models}, "host", "command PROGRAM ARGUMENTS", or "none"', says, read)


def _program(kind: str, default: str, accepts: str, says: str, read: Callable[[str], str]) -> Setting:
    return Setting(kind, default, accepts, says, read, guarded=True, executes=True)


def _matching(fits: Callable[[str], bool]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not fits(text):
            raise ValueError(text)
        return text

    return read


def _one_line(text: str) -> str:
    if len(text) > MAX_TEXT or any(unicodedata.category(char) in _UNSEEN for char in text):
        raise ValueError(text)
    return text


def _filled_line(text: str) -> str:
    if not text:
        raise ValueError(text)
    return _one_line(text)


def _address(text: str, schemes: tuple[str, ...]) -> str:
    parts = urlsplit(_one_line(text))
    in_query = any(_SECRET_QUERY.search(name) for name, _ in parse_qsl(parts.query))
    secret = parts.password is not None or in_query
    has_place = bool(parts.netloc)
    if parts.scheme == "sqlite":  # a whole path: a relative one would depend on the folder
        has_place = not parts.netloc and len(parts.path) > 1 and parts.path.startswith("/")
    if parts.scheme not in schemes or secret or " " in text or not has_place:
        raise ValueError(text)
    return text


def _command_line(text: str) -> str:
    argv = shlex.split(_one_line(text))
    if not argv or "/" not in argv[0]:
        raise ValueError(text)
    return text


def _command_in(text: str) -> str:
    word, _, rest = text.partition(" ")
    return f"command {_command_line(rest.strip())}" if word == "command" else ""
