"""The listener's certificate is read again when its files change: new connections get the new one, and nobody is refused."""

from __future__ import annotations

import http.client
import os
import ssl
import threading
import time
from pathlib import Path

import pytest

from tests.support.events import payment
from tests.support.https_server import make_certificate
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import signature_header
from tests.support.wait import wait_for


class Mount:
    """A Secret as Kubernetes mounts it: names that lead through a link, which is swapped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "mount"
        self.folder.mkdir()
        self.versions = 0
        for name in ("tls.crt", "tls.key"):
            (self.folder / name).symlink_to(f"..data/{name}")

    def show(self, certificate: Path, key: Path) -> None:
        self.versions += 1
        version = self.folder / f"..{self.versions}"
        version.mkdir()
        (version / "tls.crt").write_text(certificate.read_text())
        (version / "tls.key").write_text(key.read_text())
        (self.folder / "..tmp").symlink_to(version.name)
        os.rename(self.folder / "..tmp", self.folder / "..data")

    @property
    def listen(self) -> dict:
        return {"cert": {"file": str(self.folder / "tls.crt")}, "key": {"file": str(self.folder / "tls.key")}}


class Client:
    """A provider that trusts the pairs of this test, and knows which of them it saw."""

    def __init__(self, pipeline: Pipeline, ingress: Program, pairs: list[tuple[Path, Path]]) -> None:
        self.pipeline, self.ingress, self.pairs = pipeline, ingress, pairs
        self.context = ssl.create_default_context(cadata="".join(certificate.read_text() for certificate, _ in pairs))

    def connect(self) -> http.client.HTTPSConnection:
        connection = http.client.HTTPSConnection("localhost", self.ingress.port, timeout=20, context=self.context)
        connection.connect()
        return connection

    def seen(self, connection: http.client.HTTPSConnection) -> int:
        shown = connection.sock.getpeercert(binary_form=True)
        return [ssl.PEM_cert_to_DER_cert(certificate.read_text()) for certificate, _ in self.pairs].index(shown)

    def post(self, connection: http.client.HTTPSConnection) -> int:
        body = payment().body
        connection.request("POST", PATH, body, {"Content-Type": "application/json", "Stripe-Signature": signature_header(
            self.pipeline.secret, body, int(time.time()))})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def deliver(self) -> tuple[int, int]:
        """On a connection of its own: which pair it saw, and the status."""
        connection = self.connect()
        try:
            return self.seen(connection), self.post(connection)
        finally:
            connection.close()


@pytest.fixture
def pairs(tmp_path: Path) -> list[tuple[Path, Path]]:
    made = [(tmp_path / f"{number}.crt", tmp_path / f"{number}.key") for number in range(4)]
    for certificate, key in made:
        make_certificate(certificate, key, "localhost")
    return made


@pytest.fixture
def mount(tmp_path: Path, pairs: list[tuple[Path, Path]]) -> Mount:
    made = Mount(tmp_path)
    made.show(*pairs[0])
    return made


def test_rotations_under_load_refuse_nobody(pipeline: Pipeline, mount: Mount, pairs: list[tuple[Path, Path]]) -> None:
    ingress = pipeline.ingress(tls=mount.listen, max_requests_per_connection=1_000_000)
    client = Client(pipeline, ingress, pairs)
    stop, fresh, kept, broken = threading.Event(), [], [], []

    def guarded(load) -> threading.Thread:
        def run() -> None:
            try:
                load()
            except Exception as trouble:  # whatever a provider would have felt
                broken.append(trouble)
        return threading.Thread(target=run)

    def new_connections() -> None:
        while not stop.is_set():
            fresh.append(client.deliver())

    def one_connection() -> None:
        connection = client.connect()
        while not stop.is_set():
            kept.append((client.seen(connection), client.post(connection)))

    threads = [guarded(new_connections), guarded(new_connections), guarded(one_connection)]
    for thread in threads:
        thread.start()
    try:
        wait_for(lambda: fresh and kept, "the first answers")
        for number in (1, 2, 3):
            mount.show(*pairs[number])
            wait_for(lambda wanted=number: broken or fresh[-1][0] == wanted, f"pair {number}")
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
    assert not broken and {status for _, status in fresh + kept} == {200}
    assert {pair for pair, _ in fresh} == {0, 1, 2, 3}
    assert {pair for pair, _ in kept} == {0}, "an open connection keeps its own"


def test_bad_pair_keeps_the_old_one(pipeline: Pipeline, mount: Mount, pairs: list[tuple[Path, Path]]) -> None:
    ingress = pipeline.ingress(tls=mount.listen)
    client = Client(pipeline, ingress, pairs)
    assert ingress.metric("sluice_ingress_certificate_reload_failed") == 0
    mount.show(pairs[1][0], pairs[0][1])
    wait_for(lambda: ingress.metric("sluice_ingress_certificate_reload_failed") == 1, "the refusal")
    assert client.deliver() == (0, 200) and ingress.get("/readyz")[0] == 200
    [line] = wait_for(lambda: ingress.decisions("certificate_reload_failed"), "it to be said")
    assert str(mount.folder / "tls.key") in line["why"]
    mount.show(*pairs[1])
    wait_for(lambda: ingress.metric("sluice_ingress_certificate_reload_failed") == 0, "the good pair")
    assert client.deliver() == (1, 200)
    assert len(ingress.decisions("certificate_reload_failed")) == 1, "said once"


def test_the_end_that_is_told_is_that_of_the_new_one(pipeline: Pipeline, mount: Mount, pairs: list[tuple[Path, Path]]) -> None:
    ingress = pipeline.ingress(tls=mount.listen)
    before = ingress.metric("sluice_certificate_not_after_seconds", use="listener")
    assert time.time() - 86400 < ingress.metric("sluice_certificate_not_before_seconds", use="listener") < time.time() + 60 < before
    certificate, key = pairs[1]
    make_certificate(certificate, key, "localhost", days=30)
    mount.show(certificate, key)
    ingress.reload()
    wait_for(lambda: ingress.metric("sluice_certificate_not_after_seconds", use="listener") > before + 27 * 86400, "the new end")
