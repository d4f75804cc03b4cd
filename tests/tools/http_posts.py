"""Posting to the service over HTTP, with the headers that are given and no others."""

from __future__ import annotations

import http.client


def posted(
    address: str, headers: dict[str, str], body: bytes, path: str = "/rpc", method: str = "POST"
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the answer; nothing is sent that is not given."""
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {**headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    said = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    connection.close()
    return said


def right(address: str, token: str) -> dict[str, str]:
    return {"Host": address, "Authorization": f"Bearer {token}", "Content-Type": "application/json"}
