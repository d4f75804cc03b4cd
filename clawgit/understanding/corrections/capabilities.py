"""What the agent can do, or how something is done: a message about it is no memory of the operator's life. Pure."""

from __future__ import annotations

from clawgit.understanding.forms.phrase_forms import any_form

_USING = "use|call|run|start|invoke|operate|trigger|deploy|access"
_TOOLS = "tool|command|script|skill|api|endpoint"
_CAPABILITY = any_form(
    rf"\bhow to (?:{_USING})\b",
    r"\b(?:you|yourself) (?:(?:can|could) (?:use|call|run|access)|have access|are able|know how)\b",
    r"\byou have (?:a|the) (?:tool|skill|command|script)\b",
    rf"\b(?:which|what|the right|the) (?:{_TOOLS}) (?:to use|to call|for)\b",
    "(?:도구|스크립트|명령어?).{0,12}(?:쓰|사용|호출|실행)",
    "(?:쓰는|사용하는|호출하는|실행하는) (?:법|방법)",
    "(?:怎么|怎麼|如何)(?:用|使用|调用|調用|运行|執行|执行)",
    "(?:工具|脚本|腳本|命令).{0,6}(?:用法|怎么|怎麼|如何)",
)


def is_of_capability(told: str) -> bool:
    """Say whether a message is about how to do something, or what something can do."""
    return _CAPABILITY.search(told) is not None
