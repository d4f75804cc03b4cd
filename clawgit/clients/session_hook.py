"""The program of a host's session hook: it passes the event to the service, and prints the reply, if any.

Started as a file, with Python's own modules alone: it runs before every prompt. Whatever fails, the host goes on. An
event that the service does not take is left in a folder, and delivered with the next one. A session that begins
without a reply gets the lines of memory that were kept from the last one.
"""

import os
import sys
import time

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_SIGNS = ("CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED")
_START = "SessionStart"
# seconds that the host waits at most: what an order to remember came to is reported in its own turn
_ANSWERED = {_START: 1.0, "UserPromptSubmit": 2.0}
_METHODS = {_START: b"host.begin"}  # it does not wait for writers
WAITING, ASIDE = "hooks-waiting", "hooks-aside"
MOST_WAITING = 2000
_MOST_BYTES, _NAME, _TEXT = 900_000, 4096, 64 * 1024  # characters; a text of these has at most 256 KiB
_USED = {
    **dict.fromkeys(("prompt", "last_assistant_message"), _TEXT),
    **dict.fromkeys(
        ("session_id", "transcript_path", "cwd", "hook_event_name", "prompt_id", "turn_id", "tool_name"),
        _NAME,
    ),
}
_TOOL_USE = "PostToolUse"
_OWN_TOOLS = "mcp__clawgit__"
_SHELL = "Bash"
# an address, or a program that fetches or prints texts of others
_FETCHING = (
    r"""curl|wget|://|\w@[\w.-]+:|(?:^|[\s;|&("'`])(?:/(?:usr/|opt/)?(?:local/)?bin/)?"""
    r"""(?:(?:gh|glab|ssh|sftp|lynx|w3m|himalaya|notmuch|mutt)\s|(?:scp|rsync)[ \t][^;|&\n]{0,200}\w:"""
    r"""|git[ \t]+(?:-[cC][ \t]+\S+[ \t]+|--?\S+[ \t]+){0,4}(?:clone|fetch|pull)\b)"""
)
_BEFORE, _BEHIND = b'{"jsonrpc": "2.0", "id": 1, "result": ', b"}\n"


def main(name: str, event: str) -> None:
    sys.path.insert(0, _PACKAGE)
    from clawgit.client import connected, reply_of, service_folder

    folder = service_folder(os.environ)
    token = read_token(name, os.environ)
    event_line = sys.stdin.buffer.read().strip().replace(b"\n", b" ")
    if not token or not event_line or not folder:
        return
    if event == _TOOL_USE and not _reads_outside(event_line):
        return
    if event == _TOOL_USE or len(event_line) > _MOST_BYTES:
        event_line = _shortened(event_line)
    signs = b",".join(b'"%s":"%s"' % (sign.encode(), _plain(sign)) for sign in _SIGNS)
    number = b'"id":1,' if event in _ANSWERED else b""
    method = _METHODS.get(event, b"host.event")
    seconds = float(os.environ.get("CLAWGIT_HOOK_SECONDS") or _ANSWERED.get(event, 0))
    at = time.time()
    line = b'{"jsonrpc":"2.0",%s"method":"%s","params":{"token":"%s","at":%.3f,"until":%.3f,"signs":{%s},"said":%s}}\n'
    line %= (number, method, token, at, at + seconds, signs, event_line)
    answer = b""
    try:
        connection = connected(folder + "/requests.sock")
    except OSError:
        leave(folder + "/" + WAITING, line)
    else:
        try:
            if event in _ANSWERED:
                answer = _result(reply_of(connection, line, seconds))
            else:
                connection.sendall(line)
        except OSError:
            if event == _START:  # the next event then says that this session has no context yet
                leave(folder + "/" + WAITING, line)
        finally:
            connection.close()
    if event == _START and not answer:
        answer = _kept(name)
    if answer:
        os.write(1, answer + b"\n")


def _result(line: bytes) -> bytes:
    if not (line.startswith(_BEFORE) and line.endswith(_BEHIND)):
        return b""
    result = line[len(_BEFORE) : -len(_BEHIND)]
    if result in (b"{}", b"null"):
        return b""
    return result


def _kept(name) -> bytes:  # type: ignore[no-untyped-def]
    """Return the lines for a new session at once: those of the last session's context that are still valid."""
    from _json import encode_basestring_ascii, scanstring  # `json` takes longer than all else together

    from clawgit.context.kept_lines import fenced, told_again

    with open(f"{_connections(os.environ)}/{name}.json", encoding="utf-8") as file:
        place = file.read().partition('\n "workspace": "')[2]
    root, _ = scanstring(place, 0)
    text = told_again(root, time.time())
    if not text:
        return b""
    output = '{"hookSpecificOutput": {"hookEventName": "%s", "additionalContext": %s}}'
    return (output % (_START, encode_basestring_ascii(fenced(text)))).encode()


def read_token(name, environment) -> bytes:  # type: ignore[no-untyped-def]
    """Return the token of a connection, empty if there is none; the service checks it."""
    try:
        with open(f"{_connections(environment)}/{name}.token", "rb") as file:
            return file.read(1024).strip()
    except OSError:
        return b""


def _connections(environment) -> str:  # type: ignore[no-untyped-def]
    config = environment.get("XDG_CONFIG_HOME", "")
    if not config.startswith("/"):
        config = environment.get("HOME", "") + "/.config"
    return f"{config}/clawgit/connections"


def _reads_outside(event_line: bytes) -> bool:
    """Say whether a tool gave the model texts of others: from the web, or through another program."""
    import json
    import re

    fields = json.loads(event_line)
    tool = str(fields.get("tool_name"))
    if tool != _SHELL:
        return not tool.startswith(_OWN_TOOLS)
    command = str(fields.get("tool_input")).replace(r"\n", "\n")
    return re.search(_FETCHING, command) is not None


def _shortened(event_line: bytes) -> bytes:
    """Return an event with only the fields in use, its texts cut: the service takes a line of 1 MB."""
    import json

    fields = json.loads(event_line)
    used = {}
    for name, most in _USED.items():
        value = fields.get(name)
        if not isinstance(value, str):
            continue
        if len(value) > most:
            value = value[:most] + "\n[cut here by clawgit: the text is longer than 256 KiB]"
        used[name] = value
    return json.dumps(used, ensure_ascii=False).encode("utf-8", "replace")


def _plain(sign: str) -> bytes:
    value = os.environ.get(sign, "")
    if value.replace("-", "").replace("_", "").isalnum():
        return value.encode()
    return b""


def leave(folder: str, line: bytes) -> None:
    """Leave an event that needs no reply for later, in a file that only this account can read."""
    os.makedirs(folder, 0o700, exist_ok=True)
    if len(os.listdir(folder)) < MOST_WAITING:
        place = f"{folder}/{time.time_ns()}-{os.getpid()}"
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            file.write(line)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except Exception:  # noqa: BLE001 - a hook that fails would stop the host's turn
        pass
    os._exit(0)
