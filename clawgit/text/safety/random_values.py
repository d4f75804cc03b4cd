"""Secrets of no known shape: a value that looks random, and beside it a word or a prefix that says what it is.

Randomness alone is no sign: a hash, a picture and an id look the same. Each value is weighed once, with at most 64
characters before it, so that the time grows with the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.text.safety.control_characters import Legible

_FILLING = """
    ... … xxxx *** ••• () {{ redacted dummy sample example placeholder changeme change_me change-me
    your- your_ yourp yours yourt yourk youra
"""
_FILL = tuple(_FILLING.split())
_PLACES = "op: vault: ssm: aws: gcp: azure: file: env: keychain: sops: http: https:"
_ELSEWHERE = tuple(_PLACES.split())
# <x>, [x], {{ x }}, (x), %X%, $X, ${X}, $(x), !vault, a call of a function; and hashes, which are no passwords.
_VARIABLE = lazy_pattern(
    r"[<\[{(].*|%\w+%.*|\$[A-Za-z_{(].*|!\w+|[\w.]+\(.*|\$(?:2[aby]?|1|5|6|y|argon2\w*|scrypt|pbkdf2)\$.*",
    re.DOTALL,
)
_NO_SECRETS = """
    none null nil n/a na true false unknown empty unset string text number boolean default hidden
    secret password passwd pass required optional incorrect invalid missing forgotten wrong expired
    unchanged changed rotated 1password lastpass bitwarden keepass oauth oauth2 2fa mfa totp
    sha-256 sha256 sha512 sha-512 sha1 md5 base64 base32 utf-8 argon2 argon2id bcrypt scrypt pbkdf2
    ed25519 rsa-2048 rsa-4096 rsa2048 rsa4096 aes-256 aes256 aes-128 hs256 rs256 es256 p256 secp256k1
    http2 iso-8601 cp1252 latin-1 ipv4 ipv6 x509
"""
_WORDS = frozenset(_NO_SECRETS.split())
CREDENTIAL, COOKIE, WEBHOOK = "credential", "cookie", "webhook"
HEX, UUID, MIXED, CODE = "hex", "uuid", "mixed", "code"
_VALUE = lazy_pattern(r"(?<![A-Za-z0-9_+/.~%@-])[A-Za-z0-9_+/~%.@-]{16,}(?:={1,2}(?![A-Za-z0-9]))?")
_WEIGHED = 128  # characters of a value
_BEFORE = 64
_BESIDE = 12
_KEYS = r"keys?|schlüssel|clés?|claves?|llaves?|chaves?|chiavi|chiave|sleutel|nyckel|klucz|ключ|anahtar|キー|鍵|키"
_SECRETS = (
    r"secrets?|tokens?|passwor[dt]|passwd|passphrase|psk|credentials?|authorization|api[ _-]?key|apikey|auth(?!or)"
    r"|geheimnis|jetons?|секрет|токен|トークン|密钥|密鑰|令牌|私钥|토큰|시크릿|unseal|wif|totp"
)
_OPENED = r"(?:base64:|bearer[ ]|token[ ])?[\\\"'`*(<\[{]{0,3}"
_GIVEN = rf"""(?P<compound>[a-z_-])?(?:(?P<secret>{_SECRETS})|{_KEYS})
    (?:
        [ _-]?(?:[a-z0-9]{{1,10}}[ _-]?){{0,2}}["'`*_\]\\]{{0,4}}(?:[ ]?\([^()\n]{{0,40}}\))?
        (?:[ \t]*(?::=|=>|->|→|[:=|：是])[ \t]*|[ ](?:is|are|was|ist|lautet|est|es|é|è|jest|to)(?:[ ]now)?:?[ ])
      | ["'`*]{{0,3}}[ ]
      | (?<=authorization):[ ][a-z]{{3,12}}[ ]
    ){_OPENED}\Z"""
# The same name farther off in the sentence, and behind the value: "… is the token of the shop".
_MENTIONED = rf"(?:{_SECRETS}|{_KEYS})(?![a-z])[^\n/.!?]{{0,40}}\Z"
_BEHIND = rf"[\"'`*)]{{0,3}}[ ](?:is|ist|est|es|=)[ ](?:the|my|our|your|der|das|mein|le|la|el)[ ](?:\w{{2,20}}[ ]){{0,2}}(?:{_SECRETS}|{_KEYS})\b"
# What is beside a key that opens nothing, an id or a hash.
_OPENS_NOTHING = lazy_pattern(
    r"(?<![a-z])(?:public|publishable|primary|foreign|partition|sort|cache|idempot|dedup|object|routing|site|anon|page"
    r"|cursor|continuation|next|cancel|finger|digest|hash|sha|md5|checksum|commit|etag|ids?(?![a-z])|name|known|host|gpg"
    r"|pgp|ssh|openssh|(?:ec|ed)?dsa|eddsa|rsa|ed25519|websocket|file|path)"
)
_SESSION = lazy_pattern(r"(?:[A-Z]_SESSION|SESSID|sessionid|SESSIONID|\.sid|session[_-]token)=[\"']?\Z")
_COOKIES = lazy_pattern(r"(?:[Cc]ookie[\"']?[ \t]?[:=][ \t]?|curl [^\n]{0,200}?(?:-b|--cookie)[ =])[^\r\n]*")
_PREFIXED = lazy_pattern(r"((?:[A-Za-z][A-Za-z0-9]{0,11}([_-])){1,3})([A-Za-z0-9].*)")
_SAYS_SECRET = lazy_pattern(r"(?:\A|[_-])(?:live|prod|production|secret|api|pat|tkn|token|admin|key|sk)[_-]")
_PUBLISHED = ("pk_", "pk-", "phc_", "pub", "sha")  # keys that each visitor is sent, and hashes
_HOOK = lazy_pattern(r"hooks?\.[A-Za-z0-9.-]{1,60}/|hooks?(?:b2)?/|/with/key/|Webhook/", re.IGNORECASE)
_SOURCE_VIEW = ("/commit/", "/blob/", "/tree/", "/raw/")
_UUID = lazy_pattern(r"(?:[a-z]{2,6}[-_])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = lazy_pattern(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
_CODE = lazy_pattern(r"(?=[A-Z]*[2-7])(?=[A-Z2-7]*[G-Z])[A-Z2-7]{16,}")
_TURN = lazy_pattern(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[A-Z])[a-z]|(?<=[a-z])[A-Z]")
_HOST = lazy_pattern(r"(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12}/")


def is_placeholder(value: str) -> bool:
    """Say whether ``value`` is no secret, only where one would stand."""
    said = value.lower()
    return (
        said.rstrip(".,;:!?") in _WORDS
        or len(set(value)) == 1
        or said.startswith(_ELSEWHERE)
        or any(fill in said for fill in _FILL)
        or _VARIABLE.fullmatch(value) is not None
    )


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.VERBOSE | re.IGNORECASE)


def find_random(text: Legible) -> Iterator[tuple[str, int, int]]:
    """Yield rule, begin and end of each value that looks random and is a secret by what is beside it."""
    whole = text.text
    if "ookie" not in whole and " -b" not in whole:
        cookies = []
    else:
        cookies = [place for match in _COOKIES.finditer(whole) for place in match.span()]
    end = -9  # nothing is beside the begin of the text
    for match in _VALUE.finditer(whole):
        begin = match.start() + len(match[0]) - len(match[0].lstrip("_~%.-"))
        value = match[0].strip("_~%.-")
        if value.startswith("//") or _HOST.match(value):
            inside = _hook(value)
            if inside and not is_placeholder(value[inside:]):
                yield WEBHOOK, begin + inside, match.end()
            continue
        kind = _kind(value[:_WEIGHED])
        if kind is None or _is_harmless(value):
            continue
        is_next = 0 < begin - end <= 3 and not whole[end:begin].strip(" \"'`,;|/:")
        is_cookie = whole[begin - 1] == "=" and bisect_right(cookies, begin) % 2 == 1
        if is_next or is_cookie or _is_prefixed(value) or _is_named(whole, begin, match.end(), kind):
            end = begin + len(value)
            yield COOKIE if is_cookie else CREDENTIAL, begin, end


def _kind(value: str) -> str | None:
    if _UUID.fullmatch(value):
        return UUID
    if _HEX.fullmatch(value):
        return HEX if len(value) >= 32 and _TURN.search(value) else None
    turns = len(_TURN.findall(value))
    if len(value) >= 20 and turns * 5 >= len(value) and not value.isalpha():
        return MIXED
    return CODE if _CODE.fullmatch(value) else None


def _is_harmless(value: str) -> bool:
    """Say whether it is a file's path, a key that everybody may see, or only in a secret's place."""
    is_path = value.startswith(("/", "./", "../")) and value.count("/") > 1
    return is_path or value.startswith(_PUBLISHED) or is_placeholder(value[:_WEIGHED])


def _is_prefixed(value: str) -> bool:
    """Say whether it begins as vendors' keys do: `shop_live_…`, `tool_api_…`, `xyz_` and many letters and digits."""
    match = _PREFIXED.match(value[:_WEIGHED])
    if match is None:
        return False
    body = match[3]
    if _SAYS_SECRET.search(match[1].lower()):
        return _kind(body) == MIXED or (match[2] == "_" and _kind(body) in (HEX, CODE))
    has_all = not (body.islower() or body.isupper())
    return match[2] == "_" and len(body) >= 32 and body.isalnum() and has_all and _kind(body) == MIXED


def _is_named(whole: str, begin: int, end: int, kind: str) -> bool:
    line = whole[max(0, begin - _BEFORE) : begin].rpartition("\n")[2]
    before = line[_mark_end(line) :]
    if _SESSION.search(before):
        return kind != UUID
    given = _compiled(_GIVEN).search(before)
    if given is not None:
        if before != line and given.start() < _BESIDE:
            return False  # what was beside the name is masked: it was weighed when it was not
        is_free = _OPENS_NOTHING.search(before.lower(), max(0, given.start() - _BESIDE)) is not None
        is_bare = given["secret"] is None and given["compound"] is None
        return not is_free and not (kind == UUID and is_bare)
    if kind != MIXED or before != line or _OPENS_NOTHING.search(before.lower()):
        return False
    behind = whole[end : end + _BEFORE]
    return _compiled(_MENTIONED).search(before) is not None or _compiled(_BEHIND).match(behind) is not None


def _mark_end(line: str) -> int:
    """Return where the last `[redacted …]` of the line ends: the words in it name nothing."""
    mark = line.rfind("[redacted ")
    return 0 if mark < 0 else line.find("]", mark) + 1 or len(line)


def _hook(address: str) -> int:
    """Return where the secret part of a web hook's address begins, 0 where it is no such address."""
    hook = _HOOK.search(address)
    if hook is None or any(view in address for view in _SOURCE_VIEW):
        return 0
    begin = hook.end()
    for part in address[begin:].split("/"):
        if _kind(part) is not None or _kind(part.partition("@")[0]) is not None:
            return begin
        begin += len(part) + 1
    return 0
