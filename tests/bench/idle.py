"""What a connection that does nothing keeps resident: the ingress with ten thousand of them, and without."""

from __future__ import annotations

import resource
import selectors
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench import hostile
from tests.bench.arena import Arena
from tests.bench.cells import Length, Load, Untrue
from tests.bench.ingress_rounds import Say, measure_honestly
from tests.bench.resident import resident_kib
from tests.bench.targets import OURS, Target

PARTITIONS = 12
CONNECTIONS = 10_000
FEWER = 1_000  # of those that are gone after five seconds
OVER_TLS = 2_000  # many more handshakes do not fit in the 30 s that a connection may be idle
FEWEST_FILES = CONNECTIONS + 1_000
PER_ADDRESS = 1_000  # connections from each 127.0.0.x
AT_ONCE = 100  # requests on their way while connections are made
SETTLED = 3.0  # seconds: a quiet connection gives its buffer back after one
HELD = 2.0  # seconds: the server has read all of it, and the phase is not over
BAR = 16.0  # KiB for each idle connection
TLS_BAR = 28.0  # what OpenSSL itself keeps for one is above 16


class NoRoom(RuntimeError):
    """This machine does not allow so many connections."""


@dataclass(frozen=True)
class State:
    """What each connection did before it became quiet: `sends` makes a request, of which an answer may be expected.
    Without `bar` it is no idle connection but one that holds a request up, and its phase ends it after seconds."""

    name: str
    count: int = CONNECTIONS
    sends: Callable[[], bytes] | None = None
    answered: bool = False
    tls: bool = False
    group: str = ""  # of the key exchange, in place of the one that both like best: X25519 with ML-KEM-768
    settled: float = SETTLED
    bar: float | None = BAR


def webhook() -> bytes:
    return hostile.authentic(hostile.event(filler="a" * 1800))


STATES = (State("connected, nothing sent"), State("after an accepted webhook", sends=webhook, answered=True),
          State("TLS, after an accepted webhook", OVER_TLS, webhook, answered=True, tls=True, bar=TLS_BAR),
          State("TLS by a client without ML-KEM", OVER_TLS, webhook, answered=True, tls=True, group="X25519", bar=TLS_BAR),
          State("held up: one byte of a head", FEWER, lambda: b"P", settled=HELD, bar=None),
          State("held up: 512 KiB announced, none sent", FEWER, hostile.announced_only, settled=HELD, bar=None))


def run(arena: Arena, share: float, say: Say) -> dict:
    """`share` of the connections. NoRoom when files are too few."""
    raise_file_limit()
    rows = []
    for number, state in enumerate(STATES):
        rows.append(measure_state(arena, state, number, max(1, round(state.count * share)), say))
        say(f"  {rows[-1]['state']:40} {rows[-1]['kib_each']:6.1f} KiB each")
    return {"rows": rows}


def raise_file_limit() -> None:
    """Of this process and of what it starts from now on."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most != resource.RLIM_INFINITY and most < FEWEST_FILES:
        raise NoRoom(f"at most {most} open files, {FEWEST_FILES} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def measure_state(arena: Arena, state: State, number: int, count: int, say: Say) -> dict:
    """In a process of its own, so that no state lives on what the one before it gave back."""
    folder = arena.folder / "targets" / str(number)
    target = Target(OURS, PARTITIONS, folder)
    if number == 0:
        target.make_topics(arena.log)
    arena.targets.append(target)
    target.start(arena.kafka, arena.redis)
    measure_honestly(arena, target, Load(connections=AT_ONCE), Length(0.2, 1), say)
    context = served_by_tls(arena, target) if state.tls else None
    if context and state.group:
        context.set_ecdh_curve(state.group)
    if context:
        with opened(target, state, context, range(AT_ONCE)):
            pass
    before = resident_kib(target.pid)
    with ExitStack() as held:
        sockets = [connection for batch in batches(count) for connection in held.enter_context(opened(target, state, context, batch))]
        threading.Event().wait(state.settled)
        during = resident_kib(target.pid)
        closed = how_many_closed(sockets)
    if closed:
        raise Untrue(f"{state.name}: {closed} of {count} connections were closed by the server")
    after = resident_when_calm(target.pid)
    target.stop()
    return {"state": state.name, "connections": count, "before": before, "during": during, "after": after,
            "kib_each": (during - before) / count, "bar": state.bar}


def resident_when_calm(process: int) -> int:
    """When a second changes nothing any more, or after ten of them."""
    reading = resident_kib(process)
    for _ in range(10):
        threading.Event().wait(1)
        before, reading = reading, resident_kib(process)
        if abs(reading - before) < 0.01 * before:
            break
    return reading


def batches(count: int) -> Iterator[range]:
    for first in range(0, count, AT_ONCE):
        yield range(first, min(first + AT_ONCE, count))


@contextmanager
def opened(target: Target, state: State, context: ssl.SSLContext | None, batch: range) -> Iterator[list[socket.socket]]:
    """Connections that have done what the state says."""
    sockets = [connected(target.port, number, context) for number in batch]
    try:
        if state.sends:
            for one in sockets:
                one.sendall(state.sends())
        for one in sockets if state.answered else []:
            answer = one.recv(4096)
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise Untrue(f"{state.name}: answered {answer[:60]!r}")
        yield sockets
    finally:
        for one in sockets:
            one.close()


def connected(port: int, number: int, context: ssl.SSLContext | None) -> socket.socket:
    """From 127.0.0.1, 127.0.0.2 and so on, that ports do not run out."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(f"127.0.0.{1 + number // PER_ADDRESS}", 0))
    return context.wrap_socket(plain) if context else plain


def how_many_closed(sockets: list[socket.socket]) -> int:
    """Whoever is readable has been told something, and there is nothing to tell but the end. TLS: its tickets came before."""
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        return sum(1 for key, _ in selector.select(0) if is_at_end(key.fileobj))


def is_at_end(one: socket.socket) -> bool:
    plain = socket.socket(fileno=one.fileno())
    try:
        return plain.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except OSError:
        return True
    finally:
        plain.detach()


def served_by_tls(arena: Arena, target: Target) -> ssl.SSLContext:
    """Starts the target once more, with a certificate of a moment. The client trusts anybody: it is no test of TLS."""
    target.stop()
    key, certificate = target.folder / "key.pem", target.folder / "certificate.pem"
    make_certificate(key, certificate)
    target.listen = {"tls": {"cert": {"file": str(certificate)}, "key": {"file": str(key)}}}
    target.start(arena.kafka, arena.redis)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def make_certificate(key: Path, certificate: Path) -> None:
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                    "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True, timeout=60)
