"""PayPal's certificates: fetched into the folder by sluicectl, seen by the ingress, and none that is not to be trusted."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from deploy.stack.server import free_port
from tests.support import paypal
from tests.support.http_raw import exchange, request
from tests.support.https_server import Canned, HttpsServer
from tests.support.paypal import CHAIN, URL, file_for, pem
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

WHERE = URL.removeprefix(f"https://{paypal.HOST}")


class Folder:
    """A source's folder of certificates, and the command that fills it from a server on this machine."""

    def __init__(self, pipeline: Pipeline, server: HttpsServer) -> None:
        self.pipeline, self.server = pipeline, server
        self.path = Path(pipeline.config["sources"][0]["with"]["cert_cache"])

    def run(self, *arguments: str, port: int | None = None, ca_file: Path | None = None) -> subprocess.CompletedProcess[str]:
        way = ["--connect-to", f"127.0.0.1:{port or self.server.port}", "--ca-file", str(ca_file or self.server.certificate)]
        return self.pipeline.ctl("paypal", "fetch", "--source", "paypal", *way, *arguments)

    def fetch(self, *arguments: str, **places: object) -> tuple[int, dict]:
        """Exit code and the one line of the answer."""
        result = self.run("--json", *arguments, **places)
        assert result.stdout, result.stderr
        [line] = json.loads(result.stdout)["certificates"]
        return result.returncode, line

    def list(self) -> tuple[int, list[dict]]:
        result = self.pipeline.ctl("paypal", "list", "--source", "paypal", "--json")
        return result.returncode, json.loads(result.stdout)["certificates"]

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.path.iterdir()}


@pytest.fixture
def server(test_folder: Path) -> Iterator[HttpsServer]:
    running = HttpsServer(test_folder, paypal.HOST)
    running.answers[WHERE] = Canned(body=CHAIN.encode())
    yield running
    running.close()


@pytest.fixture
def folder(new_pipeline, server: HttpsServer) -> Folder:
    pipeline: Pipeline = new_pipeline()
    pipeline.config["sources"] = [paypal.source(pipeline.folder)]
    return Folder(pipeline, server)


def test_fetch_shows_first_and_writes_when_told(folder: Folder, server: HttpsServer) -> None:
    assert folder.fetch("--url", URL) == (0, line_of("to be written"))
    assert folder.files() == {}, "a dry run changed the folder"
    assert "--apply writes" in folder.run("--url", URL).stdout
    assert folder.fetch("--url", URL, "--apply") == (0, line_of("written"))
    assert folder.files() == {file_for(URL): CHAIN}
    assert (folder.path / file_for(URL)).stat().st_mode & 0o777 == 0o644
    assert {(asked.host, asked.server_name) for asked in server.asked} == {(paypal.HOST, paypal.HOST)}
    assert folder.list() == (0, [listed(file_for(URL))])


def line_of(state: str) -> dict:
    return {"address": URL, "file": file_for(URL), "state": state, **known(), "why": None}


def listed(file: str) -> dict:
    return {"file": file, **known(), "trusted": True, "why": None}


