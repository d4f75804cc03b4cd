"""The client of the resident service; it runs before heavy imports, so it uses Python's own modules alone."""

from __future__ import annotations

import os
import sys

from clawgit import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812
    from collections.abc import Mapping, Sequence

NO_SERVICE = "CLAWGIT_NO_SERVICE"
COMMANDS, LOCK = "commands.sock", "service.lock"
SERVED = frozenset(
    {"status", "triage", "log", "search", "remember", "correct", "why", "keep", "pending", "context"}
)
SERVED |= {"memory search", "memory get", "memory add", "memory list", "soul log", "chat add"}
SERVED |= {"changelog", "conflicts", "corrections", "digest", "runs", "memory show", "memory status"}
SERVED |= {"soul blame", "soul diff", "soul show", "config check", "config show", "workspaces list"}
SERVED |= {"quarantine list", "quarantine show", "receipts list", "receipts show"}
NOT_MINE, READY, GO = b"n", b"r", b"g"
PATIENCE_SECONDS = 2.0  # until the service says that it takes the command; after that it may take its time
LONGEST_ADDRESS = 100  # the system takes 104 to 108 bytes
NEVER_ANSWERED = 1
_VALUED = ("-w", "--workspace", "--now", "--op")
_FLAGS = ("--json", "--rehearse")
# what Python and libgit2 read only when a process starts
_READ_AT_START = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
_READ_AT_START_TOO = ("GIT_", "PYTHON", "LD_", "DYLD_", "SSL_")


def served(words: Sequence[str], environment: Mapping[str, str]) -> int | None:
    """Return the exit status of a command that the service did; None to do it in this process."""
    folder = service_folder(environment)
    if not is_served(words) or environment.get(NO_SERVICE) or not folder:
        return None
    path = f"{folder}/{COMMANDS}"
    if not os.path.exists(path):
        return None
    try:
        connection = connected(path)
    except OSError:
        return None
    try:
        return _asked(connection, words, environment)
    except KeyboardInterrupt:
        return 130
    finally:
        connection.close()


def is_served(words: Sequence[str]) -> bool:
    """Say whether the service does this command: it only reads, or keeps something short."""
    left = command_words(words)
    return left is not None and not SERVED.isdisjoint((" ".join(left[:1]), " ".join(left[:2])))


def command_words(words: Sequence[str]) -> list[str] | None:
    """Return a command line without the shared options before the command; None if it has other options."""
    left = list(words)
    while left and left[0].startswith("-"):
        word = left.pop(0)
        if word in _VALUED and left:
            left.pop(0)
        elif word not in _FLAGS:
            return None
    return left


def service_folder(environment: Mapping[str, str]) -> str:
    """Return the folder of the account's sockets, lock and log; empty without a home."""
    named = environment.get("XDG_STATE_HOME", "")
    if not named.startswith("/"):
        home = environment.get("HOME", "")
        if not home.startswith("/"):
            return ""
        named = f"{home}/.local/state"
    return f"{named}/clawgit"


def identity(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return what must be equal in two processes that do a command alike."""
    shared = []
    for name, value in sorted(environment.items()):
        if name in _READ_AT_START or name.startswith(_READ_AT_START_TOO):
            shared.append(f"{name}={value}")
    place = os.path.dirname(os.path.abspath(__file__))
    return (__version__, place, sys.prefix, str(sys.hexversion), str(sys.flags.utf8_mode), *shared)


def connected(path: str) -> Socket:
    """Return a connection to the socket at ``path``, however long that is."""
    from _socket import AF_UNIX, SOCK_STREAM, socket

    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.settimeout(PATIENCE_SECONDS)
    folder = -1
    try:
        if len(os.fsencode(path)) > LONGEST_ADDRESS:
            folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
            path = f"/proc/self/fd/{folder}/{os.path.basename(path)}"
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    finally:
        if folder >= 0:
            os.close(folder)
    return connection


def reply_of(connection: Socket, line: bytes, seconds: float) -> bytes:
    """Send a line and return the other end's line; OSError if it ends before."""
    connection.settimeout(seconds)
    connection.sendall(line)
    reply = bytearray()
    while not reply.endswith(b"\n"):
        part = connection.recv(1 << 16)
        if not part:
            raise ConnectionResetError("it ended")
        reply += part
    return bytes(reply)


def _asked(connection: Socket, words: Sequence[str], environment: Mapping[str, str]) -> int | None:
    try:
        _send(connection, words, environment)
        if connection.recv(1) != READY:
            return None
        connection.settimeout(None)
        connection.sendall(GO)
    except (OSError, ValueError):
        return None
    status = b""
    try:
        while part := connection.recv(16):
            status += part
        return int(status)
    except (OSError, ValueError):
        sentence = "clawgit: The service ended in the middle of this command. Run it again; CLAWGIT_NO_SERVICE=1 does without it.\n"
        sys.stderr.write(sentence)
        return NEVER_ANSWERED


def _send(connection: Socket, words: Sequence[str], environment: Mapping[str, str]) -> None:
    """Hand over the command with this process's input, output and errors; the service uses them as its own."""
    from _socket import SCM_RIGHTS, SOL_SOCKET

    umask = os.umask(0o077)
    os.umask(umask)
    encodings = [getattr(stream, "encoding", None) or "" for stream in (sys.stdin, sys.stdout, sys.stderr)]
    process = identity(environment)
    fields = [str(len(process)), *process, ",".join(encodings), os.getcwd(), str(umask), str(len(words))]
    fields += [*words, *(f"{name}={value}" for name, value in environment.items())]
    data = b"\0".join(map(os.fsencode, fields))
    data = len(data).to_bytes(4, "little") + data
    streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in (0, 1, 2))
    sent = connection.sendmsg([data], [(SOL_SOCKET, SCM_RIGHTS, streams)])
    connection.sendall(data[sent:])
