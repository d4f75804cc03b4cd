"""Secrets found in a text, and what is none.

Mutants seen to fail here: a shape without its boundary; `_` taken for a part of a word; unseen characters, wide letters
or wrapped lines left in; placeholders taken for secrets; every word behind a name taken for one; the value in what is
returned; a value matched without a limit to its length.
"""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.text.safety.secrets import Secret, find_secrets, redact, redact_talk, tells_a_secret

BENIGN = (TESTS / "data/benign_memories.txt").read_text("utf-8").strip().split("\n\n")
ALNUM = string.ascii_letters + string.digits


def made(count: int, alphabet: str = ALNUM) -> str:
    """Return letters and digits in turn, so that no file of the project holds a whole secret."""
    dice = random.Random(count)
    return "".join(
        dice.choice([char for char in alphabet if char.isdigit() == (number % 3 == 1)] or alphabet)
        for number in range(count)
    )


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
SHAPES = {
    "aws-key": "AKIA" + made(16, UPPER),
    "google-key": "AIza" + made(35),
    "google-key, of a client": "GOCSPX-" + made(28),
    "azure-key": "AccountKey=" + made(86) + "==",
    "azure-key, of an application": made(3) + "8Q~" + made(34),
    "github-token": "ghp_" + made(36),
    "github-token, fine-grained": "github_pat_" + made(22) + "_" + made(59),
    "gitlab-token": "glpat-" + made(20),
    "slack-token": "xoxb-" + made(12, string.digits) + "-" + made(24),
    "slack-webhook": "https://hooks.slack.com/services/T" + made(8, UPPER) + "/B" + made(8, UPPER) + "/" + made(24),
    "openai-key": "sk-proj-" + made(48),
    "openai-key, old": "sk-" + made(48),
    "anthropic-key": "sk-ant-api03-" + made(60),
    "stripe-key": "sk_live_" + made(24),
    "stripe-key, of a webhook": "whsec_" + made(32),
    "npm-token": "npm_" + made(36),
    "pypi-token": "pypi-AgEIcHlwaS5vcmc" + made(60),
    "telegram-token": made(10, string.digits) + ":AA" + made(33),
    "discord-webhook": "https://discord.com/api/webhooks/" + made(18, string.digits) + "/" + made(68),
    "twilio-key": "SK" + made(32, HEX),
    "sendgrid-key": "SG." + made(22) + "." + made(43),
    "mailchimp-key": made(32, HEX) + "-us12",
    "huggingface-token": "hf_" + made(34),
    "digitalocean-token": "dop_v1_" + made(64, HEX),
    "vault-token": "hvs." + made(30),
    "jwt": "eyJ" + made(20) + ".eyJ" + made(40) + "." + made(43),
    "private-key": f"-----BEGIN RSA PRIVATE KEY-----\n{made(64)}\n{made(64)}\n-----END RSA PRIVATE KEY-----",
    "private-key, in JSON": f"-----BEGIN PRIVATE KEY-----\\n{made(64)}\\n-----END PRIVATE KEY-----",
}  # fmt: skip


@pytest.mark.parametrize("length", [127, 128, 129, 700, 9000])
@pytest.mark.parametrize(
    "line",
    [
        pytest.param("the token: {} it is", id="named"),
        pytest.param('password = "{}"', id="quoted"),
        pytest.param('{{"api_key": \\"{}\\"}}', id="quoted in JSON in JSON"),
        pytest.param("use sk-proj-{} here", id="shaped"),
        pytest.param("Authorization: Bearer {}", id="in a header"),
        pytest.param("postgres://ada:{}@db.example.org/app", id="in an address"),
    ],
)
def test_a_long_secret_is_masked_whole(line: str, length: int) -> None:
    value = made(length)

    shown = redact(line.format(value))

    assert "[redacted" in shown
    assert value[-8:] not in shown


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "the key is {} for now",
        "`{}`",
        '"{}"',
        "key={}",
        "- {}\r\n",
        "(see {})",
        "_{}",
        "키는 {}입니다",
        "密钥是{}。",
    ],
)
def test_a_secret_is_found_by_its_shape_and_taken_out(name: str, around: str) -> None:
    value = SHAPES[name]
    text = around.format(value)
    found = find_secrets(text)
    assert [secret.rule for secret in found] == [name.partition(",")[0]]
    assert redact(text) == around.format(f"[redacted {found[0].rule}]")
    assert value[:12] not in repr(found)


