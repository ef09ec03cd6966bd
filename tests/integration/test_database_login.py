"""Who a database server has to be before it gets the password, and how it gets it."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.stack import SqlServer
from tests.support.https_server import make_certificate
from tests.support.pipeline import Pipeline

PASSWORD = "not-for-strangers"
RIGHT, WRONG = "127.0.0.2", "127.0.0.3"  # of localhost itself the client library checks no name


class Pair:
    """A certificate that is its own root, and its key."""

    def __init__(self, folder: Path, name: str) -> None:
        self.certificate, self.key = folder / f"{name}.pem", folder / f"{name}.key.pem"
        make_certificate(self.certificate, self.key, name)


@pytest.fixture
def ours(test_folder: Path) -> Pair:
    return Pair(test_folder, "sluice")


@pytest.fixture
def theirs(test_folder: Path) -> Pair:
    return Pair(test_folder, RIGHT)


@pytest.fixture
def strict(servers, database: SqlServer, ours: Pair, theirs: Pair) -> Iterator[SqlServer]:
    """A server that shows a certificate for RIGHT and asks for ours."""
    server = servers.own_database(type(database).__name__.lower(), f"strict-{type(database).__name__}", ssl_ca=str(ours.certificate),
                                  ssl_cert=str(theirs.certificate), ssl_key=str(theirs.key), bind_address="0.0.0.0")
    with server.connect(admin=True) as connection, connection.cursor() as cursor:
        cursor.execute("ALTER USER 'sluice'@'%' REQUIRE X509")
    yield server
    servers.drop(server)


def migrate(pipeline: Pipeline, **mysql: object) -> str:
    pipeline.config["mysql"] = {**pipeline.config["mysql"], **mysql}
    result = pipeline.ctl("migrate")
    return result.stdout + result.stderr


@pytest.mark.databases("mysql", "mariadb")
def test_only_the_server_with_the_right_name_and_root_is_talked_to(new_pipeline, strict: SqlServer, ours: Pair, theirs: Pair) -> None:
    pipeline: Pipeline = new_pipeline(database=strict)
    pipeline.create_database()
    pair = {"cert": {"file": str(ours.certificate)}, "key": {"file": str(ours.key)}}
    trusted = {"ca": {"file": str(theirs.certificate)}}
    assert "0001" in migrate(pipeline, host=RIGHT, tls={**trusted, **pair})
    assert "Hostname verification failed" in migrate(pipeline, host=WRONG, tls={**trusted, **pair})
    assert "TLS/SSL error" in migrate(pipeline, host=RIGHT, tls={"ca": {"file": str(ours.certificate)}, **pair}), "a foreign root"
    assert "TLS/SSL error" in migrate(pipeline, host=RIGHT, tls=pair), "not one of the system's roots"
    assert "Access denied" in migrate(pipeline, host=RIGHT, tls=trusted), "it asks for our certificate"


class Stranger:
    """Speaks as a server does, and asks for the password by `plugin`. `heard` is all that it was told."""

    def __init__(self, plugin: str) -> None:
        self.plugin = plugin.encode()
        self.heard = b""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listener.close()
        self._thread.join(10)

    def _serve(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        with client:
            client.settimeout(5)
            self._send(client, 0, greeting())
            self._hear(client)
            self._send(client, 2, b"\xfe" + self.plugin + b"\0" + b"\2Password: \0")
            self._hear(client)

    def _send(self, client: socket.socket, number: int, payload: bytes) -> None:
        client.sendall(struct.pack("<I", len(payload))[:3] + bytes([number]) + payload)

    def _hear(self, client: socket.socket) -> None:
        try:
            self.heard += client.recv(65536)
        except OSError:
            pass  # it hung up


def greeting() -> bytes:
    """Protocol 10 with 4.1 authentication and plugins, without TLS."""
    capabilities = 0x00_0F_A2_0F  # … PLUGIN_AUTH, SECURE_CONNECTION, PROTOCOL_41, CONNECT_WITH_DB
    return (b"\x0a9.7.0\0" + struct.pack("<I", 7) + b"12345678\0" + struct.pack("<H", capabilities & 0xFFFF) + b"\x2d"
            + struct.pack("<H", 2) + struct.pack("<H", capabilities >> 16) + b"\x15" + bytes(10) + b"123456789012\0"
            + b"mysql_native_password\0")


@pytest.mark.parametrize("plugin", ["mysql_clear_password", "dialog"])
def test_no_server_gets_the_password_itself(new_pipeline, plugin: str) -> None:
    pipeline: Pipeline = new_pipeline()
    pipeline.secrets["SLUICE_TEST_DATABASE_PASSWORD"] = PASSWORD
    stranger = Stranger(plugin)
    said = migrate(pipeline, port=stranger.port, password={"env": "SLUICE_TEST_DATABASE_PASSWORD"})
    stranger.close()
    assert b"sluice" in stranger.heard, "it came to no login"
    assert PASSWORD.encode() not in stranger.heard
    assert plugin in said, said
