"""A service that sends commands to sluice-command and signs them (docs/commands.md)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import itertools
import json
import time
from dataclasses import dataclass, field
from urllib.parse import quote

_IDS = itertools.count(1)


@dataclass(frozen=True)
class Told:
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def is_replayed(self) -> bool:
        return self.headers.get("idempotency-replayed") == "true"

    @property
    def is_response(self) -> bool:
        """Of the command: it has the mark."""
        return "idempotency-replayed" in self.headers

    @property
    def json(self) -> dict:
        return json.loads(self.body)


@dataclass
class Caller:
    """One connection after the other to a program's port."""

    port: int
    name: str = "ads"
    key: bytes = b"0123456789abcdef0123456789abcdef"
    timeout: float = 30.0
    seconds_off: int = 0  # of its clock
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def secret(self) -> str:
        return "whsec_" + base64.b64encode(self.key).decode()

    def send(self, command: str, body: dict, *, key: str | None = None) -> Told:
        field_of_key = {} if key is None else {"idempotency-key": f'"{key}"'}
        return self.ask("POST", f"/v1/commands/{command}", json.dumps(body).encode(), {"content-type": "application/json", **field_of_key})

    def look_up(self, command: str, key: str) -> dict:
        told = self.ask("GET", f"/v1/commands/{command}/{quote(key, safe='')}")
        assert told.status == 200, told
        return told.json

    def signature(self, method: str, target: bytes, key_field: bytes, body: bytes) -> dict[str, str]:
        """The fields that sign a request."""
        identity, now = f"req_{next(_IDS)}", str(int(time.time()) + self.seconds_off)
        said = method.encode() + b" " + target + b"\n" + key_field + b"\n" + body
        digest = hmac.new(self.key, f"{identity}.{now}.".encode() + said, hashlib.sha256).digest()
        return {"sluice-caller": self.name, "webhook-id": identity, "webhook-timestamp": now,
                "webhook-signature": "v1," + base64.b64encode(digest).decode()}

    def ask(self, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Told:
        given = headers or {}
        signed = self.signature(method, target.encode(), given.get("idempotency-key", "").encode(), body)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        try:
            connection.request(method, target, body or None, {**signed, **given, **self.headers})
            answer = connection.getresponse()
            return Told(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()
