"""Callbacks of providers: signed by `sluicectl send`, kept as files, and delivered over and over as their senders would."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from threading import Barrier, BrokenBarrierError

from deploy.examples.installation import ExampleInstallation

ANSWER_WITHIN = 30.0  # seconds
ATTEMPTS = 60
AGAIN_AFTER = 0.25  # seconds


@dataclass(frozen=True)
class Callback:
    """`kind` is fresh, or what is wrong with it. `about` is whatever its maker was asked for. `events`: those in it, by account and id."""

    source: str
    about: str
    kind: str
    events: tuple[str, ...]
    request: bytes

    @property
    def genuine(self) -> bool:
        return self.kind == "fresh"


@dataclass(frozen=True)
class Answer:
    """Status 0: none came."""

    callback: Callback
    status: int
    body: str


def told(answers: Iterable[Answer]) -> set[str]:
    """The events that were answered with success."""
    return {event for one in answers if one.callback.genuine for event in one.callback.events}


def sign(installation: ExampleInstallation, source: str, about: str, options: Sequence[str], *, count: int = 1,
         forgeries: int = 0, ids: Sequence[str] = ()) -> list[Callback]:
    """So many events that differ in their ids, and for each so many forgeries (percent). `ids` are those of a body with several."""
    folder = installation.folder / "requests" / f"{source}-{about}"
    said = installation.ctl("send", "--source", source, "--count", str(count), "--forgeries", str(forgeries), "--save", str(folder),
                            "--quiet", "--json", *options)
    account = installation.principals[source]
    return [Callback(source, about, one["kind"], tuple(f"{account}/{id}" for id in ids or [one["id"]]),
                     Path(installation.folder, one["file"]).read_bytes()) for one in json.loads(said)]


def deliver(port: int, callback: Callback, gate: Barrier | None = None) -> Answer:
    """Like a provider: again until it is answered with success; what is forged, until it is answered for what it is."""
    for _ in range(ATTEMPTS):
        answer = _once(port, callback, gate)
        if answer.status == 200 or (400 <= answer.status < 500 and not callback.genuine):
            return answer
        gate = None
        time.sleep(AGAIN_AFTER)
    return answer


def _once(port: int, callback: Callback, gate: Barrier | None) -> Answer:
    """With a gate, all that meet at it send at the same moment."""
    try:
        with socket.create_connection(("127.0.0.1", port), ANSWER_WITHIN) as connection:
            if gate:
                gate.wait(ANSWER_WITHIN)
            connection.sendall(callback.request)
            answer = HTTPResponse(connection)
            answer.begin()
            return Answer(callback, answer.status, answer.read().decode())
    except (OSError, HTTPException, BrokenBarrierError):
        return Answer(callback, 0, "")
