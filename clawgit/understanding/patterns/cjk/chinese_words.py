"""Turns of Chinese that several triage patterns share; regular expressions for text in lower case."""

from __future__ import annotations

ASKS = r"[吗么呢]?\?$|吗$|(?:什么|哪|谁|几点|怎么样|为什么|多少)"
