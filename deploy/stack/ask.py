"""One question to an HTTP port on loopback."""

from __future__ import annotations

import http.client


def ask(port: int, path: str) -> tuple[int, str]:
    """Status and body of a GET; 0 and nothing when nobody answers within five seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()
