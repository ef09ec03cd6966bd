"""A Kafka that wants tokens of AWS IAM, as MSK does, and the agent that gives a pod its keys."""

from __future__ import annotations

import base64
import calendar
import hashlib
import hmac
import json
import secrets
import socket
import ssl
import struct
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from deploy.stack import Kafka
from deploy.stack.kafka_wire import exactly
from deploy.stack.server import free_port
from tests.support.https_server import make_certificate
from tests.support.servers import Servers

REGION = "eu-west-1"
SASL_HANDSHAKE, SASL_AUTHENTICATE, REFUSED = 17, 36, 58


class PodAgent:
    """What EKS Pod Identity is to a pod: other keys each time, for the token of its file."""

    def __init__(self, folder: Path) -> None:
        self.given: dict[str, tuple[str, str]] = {}  # secret and session by id
        self.refuses = False
        self._token = secrets.token_hex(8)
        self._file = folder / "pod-token"
        self._file.write_text(self._token + "\n")
        agent = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                right = self.headers["Authorization"] == agent._token and not agent.refuses
                body = json.dumps(agent._new_keys() if right else {}).encode()
                self.send_response(200 if right else 403)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Not said."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def environment(self) -> dict[str, str]:
        """Of a pod."""
        return {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"http://127.0.0.1:{self._server.server_port}/v1/credentials",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(self._file)}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _new_keys(self) -> dict[str, str]:
        name, secret, session = f"ASIA{secrets.token_hex(6)}", secrets.token_urlsafe(30), secrets.token_urlsafe(60) + "/+=="
        self.given[name] = (secret, session)
        return {"AccessKeyId": name, "SecretAccessKey": secret, "Token": session, "Expiration": "2099-01-01T00:00:00Z"}


class IamKafka:
    """`server` is for tests; `address` is for programs. TLS and the login end here: real Kafka brokers do not know IAM."""

    def __init__(self, servers: Servers, agent: PodAgent, folder: Path) -> None:
        self.logins: list[str] = []  # ids of keys, in the order in which they came
        self.refused = 0
        self._agent = agent
        self._open: list[socket.socket] = []
        self.ca = folder / "msk.crt"
        make_certificate(self.ca, folder / "msk.key", "localhost")
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(self.ca, folder / "msk.key")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"localhost:{self._listener.getsockname()[1]}"
        port, controller, self._behind = free_port(), free_port(), free_port()
        self.server = Kafka(servers.folder / f"iam-{port}", port, controller_port=controller)
        tests = f"PLAINTEXT://{self.server.address}"
        self.server.overrides = {
            **servers.kafka.overrides, "listeners": f"{tests},MSK://127.0.0.1:{self._behind},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": f"{tests},MSK://{self.address}",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,MSK:PLAINTEXT"}
        servers.own(self.server)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def end_sessions(self) -> None:
        """All that are open. Programs log in again."""
        for connection in self._open:
            connection.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            with self._tls.wrap_socket(plain, server_side=True) as client, socket.create_connection(("127.0.0.1", self._behind)) as broker:
                if self._logged_in(client, broker):
                    self._open.append(broker)
                    threading.Thread(target=carry, args=(broker, client), daemon=True).start()
                    carry(client, broker)
        except OSError:
            pass

    def _logged_in(self, client: socket.socket, broker: socket.socket) -> bool:
        """What is no part of the login goes on to the broker."""
        while True:
            request = frame(client)
            key, version, number = struct.unpack_from(">hhi", request)
            if key == SASL_HANDSHAKE:
                client.sendall(framed(struct.pack(">ihi", number, 0, 1) + text("OAUTHBEARER")))
            elif key == SASL_AUTHENTICATE:
                error = 0 if self._is_right(token_in(request)) else REFUSED
                lifetime = struct.pack(">q", 0) if version >= 1 else b""
                client.sendall(framed(struct.pack(">ihhi", number, error, -1, 0) + lifetime))
                return error == 0
            else:
                broker.sendall(framed(request))
                client.sendall(framed(frame(broker)))

    def _is_right(self, token: str) -> bool:
        url = urllib.parse.urlsplit(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
        said = dict(urllib.parse.parse_qsl(url.query))
        name = said["X-Amz-Credential"].partition("/")[0]
        secret, session = self._agent.given.get(name, ("", ""))
        age = time.time() - calendar.timegm(time.strptime(said["X-Amz-Date"], "%Y%m%dT%H%M%SZ"))
        right = (url.hostname == f"kafka.{REGION}.amazonaws.com" and said["X-Amz-Signature"] == signature(url, said, secret)
                 and said["X-Amz-Security-Token"] == session and -5 < age < int(said["X-Amz-Expires"]))
        if right:
            self.logins.append(name)
        else:
            self.refused += 1
        return right


def signature(url: urllib.parse.SplitResult, said: dict[str, str], secret: str) -> str:
    """AWS Signature Version 4 of a presigned GET."""
    signed = sorted((name, value) for name, value in said.items() if name == "Action" or name.startswith("X-Amz-") and name != "X-Amz-Signature")
    query = "&".join(f"{name}={urllib.parse.quote(value, safe='-._~')}" for name, value in signed)
    request = f"GET\n/\n{query}\nhost:{url.hostname}\n\nhost\n{hashlib.sha256(b'').hexdigest()}"
    scope = said["X-Amz-Credential"].partition("/")[2]
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    stated = f"AWS4-HMAC-SHA256\n{said['X-Amz-Date']}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    return hmac.digest(key, stated.encode(), "sha256").hex()


# Kafka's protocol, as far as a login goes

def token_in(request: bytes) -> str:
    """RFC 7628 section 3.1: gs2 header, then fields that end with ^A."""
    fields = request[request.index(b"n,"):].split(b"\x01")
    return next(field for field in fields if field.startswith(b"auth=")).removeprefix(b"auth=Bearer ").decode()


def text(value: str) -> bytes:
    return struct.pack(">h", len(value)) + value.encode()


def framed(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


def frame(connection: socket.socket) -> bytes:
    (size,) = struct.unpack(">i", exactly(connection, 4))
    return exactly(connection, size)


def carry(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
