"""Secrets that only their name tells: `password: …`, `api_key=…`, `비밀번호는 …`, `密码是…`.

What follows such a name is often no secret ("password: none", "token: 1500"). In a file it counts only where it could be
one: letters with digits or marks among them, or a quoted word in a file of settings; never a sentence. Of what somebody
says, to be remembered or in a note, whatever follows counts (`TOLD`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.random_values import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.text.safety.readable_text import Legible

PASSWORD, CREDENTIAL = "password", "credential"


class _Name(NamedTuple):
    """A word that a secret can follow; ``at_least`` is how many characters that has then."""

    word: str
    rule: str
    at_least: int
    alone: bool = False  # not the end of a longer word


def _names(words: str, rule: str, at_least: int, *, alone: bool = False) -> list[_Name]:
    return [_Name(" ".join(word.split()), rule, at_least, alone) for word in words.split(",")]


_NAMES = (
    *_names(
        """
        password, passwd, passphrase, passcode, pass_word, 비밀번호, 비번, 암호, 패스워드, 密码, 密碼, 口令, パスワード,
        passwort, kennwort, contraseña, mot de passe, senha, wachtwoord, lösenord, passord, adgangskode,
        salasana, пароль, hasło, heslo, jelszó, parola, şifre, كلمة المرور, كلمة السر, סיסמה, पासवर्ड,
        รหัสผ่าน, mật khẩu, kata sandi
        """,
        PASSWORD,
        6,
    ),
    *_names("pwd, pw, db_pass, pgpass", PASSWORD, 6, alone=True),
    *_names("pass, psk", PASSWORD, 8, alone=True),
    *_names(
        """
        wlan-schlüssel, wlan schlüssel, netzwerkschlüssel, wlan key, wlan-key, wifi key, wi-fi key, wpa
        key, wpa2 key, network key, clé wifi, clave wifi
        """,
        PASSWORD,
        8,
    ),
    *_names(
        """
        api key, api_key, api-key, apikey, api secret, api_secret, access key, access_key, access-key,
        accesskey, private key, private_key, privatekey, encryption key, encryption_key, signing key,
        signing_key, account key, account-key, account_key, api 키, 시크릿, 토큰, 密钥, 密鑰, 令牌, 私钥, 私鑰, 金鑰
        """,
        CREDENTIAL,
        12,
    ),
    *_names("secret, credential, credentials", CREDENTIAL, 12, alone=True),
    *_names("token", CREDENTIAL, 16, alone=True),
    *_names("pat", CREDENTIAL, 32, alone=True),
)
_STEMS = ("key", "pass", "secret", "credential")  # most names hold one of these


def _by_stem(names: Iterable[_Name]) -> dict[str, list[_Name]]:
    by_stem: dict[str, list[_Name]] = {}
    for name in names:
        stem = next((stem for stem in _STEMS if stem in name.word), name.word)
        by_stem.setdefault(stem, []).append(name)
    return by_stem


_ALL = _by_stem(_NAMES)
_ASCII = _by_stem(name for name in _NAMES if name.word.isascii())
# A value that is nobody's business: the word for it alone is none.
_PRIVATE = "passwords?|pass ?phrases?|passcodes?|passwd|pwd|api keys?|pin|pin code|secret|secret key|private key|log-?in|credentials?|wifi key|seed phrase|recovery phrase|card number|account number|passport number|maiden name"
_OTHER_CODES = r"(?<!zip )(?<!post )(?<!country )(?<!area )(?<!error )(?<!exit )(?<!status )(?<!dress )"
TOLD = lazy_pattern(
    rf"(?P<lead>\b(?:{_PRIVATE})\b.{{0,40}}?(?:\b(?:is|are)|[:=])\s+(?!(?:in|on|at|with|by|kept|stored|rotated|changed|due|not|never|too|required|monthly)\b)(?=\S)"
    rf"|{_OTHER_CODES}\b(?:code|combination|token|seed)\b.{{0,40}}\b(?:is|are)\s+(?=\S*\d)"
    r"|(?:密[码碼钥鑰]|口令|验证码|账号|身份证|卡号)[^，。]{0,10}(?:是|为|：|:)|(?:비밀번호|패스워드|암호(?!화)|인증 ?번호|계좌|주민(?:등록)?번호|카드 ?번호)[은는이가]\s*)"
    r"(?P<value>(?:(?![,;.!?](?:\s|\Z)|[，。])[^\n])*)"
    r"|\b\d{3}-\d{2}-\d{4}\b|\b[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,}|(?<!\+)\b(?!00)(?:\d[ -]?){12,18}\d\b",
    re.IGNORECASE,
)
_LOOKED_AT = 128
_PLAIN = r"[!#-&(-+./0-9:=?@A-Z\[\]^_a-z{}~-]"
_REST = {"plain": re.compile(_PLAIN + "*"), "quoted": re.compile(r"[^\s\"'`]*")}
# From the end of the name to the value. Bounded everywhere, so that no text makes it slow.
_VALUE = rf"""
    [ \t*]*(?:\r?\n[ \t>]{{0,20}})?
    (?:\\?(?P<quote>["'`])(?P<quoted>[^"'`\n]{{1,{_LOOKED_AT}}}+)(?:(?P=quote)|(?=[^"'`\n]))
      |(?P<plain>{_PLAIN}{{1,{_LOOKED_AT}}}))"""
_END_OF_NAME = r"""
    (?:[ _-]?(?:access[ _-]?)?key|s)?          # secret access key, passwords
    (?P<close>[\\"'`*_\]]{0,4})                 # the end of a quoted or emphasised name
    (?:[ \t]?\([^()\n]{0,60}\))?                # password (of the router)"""
