"""Secrets that can be told by their shape alone: each begins with, or holds, letters that nothing else has.

No rule counts on randomness: what looks random (a hash, an image, an id) is no secret by that.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Shape(NamedTuple):
    """One kind of secret: ``literal`` stands in each, at one of ``leads`` characters from its begin.

    ``group`` is the part of the match that is the secret. ``bounded``: a letter or digit directly before it
    makes it something else; ``exact``: one directly after it, too.
    """

    rule: str
    literal: str
    source: str
    leads: tuple[int, ...] = (0,)
    group: int = 0
    bounded: bool = True
    exact: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled source: only where the literal was found, since compiling all takes 15 ms."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _shapes(rule: str, literals: str, rest: str) -> tuple[Shape, ...]:
    """Return a shape for each of the ``literals`` (parted by blanks), which ``rest`` follows."""
    exact = "," not in rest
    return tuple(Shape(rule, each, re.escape(each) + rest, exact=exact) for each in literals.split())


def _before(rule: str, literal: str, pattern: str, *leads: int) -> Shape:
    """Return a shape that begins ``leads`` characters before its literal."""
    return Shape(rule, literal, pattern, leads)


def _after(rule: str, literal: str, pattern: str) -> Shape:
    """Return a shape whose first group is the secret, in whatever it stands."""
    return Shape(rule, literal, pattern, group=1, bounded=False)


_KEY_HEAD = r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
# Far enough behind the head for the lines "Proc-Type", "Version" and the like; a mention in prose has no such run.
_KEY_BODY = (
    r"(?=[\s\S]{0,300}?[A-Za-z0-9+/]{24})(?:(?!-----END)[\s\S]){0,20000}(?:-----END [A-Z0-9 ]{0,60}-----)?"
)

SHAPES: tuple[Shape, ...] = (
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
    *_shapes("discord-webhook", "https://discord.com/api/webhooks/", r"[0-9]{10,25}/[A-Za-z0-9_-]{30,120}"),
    *_shapes(
        "discord-webhook", "https://discordapp.com/api/webhooks/", r"[0-9]{10,25}/[A-Za-z0-9_-]{30,120}"
    ),
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
    *_shapes("docker-token", "dckr_pat_", r"[A-Za-z0-9_-]{20,60}"),
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
    *_shapes("jwt", "eyJ", r"[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
    Shape("private-key", "-----BEGIN ", _KEY_HEAD + _KEY_BODY, bounded=False),
    _after("private-key", "Private-Lines: ", r"Private-Lines: [0-9]{1,3}\s{1,4}([A-Za-z0-9+/=\s]{24,20000})"),
    _after("url-password", "://", r"://[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@[A-Za-z0-9.\[$-]"),
    _after(
        "bearer-token", "earer ", r"earer (?=[A-Za-z._~+/-]{0,60}[0-9])([A-Za-z0-9._~+/-]{20,4000}={0,2})"
    ),
    _after("bearer-token", "uthorization: Token ", r"uthorization: Token ([A-Za-z0-9._~+/-]{16,4000}={0,2})"),
    _after("basic-login", "uthorization: Basic ", r"uthorization: Basic ([A-Za-z0-9+/]{12,400}={0,2})"),
    _after(
        "password",
        "curl ",
        r"curl[^\n]{0,300}? (?:-u ?|--user[ =])[\"']?[^\s:\"']{1,100}:([^\s\"']{4,100})",
    ),
    _after(
        "password", "machine ", r"machine [^\s]{1,200}\s{1,4}login [^\s]{1,200}\s{1,4}password ([!-~]{4,100})"
    ),
)
