"""Triage: how often it is right, how often it calls in vain, how long it takes.

The messages are labelled by hand: which route a person would choose, and which others are acceptable. The talk is
between people and not with an agent, so every call in it counts as in vain.
"""

from __future__ import annotations

import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.understanding.triage.custom_patterns import CustomPatterns, read_patterns
from clawgit.understanding.triage.triage_message import triage, triage_literally

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.understanding.triage.triage_message import Signal

WORDS = [
    "the",
    "plan",
    "was",
    "to",
    "remember",
    "that",
    "actually",
    "it's",
    "fine",
    "i",
    "changed",
    "a",
    "server",
    "and",
    "we",
    "talked",
    "about",
    "lunch",
    "no",
    "problem",
    "thanks",
    "important",
    "decision",
    "you",
    "forgot",
    "the",
    "meeting",
    "told",
    "you",
    "now",
    "wrong",
    "new",
    "old",
]
HOSTILE_PATTERNS = (
    r"(a+)+$", r"(a|aa)+$", r"(a|a?)+$", r"(.*a){20}", r"(.*a){50}", r"(\w+\s?)*=", r"(x*)*y", r"(a?){100}a{100}z", r"(.*)(.*)(.*)[^a]",
    r"([a-z]+)*1", r"a.{300}b", r"[a-q][^u-z]{120}x", r"(?:a.{0,100}b)+z", r".*.*.*=.*", r"(a|b|ab)*c", r"(\d+\.)*\d+z", r"(a*)*b",
    r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(.{1,30}){1,9}z", r"(\s+a)+$",
)  # fmt: skip
HOSTILE_TEXTS = (
    "a", "ab", "a b ", "=", "x", "aaaa.", "1.", " ", "\n", "a\n", "가", "不是", "it's ", "actually, ", "i mentioned that ", "no, it's the ",
    '"', "> a\n", "<a>", "my new old ",
)  # fmt: skip
ROUNDS = 300


def triage_quality(messages: str | None, talk: str | None) -> None:
    """Print what part of the messages goes where it should, and how many turns of the talk set something off."""
    for name, look in (("clawgit", triage), ("the source patterns alone", triage_literally)):
        if messages:
            cases = json.loads(Path(messages).read_text("utf-8"))["cases"]
            print(f"triage of {len(cases)} labelled messages, {name}: {_right(cases, look)}")
        if talk:
            turns = _turns(json.loads(Path(talk).read_text("utf-8")))
            called = sum(bool(look(turn)) for turn in turns)
            print(f"triage of {len(turns)} turns between people, {name}: {called} set something off")
    if not messages or not talk:
        print("triage quality: give --messages and --talk for the rest")


def _right(cases: list[Any], look: Callable[[str], Signal]) -> str:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for case in cases:
        route, human = _route(look(case["text"])), case["human"]
        for group in (case["tier"], *([f"quality/{human['primary']}"] if case["tier"] == "quality" else [])):
            total[group] += 1
            right[group] += route in human["acceptable"]
    return ", ".join(f"{group} {right[group]}/{total[group]}" for group in sorted(total))


def _route(signal: Signal) -> str:
    return {"high": "explicit", "medium": "soft", None: "memory" if signal.miner else "none"}[
        signal.validator
    ]


def _turns(talks: Any) -> list[str]:
    return [
        turn["text"]
        for talk in talks
        for name, session in talk["conversation"].items()
        if re.fullmatch(r"session_\d+", name)
        for turn in session
    ]


def triage_speed() -> None:
    """Print how long one message takes, in process and as a program of its own."""
    custom = CustomPatterns(
        read_patterns(
            f"/\\b{WORDS[n % 24]}\\s+(is|was|will be)\\s+.{{1,30}}\\b{WORDS[n % 17]}{n}/i -> crm"
            for n in range(100)
        )
    )
    texts = [_text(number) for number in range(ROUNDS)]
    for name, patterns in (("with 100 custom patterns", custom), ("without custom patterns", None)):
        _taken(texts[:20], patterns)
        taken = sorted(map(min, zip(*(_taken(texts, patterns) for _ in range(3)), strict=True)))
        print(
            f"triage of 4 KB full of triggers, {name}: p50 {taken[ROUNDS // 2]:.2f} ms, p99 {taken[ROUNDS * 99 // 100]:.2f} ms"
            " of processor time, best of three (to reach: 2)"
        )
    _hostile()
    _start_up()


def _text(seed: int) -> str:
    dice = random.Random(seed)
    return " ".join(dice.choice(WORDS) + dice.choice(("", "", "", ".", ",", "?")) for _ in range(1200))[:4096]


def _taken(texts: list[str], custom: CustomPatterns | None) -> list[float]:
    taken = []
    for text in texts:
        start = time.thread_time()
        triage(text, custom)
        taken.append((time.thread_time() - start) * 1000)
    return taken


def _hostile() -> None:
    """Print the worst of every hostile pattern on every hostile text, and of all patterns on one text."""
    patterns = read_patterns(f"/{pattern}/ -> x" for pattern in HOSTILE_PATTERNS)
    refused = sum(bool(each.problem) for each in patterns)
    texts = [(text * (200_000 // len(text)))[:200_000] for text in HOSTILE_TEXTS]
    alone = [CustomPatterns([each]) for each in patterns if not each.problem]
    worst = max(min(_taken([text] * 3, one)) for one in alone for text in texts)
    together = CustomPatterns([each for each in patterns if not each.problem])
    worst_together = max(min(_taken([text] * 3, together)) for text in texts)
    print(
        f"triage, {len(patterns)} hostile patterns ({refused} refused) x {len(texts)} hostile texts of 200 KB: worst pair"
        f" {worst:.1f} ms (to reach: 50), worst text with all of them {worst_together:.1f} ms"
    )


def _start_up() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-m", "clawgit"]
        subprocess.run([*program, "init", folder], check=True, capture_output=True)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "triage of a message without a trigger": [*program, "triage", "Good morning."],
            "triage of one with triggers": [
                *program,
                "triage",
                "No, I told you: don't forget, it's port 8443 now.",
            ],
        }
        for command in commands.values():
            subprocess.run(command, check=True, capture_output=True, cwd=folder)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(30):
            for name, command in commands.items():
                taken[name].append(_cpu(command, folder))
        bare = statistics.median(taken["python -c pass"])
        for name, times in taken.items():
            print(
                f"start-up, {name}: {statistics.median(times):.1f} ms of processor time ({min(times):.1f}-{max(times):.1f}),"
                f" {statistics.median(times) / bare:.2f} x (to reach: 2.5)"
            )


def _cpu(command: list[str], folder: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000
