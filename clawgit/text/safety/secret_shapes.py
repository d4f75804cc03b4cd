"""Secrets recognised by their shape alone: each begins with, or holds, unique letters."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern


class SecretShape(NamedTuple):
    """One kind of secret."""

    rule: str
    literal: str  # in each of them
    pattern: re.Pattern[str]
    leads: tuple[int, ...] = (0,)  # possible distances of the literal from the start
    group: int = 0  # the part of the match that is the secret
    bounded: bool = True  # not after a letter or digit
    exact: bool = False  # nor before one


def _shapes(rule: str, literals: str, rest: str) -> tuple[SecretShape, ...]:
    """Return a shape for each of the ``literals`` (separated by blanks), followed by ``rest``."""
    exact = "," not in rest
    return tuple(
        SecretShape(rule, each, lazy_pattern(re.escape(each) + rest), exact=exact)
        for each in literals.split()
    )


def _before(rule: str, literal: str, pattern: str, *leads: int) -> SecretShape:
    return SecretShape(rule, literal, lazy_pattern(pattern), leads)


def _after(rule: str, literal: str, rest: str) -> SecretShape:
    return _holding(rule, literal, re.escape(literal) + rest)


def _holding(rule: str, literal: str, pattern: str) -> SecretShape:
    return SecretShape(rule, literal, lazy_pattern(pattern), group=1, bounded=False)


# A number of 17 to 19 digits in base64, the start of each Discord token, and the encodings of its first digits.
_SNOWFLAKE = r"(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{0,3}"
_SNOWFLAKE_BEGINS = "MD MT Mj Mz ND NT Nj Nz OD OT Oj Oz"
# "-----BEGIN … PRIVATE KEY" in base64: of any kind, RSA, EC, OPENSSH, ENCRYPTED.
_ENCODED_KEY_HEADS = " ".join(
    "LS0tLS1CRUdJTiB" + kind
    for kind in ("QUklWQVRFIEtFW", "SU0EgUFJJVkFUR", "FQyBQUklWQVRF", "PUEVOU1NIIFBSS", "FTkNSWVBURUQgU")
)
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_WALLET_WORDS = r"\W{1,5}(?:is |ist )?((?:[a-z]{3,8} ){11}(?:[a-z]{3,8} ){0,12}[a-z]{3,8})\b"
_ONE_TIME = r"\W{1,5}((?=[a-z0-9-]{0,9}[0-9])[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){0,3}(?:[\s,;]{1,3}(?=[a-z0-9-]{0,9}[0-9])[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){0,3}){1,15})"
_KEY_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
# After the head, with room for the lines "Proc-Type", "Version" and the like; a mention in prose has no such run.
_KEY_BODY = (
    r"(?=[\s\S]{0,300}?[A-Za-z0-9+/]{24})(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,60}-----)?"
)
# Programs with a password on the command line, each with the option and the text between it and the password.
_OPTIONS = (
    ("sshpass ", r"-p ?"),
    ("mysql", r"-p"),
    ("mariadb", r"-p"),
    ("mongo", r"(?:-p|--password)[ =]"),
    ("redis-cli ", r"(?:-a|--pass) "),
    ("docker login ", r"(?:-p|--password)[ =]"),
    ("podman login ", r"(?:-p|--password)[ =]"),
    ("twine ", r"(?:-p|--password) "),
    ("smbclient ", r"-U ?[\"']?[^\s%\"']{1,60}%"),
    ("ldapsearch ", r"-w ?"),
    ("mosquitto_", r"-P "),
    ("openssl ", r"-pass(?:in|out)? pass:"),
    ("zip ", r"-P ?"),
    ("7z ", r"-p"),
    ("xfreerdp ", r"/p:"),
    ("wget ", r"--(?:http-|ftp-)?password[ =]"),
)
SHAPES: tuple[SecretShape, ...] = (
    *_shapes("aws-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
    *_shapes("aliyun-key", "LTAI", r"[A-Za-z0-9]{16,24}"),
    *_shapes("tencent-key", "AKID", r"[A-Za-z0-9]{32}"),
    *_shapes("google-key", "AIza", r"[A-Za-z0-9_-]{35}"),
    *_shapes("google-key", "GOCSPX-", r"[A-Za-z0-9_-]{24,40}"),
    *_shapes("google-key", "ya29.", r"[A-Za-z0-9_-]{20,500}"),
    *_shapes("google-key", "1//0", r"[A-Za-z0-9_-]{40,200}"),
    *_shapes("azure-key", "AccountKey= SharedAccessKey=", r"[A-Za-z0-9+/]{43,100}={0,2}"),
    *_shapes("azure-key", "sig=", r"[A-Za-z0-9%+/]{40,120}(?:%3[Dd]|=)"),
    _before("azure-key", "Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", 4),
    *_shapes("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,251}"),
    *_shapes("github-token", "github_pat_", r"[A-Za-z0-9_]{36,251}"),
    *_shapes(
        "gitlab-token", "glpat- gldt- glrt- glptt- glft- glsoat- glcbt- gloas-", r"[A-Za-z0-9_.-]{20,300}"
    ),
    *_shapes("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.", r"[A-Za-z0-9.-]{20,300}"),
    *_shapes("slack-token", "xoxd- xoxc-", r"[A-Za-z0-9%+/_-]{20,400}"),
    *_shapes("slack-token", "xapp-", r"[0-9]-[A-Za-z0-9-]{20,300}"),
    *_shapes("slack-webhook", "https://hooks.slack.com/services/", r"[A-Za-z0-9/_-]{30,120}"),
    *_shapes("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,250}"),
    *_shapes("openrouter-key", "sk-or-", r"[A-Za-z0-9_-]{20,250}"),
    *_shapes("openai-key", "sk-proj- sk-svcacct- sk-admin-", r"[A-Za-z0-9_-]{20,250}"),
    *_shapes("openai-key", "sk-", r"(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,200}"),
    *_shapes("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,250}"),
    *_shapes("stripe-key", "whsec_", r"[A-Za-z0-9+/=]{24,120}"),
    *_shapes("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    *_shapes("pypi-token", "pypi-AgE", r"[A-Za-z0-9_-]{50,500}"),
    *_shapes("rubygems-token", "rubygems_", r"[a-f0-9]{48}"),
    *_shapes("crates-token", "cio", r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}"),
    _before("telegram-token", ":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}", 10, 9, 8),
    _after("telegram-token", "/bot", r"([0-9]{8,10}:AA[A-Za-z0-9_-]{32,34})"),
    *_shapes("discord-webhook", "https://discord.com/api/webhooks/", r"[0-9]{10,25}/[A-Za-z0-9_-]{30,120}"),
    *_shapes(
        "discord-webhook", "https://discordapp.com/api/webhooks/", r"[0-9]{10,25}/[A-Za-z0-9_-]{30,120}"
    ),
    _before("deepl-key", ":fx", _UUID + ":fx", 36),
    *_shapes("twilio-key", "SK", r"(?=[a-f]{0,31}[0-9])[a-f0-9]{32}"),
    *_shapes("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    *_shapes("mailgun-key", "key-", r"(?=[a-f]{0,31}[0-9])[a-f0-9]{32}"),
    _before("mailchimp-key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}", 32),
    *_shapes("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
    *_shapes("shopify-token", "shpat_ shpss_ shpca_ shppa_", r"[A-Fa-f0-9]{32}"),
    *_shapes("huggingface-token", "hf_", r"[A-Za-z0-9]{34,40}"),
    *_shapes("databricks-token", "dapi", r"[a-f0-9]{32}"),
    *_shapes("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,64}"),
    *_shapes("notion-token", "ntn_ secret_", r"(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{40,60}"),
    *_shapes("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    *_shapes("atlassian-token", "ATATT3", r"[A-Za-z0-9_=-]{100,300}"),
    *_shapes("docker-token", "dckr_", r"[po]at_[A-Za-z0-9_-]{20,60}"),
    *_shapes("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    *_shapes("newrelic-key", "NRAK-", r"[A-Z0-9]{27}"),
    *_shapes("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{40,400}"),
    *_shapes("square-token", "sq0atp- sq0csp-", r"[A-Za-z0-9_-]{22,60}"),
    *_shapes("vault-token", "hvs. hvb.", r"[A-Za-z0-9_-]{24,200}"),
    _before("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}", 14),
    *_shapes("pulumi-token", "pul-", r"[a-f0-9]{40}"),
    *_shapes("supabase-key", "sbp_", r"[a-f0-9]{40}"),
    *_shapes("supabase-key", "sb_secret_", r"[A-Za-z0-9_-]{20,60}"),
    *_shapes("groq-key", "gsk_", r"[A-Za-z0-9]{40,60}"),
    *_shapes("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,60}"),
    *_shapes("xai-key", "xai-", r"[A-Za-z0-9]{60,100}"),
    *_shapes("replicate-token", "r8_", r"[A-Za-z0-9]{37}"),
    *_shapes("figma-token", "figd_", r"[A-Za-z0-9_-]{36,60}"),
    *_shapes("postman-key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    *_shapes("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    *(
        _before("discord-token", each, _SNOWFLAKE + r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}", 0)
        for each in _SNOWFLAKE_BEGINS.split()
    ),
    _before("azure-key", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 76),
    _before("azure-key", "JQQJ99", r"[A-Za-z0-9]{32}JQQJ99[A-Za-z0-9]{46}", 32),
    _before("azure-key", "AzFu", r"[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5,6}={0,2}", 44),
    *_shapes("tavily-key", "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9_-]{24,80}"),
    *_shapes("pinecone-key", "pcsk_", r"[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,100}"),
    *_shapes("langsmith-key", "lsv2_", r"(?:pt|sk)_[a-f0-9]{32}(?:_[a-f0-9]{10})?"),
    *_shapes("langfuse-key", "sk-lf-", _UUID),
    *_shapes(
        "fly-token",
        "fm1r_ fm2_ fm1a_ fo1_",
        r"[A-Za-z0-9+/_-]{40,4000}={0,2}(?:,fm2_[A-Za-z0-9+/]{40,4000}={0,2})?",
    ),
    *_shapes(
        "doppler-token", "dp.", r"(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}"
    ),
    *_shapes("tailscale-key", "tskey-", r"[a-z]{3,10}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,64}"),
    *_shapes("grafana-token", "glc_", r"[A-Za-z0-9+/]{32,400}={0,2}"),
    *_shapes("grafana-token", "eyJrIjo", r"[A-Za-z0-9+/]{40,400}={0,2}"),
    _after("docker-token", '"auth"', r'\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{16,4000}={0,2})"'),
    *_shapes("meta-token", "EAA IGAA", r"[A-Za-z0-9]{80,400}"),
    _after("okta-token", "SSWS ", r"(00[A-Za-z0-9_-]{40})"),
    *_shapes("planetscale-token", "pscale_", r"(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    *_shapes("neon-key", "napi_", r"(?=[a-z_]{0,60}[0-9])[a-z0-9]{40,80}"),
    *_shapes("neon-key", "npg_", r"(?=[A-Za-z]{0,12}[0-9])[A-Za-z0-9]{10,24}"),
    *_shapes("gitlab-token", "glagent- glffct- glimt- glrtr-", r"[A-Za-z0-9_.-]{20,300}"),
    *_shapes("gitlab-token", "GR1348941", r"[A-Za-z0-9_-]{20,40}"),
    *_shapes("1password-token", "ops_eyJ", r"[A-Za-z0-9+/_-]{100,4000}={0,2}"),
    *_shapes(
        "1password-key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"
    ),
    _after("sentry-key", "://", r"([0-9a-f]{32}(?::[0-9a-f]{32})?)@[A-Za-z0-9]"),
    _after("npm-token", "_auth", r"[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9+/]{12,400}={0,2})"),
    _after("npm-token", "_authToken", r"[ \t]{0,4}=[ \t]{0,4}[\"']?([A-Za-z0-9._~+/-]{16,4000}={0,2})"),
    *_shapes("private-key", _ENCODED_KEY_HEADS, r"[A-Za-z0-9+/]{40,20000}={0,2}"),
    *_shapes("aws-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"[A-Za-z0-9+/]{80,4000}={0,2}"),
    *_shapes("aws-key", "ABSK", r"[A-Za-z0-9+/]{100,300}={0,2}"),
    *_shapes("cloudflare-token", "cfk_ cfut_ cfat_", r"[A-Za-z0-9]{40,60}"),
    *_shapes("cloudflare-token", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{146}"),
    *_shapes("atlassian-token", "ATBB", r"[A-Za-z0-9]{32}"),
    *_shapes("atlassian-token", "ATCTT3", r"[A-Za-z0-9_=-]{100,300}"),
    *_shapes("elevenlabs-key", "sk_", r"(?=[a-f]{0,48}[0-9])[a-f0-9]{48}"),
    *_shapes("cerebras-key", "csk-", r"[a-z0-9]{40,60}"),
    *_shapes("fireworks-key", "fw_", r"(?=[A-Za-z]{0,24}[0-9])[A-Za-z0-9]{22,30}"),
    *_shapes("together-key", "tgp_v1_", r"[A-Za-z0-9_-]{40,60}"),
    *_shapes("voyage-key", "pa-", r"(?=[A-Za-z_-]{0,42}[0-9])[A-Za-z0-9_-]{43}"),
    *_shapes("jina-key", "jina_", r"[a-f0-9]{32}[A-Za-z0-9_-]{28}"),
    *_shapes("firecrawl-key", "fc-", r"(?=[a-f]{0,32}[0-9])[a-f0-9]{32}"),
    *_shapes("brave-key", "BSA", r"(?=[A-Za-z_-]{0,28}[0-9])[A-Za-z0-9_-]{28}"),
    *_shapes("e2b-key", "e2b_", r"[a-f0-9]{40}"),
    *_shapes("wandb-key", "wandb_v1_", r"[A-Za-z0-9_-]{40,120}"),
    *_shapes("square-token", "EAAA", r"[A-Za-z0-9_-]{60}"),
    *_shapes("paypal-token", "access_token$production$", r"[a-z0-9]{16}\$[a-f0-9]{32}"),
    *_shapes("plaid-token", "access-", r"(?:production|sandbox|development)-" + _UUID),
    *_shapes("hubspot-token", "pat-", r"(?:na|eu|ap)[0-9]-" + _UUID),
    *_shapes("brevo-key", "xkeysib- xsmtpsib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    *_shapes("resend-key", "re_", r"(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}"),
    *_shapes("mapbox-token", "sk.eyJ", r"[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{20,60}"),
    *_shapes("asana-token", "2/", r"[0-9]{12,20}/[0-9]{12,20}:[a-f0-9]{32}"),
    *_shapes("clickup-token", "pk_", r"[0-9]{5,10}_[A-Z0-9]{32}"),
    *_shapes("netlify-token", "nfp_ nfc_ nfo_ nfu_", r"[A-Za-z0-9]{36,60}"),
    *_shapes("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"[A-Za-z0-9]{24,80}"),
    *_shapes("vercel-token", "vercel_blob_rw_", r"[A-Za-z0-9]{12,24}_[A-Za-z0-9]{24,48}"),
    *_shapes("render-key", "rnd_", r"(?=[A-Za-z]{0,28}[0-9])[A-Za-z0-9]{24,40}"),
    *_shapes("heroku-key", "HRKU-", r"[A-Za-z0-9_-]{36,80}"),
    *_shapes("databricks-token", "dapi", r"[a-f0-9]{32}-[0-9]"),
    *_shapes("posthog-key", "phx_ phs_", r"[A-Za-z0-9]{40,60}"),
    *_shapes("dynatrace-token", "dt0", r"[cs][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    *_shapes("honeycomb-key", "hcaik_ hcxik_ hcamk_ hcxmk_", r"[a-z0-9]{40,64}"),
    *_shapes("buildkite-token", "bkua_ bkct_ bkpat_", r"[a-f0-9]{40}"),
    *_shapes("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{20,24}_[a-f0-9]{40}"),
    *_shapes("nuget-key", "oy2", r"(?=[a-z]{0,43}[0-9])[a-z0-9]{43}"),
    *_shapes("artifactory-token", "AKCp", r"[A-Za-z0-9]{60,80}"),
    *_shapes("artifactory-token", "cmVmd", r"[A-Za-z0-9]{59}"),
    *_shapes("sonarqube-token", "sqp_ squ_ sqa_", r"[a-f0-9]{40}"),
    *_shapes("snyk-token", "snyk_sat. snyk_uat.", r"[A-Za-z0-9_.-]{40,160}"),
    *_shapes("contentful-token", "CFPAT-", r"[A-Za-z0-9_-]{40,60}"),
    *_shapes("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,80}"),
    *_shapes("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}"),
    *_shapes("dropbox-token", "sl.", r"(?:u\.)?(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{100,1400}"),
    *_shapes("zoho-token", "1000.", r"[a-f0-9]{32}\.[a-f0-9]{32}"),
    *_shapes("jwt", "eyJ", r"[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
    SecretShape("private-key", "-----BEGIN ", lazy_pattern(_KEY_HEAD + _KEY_BODY), bounded=False),
    _after("private-key", "Private-Lines: ", r"[0-9]{1,3}\s{1,4}([A-Za-z0-9+/=\s]{24,20000})"),
    _after("url-password", "://", r"[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{1,16000})@[A-Za-z0-9.\[$-]"),
    _after("bearer-token", "earer ", r"(?=[A-Za-z._~+/%-]{0,60}[0-9])([A-Za-z0-9._~+/%-]{20,4000}={0,2})"),
    _after("bearer-token", "uthorization: Token ", r"([A-Za-z0-9._~+/-]{16,4000}={0,2})"),
    _after("basic-login", "uthorization: Basic ", r"([A-Za-z0-9+/]{12,400}={0,2})"),
    _holding(
        "password", "curl ", r"curl[^\n]{0,300}? (?:-u ?|--user[ =])[\"']?[^\s:\"']{1,100}:([^\s\"']{4,100})"
    ),
    _after("password", "machine ", r"[^\s]{1,200}\s{1,4}login [^\s]{1,200}\s{1,4}password ([!-~]{4,100})"),
    *(
        _holding(
            "password",
            program,
            program.rstrip()
            + rf"[^\n|;&]{{0,200}}? {option}(?:(?=['\"])['\"]|(?=[^'\"]))([^\s\"'|;&]{{4,100}})",
        )
        for program, option in _OPTIONS
    ),
    _after("wifi-key", "WIFI:", r"(?:[A-Z]:[^;\n]{0,80};){0,5}P:((?:[^;\\\n]|\\.){6,80});"),
    _after(
        "otp-secret",
        "otpauth",
        r"(?:-migration)?://[^\s\"'<>]{0,200}?[?&](?:secret|data)=([A-Za-z0-9+/%=]{16,4000})",
    ),
    *(
        _after("recovery-code", begin, rf"[ -]?[Cc]odes?{_ONE_TIME}")
        for begin in ("ecovery", "ackup", "escue")
    ),
    _after("recovery-phrase", "phrase", _WALLET_WORDS),
    _after("recovery-phrase", "nemonic", _WALLET_WORDS),
    _after("password", "assword", r"[^\n]{0,30}?\b([a-z]{4}(?:-[a-z]{4}){3})(?![\w-])"),
    _after("password", "asswort", r"[^\n]{0,30}?\b([a-z]{4}(?:-[a-z]{4}){3})(?![\w-])"),
    _after(
        "password",
        "pp",
        r"[ -](?:specific )?[Pp]asswor[dt]\W{1,4}(?:is |ist )?([a-z]{4}(?: [a-z]{4}){3})(?![\w-])",
    ),
    _after("django-key", "django-insecure-", r"([!#-&(-~]{20,100})"),
    _after("signed-address", "-Signature=", r"([A-Za-z0-9%+/_~-]{32,1000}={0,2})"),
    _after("azure-key", "&sig=", r"([A-Za-z0-9_-]{40,64})(?![A-Za-z0-9%_-])"),
    _after("webhook", "hooks.zapier.com/hooks/", r"[a-z]{0,20}/?([0-9]{3,12}/[A-Za-z0-9]{5,40})"),
    _before("salesforce-token", "!AQ", r"00D[A-Za-z0-9]{12}!AQ[A-Za-z0-9._-]{60,200}", 15),
    _before("meta-token", "|", r"[0-9]{15,17}\|[A-Za-z0-9_-]{27}", 17, 16, 15),
    *_shapes("exa-key", "exa_", _UUID),
    *_shapes("launchdarkly-key", "sdk- mob-", _UUID),
    *_shapes("cursor-key", "crsr_", r"[a-f0-9]{64}"),
    *_shapes("easypost-key", "EZAK EZTK", r"[A-Za-z0-9]{54}"),
    *_shapes("yandex-key", "AQVN", r"[A-Za-z0-9_-]{35,38}"),
    *_shapes("readme-key", "rdme_", r"[a-z0-9]{70}"),
    *_shapes("woocommerce-key", "ck_ cs_", r"[a-f0-9]{40}"),
    *_shapes("flutterwave-key", "FLWSECK- FLWSECK_TEST-", r"[a-f0-9]{32}-X"),
    *_shapes("nostr-key", "nsec1", r"[a-z0-9]{58}"),
    *_shapes("wallet-key", "xprv yprv zprv", r"[A-Za-z0-9]{107}"),
    *_shapes("llamacloud-key", "llx-", r"[A-Za-z0-9]{40,60}"),
)
_COMMON = "_/9876543210.zqxjkvbpygfwmucldrhsnioate:- "  # the commonest last; other letters are rarer still


_BY_RAREST: dict[str, list[tuple[int, str, SecretShape]]] = {}
for _number, _shape in enumerate(SHAPES):
    _rarest = min(_shape.literal, key=_COMMON.find)
    _BY_RAREST.setdefault(_rarest, []).append((_number, _shape.literal, _shape))
_RAREST = frozenset(_BY_RAREST)


def shapes_in(text: str) -> list[SecretShape]:
    """Return the shapes whose literal is in ``text``, in their order; a short text has the letters of few of them."""
    return [shape for _, literal, shape in _with_letters(_RAREST.intersection(text)) if literal in text]


@lru_cache(maxsize=1024)
def _with_letters(letters: frozenset[str]) -> list[tuple[int, str, SecretShape]]:
    """Return the shapes whose rarest letter is one of these, each behind its number and its literal."""
    return sorted(chain.from_iterable(map(_BY_RAREST.__getitem__, letters)), key=itemgetter(0))