@pytest.mark.parametrize("name", SHAPES)
def test_emphasis_hides_nothing(name: str) -> None:
    redacted = redact(f"_{SHAPES[name]}_ and *{SHAPES[name]}*")

    assert redacted.count("[redacted ") == 2
    assert SHAPES[name][-12:] not in redacted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: hunter2", "hunter2"),
        ("Password = 'sun-flower42!'", "sun-flower42!"),
        ("The password for the router is sunflower42.", "sunflower42"),
        ("the Wi-Fi password at home is now tiger777", "tiger777"),
        ("I changed the password to Tiger!777 today", "Tiger!777"),
        ("**Password:** tiger777", "tiger777"),
        ("| password | tiger777 |", "tiger777"),
        ("password (of the router): tiger777", "tiger777"),
        ("password:\n  tiger777", "tiger777"),
        ('{"user": "ada", "password": "correcthorse"}', "correcthorse"),
        ('{\\"password\\": \\"tiger777\\"}', "tiger777"),
        ("---\npassword: tiger777\n---\n", "tiger777"),
        ("DB_PASSWORD=letmeinplease", "letmeinplease"),
        ("export PGPASSWORD='letmeinplease'", "letmeinplease"),
        ("Server=db;User Id=ada;Password=tiger777;", "tiger777"),
        ("mysql --user ada --password tiger777 acme", "tiger777"),
        ("<password>tiger777</password>", "tiger777"),
        ("postgres://ada:s3cr3t@db.example.org/acme", "s3cr3t"),
        ("redis://:s3cr3t@cache:6379", "s3cr3t"),
        ("https://ada:tiger777@example.org/x", "tiger777"),
        ("machine example.org login ada password tiger777", "tiger777"),
        ("aws_secret_access_key = a1b2c3d4e5/A1B2C3D4E5+a1b2c3d4e5A1B2C3D4", "a1b2c3d4e5/A1B2C3D4E5+a1b2c3d4e5A1B2C3D4"),
        ("clientSecret: 'a1b2c3d4e5f6'", "a1b2c3d4e5f6"),
        ("API key: 550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("ACCESS_TOKEN=a1b2c3d4e5f6a7b8", "a1b2c3d4e5f6a7b8"),
        ("Authorization: Bearer a1b2c3d4e5f6a7b8c9d0", "a1b2c3d4e5f6a7b8c9d0"),
        ("Authorization: Basic YWRhOnRpZ2VyNzc3", "YWRhOnRpZ2VyNzc3"),
        ("비밀번호: tiger777", "tiger777"),
        ("와이파이 비밀번호는 tiger777이야", "tiger777"),
        ("비번은 tiger777 이다", "tiger777"),
        ("비밀번호를 tiger777로 바꿨다", "tiger777"),
        ('암호(공유기): "tiger777"', "tiger777"),
        ("API 키: a1b2c3d4e5f6", "a1b2c3d4e5f6"),
        ("密码：tiger777", "tiger777"),
        ("家里的Wi-Fi密码是tiger777。", "tiger777"),
        ("密码改成 tiger777 了", "tiger777"),
        ("密碼: 「tiger777」", "tiger777"),
        ("口令：tiger777", "tiger777"),
        ("API密钥：a1b2c3d4e5f6", "a1b2c3d4e5f6"),
        ("wifi: ada / pass: tiger777", "tiger777"),
        ("Das Passwort ist tiger777.", "tiger777"),
        ("Le mot de passe est tiger777", "tiger777"),
        ("La contraseña es tiger777", "tiger777"),
        ("Wachtwoord: tiger777", "tiger777"),
        ("Пароль: tiger777", "tiger777"),
        ("Hasło: tiger777", "tiger777"),
        ("Şifre: tiger777", "tiger777"),
        ("كلمة المرور: tiger777", "tiger777"),
        ("รหัสผ่าน: tiger777", "tiger777"),
        ("Mật khẩu là tiger777", "tiger777"),
        ("Authorization: Token a1b2c3d4e5f6a7b8", "a1b2c3d4e5f6a7b8"),
        ("curl -X POST -u ada:tiger777 https://example.org", "tiger777"),
        ("curl --user 'ada:tiger777' example.org", "tiger777"),
        ("ｐａｓｓｗｏｒｄ：ｔｉｇｅｒ７７７", "ｔｉｇｅｒ７７７"),
        ("pass\u200bword: tiger777", "tiger777"),
        ("Password wifi: Trombone!2026x", "Trombone!2026x"),
        ("- Password Spotify: Tiger!7lily.", "Tiger!7lily"),
        ("| Passwort Gäste WLAN | Tiger!777 |", "Tiger!777"),
        ("Contraseña wifi = T1ger+7x", "T1ger+7x"),
        ("Mot de passe salle 3: Tiger-77-Lily#a", "Tiger-77-Lily#a"),
        ("Passwort: Speiche-77-Nabe!", "Speiche-77-Nabe!"),
        ("- password: Tomate-Rot-2024", "Tomate-Rot-2024"),
        ("WLAN Vereinsheim: Sonnenhang_Gast / password: Tomate-Rot-2024", "Tomate-Rot-2024"),
        ("contraseña: Perro-Verde-77", "Perro-Verde-77"),
        ("clave del wifi: Olivo-Azul-99", "Olivo-Azul-99"),
        ("La clave nueva es 550e8400-e29b-41d4-a716-446655440000:fx", "550e8400-e29b-41d4-a716-446655440000:fx"),
        ("the wifi of the hall is sea-guest, password Tiger!777.", "Tiger!777"),
        ("hartje ftp: user hadley pw Tiger777!", "Tiger777!"),
        ("ftp hadley / pwd tiger777", "tiger777"),
    ],
)  # fmt: skip
def test_what_a_name_gives_away_is_found(text: str, value: str) -> None:
    (found,) = find_secrets(text)
    assert text[found.start : found.end] == value
    assert redact(text) == text.replace(value, f"[redacted {found.rule}]")


