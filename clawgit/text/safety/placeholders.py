"""What is in a secret's place without being one: `<your-key>`, `xxxx`, `${VAR}`, `none`."""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_pattern

_FILL: tuple[str, ...] = (
    "...",
    "…",
    "xxxx",
    "***",
    "•••",
    "()",
    "{{",
    "redacted",
    "dummy",
    "sample",
    "example",
    "placeholder",
)
_FILL += ("changeme", "change_me", "change-me", "your-", "your_", "yourp", "yours", "yourt", "yourk", "youra")
_ELSEWHERE: tuple[str, ...] = (
    "op:",
    "vault:",
    "ssm:",
    "aws:",
    "gcp:",
    "azure:",
    "file:",
    "env:",
    "keychain:",
    "sops:",
)
_ELSEWHERE += ("http:", "https:")
# <x>, [x], {{ x }}, (x), %X%, $X, ${X}, $(x), !vault, a call of a function; and hashes, which are no passwords.
_VARIABLE = lazy_pattern(
    r"[<\[{(].*|%\w+%.*|\$[A-Za-z_{(].*|!\w+|[\w.]+\(.*|\$(?:2[aby]?|1|5|6|y|argon2\w*|scrypt|pbkdf2)\$.*",
    re.DOTALL,
)
_WORDS = frozenset(
    word
    for line in (
        "none null nil n/a na true false unknown empty unset string text number boolean default hidden",
        "secret password passwd pass required optional incorrect invalid missing forgotten wrong expired",
        "unchanged changed rotated 1password lastpass bitwarden keepass oauth oauth2 2fa mfa totp",
        "sha-256 sha256 sha512 sha-512 sha1 md5 base64 base32 utf-8 argon2 argon2id bcrypt scrypt pbkdf2",
        "ed25519 rsa-2048 rsa-4096 rsa2048 rsa4096 aes-256 aes256 aes-128 hs256 rs256 es256 p256 secp256k1",
        "http2 iso-8601 cp1252 latin-1 ipv4 ipv6 x509",
    )
    for word in line.split()
)


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