_IS = r"[ ](?:is|was|are|changed\ to|set\ to|reset\ to|to|ist|lautet|est|es|é|è|jest|là)(?::|[ ](?:now[ ])?)"
_GIVEN = rf"""{_END_OF_NAME}
    (?:
        [ \t]*(?P<strict>:=|=>?|-->|->|→)
      | [ \t]*(?P<mark>:|\||>)
      | {_IS}
      | (?:는|은|이|가|를|을|도)[ :]
      | [ ]?(?:现在|現在)?(?:是|为|為|改成|改为|改為|设为|設為|は)
    ){_VALUE}"""
_OF = r"for|to|of|on|at|in|für|zum|zur|vom|von|des|der|im|am|pour|du|de|de[ ]la|del|para|en|di|per|do|da|van|voor"
# The same with a few words between: "the password for the router is …".
_DESCRIBED = rf"""s?[ ](?:{_OF})[ ][^\n:=]{{1,60}}?(?:(?P<mark>:)|(?P<strict>=)|{_IS})(?P<close>){_VALUE}"""
_FLAG_BEGIN = lazy_pattern(r"(?:\A|\s)--[\w-]{0,30}\Z")
_FLAG = rf"(?P<close>)(?P<strict>[ ])(?P<mark>$)?{_VALUE}"
_LINE_BEGIN = lazy_pattern(r"(?:^|[\n\r{,;])[ \t>]*(?:export[ ]+|set[ ]+|-[ ]+)?[\\\"'`\w.-]{0,40}\Z")
_NOT_RANDOM = r"""(?i:(?!\d{8,}\Z)[\d.,:/ +-]+(?:t[\d:.]+z?)?(?:[-]?[a-z]{1,12})?      # numbers, dates, times; 16-character
       |\d{1,4}(?:st|nd|rd|th|[dhmsxk]|kb|mb|ms|px)
       |[~.]{0,2}/.*
       |[\w.+-]{1,64}@[\w.-]+                                # an address
       |(?:[a-z_]\w*\.)+[a-z_]\w*                           # settings.DB_PASSWORD
       |m:[0-9a-z]+)"""
