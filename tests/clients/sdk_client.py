"""The MCP Python SDK's own client: calls all that there is and prints what it read as a line of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("memory_add", {"text": "Ada prefers green tea."}),
    ("memory_search", {"query": "tea"}),
    ("memory_get", {"path": "memory/learned.md"}),
    ("memory_correct", {"wrong": "green tea", "right": "Ada prefers black tea."}),
    ("why", {"what": "green tea"}),
    ("context", {}),
    ("soul_log", {}),
    ("propose", {"text": "I answer in short sentences.", "reason": "Asked for."}),
    ("status", {}),
    ("memory_search", {"query": 7}),
    ("memory_search", {}),
]


async def main() -> None:
    told = json.loads(sys.argv[1])
    server: Any = StdioServerParameters(
        command=told["words"][0], args=told["words"][1:], env=told["environment"]
    )
    async with Client(server, mode=told["mode"]) as client:
        called = {}
        for number, (name, arguments) in enumerate(CALLS):
            result = await client.call_tool(name, arguments)
            called[f"{number} {name}"] = {"error": result.is_error, "text": result.content[0].text}
        soul = await client.read_resource("clawgit://soul")
        prompt = await client.get_prompt("recall", {"topic": "tea"})
        said = {
            "version": client.protocol_version,
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "resources": len((await client.list_resources()).resources),
            "templates": len((await client.list_resource_templates()).resource_templates),
            "prompts": len((await client.list_prompts()).prompts),
            "soul": soul.contents[0].text,
            "prompt": prompt.messages[0].content.text,
            "called": called,
        }
    sys.stdout.write(json.dumps(said) + "\n")


asyncio.run(main())
