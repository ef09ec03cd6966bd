"""One measurement: a target under one kind of load, and whether what it said is true."""

from __future__ import annotations

import itertools
import json
import secrets
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from deploy.stack import Redis
from tests.bench.building import tool
from tests.bench.targets import PATH, SECRET, Target
from tests.support.kafka_log import KafkaLog

GRACE = 40.0  # seconds that the load generator may take beyond its plan
KNOWN = 2000  # events that duplicates are taken from
FEWEST = 200  # answers in the window that make a figure
MOST_LEAKS = 0.01  # of the duplicates
EXPECTED = {"fresh": 200, "duplicate": 200, "forged": 400}

_runs = itertools.count()
_salt = secrets.token_hex(2)


class Untrue(RuntimeError):
    """A server gave other answers than it must, or Kafka does not hold what was answered 200."""


class Void(Untrue):
    """Nobody lied, but this is no figure of what was asked for: hardly an answer came, an ack came after the 503, or duplicates
    were published anyway, as they must be when Redis answers too late. All happen on a machine that has no time for us."""


@dataclass(frozen=True)
class Load:
    """`rate` 0: closed loop. `known`: of how many events duplicates are. `clients`: addresses that it comes from, of 127.1.0.0/16 from
    `first_client` on; 0: 127.0.0.1 alone.
    `floods`: what the server ends is opened again. `anew`: a connection for each request."""

    mode: str = "fresh"
    connections: int = 32
    rate: float = 0
    known: int = KNOWN
    clients: int = 0  # addresses; 0: 127.0.0.1
    first_client: int = 0
    floods: bool = False
    anew: bool = False

    @property
    def label(self) -> str:
        return f"{self.mode} {self.rate:g}/s" if self.rate else f"{self.mode} c={self.connections}"


@dataclass(frozen=True)
class Length:
    """Seconds; `most` requests in all, 0 for no limit."""

    warm_up: float
    seconds: float
    most: int = 0


def measure(target: Target, load: Load, length: Length, log: KafkaLog, redis: Redis, around: Sequence[str] = ()) -> dict:
    """The load generator's figures. Raises `Untrue` when records in Kafka and 200s of fresh events differ."""
    forget_markers(redis)
    before = log.count(target.topic)
    figures = send(target, load, length, around)
    stored = log.count(target.topic) - before
    known = load.known if load.mode == "duplicate" else 0
    accepted = figures["all"].get("200", 0) if load.mode == "fresh" else known
    if load.mode == "duplicate" and stored > accepted:
        if stored - accepted > MOST_LEAKS * figures["sent"]:
            raise Void(f"{target.label}, {load.label}: {stored - accepted} of {figures['sent']} duplicates were published")
    elif accepted < stored <= accepted + figures["all"].get("503", 0):
        raise Void(f"{target.label}, {load.label}: answered {figures['all']}, and some of the 503 were stored all the same")
    elif stored != accepted:
        raise Untrue(f"{target.label}, {load.label}: {accepted} accepted, {stored} records in Kafka: {figures}")
    if figures["answers"] < min(FEWEST, length.most or FEWEST):
        raise Void(f"{target.label}, {load.label}: only {figures['answers']} answers")
    other = {status: count for status, count in figures["all"].items()
             if int(status) != EXPECTED[load.mode] and not (known and status == "200")}
    if other or figures["broken"]:
        raise Untrue(f"{target.label}, {load.label}: answers {figures['all']}, {figures['broken']} connections broken")
    return {**figures, "stored": stored}


def send(target: Target, load: Load, length: Length, around: Sequence[str] = ()) -> dict:
    """`around` is a command that runs the load generator."""
    command = [*around, str(tool("load")), "--port", str(target.port), "--path", PATH, "--secret", SECRET,
               "--run", f"{_salt}{next(_runs):04d}", "--mode", load.mode, "--connections", str(load.connections),
               "--rate", str(load.rate), "--warm-up", str(length.warm_up), "--seconds", str(length.seconds),
               "--most", str(length.most), "--process", str(target.pid),
               "--known", str(load.known if load.mode == "duplicate" else 0), "--clients", str(load.clients), "--first-client", str(load.first_client),
               *(["--floods"] if load.floods else []), *(["--anew"] if load.anew else [])]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=length.warm_up + length.seconds + GRACE)
    if done.returncode != 0:
        raise Untrue(f"{target.label}, {load.label}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def forget_markers(redis: Redis) -> None:
    """So that Redis stays as small for the last cell as for the first."""
    with socket.create_connection(("127.0.0.1", redis.port), timeout=10) as connection:
        connection.sendall(b"FLUSHALL ASYNC\r\n")
        if not connection.recv(64).startswith(b"+OK"):
            raise Untrue("Redis does not forget")
