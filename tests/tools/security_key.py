"""A security key in software: signs as one that holds an Ed25519 key does, touched or not."""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import dataclass
from functools import cache

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_Y = 4 * pow(5, _P - 2, _P) % _P
TYPE, APPLICATION = b"sk-ssh-ed25519@openssh.com", b"ssh:"


def _root(y: int) -> int:
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    return _P - x if x % 2 else x


Point = tuple[int, int, int, int]  # x and y times z, z, and x times y times z: no division until the end
_BASE = (_root(_Y), _Y, 1, _root(_Y) * _Y % _P)


def _add(one: Point, other: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * _D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


@cache
def _times(count: int) -> bytes:
    """Return so many times the base point, as bytes."""
    found, step = (0, 1, 1, 0), _BASE
    while count:
        if count & 1:
            found = _add(found, step)
        step, count = _add(step, step), count >> 1
    part = pow(found[2], _P - 2, _P)
    return (found[1] * part % _P | (found[0] * part % _P & 1) << 255).to_bytes(32, "little")


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


@dataclass(frozen=True)
class SecurityKey:
    """One key; ``touched`` is what it says of whoever was there."""

    seed: bytes = b"\x07" * 32
    touched: bool = True

    @property
    def _secret(self) -> tuple[int, bytes]:
        digest = hashlib.sha512(self.seed).digest()
        return (int.from_bytes(digest[:32], "little") & (2**254 - 8)) | 2**254, digest[32:]

    @property
    def _public(self) -> bytes:
        return _times(self._secret[0])

    @property
    def _blob(self) -> bytes:
        return _string(TYPE) + _string(self._public) + _string(APPLICATION)

    @property
    def allowed(self) -> str:
        """Return the line of allowed_signers that lets it sign."""
        return f"ada@example.org {TYPE.decode()} {base64.b64encode(self._blob).decode()}\n"

    def sign(self, data: bytes) -> bytes:
        """Return the signature of ``data``, as `ssh-keygen -Y sign -n git` writes it."""
        about = _string(b"git") + _string(b"") + _string(b"sha512")
        signed = b"SSHSIG" + about + _string(hashlib.sha512(data).digest())
        state = bytes([int(self.touched)]) + struct.pack(">I", 1)
        message = hashlib.sha256(APPLICATION).digest() + state + hashlib.sha256(signed).digest()
        secret, prefix = self._secret
        once = _number(prefix, message)
        point = _times(once)
        rest = (once + _number(point, self._public, message) * secret) % _ORDER
        made = _string(TYPE) + _string(point + rest.to_bytes(32, "little")) + state
        blob = b"SSHSIG" + struct.pack(">I", 1) + _string(self._blob) + about + _string(made)
        text = base64.b64encode(blob).decode()
        lines = "\n".join(text[at : at + 70] for at in range(0, len(text), 70))
        return f"-----BEGIN SSH SIGNATURE-----\n{lines}\n-----END SSH SIGNATURE-----\n".encode()