@pytest.mark.parametrize(
    "text",
    [
        "password: <your-password>",
        "password: xxxxxxxx",
        "password: ********",
        "password: ${DB_PASSWORD}",
        "password: {{ vault.db1 }}",
        "password: none",
        "password: [redacted password]",
        "password=os.environ['DB_PASSWORD2']",
        "OPENAI_API_KEY=sk-...",
        "api_key: your-api-key-2-here",
        "ghp_" + "x" * 36,
        "AKIAIOSFODNN7EXAMPLE",
        "postgres://user:password@localhost/acme",
        "postgres://user:${PASSWORD}@localhost/acme",
        "Authorization: Bearer $TOKEN",
        "Authorization: Token $TOKEN",
        "curl -u user:password https://example.org",
        'curl -u "$NAME:$PASSWORD" https://example.org',
        "curl -sS https://example.org/a:bcdefg",
        "pw reset on 3 May",
        "pwd && cd src2",
        "pw 2026-05-01",
        "pw v2.1 of the gateway",
        "Password policy: rotate monthly.",
        "Password policy: NIST800-63B",
        "Password manager: Bitwarden",
        "Password manager: 1Password8",
        "Password reset link: https://example.org/reset2",
        "Password last changed: 2026-03-19",
        "Passwort vergessen: Link schicken",
        "Ski pass number: 44556677",
        "Passwort Ablage: KeePass2",
        "in the password KeePass2 keeps",
        "the password @Bob2 gave",
        "Password algorithm: sha256sum",
        "Password field: input#2a",
        "Passwort Abteilung: B2-Nord",
        "Passwort: Version-2-Final",
        "Password owner: carol77",
        "Password standard: ISO27001",
        "Password server: vault01",
        "password env var: DB_PASS1",
        "Mot de passe oublié : poste4411",
        "Passwort vergessen: Durchwahl4411",
        "password: see-the-safe-2024",
        "Passwort: Version-Final",
        "Password policy: Rules-Of-2024",
        "uuid 550e8400-e29b-41d4-a716-446655440000:f",
    ],
)
def test_what_stands_in_the_place_of_a_secret_is_none(text: str) -> None:
    assert find_secrets(text) == []