_PARTS = lazy_pattern(r"[-_./:]+")
_PLAIN_PART = lazy_pattern(r"[a-z]+|[0-9]{1,4}|v[0-9]{1,3}", re.IGNORECASE)
_MIXED = lazy_pattern(r"[a-z][0-9]|[0-9][a-z]", re.IGNORECASE)
_MARKS = frozenset("!@#$%^&*+")
_TOKEN = lazy_pattern(r"[A-Za-z0-9_\-+/=.~:%]+")


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compile one of the larger expressions, only where it is needed: that takes some milliseconds."""
    return re.compile(source, re.VERBOSE | re.IGNORECASE)


def find_named(text: Legible) -> Iterator[tuple[str, int, int]]:
    """Yield rule, begin and end of what is behind a name for something secret."""
    lower = text.lower
    by_stem = _ASCII if lower.isascii() else _ALL
    names = [name for stem in by_stem if stem in lower for name in by_stem[stem]]
    for name in [name for name in names if name.word in lower]:
        at = lower.find(name.word)
        while at >= 0:
            end = after = at + len(name.word)
            for found in _behind(text.text, at, end) if _stands_alone(text.text, at, name) else ():
                group = "plain" if found["plain"] else "quoted"
                value = _trimmed(found[group], group)
                if _counts(text.text, at, name, found, value) and not _is_garbled(text.text, at, found.end()):
                    after = _whole_end(text.text, found, group, found.start(group) + len(value))
                    yield name.rule, found.start(group), after
                    break
            at = lower.find(name.word, after)


def _behind(text: str, at: int, end: int) -> Iterator[re.Match[str]]:
    is_flag = _FLAG_BEGIN.search(text, max(0, at - 40), at)
    is_described = text.startswith((" ", "s "), end)
    for pattern in (_GIVEN, *((_DESCRIBED,) if is_described else ()), *((_FLAG,) if is_flag else ())):
        found = _compiled(pattern).match(text, end)
        if found is None:
            continue
        is_element = text[at - 1 : at] in ("<", ":") and text.startswith("</", found.end())
        if found["mark"] != ">" or is_element:
            yield found


def _is_garbled(text: str, begin: int, end: int) -> bool:
    """Say whether it stands among bytes that are no text: an image holds every short name once in a while."""
    return text.count("\ufffd", max(0, begin - 20), end + 20) > 4


def _is_path(value: str) -> bool:
    folder, slash, name = value.rpartition("/")
    return bool(slash and folder) and "." in name[1:] and "+" not in value and "=" not in value


def _stands_alone(text: str, at: int, name: _Name) -> bool:
    before = text[at - 1 : at]
    if not name.alone or not before.isalpha():
        return True
    return before.islower() and text[at].isupper()  # clientSecret


def _counts(text: str, at: int, name: _Name, found: re.Match[str], value: str) -> bool:
    if len(value) < name.at_least or any(map(str.isspace, value)):
        return False
    if name.rule == CREDENTIAL:
        could_be = _is_mixed(value) and _TOKEN.fullmatch(value) is not None
    else:
        marked = not _MARKS.isdisjoint(value.rstrip("!?*"))
        could_be = _is_mixed(value) or marked or value.isdecimal() or _is_setting(text, at, found, value)
    return could_be and not (
        is_placeholder(value) or _is_path(value) or _compiled(_NOT_RANDOM).fullmatch(value)
    )


def _trimmed(value: str, group: str) -> str:
    return value.rstrip(".,;:)]}*") if group == "plain" else value.removesuffix("\\")


def _whole_end(text: str, found: re.Match[str], group: str, end: int) -> int:
    """Return where the value ends that begins at ``group``: only its begin is looked at, however long it is."""
    if found.end(group) - found.start(group) < _LOOKED_AT:
        return end
    rest = _REST[group].match(text, found.end(group))
    return found.start(group) + len(_trimmed(text[found.start(group) : rest.end() if rest else end], group))


def _is_mixed(value: str) -> bool:
    """Say whether digits stand among the letters, and it is no row of plain words and numbers."""
    return _MIXED.search(value) is not None and not all(
        _PLAIN_PART.fullmatch(part) for part in _PARTS.split(value) if part
    )


def _is_setting(text: str, at: int, found: re.Match[str], value: str) -> bool:
    """Say whether a value of letters only is one all the same: one word, given to a name as files of settings do."""
    is_quoted = found["quoted"] is not None
    closed = found["close"].strip("\\")[:1] in ('"', "'") and found["mark"] == ":"
    shouted = text[at : found.start("close")].isupper() and found["strict"] == "="
    return (
        ((is_quoted and (bool(found["strict"]) or closed)) or (shouted and value.isalpha()))
        and len(value) >= 8
        and value.isascii()
        and _LINE_BEGIN.search(text, max(0, at - 80), at) is not None
    )
