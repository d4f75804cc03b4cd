"""Secrets without a shape: values after a name for something secret, or in a sentence, and random values beside a telling word or prefix.

Randomness alone proves nothing: a hash, a picture and an id look the same. Each value is checked once, with
at most 64 characters before it, so the time is linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.text.safety.control_characters import Legible


_FILLING = """
    ... … xxxx *** ••• () {{ redacted dummy sample example placeholder changeme change_me change-me
    your- your_ yourp yours yourt yourk youra
"""
_FILL = tuple(_FILLING.split())
_PLACES = "op: vault: ssm: aws: gcp: azure: file: env: keychain: sops: http: https:"
_ELSEWHERE = tuple(_PLACES.split())
# <x>, [x], {{ x }}, (x), %X%, $X, ${X}, $(x), !vault, a function call; and hashes, which are not passwords.
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
COOKIE, WEBHOOK = "cookie", "webhook"
HEX, UUID, MIXED, CODE = "hex", "uuid", "mixed", "code"
_LONG = lazy_pattern(r"(?<![A-Za-z0-9_+/.~%@-])[A-Za-z0-9_+/~%.@-]{16,}(?:={1,2}(?![A-Za-z0-9]))?")
_WEIGHED = 128  # characters of a value
_BEFORE = 64
_LARGE = re.VERBOSE | re.IGNORECASE
_BESIDE = 12
_KEYS = r"keys?|schlüssel|clés?|claves?|llaves?|chaves?|chiavi|chiave|sleutel|nyckel|klucz|ключ|anahtar|キー|鍵|키"
_SECRETS = (
    r"secrets?|tokens?|passwor[dt]|passwd|passphrase|psk|credentials?|authorization|api[ _-]?key|apikey|auth(?!or)"
    r"|geheimnis|jetons?|секрет|токен|トークン|密钥|密鑰|令牌|私钥|토큰|시크릿|unseal|wif|totp"
)
_OPENED = r"(?:base64:|bearer[ ]|token[ ])?[\\\"'`*(<\[{]{0,3}"
_NAMED = lazy_pattern(
    rf"""(?P<compound>[a-z_-])?(?:(?P<secret>{_SECRETS})|{_KEYS})
    (?:
        [ _-]?(?:[a-z0-9]{{1,10}}[ _-]?){{0,2}}["'`*_\]\\]{{0,4}}(?:[ ]?\([^()\n]{{0,40}}\))?
        (?:[ \t]*(?::=|=>|->|→|[:=|：是])[ \t]*|[ ](?:is|are|was|ist|lautet|est|es|é|è|jest|to)(?:[ ]now)?:?[ ])
      | ["'`*]{{0,3}}[ ]
      | (?<=authorization):[ ][a-z]{{3,12}}[ ]
    ){_OPENED}\Z""",
    _LARGE,
)
# The same name further away in the sentence, and behind the value: "… is the token of the shop".
_MENTIONED = lazy_pattern(rf"(?:{_SECRETS}|{_KEYS})(?![a-z])[^\n/.!?]{{0,40}}\Z", _LARGE)
_BEHIND = lazy_pattern(
    rf"[\"'`*)]{{0,3}}[ ](?:is|ist|est|es|=)[ ](?:the|my|our|your|der|das|mein|le|la|el)[ ](?:\w{{2,20}}[ ]){{0,2}}(?:{_SECRETS}|{_KEYS})\b",
    _LARGE,
)
# Words beside a value that opens nothing: a public key, an id, a hash.
_OPENS_NOTHING = lazy_pattern(
    r"(?<![a-z])(?:public|publishable|primary|foreign|partition|sort|cache|idempot|dedup|object|routing|site|anon|page"
    r"|cursor|continuation|next|cancel|finger|digest|hash|sha|md5|checksum|commit|etag|ids?(?![a-z])|name|known|host|gpg"
    r"|pgp|ssh|openssh|(?:ec|ed)?dsa|eddsa|rsa|ed25519|websocket|file|path)"
)
_SESSION = lazy_pattern(r"(?:[A-Z]_SESSION|SESSID|sessionid|SESSIONID|\.sid|session[_-]token)=[\"']?\Z")
_COOKIES = lazy_pattern(r"(?:[Cc]ookie[\"']?[ \t]?[:=][ \t]?|curl [^\n]{0,200}?(?:-b|--cookie)[ =])[^\r\n]*")
_PREFIXED = lazy_pattern(r"((?:[A-Za-z][A-Za-z0-9]{0,11}([_-])){1,3})([A-Za-z0-9].*)")
_SAYS_SECRET = lazy_pattern(r"(?:\A|[_-])(?:live|prod|production|secret|api|pat|tkn|token|admin|key|sk)[_-]")
_PUBLISHED = ("pk_", "pk-", "phc_", "pub", "sha")  # keys sent to each visitor, and hashes
_HOOK = lazy_pattern(r"hooks?\.[A-Za-z0-9.-]{1,60}/|hooks?(?:b2)?/|/with/key/|Webhook/", re.IGNORECASE)
_SOURCE_VIEW = ("/commit/", "/blob/", "/tree/", "/raw/")
_UUID = lazy_pattern(r"(?:[a-z]{2,6}[-_])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = lazy_pattern(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
_CODE = lazy_pattern(r"(?=[A-Z]*[2-7])(?=[A-Z2-7]*[G-Z])[A-Z2-7]{16,}")
_TURN = lazy_pattern(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[A-Z])[a-z]|(?<=[a-z])[A-Z]")
_HOST = lazy_pattern(r"(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12}/")


def is_placeholder(value: str) -> bool:
    lowered = value.lower()
    return (
        lowered.rstrip(".,;:!?") in _WORDS
        or len(set(value)) == 1
        or lowered.startswith(_ELSEWHERE)
        or any(map(lowered.__contains__, _FILL))
        or _VARIABLE.fullmatch(value) is not None
    )


def find_random(text: Legible) -> Iterator[tuple[str, int, int]]:
    """Yield rule, start and end of each random value that the text beside it makes a secret."""
    whole = text.text
    if "ookie" not in whole and " -b" not in whole:
        cookies = []
    else:
        cookies = [place for match in _COOKIES.finditer(whole) for place in match.span()]
    end = -9  # nothing precedes the text
    for match in _LONG.finditer(whole):
        begin = match.start() + len(match[0]) - len(match[0].lstrip("_~%.-"))
        value = match[0].strip("_~%.-")
        if value.startswith("//") or _HOST.match(value):
            inside = _hook(value)
            if inside and not is_placeholder(value[inside:]):
                yield WEBHOOK, begin + inside, match.end()
            continue
        kind = _kind(value[:_WEIGHED])
        is_path = value.startswith(("/", "./", "../")) and value.count("/") > 1
        if kind is None or is_path or value.startswith(_PUBLISHED) or is_placeholder(value[:_WEIGHED]):
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


def _is_prefixed(value: str) -> bool:
    """Say whether it begins like vendors' keys: `shop_live_…`, `tool_api_…`, `xyz_` and many letters and digits."""
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
    mark = line.rfind("[redacted ")
    before = line
    if mark >= 0:  # the words of a mark name nothing
        before = line[line.find("]", mark) + 1 or len(line) :]
    if _SESSION.search(before):
        return kind != UUID
    given = _NAMED.search(before)
    if given is not None:
        if before != line and given.start() < _BESIDE:
            return False  # the value beside the name is masked already: it was checked before
        is_free = _OPENS_NOTHING.search(before.lower(), max(0, given.start() - _BESIDE)) is not None
        is_bare = given["secret"] is None and given["compound"] is None
        return not is_free and not (kind == UUID and is_bare)
    if kind != MIXED or before != line or _OPENS_NOTHING.search(before.lower()):
        return False
    behind = whole[end : end + _BEFORE]
    return _MENTIONED.search(before) is not None or _BEHIND.match(behind) is not None


def _hook(address: str) -> int:
    """Return the start of the secret part of a web hook's address, 0 for other addresses."""
    hook = _HOOK.search(address)
    if hook is None or any(map(address.__contains__, _SOURCE_VIEW)):
        return 0
    begin = hook.end()
    for part in address[begin:].split("/"):
        if _kind(part) is not None or _kind(part.partition("@")[0]) is not None:
            return begin
        begin += len(part) + 1
    return 0


PASSWORD, CREDENTIAL = "password", "credential"


class _Name(NamedTuple):
    """A word before a secret; ``at_least`` is the secret's length then."""

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
        key, wpa2 key, network key, clé wifi, clave wifi, clave del wifi, clave de wifi, clave de la wifi, clé du wifi, chave do wifi,
        chiave del wifi
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
_STEMS = ("key", "pass", "secret", "credential")  # in most names


def _by_stem(names: Iterable[_Name]) -> dict[str, list[_Name]]:
    by_stem: dict[str, list[_Name]] = {}
    for name in names:
        stem = next((stem for stem in _STEMS if stem in name.word), name.word)
        by_stem.setdefault(stem, []).append(name)
    return by_stem


_ALL = _by_stem(_NAMES)
_ASCII = _by_stem(name for name in _NAMES if name.word.isascii())
# A private value: the word for it alone is not one.
_PRIVATE = "passwords?|pass ?phrases?|passcodes?|passwd|pwd|api keys?|pin|pin code|secret|secret key|private key|log-?in|credentials?|wifi key|seed phrase|recovery phrase|passport number|maiden name"
_PRIVATE_ELSEWHERE = r"(?:\w+-?)?(?:passw[oö]rt|kennwort)|mot de passe|contraseña|senha|wachtwoord|hasło|heslo|lösenord|adgangskode|passord|parola d['’]ordine|пароль"
# Words that are as often a key of metal, or of a matter: only a value of letters and digits, or a number alone, is one.
_KEY_ELSEWHERE = (
    r"(?:la|las|mi|su|nuestra|una) claves?|(?:la|ma|sa|notre|une) clé(?! usb)|(?:wlan-?|wifi-?|tür|tor|tresor|safe|zugangs)?schlüssel"
    r"|(?:la|mia|una) chiave|(?:a|minha|uma) chave|palavra-passe|sleutel|nyckel|nøgle|nøkkel|klucz|klíč|ключ|kodeord"
)
# Statements about a password, without it.
_NO_WORD_FOR_IT = (
    "im|in|bei|auf|nicht|nie|zu|falsch|nötig|wichtig|bekannt|vergessen|verloren|abgelaufen|geändert|fällig|leer|da|weg|gut|schlecht|alt|neu|sicher|unsicher"
    "|dans|pas|obligatoire|expiré|perdu|oublié|no|en|obligatori[oa]|caducad[oa]|olvidad[oa]|não|non|nel|scaduta|niet|te|verplicht|verlopen"
)
# A code that opens something, or has no noun before it: not of paint, of a booking or of a country.
_OPENING_CODE = (
    r"(?:(?:doors?|gate|garage|shed|locks?|locker|key ?box|lock ?box|alarm|safe|vault|entry|entrance|building|house|access|unlock|security|log-?in|sign-?in"
    r"|verification|confirmation|one-?time|auth\w*|backup|recovery|sim|puk|wifi|the|a|my|our|his|her|their|your|its|new|old) |^\W*)codes?"
)
TOLD = lazy_pattern(
    rf"(?P<lead>\b(?:{_PRIVATE})\b.{{0,40}}?(?:\b(?:is|are)|[:=])\s+(?!(?:in|on|at|with|by|kept|stored|rotated|changed|due|not|never|too|required|monthly)\b)(?=\S)"
    rf"|\b(?:{_PRIVATE})\b[^.!?\n]{{0,40}}[.!]\s+(?=[^\s.!?]*\d)(?=[^\s.!?]{{4,}}[.!]?\s*(?:\n|\Z))"  # `The PIN changed. 7741`
    rf"|\b(?:{_OPENING_CODE}|combination|token|seed)\b.{{0,40}}\b(?:is|are)\s+(?=\S*\d)"
    rf"|\b(?:{_PRIVATE_ELSEWHERE})\b.{{0,40}}?(?:[:=]\s+(?=[^\s.!?,;]*\d)|\b(?:ist|lautet|est|es|é|è|is|to|je|är|er)\s+(?!(?:{_NO_WORD_FOR_IT})\b)"
    r"(?=[«„“\"']?[^\s.!?,;]+[.!?\s]*(?:[,;\n]|$)|[^\s.!?,;]*\d))"
    rf"|\b(?:{_KEY_ELSEWHERE})\b[^.!?\n]{{0,40}}?(?:[:=]\s+|\b(?:ist|lautet|est|es|é|è|is|to|je|är|er)\s+)"
    r"(?=[«„“\"'`]?(?:(?=[^\s,;]*\d)(?=[^\s,;]*[^\W\d_])[^\s,;]{6,}|\d{4,}[.!]?\s*(?:[,;\n]|\Z)))"
    r"|(?:密[码碼钥鑰]|口令|验证码|账号|身份证|卡号)[^，。]{0,10}(?:是|为|：|:)|(?:비밀번호|패스워드|암호(?!화)|인증 ?번호|주민(?:등록)?번호|카드 ?번호)[은는이가]\s*)"
    r"(?P<value>(?:(?![,;.!?](?:\s|\Z)|[，。])[^\n])*)"
    r"|\b\d{3}-\d{2}-\d{4}\b|\b(?P<account>[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,}(?: ?[\da-z]{1,3}\b)?)|(?<!\+)\b(?!00)(?:\d[ -]?){12,18}\d\b",
    re.IGNORECASE,
)
# The word for a secret alone; a code has a number beside it.
SECRET_NAMED = lazy_pattern(
    rf"\b(?:{_PRIVATE}|pins|geheimzahl|{_PRIVATE_ELSEWHERE}|{_KEY_ELSEWHERE})\b"
    rf"|\b(?:{_OPENING_CODE}|(?:tür|tor)-?code|combination|token|seed|códigos?|codice)\b(?=.*\d)"
    r"|密[码碼钥鑰]|口令|验证码|暗証番号|パスワード|비밀번호|패스워드|암호(?!화)",
    re.IGNORECASE,
)
# Countries of an IBAN, which people give to each other, also with a digit too few.
_IBAN = (
    "ad at be ch cy cz de dk ee es fi fr gb gr hr hu ie is it li lt lu lv mc mt nl no pl pt ro se si sk tr ua"
)
_IBANS = frozenset(_IBAN.split())
_LOOKED_AT = 128
_PLAIN = r"[!#-&(-+./0-9:=?@A-Z\[\]^_a-z{}~-]"
_REST = {"plain": lazy_pattern(_PLAIN + "*"), "quoted": lazy_pattern(r"[^\s\"'`]*")}
# From the end of the name to the value. All lengths are bounded: no text makes it slow.
_VALUE = rf"""
    [ \t*]*(?:\r?\n[ \t>]{{0,20}})?
    (?:\\?(?P<quote>["'`])(?P<quoted>[^"'`\n]{{1,{_LOOKED_AT}}}+)(?:(?P=quote)|(?=[^"'`\n]))
      |(?P<plain>{_PLAIN}{{1,{_LOOKED_AT}}}))"""
_END_OF_NAME = r"""
    (?:[ _-]?(?:access[ _-]?)?key|s)?          # secret access key, passwords
    (?P<close>[\\"'`*_\]]{0,4})                 # the end of a quoted or emphasised name
    (?:[ \t]?\([^()\n]{0,60}\))?                # password (of the router)"""
_IS = r"[ ](?:is|was|are|changed\ to|set\ to|reset\ to|to|ist|lautet|est|es|é|è|jest|là)(?::|[ ](?:now[ ])?)"
_GIVEN = lazy_pattern(
    rf"""{_END_OF_NAME}
    (?:
        [ \t]*(?P<strict>:=|=>?|-->|->|→)
      | [ \t]*(?P<mark>:|\||>)
      | {_IS}
      | (?:는|은|이|가|를|을|도)[ :]
      | [ ]?(?:现在|現在)?(?:是|为|為|改成|改为|改為|设为|設為|は)
    ){_VALUE}""",
    _LARGE,
)
_OF = r"for|to|of|on|at|in|für|zum|zur|vom|von|des|der|im|am|pour|du|de|de[ ]la|del|para|en|di|per|do|da|van|voor"
_ID = r"(?-i:(?<=[ (][mxk]:)[0-9a-z]{6}\b)"  # of an entry: its colon gives no value
# The same with a few words between: "the password for the router is …".
_DESCRIBED = lazy_pattern(
    rf"""s?[ ](?:{_OF})[ ][^\n:=]{{1,60}}?(?:(?P<mark>:)(?!{_ID})|(?P<strict>=)|{_IS})(?P<close>){_VALUE}""",
    _LARGE,
)
# A word or two after the name, and a value that is not a thing's name with a number: "Password wifi: Trombone!2026x", "Password app: KeePass2";
# or only a space: "password Trombone!2026x".
_LABELLED = lazy_pattern(
    rf"""(?:(?:[ ](?!polic|manag|reset|rotat|length|hash|hint|chang|requir|protec|audit)[\w-]{{1,20}}){{1,2}}(?:[ ]?\([^()\n]{{0,60}}\))?
    [ ]?(?:(?P<mark>[:|])|(?P<strict>=))|(?=[ ]))(?P<close>)(?=\s*\S*?\d)(?=\s*\S*?(?-i:[A-Z]))(?=\s*\S*?[!?\#$%&@*+^~]\w){_VALUE}""",
    _LARGE,
)
# only a space behind the short name, and a value of letters and digits
_ABBREVIATED = lazy_pattern(
    rf"(?P<close>)(?P<strict>[ ])(?P<mark>$)?(?=\S*\d)(?=\S*[^\W\d_])(?![^\s/]*/){_VALUE}",
    _LARGE,  # `pwd src2/main` is a command
)
# words and a number, as in memorable passwords
_SPELT = lazy_pattern(
    r"[A-ZÄÖÜ][^\W\d_]+[-_.](?:\d{2,}[-_.][A-ZÄÖÜ][^\W\d_]+|[A-ZÄÖÜ][^\W\d_]+[-_.]\d{2,})!*"
)
_FLAG_BEGIN = lazy_pattern(r"(?:\A|\s)--[\w-]{0,30}\Z")
_FLAG = lazy_pattern(rf"(?P<close>)(?P<strict>[ ])(?P<mark>$)?{_VALUE}", _LARGE)
_LINE_BEGIN = lazy_pattern(r"(?:^|[\n\r{,;])[ \t>]*(?:export[ ]+|set[ ]+|-[ ]+)?[\\\"'`\w.-]{0,40}\Z")
_NOT_RANDOM = lazy_pattern(
    r"""(?i:(?!\d{8,}\Z)[\d.,:/ +-]+(?:t[\d:.]+z?)?(?:[-]?[a-z]{1,12})?      # numbers, dates, times; 16-character
       |\d{1,4}(?:st|nd|rd|th|[dhmsxk]|kb|mb|ms|px)
       |[~.]{0,2}/.*
       |[\w.+-]{1,64}@[\w.-]+                                # an address
       |(?:[a-z_]\w*\.)+[a-z_]\w*                           # settings.DB_PASSWORD
       |m:[0-9a-z]+)""",
    _LARGE,
)
_PARTS = lazy_pattern(r"[-_./:]+")
_PLAIN_PART = lazy_pattern(r"[a-z]+|[0-9]{1,4}|v[0-9]{1,3}", re.IGNORECASE)
_MIXED = lazy_pattern(r"[a-z][0-9]|[0-9][a-z]", re.IGNORECASE)
_MARKS = frozenset("!@#$%^&*+")
_TOKEN = lazy_pattern(r"[A-Za-z0-9_\-+/=.~:%]+")


def opens_nothing(match: re.Match[str]) -> bool:
    """Say whether `TOLD` found an account's number for payments."""
    return (match["account"] or "")[:2].lower() in _IBANS


def find_named(text: Legible) -> Iterator[tuple[str, int, int]]:
    """Yield rule, start and end of each value after a name for something secret."""
    lower = text.text.lower()
    by_stem = _ASCII if lower.isascii() else _ALL
    names: list[_Name] = []
    for stem in filter(lower.__contains__, by_stem):
        names += by_stem[stem]
    for name in names:
        at = lower.find(name.word)
        while at >= 0:
            end = after = at + len(name.word)
            for match in _behind(text.text, at, end, name):
                group = "quoted"
                if match["plain"]:
                    group = "plain"
                value = _trimmed(match[group], group)
                if _counts(text.text, at, name, match, value):
                    after = _whole_end(text.text, match, group, match.start(group) + len(value))
                    yield name.rule, match.start(group), after
                    break
            at = lower.find(name.word, after)


def _behind(text: str, at: int, end: int, name: _Name) -> Iterator[re.Match[str]]:
    before = text[at - 1 : at]
    is_hump = before.islower() and text[at].isupper()  # clientSecret
    if name.alone and before.isalpha() and not is_hump:
        return
    patterns = [_GIVEN]
    if text.startswith((" ", "s "), end):
        patterns.append(_DESCRIBED)
        if name.rule == PASSWORD and name.word != "pass":
            patterns.append(_LABELLED)
        if name.word in ("pw", "pwd"):
            patterns.append(_ABBREVIATED)
    if _FLAG_BEGIN.search(text, max(0, at - 40), at):
        patterns.append(_FLAG)
    for pattern in patterns:
        match = pattern.match(text, end)
        if match is None:
            continue
        is_element = text[at - 1 : at] in ("<", ":") and text.startswith("</", match.end())
        if match["mark"] != ">" or is_element:
            yield match


def _counts(text: str, at: int, name: _Name, match: re.Match[str], value: str) -> bool:
    if len(value) < name.at_least or any(map(str.isspace, value)):
        return False
    if name.rule == CREDENTIAL:
        could_be = _is_mixed(value) and _TOKEN.fullmatch(value) is not None
    else:
        marked = not _MARKS.isdisjoint(value.rstrip("!?*"))
        could_be = _is_mixed(value) or marked or value.isdecimal() or _is_setting(text, at, match, value)
        could_be = could_be or _SPELT.fullmatch(value) is not None
    if not could_be or is_placeholder(value) or _NOT_RANDOM.fullmatch(value):
        return False
    # an image among the text has every short name now and then
    is_binary = text.count("\ufffd", max(0, at - 20), match.end() + 20) > 4
    folder, _, file = value.rpartition("/")
    is_path = folder != "" and "." in file[1:] and "+" not in value and "=" not in value
    return not is_binary and not is_path


def _trimmed(value: str, group: str) -> str:
    return value.rstrip(".,;:)]}*") if group == "plain" else value.removesuffix("\\")


def _whole_end(text: str, match: re.Match[str], group: str, end: int) -> int:
    """Return the end of the value that begins at ``group``: the match covers only its beginning."""
    if match.end(group) - match.start(group) < _LOOKED_AT:
        return end
    rest = _REST[group].match(text, match.end(group))
    return match.start(group) + len(_trimmed(text[match.start(group) : rest.end() if rest else end], group))


def _is_mixed(value: str) -> bool:
    """Say whether digits are among the letters, and it is not a row of plain words and numbers."""
    parts = filter(None, _PARTS.split(value))
    return _MIXED.search(value) is not None and not all(map(_PLAIN_PART.fullmatch, parts))


def _is_setting(text: str, at: int, match: re.Match[str], value: str) -> bool:
    """Say whether a value of letters only is a secret all the same: one word, assigned to a name as in settings files."""
    is_quoted = match["quoted"] is not None
    closed = match["close"].strip("\\")[:1] in ('"', "'") and match["mark"] == ":"
    shouted = text[at : match.start("close")].isupper() and match["strict"] == "="
    return (
        ((is_quoted and (bool(match["strict"]) or closed)) or (shouted and value.isalpha()))
        and len(value) >= 8
        and value.isascii()
        and _LINE_BEGIN.search(text, max(0, at - 80), at) is not None
    )
