"""A receiver of messages as a team of its own would write it: verifies, knows what it has seen, and fails now and then."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pymysql

from deploy.stack.sql_server import SqlServer

DATABASE = "received"
TABLES = [
    f"CREATE DATABASE {DATABASE}",
    # What has been seen. Its row and the work are one transaction.
    f"CREATE TABLE {DATABASE}.seen (idempotency_key CHAR(64) PRIMARY KEY)",
    # The work. No unique key, on purpose: a message that counted twice would show as a second row.
    f"CREATE TABLE {DATABASE}.work (seq BIGINT AUTO_INCREMENT PRIMARY KEY, idempotency_key CHAR(64) NOT NULL, body TEXT NOT NULL)"]
ER_DUP_ENTRY = 1062
TOO_OLD = 300  # seconds


def is_signed(secret: str, headers: dict[str, str], body: bytes, now: float) -> bool:
    """As the Standard Webhooks specification has it; `secret` is "whsec_" and base64."""
    identity, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (sent_at.isascii() and sent_at.isdigit()) or abs(now - int(sent_at)) > TOO_OLD:
        return False
    mac = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), f"{identity}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    right = f"v1,{base64.b64encode(mac).decode()}"
    return any(hmac.compare_digest(right, one) for one in headers.get("webhook-signature", "").split(" "))


class Receiver:
    """Runs from construction to `close()`. Of new messages it fails at each second one once: by 503, or by taking the message and
    closing the connection without an answer, in turns. `counts` says how often it did what."""

    def __init__(self, server: SqlServer) -> None:
        self.secret = ""  # nobody is believed until it is set
        self.counts: Counter[str] = Counter()
        self._server, self._met, self._mutex = server, set(), threading.Lock()
        with server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            for statement in TABLES:
                cursor.execute(statement)
        self._http = _Server(("127.0.0.1", 0), _Request)
        self._http.receiver = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return self._http.server_address[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)

    def work(self) -> list[tuple[str, dict]]:
        """Idempotency key and body of all that was worked on."""
        with self._server.connect(admin=True, database=DATABASE) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT idempotency_key, body FROM work ORDER BY seq")
            return [(key, json.loads(body)) for key, body in cursor]

    def take(self, headers: dict[str, str], body: bytes) -> int | None:
        """The status; None: no answer."""
        if not self.secret or not is_signed(self.secret, headers, body, time.time()):
            return self._say("forged", 401)
        turn = self._turn(headers["webhook-id"])
        if turn == 1:
            return self._say("failed", 503)
        self.counts["again" if not self._work(headers["webhook-id"], body) else "worked"] += 1
        return self._say("unanswered", None) if turn == 3 else 204

    def _turn(self, key: str) -> int | None:
        """Of four new messages the number of this one; None: it has come before."""
        with self._mutex:
            if key in self._met:
                return None
            self._met.add(key)
            return len(self._met) % 4

    def _work(self, key: str, body: bytes) -> bool:
        """False: it was done before. Both rows or none."""
        with self._server.connect(admin=True, database=DATABASE, autocommit=False) as connection, connection.cursor() as cursor:
            try:
                cursor.execute("INSERT INTO seen VALUES (%s)", (key,))
            except pymysql.err.IntegrityError as error:
                if error.args[0] == ER_DUP_ENTRY:
                    return False
                raise
            cursor.execute("INSERT INTO work (idempotency_key, body) VALUES (%s, %s)", (key, body.decode()))
            connection.commit()
            return True

    def _say(self, what: str, status: int | None) -> int | None:
        self.counts[what] += 1
        return status


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    receiver: Receiver

    def handle_error(self, request: object, client_address: object) -> None:
        """A relay that was killed does not wait for its answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.receiver.take({name.lower(): value for name, value in self.headers.items()}, body)
        if status is None:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...
