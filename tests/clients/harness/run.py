"""Asks the Python client for what each line of stdin says, and prints what became of it. See tests/clients/asking.py."""

from __future__ import annotations

import base64
import json
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

for folder in ("clients/python", "docs/clients"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[3] / folder))
sys.dont_write_bytecode = True

from charge import charge  # noqa: E402
from sluice_command import CommandClient, Done, Limits, Refused, Response, Standing, Time, Unknown, key_field, signature  # noqa: E402


class FakeTime:
    """Passes only in pauses."""

    def __init__(self) -> None:
        self.paused = 0.0

    def pause(self, seconds: float) -> None:
        self.paused += seconds

    def hands(self) -> Time:
        return Time(now=lambda: self.paused, pause=self.pause, chance=lambda: 0.5)


def client_of(asked: dict[str, Any], clock: FakeTime) -> CommandClient:
    times = {name: asked[name] / 1000 for name in ("connect", "attempt", "deadline")}
    scheme, tls = ("https", ssl.create_default_context(cafile=asked["authority"])) if asked["authority"] else ("http", True)
    return CommandClient(f"{scheme}://{asked['host']}:{asked['port']}", asked["caller"], asked["secret"], tls=tls,
                         clock=Time() if asked["real_time"] else clock.hands(), limits=Limits(**times, longest_response=asked["longest_response"]))


def shown(response: Response) -> dict[str, Any]:
    return {"status": response.status, "content_type": response.content_type, "body": response.body.decode()}


def seen(outcome: Done | Refused | Unknown | Standing) -> dict[str, Any]:
    match outcome:
        case Done(response, is_replayed):
            return {"outcome": "done", "response": shown(response), "replayed": is_replayed}
        case Refused(problem):
            return {"outcome": "refused", "problem": problem.name}
        case Unknown(problem):
            return {"outcome": "unknown", "problem": problem and problem.name}
        case Standing(state, response):
            return {"outcome": state, **({"response": shown(response)} if response else {})}


class Orders:
    """What docs/clients/charge.py does with its orders."""

    def __init__(self) -> None:
        self.did: list[list] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given: self.did.append([name, *(one.decode() if isinstance(one, bytes) else one for one in given)])


def example(client: CommandClient, asked: dict[str, Any]) -> dict[str, Any]:
    orders = Orders()
    charge(client, orders, asked["key"], asked["body"].encode())
    return {"did": orders.did}


def signed(asked: dict[str, Any]) -> dict[str, Any]:
    field = "" if asked["key"] is None else key_field(asked["key"])
    secret = base64.b64decode(asked["secret"].removeprefix("whsec_"))
    return {"field": field, "signature": signature(secret, asked["id"], asked["at"], asked["method"], asked["target"], field, asked["body"].encode())}


def answer(client: CommandClient, asked: dict[str, Any]) -> dict[str, Any]:
    if asked["do"] == "sign":
        return signed(asked)
    if asked["do"] == "example":
        return example(client, asked)
    if asked["do"] == "look_up":
        return seen(client.look_up(asked["command"], asked["key"]))
    return seen(client.execute(asked["command"], key=asked["key"], body=asked["body"].encode()))


clock, service, client = FakeTime(), None, None
for line in sys.stdin:
    asked = json.loads(line)
    if asked["service"] != service:
        service = asked["service"]
        client = client_of(service, clock)
    clock.paused = 0.0
    became = answer(client, asked)
    print(json.dumps({**became, "paused": round(clock.paused * 1000)}), flush=True)
