"""An HTTPS server that answers what it is told, under a certificate of its own."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Canned:
    """One answer; `headers` come in place of Content-Length."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] | None = None
    then: Callable[[BaseHTTPRequestHandler], None] | None = None  # what is sent behind the body


@dataclass
class Asked:
    path: str
    host: str | None
    server_name: str | None


class HttpsServer:
    """Answers GET by `answers[path]`, else 404. `asked` has every request. Ends with `close()`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.certificate = folder / f"{name}.pem"
        key = folder / f"{name}.key.pem"
        make_certificate(self.certificate, key, name)
        self.answers: dict[str, Canned] = {}
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.socket = self._with_tls(key)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def _with_tls(self, key: Path) -> ssl.SSLSocket:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        context.sni_callback = lambda connection, name, _: setattr(connection, "asked_for", name)
        return context.wrap_socket(self._server.socket, server_side=True)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = getattr(self.connection, "asked_for", None)
                owner.asked.append(Asked(self.path, self.headers["Host"], name))
                answer(self, owner.answers.get(self.path, Canned(404)))

            def log_message(self, *_: object) -> None:
                """The test says what is worth saying."""

        return Handler


def answer(handler: BaseHTTPRequestHandler, canned: Canned) -> None:
    handler.send_response(canned.status)
    for name, value in (canned.headers or {"Content-Length": str(len(canned.body))}).items():
        handler.send_header(name, value)
    handler.end_headers()
    try:
        handler.wfile.write(canned.body)
        if canned.then:
            canned.then(handler)
    except OSError:
        pass  # the client has heard enough


def make_certificate(certificate: Path, key: Path, name: str, days: int = 2) -> None:
    """Self-signed, so that it is its own root."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
                    "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(certificate)],
                   check=True, capture_output=True, timeout=30)
