"""A caller of sluice-command over one connection that stays open: fast enough for thousands a second in one thread. Services use the
client of docs/clients.md, which this takes the signature from."""

from __future__ import annotations

import asyncio
import base64
import itertools
import re
import time
from dataclasses import dataclass

from clients.python.sluice_command import signature

COMMAND = "charge-click"
TARGET = f"/v1/commands/{COMMAND}"
ANSWER_WITHIN = 10.0  # seconds
_IDS = itertools.count(1)
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
_MARK = re.compile(rb"(?i)\r\nidempotency-replayed: *(true|false)")
_LOCATION = re.compile(rb"(?i)\r\nlocation: *\S")


@dataclass(frozen=True, slots=True)
class Told:
    """One answer; status 0: none came."""

    status: int = 0
    body: bytes = b""
    mark: str = ""              # of Idempotency-Replayed: "true", "false"; without it this is no response of the command
    has_location: bool = False
    ms: float = 0.0

    @property
    def is_response(self) -> bool:
        return bool(self.mark)

    @property
    def is_accepted(self) -> bool:
        """Kafka has it. A 202 is of a command that goes on in a process, and would be undone with it."""
        return not self.mark and self.has_location and self.status == 200


class Caller:
    """Owns its connection, which is opened anew when it broke."""

    def __init__(self, port: int, name: str, secret: str) -> None:
        self._port, self._name, self._key = port, name, base64.b64decode(secret.removeprefix("whsec_"))
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def charge(self, body: bytes) -> Told:
        return await self._ask("POST", TARGET, body)

    async def look_up(self, key: str) -> Told:
        return await self._ask("GET", f"{TARGET}/{key}", b"")

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
        self._streams = None

    async def _ask(self, method: str, target: str, body: bytes) -> Told:
        request, began = self._signed(method, target, body), time.perf_counter()
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                head, said = await self._exchange(request)
        except (OSError, EOFError, TimeoutError):
            self.close()
            return Told()
        mark = _MARK.search(head)
        return Told(int(head[9:12]), said, mark[1].decode() if mark else "", bool(_LOCATION.search(head)),
                    (time.perf_counter() - began) * 1000)

    async def _exchange(self, request: bytes) -> tuple[bytes, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        return head, await reader.readexactly(int(length[1])) if length else b""

    def _signed(self, method: str, target: str, body: bytes) -> bytes:
        identity, at = f"req_{next(_IDS)}", int(time.time())
        signed = signature(self._key, identity, at, method, target, "", body)
        return (f"{method} {target} HTTP/1.1\r\nHost: sluice-command\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                f"Sluice-Caller: {self._name}\r\nwebhook-id: {identity}\r\nwebhook-timestamp: {at}\r\n"
                f"webhook-signature: {signed}\r\n\r\n").encode() + body
