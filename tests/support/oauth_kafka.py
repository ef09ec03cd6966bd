"""A Kafka that wants tokens (OAUTHBEARER), and the endpoint that gives them for a client's id and secret."""

from __future__ import annotations

import base64
import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.login_kafka import LoginKafka
from tests.support.servers import Servers


def _part(value: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class TokenEndpoint:
    """RFC 6749 section 4.4, on loopback. Tokens live for `lifetime` seconds; `scopes` are those that were asked for."""

    def __init__(self, client: str, secret: str, lifetime: int) -> None:
        self.scopes: list[str] = []
        self._right = "Basic " + base64.b64encode(f"{client}:{secret}".encode()).decode()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                right = self.headers["Authorization"] == endpoint._right and form["grant_type"] == ["client_credentials"]
                endpoint.scopes += form.get("scope", [])
                now = time.time()
                claims = {"sub": client, "iat": now - 1, "exp": int(now) + lifetime}
                token = f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}."
                body = json.dumps({"access_token": token, "token_type": "Bearer"} if right else {"error": "invalid_client"}).encode()
                self.send_response(200 if right else 401)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Not said."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/token"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class OAuthKafka(LoginKafka):
    """Tokens without a signature are enough: who checks one is the broker."""

    def __init__(self, servers: Servers) -> None:
        super().__init__(servers, "OAUTHBEARER", 'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required '
                                                 'unsecuredLoginStringClaim_sub="broker";')
