"""A server that speaks as much RESP as it takes to misbehave: what a broken, wrong or hostile Redis would answer."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

Reply = Callable[[list[bytes]], bytes | None]  # the answer's bytes for a command; None: never answer


class FakeRedis:
    """Answers every SET by `reply`, everything else as Redis does. `commands` are what it was asked."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.commands: list[list[bytes]] = []
        self._done = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def sets(self) -> list[list[bytes]]:
        return [command for command in self.commands if command[0].upper() == b"SET"]

    @property
    def quiet(self) -> bool:
        """Whatever was asked has its answer, or will never get one."""
        return self._done == len(self.commands)

    @property
    def connections(self) -> int:
        """That were ever made."""
        return len(self._open)

    def push(self, data: bytes) -> None:
        """Says `data` to everybody who is connected, without having been asked."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.sendall(data)

    def close(self) -> None:
        self._listener.close()
        for connection in self._open:
            connection.close()

    def __enter__(self) -> FakeRedis:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        try:
            while command := read_command(stream):
                self.commands.append(command)
                answer = self.reply(command) if command[0].upper() == b"SET" else ordinary(command)
                if answer is not None:
                    connection.sendall(answer)
                self._done += 1
        except (OSError, ValueError):
            pass
        finally:
            connection.close()


def read_command(stream) -> list[bytes]:
    """One command as Redis clients write it: an array of bulk strings. Empty at the end."""
    line = stream.readline()
    if not line:
        return []
    words = []
    for _ in range(int(line[1:])):
        size = int(stream.readline()[1:])
        words.append(stream.read(size + 2)[:-2])
    return words


def ordinary(command: list[bytes]) -> bytes:
    name = command[0].upper()
    if name == b"PING":
        return b"+PONG\r\n"
    if name == b"HELLO":
        return b"-ERR unknown command 'HELLO'\r\n"
    return b"+OK\r\n"


def bulk(text: bytes) -> bytes:
    return b"$%d\r\n%s\r\n" % (len(text), text)


NIL = b"$-1\r\n"


def well_behaved(command: list[bytes]) -> bytes:
    """Nothing was claimed before, and everything is stored."""
    return NIL if b"NX" in command else b"+OK\r\n"
