"""What a TLS handshake costs the ingress, against nginx with the same key, certificate and protocol."""

from __future__ import annotations

import shutil
import socket
import ssl
import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deploy.stack.process import Process
from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.consumer_rounds import processor_us
from tests.bench.idle import served_by_tls
from tests.bench.ingress_rounds import Say
from tests.bench.targets import OURS, Target
from tests.support.wait import wait_for

NGINX = "nginx"
AT_ONCE = 4  # clients
WARM_UP = 0.1  # share of a batch
NOTE = """A batch of whole handshakes (TLS 1.3, no resumption) to one server, then the same to the other; CPU time of the server
from accepting a connection to its end. nginx is Debian's, with one worker, its defaults for tickets, and the same P-256 certificate. No
request follows a handshake."""

CONFIGURATION = """daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
    }}
}}
"""


@dataclass(frozen=True)
class Exchange:
    name: str
    group: str = ""  # empty: the one that both like best


EXCHANGES = (Exchange("X25519 with ML-KEM-768"), Exchange("X25519", "X25519"))


@dataclass(frozen=True)
class Peer:
    name: str
    port: int
    process: int


def run(arena: Arena, rounds: int, batch: int, say: Say) -> dict:
    target = Target(OURS, 1, arena.folder / "targets")
    target.make_topics(arena.log)
    arena.targets.append(target)
    target.start(arena.kafka, arena.redis)
    served_by_tls(arena, target)
    nginx, port = start_nginx(target.folder, target.folder / "key.pem", target.folder / "certificate.pem")
    try:
        peers = [Peer(OURS, target.port, target.pid), Peer(NGINX, port, nginx.pid)]
        return {"rounds": rounds, "batch": batch, "rows": [compared(exchange, peers, rounds, batch, say) for exchange in EXCHANGES]}
    finally:
        nginx.stop(within=10)


def start_nginx(folder: Path, key: Path, certificate: Path) -> tuple[Process, int]:
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, port=port, key=key, certificate=certificate))
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    assert program is not None, "nginx is one of the platform's packages"
    process = Process([program, "-c", str(file)], folder / "nginx.log", folder / "nginx.started", cwd=folder)
    wait_for(lambda: accepts(port), "nginx to accept connections", 10)
    return process, port


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def compared(exchange: Exchange, peers: list[Peer], rounds: int, batch: int, say: Say) -> dict:
    costs: dict[str, list[float]] = {peer.name: [] for peer in peers}
    for peer in peers:
        cost_of(exchange, peer, max(1, round(batch * WARM_UP)))
    for number in range(rounds):
        for peer in peers[::-1] if number % 2 else peers:
            costs[peer.name].append(cost_of(exchange, peer, batch))
    ratios = [mine / theirs for mine, theirs in zip(costs[OURS], costs[NGINX], strict=True)]
    row = {"exchange": exchange.name, "us": {name: statistics.median(found) for name, found in costs.items()},
           "ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios)}
    say(f"  {exchange.name:24} sluice {row['us'][OURS]:7.1f} us, nginx {row['us'][NGINX]:7.1f} us")
    return row


def cost_of(exchange: Exchange, peer: Peer, batch: int) -> float:
    """CPU time of the server for each of `batch` handshakes, in us."""
    before = processor_us(peer.process)
    with ThreadPoolExecutor(AT_ONCE) as clients:
        for done in [clients.submit(client_of(exchange, peer.port, share)) for share in shares(batch)]:
            done.result()
    return (processor_us(peer.process) - before) / batch


def shares(batch: int) -> list[int]:
    return [batch // AT_ONCE + (number < batch % AT_ONCE) for number in range(AT_ONCE)]


def client_of(exchange: Exchange, port: int, count: int) -> Callable[[], None]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts anybody: this is no test of TLS
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if exchange.group:
        context.set_ecdh_curve(exchange.group)

    def shake_hands() -> None:
        for _ in range(count):
            with context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=10)) as connection:
                assert connection.version() == "TLSv1.3"
                assert not connection.session_reused
    return shake_hands


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    return ["one whole handshake", "sluice, us", "nginx, us", "sluice by nginx", "handshakes/s of one core, sluice", "nginx"], [
        [row["exchange"], *(f"{row['us'][name]:,.0f}" for name in (OURS, NGINX)), f"{row['ratio']:.2f} ({row['ratio_low']:.2f}–{row['ratio_high']:.2f})",
         *(f"{1e6 / row['us'][name]:,.0f}" for name in (OURS, NGINX))] for row in result["rows"]]
