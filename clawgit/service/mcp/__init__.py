"""What does a client that speaks MCP get, and how does it get it within the time in which it waits for a server?

Public: stdio_proxy, tool_table.
"""