def known() -> dict:
    """Of the certificate, today: a run may go on past midnight."""
    return {"subject": "messageverificationcerts.sandbox.paypal.com", "not_after": "2045-01-01T00:00:00Z",
            "days_left": (2366841600 - int(time.time())) // 86400}


def test_what_is_there_and_good_is_fetched_only_again(folder: Folder, server: HttpsServer) -> None:
    folder.fetch("--url", URL, "--apply")
    before, asked = (folder.path / file_for(URL)).stat(), len(server.asked)
    assert folder.fetch("--url", URL, "--apply")[1]["state"] == "there"
    assert len(server.asked) == asked
    assert folder.fetch("--url", URL, "--apply", "--again")[1]["state"] == "unchanged"
    assert (folder.path / file_for(URL)).stat().st_mtime_ns == before.st_mtime_ns
    server.answers[WHERE] = Canned(body=pem("renewed").encode())
    assert folder.fetch("--url", URL, "--apply", "--again")[1]["state"] == "written"
    assert folder.files() == {file_for(URL): pem("renewed")}


@pytest.mark.parametrize("held", ["half a file", pem("expired")], ids=["unreadable", "expired"])
def test_what_cannot_be_used_is_replaced(folder: Folder, held: str) -> None:
    (folder.path / file_for(URL)).write_text(held)
    code, [line] = folder.list()
    assert code == 1 and line["trusted"] is False and line["why"]
    assert folder.fetch("--url", URL, "--apply") == (0, line_of("written"))
    assert folder.files() == {file_for(URL): CHAIN}


def test_the_leaf_comes_first_however_it_was_sent(folder: Folder, server: HttpsServer) -> None:
    server.answers[WHERE] = Canned(body=(pem("intermediate") + pem("leaf")).encode())
    assert folder.fetch("--url", URL, "--apply")[0] == 0
    assert folder.files() == {file_for(URL): CHAIN}


def test_addresses_come_from_captured_requests_too(folder: Folder) -> None:
    file = folder.pipeline.folder / "captured.http"
    file.write_bytes(genuine_request())
    assert folder.fetch("--from-request", str(file), "--url", URL, "--apply") == (0, line_of("written"))
    file.write_bytes(request(paypal.PATH, b"{}"))
    result = folder.run("--from-request", str(file))
    assert result.returncode == 2 and "PAYPAL-CERT-URL" in result.stderr


def endless(handler: BaseHTTPRequestHandler) -> None:
    while True:
        handler.wfile.write(b"x" * 4096)


ELSEWHERE = "/elsewhere"
REFUSED: dict[str, tuple[Canned, str]] = {
    "redirect": (Canned(302, headers={"Location": ELSEWHERE, "Content-Length": "0"}), "302, and redirects are not followed"),
    "not found": (Canned(404, b"no"), "404"),
    "no content": (Canned(204, headers={"X": "y"}), "204"),
    "too large": (Canned(body=CHAIN.encode() + b"\n" * 65536), "longer than 65536 bytes"),
    "endless": (Canned(headers={"Connection": "close"}, body=CHAIN.encode(), then=endless), "longer than 65536 bytes"),
    "no certificate": (Canned(body=b"<html>"), "no certificates in PEM"),
    "chain without its middle": (Canned(body=pem("leaf").encode()), "unable to get local issuer certificate"),
    "chain of another root": (Canned(body=(pem("other_chain") + pem("other_root")).encode()), "self-signed certificate"),
    "another name": (Canned(body=pem("longer").encode()), "not one that ends in \".paypal.com\""),
    "two names": (Canned(body=pem("two_names").encode()), "not one that ends in \".paypal.com\""),
    "expired": (Canned(body=pem("expired").encode()), "certificate has expired"),
    "not yet valid": (Canned(body=pem("early").encode()), "certificate is not yet valid"),
    "signed with SHA-1": (Canned(body=pem("sha1").encode()), "too weak")}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_ingress_would_not_trust_is_never_written(folder: Folder, server: HttpsServer, case: str) -> None:
    (folder.path / file_for(URL)).write_text(pem("expired"))
    server.answers[WHERE], why = REFUSED[case]
    server.answers[ELSEWHERE] = Canned(body=CHAIN.encode())
    code, line = folder.fetch("--url", URL, "--apply")
    assert code == 1 and line["state"] == "refused" and why in line["why"], line
    assert folder.files() == {file_for(URL): pem("expired")}
    assert ELSEWHERE not in [asked.path for asked in server.asked]


@pytest.mark.parametrize("url", [f"https://www.paypal.com{WHERE}", f"http://{paypal.HOST}{WHERE}", f"https://{paypal.HOST}:8443{WHERE}",
                                 f"https://{paypal.HOST}@evil.example{WHERE}", f"{URL}?a=b"])
def test_other_addresses_are_not_even_asked(folder: Folder, server: HttpsServer, url: str) -> None:
    code, line = folder.fetch("--url", url, "--apply")
    assert code == 1 and line["state"] == "refused" and paypal.HOST in line["why"], line
    assert not server.asked and not folder.files()


def test_server_must_prove_its_name(folder: Folder, server: HttpsServer, test_folder: Path) -> None:
    """Under another root, and under the name of another of the source's hosts."""
    stranger = HttpsServer(test_folder, "certs.example")
    try:
        code, line = folder.fetch("--url", URL, "--apply", ca_file=stranger.certificate)
        assert code == 1 and line["state"] == "refused", line
        code, line = folder.fetch("--url", f"https://{paypal.LIVE_HOST}{WHERE}", "--apply")
        assert code == 1 and line["state"] == "refused", line
    finally:
        stranger.close()
    assert not server.asked and not folder.files()
    assert folder.pipeline.ctl("paypal", "fetch", "--source", "paypal", "--url", URL, "--connect-to",
                               f"127.0.0.1:{server.port}").returncode == 1, "the system's roots do not know this server"


def test_nobody_there_is_three(folder: Folder) -> None:
    code, line = folder.fetch("--url", URL, "--apply", port=free_port())
    assert code == 3 and line["state"] == "unreachable" and line["why"]


def test_slow_server_is_given_up(folder: Folder, server: HttpsServer) -> None:
    """It sends a byte now and then, so that no single read takes long."""
    given_up = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        def gone() -> bool:
            try:
                handler.wfile.write(b"x")
                return False
            except OSError:
                given_up.set()
                return True
        wait_for(gone, "the client to go", every=0.05)

    server.answers[WHERE] = Canned(headers={"Content-Length": "60000"}, then=drip)
    code, line = folder.fetch("--url", URL, "--apply", "--timeout", "0.5")
    assert code == 3 and line["state"] == "unreachable", line
    wait_for(given_up.is_set, "the connection's end")


def test_one_bad_address_does_not_keep_the_others_out(folder: Folder, server: HttpsServer) -> None:
    second = URL + "-second"
    server.answers[second.removeprefix(f"https://{paypal.HOST}")] = Canned(body=pem("direct").encode())
    result = folder.run("--url", URL + "-missing", second, URL, "--apply", "--json")
    states = [line["state"] for line in json.loads(result.stdout)["certificates"]]
    assert result.returncode == 1 and states == ["refused", "written", "written"]
    assert folder.files() == {file_for(URL): CHAIN, file_for(second): pem("direct")}


def test_folder_that_cannot_be_written_says_so(folder: Folder) -> None:
    (folder.path / file_for(URL)).mkdir()
    code, line = folder.fetch("--url", URL, "--apply")
    assert code == 1 and line["state"] == "refused" and "cannot write" in line["why"]
    assert [path.name for path in folder.path.iterdir()] == [file_for(URL)], "a draft was left behind"


def test_source_without_such_a_folder_is_wrong_usage(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    result = pipeline.ctl("paypal", "fetch", "--source", "stripe-eu", "--url", URL)
    assert result.returncode == 2 and "stripe-eu" in result.stderr
    assert pipeline.ctl("paypal", "list", "--source", "stripe-eu").returncode == 2


# the ingress

def genuine_request() -> bytes:
    return request(paypal.PATH, paypal.GENUINE["body"].encode(), headers=[tuple(entry) for entry in paypal.GENUINE["headers"]])


def status_of_genuine(ingress: Program) -> int:
    return exchange(ingress.port, genuine_request(), closes_within=0.05).status


def test_fetched_certificate_is_used_without_a_restart_or_a_signal(folder: Folder) -> None:
    pipeline = folder.pipeline.prepare()
    ingress = pipeline.ingress()
    assert status_of_genuine(ingress) == 400
    assert folder.fetch("--url", URL, "--apply")[0] == 0
    wait_for(lambda: status_of_genuine(ingress) == 200, "the fetched certificate", every=0.1)
    [record] = pipeline.log.read(pipeline.topic)
    assert record.text("ce_id") == paypal.GENUINE["events"][0]["id"] and record.text("sluice-trust") == "crc"
    os.unlink(folder.path / file_for(URL))
    wait_for(lambda: status_of_genuine(ingress) == 400, "the certificate to be forgotten", every=0.1)
