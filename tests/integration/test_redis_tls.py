"""TLS to Redis with a certificate of ours, which a rotation replaces without a restart."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from deploy.stack import Redis
from deploy.stack.server import free_port
from tests.support.events import fresh_id, payment
from tests.support.https_server import make_certificate
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.servers import Servers
from tests.support.wait import wait_for


class Pair:
    def __init__(self, folder: Path, name: str) -> None:
        self.certificate, self.key = folder / f"{name}.crt", folder / f"{name}.key"

    def made(self, days: int = 2) -> Pair:
        make_certificate(self.certificate, self.key, "localhost", days)
        return self

    def become(self, other: Pair) -> None:
        """As a kubelet swaps a mounted Secret: never half a file."""
        for own, new in ((self.certificate, other.certificate), (self.key, other.key)):
            part = own.with_suffix(".part")
            shutil.copy(new, part)
            part.replace(own)


class GuardedRedis:
    """Wants a certificate from each client that comes by TLS; the plain port is for tests."""

    def __init__(self, servers: Servers, folder: Path, own: Pair, trusted: Pair) -> None:
        self.tls_port = free_port()
        self.server = Redis(folder / "redis", options={
            "tls-port": str(self.tls_port), "tls-cert-file": str(own.certificate), "tls-key-file": str(own.key),
            "tls-ca-cert-file": str(trusted.certificate), "tls-auth-clients": "yes"})
        servers.own(self.server)

    def trusts(self, pair: Pair) -> None:
        """This one and no other from now on; open connections end."""
        with redis.Redis(port=self.server.port) as client:
            client.config_set("tls-ca-cert-file", str(pair.certificate))
            client.client_kill_filter(_type="normal")


@pytest.fixture
def pairs(test_folder: Path) -> dict[str, Pair]:
    made = {name: Pair(test_folder, name).made(days) for name, days in (("server", 2), ("first", 2), ("second", 30))}
    other = Pair(test_folder, "of-another-kind")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ED25519", "-out", str(other.key)], check=True, capture_output=True, timeout=30)
    return {**made, "of-another-kind": other}


@pytest.fixture
def guarded(servers: Servers, test_folder: Path, pairs: dict[str, Pair]) -> Iterator[GuardedRedis]:
    guarded = GuardedRedis(servers, test_folder, pairs["server"], pairs["first"])
    yield guarded
    servers.drop(guarded.server)


@pytest.fixture
def mounted(test_folder: Path, pairs: dict[str, Pair]) -> Pair:
    pair = Pair(test_folder, "mounted")
    pair.become(pairs["first"])
    return pair


def through(pipeline: Pipeline, guarded: GuardedRedis, pair: Pair, ca: Pair) -> Program:
    pipeline.config["redis"].update(urls=[f"rediss://localhost:{guarded.tls_port}/0"], tls={
        "ca": {"file": str(ca.certificate)}, "cert": {"file": str(pair.certificate)}, "key": {"file": str(pair.key)}})
    return pipeline.ingress()


def connected(ingress: Program) -> bool:
    return ingress.metric("sluice_ingress_redis_connected") == 1


def days_left(ingress: Program) -> float:
    return (ingress.metric("sluice_certificate_not_after_seconds", use="redis") - time.time()) / 86400


def test_a_renewed_certificate_is_used_at_the_next_connect(guarded: GuardedRedis, pipeline: Pipeline, mounted: Pair,
                                                           pairs: dict[str, Pair]) -> None:
    ingress = through(pipeline, guarded, mounted, pairs["server"])
    wait_for(lambda: connected(ingress), "the first certificate to be taken")
    assert days_left(ingress) < 3
    guarded.trusts(pairs["second"])
    wait_for(lambda: ingress.decisions("redis_unavailable"), "the first certificate to be refused")
    mounted.become(pairs["second"])
    wait_for(lambda: connected(ingress), "the second certificate to be taken")
    assert days_left(ingress) > 27
    provider = pipeline.provider(ingress)
    wait_for(lambda: provider.deliver(payment(fresh_id("cus"), 7)).until_accepted()
             and ingress.metric("sluice_ingress_claims_total", result="fresh") > 0, "a claim")


def test_files_that_cannot_be_used_leave_those_of_before(guarded: GuardedRedis, pipeline: Pipeline, mounted: Pair,
                                                         pairs: dict[str, Pair]) -> None:
    ingress = through(pipeline, guarded, mounted, pairs["server"])
    wait_for(lambda: connected(ingress), "the certificate to be taken")
    before = len(ingress.decisions("redis_ready"))
    shutil.copy(pairs["of-another-kind"].key, mounted.key)
    guarded.trusts(pairs["first"])
    wait_for(lambda: ingress.decisions("redis_certificate_unusable"), "it to be said")
    wait_for(lambda: len(ingress.decisions("redis_ready")) > before and connected(ingress), "the same certificate to be taken again")


def test_another_server_is_not_believed(guarded: GuardedRedis, pipeline: Pipeline, mounted: Pair, pairs: dict[str, Pair]) -> None:
    ingress = through(pipeline, guarded, mounted, pairs["second"])
    provider = pipeline.provider(ingress)
    provider.deliver(payment(fresh_id("cus"), 7)).until_accepted()
    wait_for(lambda: ingress.decisions("redis_unavailable"), "it to be said")
    assert not connected(ingress)