def test_the_shape_inside_a_longer_word_is_none() -> None:
    assert find_secrets("XAKIA" + made(16, UPPER)) == []
    assert find_secrets("AKIA" + made(17, UPPER)) == []


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("wrap", ["\n", "\r\n", "\r", "\u2028", "\n  ", "\n> ", " \\\n    "])
def test_a_wrapped_secret_is_found_wherever_the_line_ends(name: str, wrap: str) -> None:
    value = SHAPES[name]
    for cut in (2, len(value) // 2, len(value) - 3):
        text = f"See: {value[:cut]}{wrap}{value[cut:]} and so on"
        assert [secret.line for secret in find_secrets(text)] == [1], (cut, wrap)
        assert value[-3:] + " and" not in redact(text)


@pytest.mark.parametrize("hidden", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\0", "\u202e"])
def test_unseen_characters_hide_nothing(hidden: str) -> None:
    value = hidden.join(SHAPES["github-token"])
    assert redact(f"a {value} b") == "a [redacted github-token] b"


@pytest.mark.parametrize(
    ("around", "rules"),
    [
        (b"\xff\xd8\x80\xfe\x91", []),
        (b"\xff", ["password"]),
        (b"plain text ", ["password"]),
    ],
    ids=["bytes of an image", "one stray byte", "text"],
)
def test_a_short_name_among_bytes_that_are_no_text_gives_nothing_away(
    around: bytes, rules: list[str]
) -> None:
    text = (around + b"\npw=kZ81!qpd\n" + around).decode("utf-8", "replace")
    assert [secret.rule for secret in find_secrets(text)] == rules


def test_the_line_is_the_one_in_which_it_begins() -> None:
    text = "one\ntwo\u200b\nthree password: tiger777\nfour ghp_" + made(36) + "\n"
    assert [(secret.rule, secret.line) for secret in find_secrets(text)] == [
        ("password", 3),
        ("github-token", 4),
    ]


def test_benign_memories_pass() -> None:
    """T2: at most one in a hundred of memories about passwords, tokens, hashes, ids, images, numbers and code."""
    assert len(BENIGN) >= 200
    refused = [text for text in BENIGN if find_secrets(text)]
    assert len(refused) <= len(BENIGN) // 100, refused


HOSTILE = [
    "password: ",
    "password for ",
    "pw=",
    "token=a",
    '"password":"',
    "비밀번호는 ",
    "密码\n",
    "eyJ",
    " eyJaaaaaaaa.",
    "ghp_a",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 24,
    "://a:b",
    ":AA",
    "bearer aaaaaaaa1 ",
    "x\n",
    "a\u200b",
    "password: " + "a." * 60,
    " " * 64,
    "machine a login b ",
    "key: " + "aB3" * 7 + " ",
    "aB3" * 7 + " is the ",
    "a_B3-",
    "Cookie: a=b; ",
    "Cookie: a=" + "aB3" * 7 + "\n",
    "https://hook/a1B2c3D4/",
    "recovery codes: a1b2 ",
    "phrase abandon ",
    "sshpass -p ",
    "WIFI:S:a;",
    "otpauth://a?b&",
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_lines_are_read_in_one_go(piece: str, full_length) -> None:
    """One MiB of each with `--long`, else 64 KiB; a rule that went over a part twice would take many minutes."""
    size = 1 << (20 if full_length else 16)
    find_secrets((piece * (size // len(piece) + 1))[:size])


pieces = st.sampled_from(
    ["password", ": ", "=", "tiger777", '"', "\n", "  ", "is", "\u200b", "ghp_", made(36), "x", "[", "비밀번호", "는", "=="]
)  # fmt: skip


@pytest.mark.rest
@settings(max_examples=300)
@given(st.lists(st.one_of(pieces, st.text(max_size=5)), max_size=12).map("".join))
def test_places_are_in_order_and_apart_and_redacting_twice_changes_nothing(text: str) -> None:
    found = find_secrets(text)
    ends = [0, *(secret.end for secret in found)]
    assert all(end <= secret.start < secret.end for end, secret in zip(ends, found, strict=False))
    assert all(secret.end <= len(text) for secret in found)
    assert find_secrets(redact(text)) == []


def test_a_secret_says_rule_and_place_and_nothing_else() -> None:
    assert find_secrets("password: tiger777") == [Secret("password", 10, 18, 1)]


_OPEN = "sk-proj-" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"It was {_OPEN}\nNever deploy.", "It was [redacted openai-key]\nNever deploy."),
        (f"key {_OPEN}\n8080 is the port", "key [redacted openai-key]\n8080 is the port"),
        (f"key {_OPEN}\nCall\nTomasz", "key [redacted openai-key]\nCall\nTomasz"),
        (f"a {_OPEN[:20]}\n{_OPEN[20:]}\nNever do", "a [redacted openai-key]\nNever do"),
        (f"a {_OPEN[:30]}\n{_OPEN[30:]} x", "a [redacted openai-key] x"),
    ],
    ids=["a word", "a number", "a word a line", "behind a wrapped key", "a wrapped key alone"],
)
def test_the_word_that_begins_the_line_below_a_key_is_no_part_of_it(text: str, masked: str) -> None:
    assert redact(text) == masked


@pytest.mark.parametrize(
    "line",
    [
        "The password for the wifi hangs on the fridge.",
        "Ask Ana for the password of the router.",
        "La contraseña del wifi está en la nevera.",
        "Das Passwort für das WLAN hängt am Kühlschrank.",
        "Le mot de passe du wifi se trouve sur le frigo.",
        "A senha do wifi está na geladeira.",
        "La password del wifi si trova sul frigo.",
        "Het wachtwoord van de wifi hangt op de koelkast.",
    ],
)
def test_where_a_password_is_and_the_id_of_its_entry_are_none(line: str) -> None:
    """Seen: each was refused, since its entry's id counted as the password. Mutant: what follows any such colon is none."""
    assert find_secrets(f"- 2026-03-19: {line} <!-- m:abc123 -->") == []
    assert not tells_a_secret(f'"{line}" (undo m:abc123)')
    assert redact(f'"{line}" (undo x:abc123)') == f'"{line}" (undo x:abc123)'


@pytest.mark.parametrize(
    "line",
    [
        "The password for the wifi is Trombone77.",
        "The password for drive K: Tiger777x",
        "the password for m:abc1234d",
        "La contraseña del wifi es girasol77.",
        "Das Passwort für das WLAN ist Speiche77.",
        "Le mot de passe du wifi est tournesol77.",
        "A senha do wifi é mar77azul.",
        "La password del wifi è gatto9verde.",
        "The password of the router <!-- note: hunter2xy --> is in the safe.",
    ],
)
def test_a_password_before_the_id_of_its_entry_is_found(line: str) -> None:
    (found,) = find_secrets(f"- 2026-03-19: {line} <!-- m:abc123 -->")
    assert found.start < len(f"- 2026-03-19: {line}")


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("The password is sunflower.", "The password is [redacted secret]."),
        ("Das Kennwort vom Safe ist Speiche.", "Das Kennwort vom Safe ist [redacted secret]."),
        ("Das WLAN-Passwort lautet sonnenblume", "Das WLAN-Passwort lautet [redacted secret]"),
        ("Le mot de passe est tournesol.", "Le mot de passe est [redacted secret]."),
        ("La contraseña es girasol", "La contraseña es [redacted secret]"),
        ("The PIN changed. 7741", "The PIN changed. [redacted secret]"),
        ("The PIN changed. 7741 people came.", "The PIN changed. 7741 people came."),
        ("The PIN has changed. 12", "The PIN has changed. 12"),
        ("Das Passwort ist im Tresor.", "Das Passwort ist im Tresor."),
        ("Das Passwort ist dem Admin bekannt.", "Das Passwort ist dem Admin bekannt."),
        ("Das Passwort ist alle 90 Tage zu wechseln.", "Das Passwort ist alle 90 Tage zu wechseln."),
        ("Passwort: siehe Tresor", "Passwort: siehe Tresor"),
        ("Passwort ändern: Montag", "Passwort ändern: Montag"),
        (
            "Beschluss zur Passwort-Regel: mindestens 12 Zeichen",
            "Beschluss zur Passwort-Regel: mindestens 12 Zeichen",
        ),
        ("Le mot de passe est obligatoire.", "Le mot de passe est obligatoire."),
        ("Het wachtwoord is te kort.", "Het wachtwoord is te kort."),
        ("Ich muss das Passwort ändern.", "Ich muss das Passwort ändern."),
        (
            "La clave nueva de la web es perro77verde, acuérdate",
            "La clave nueva de la web es [redacted secret], acuérdate",
        ),
        ("La clave de la puerta es 4711", "La clave de la puerta es [redacted secret]"),
        ("Der Tresorschlüssel im Büro ist blau7katze", "Der Tresorschlüssel im Büro ist [redacted secret]"),
        ("La clé du portail est 8812.", "La clé du portail est [redacted secret]."),
        ("La chiave del router è gatto9verde", "La chiave del router è [redacted secret]"),
        ("A chave do cofre é mar77azul", "A chave do cofre é [redacted secret]"),
        ("Klucz do panelu to kot77zielony", "Klucz do panelu to [redacted secret]"),
        ("Kodeord: hund77blaa", "Kodeord: [redacted secret]"),
        ("The gate code is 4711", "The gate code is [redacted secret]"),
        ("The paint code is 9010", "The paint code is 9010"),
        ("The booking code is X7K2PQ", "The booking code is X7K2PQ"),
        ("La clave es la paciencia.", "La clave es la paciencia."),
        ("La clave es escuchar 3 veces.", "La clave es escuchar 3 veces."),
        ("La clave es 2500 euros de margen", "La clave es 2500 euros de margen"),
        (
            "Der Schlüssel ist bei Frau Meier in Parzelle B12.",
            "Der Schlüssel ist bei Frau Meier in Parzelle B12.",
        ),
        ("Der Schlüssel ist seit 20.11.2026 weg.", "Der Schlüssel ist seit 20.11.2026 weg."),
        ("La clé est dans le tiroir 12.", "La clé est dans le tiroir 12."),
        ("La clave está en el cajón 77b.", "La clave está en el cajón 77b."),
    ],
)
def test_a_secret_told_in_words_is_masked_in_talk_and_looked_for_in_no_file(said: str, masked: str) -> None:
    """Mutant seen: in English alone."""
    assert redact_talk(said) == masked
    assert tells_a_secret(said) == (said != masked)
    assert not find_secrets(said)
