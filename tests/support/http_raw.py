"""HTTP/1.1 as bytes over a socket, for requests that no client library would send."""

from __future__ import annotations

import contextlib
import socket
import time
from dataclasses import dataclass, field

WITHIN = 10.0  # seconds, for an answer and for the close after it


@dataclass
class RawAnswer:
    """One answer, and what the server did with the connection afterwards."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes
    closed: bool = False          # end of file or reset after the answer
    surplus: bytes = b""          # bytes after the answer: a second answer is a desync
    seconds: float = field(default=0.0, compare=False)

    def header(self, name: str) -> str | None:
        """The value of a header that may be there once; None without it."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(values) <= 1, f"{name} is there {len(values)} times"
        return values[0] if values else None

    @property
    def refuses(self) -> bool:
        return 400 <= self.status < 500 or self.status in (501, 505)


class NoAnswer(AssertionError):
    """The server closed, reset or stayed silent before a whole answer was there."""


class RawConnection:
    """A client connection that sends what it is told and reads one answer at a time."""

    def __init__(self, port: int, within: float = WITHIN, source: str | None = None) -> None:
        origin = (source, 0) if source else None
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=within, source_address=origin)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._within = within
        self._buffer = b""
        self._opened = time.monotonic()

    def send(self, data: bytes) -> bool:
        """False when the server has closed already."""
        try:
            self._socket.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            return False

    def finish_sending(self) -> None:
        """Half close: the server reads an end of file."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def read_answer(self) -> RawAnswer:
        """The next answer, interim ones (100 Continue) included."""
        head, _, _ = self._read_past(b"\r\n\r\n").partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        version, status, *reason = lines[0].split(" ", 2)
        assert version == "HTTP/1.1", lines[0]
        headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
        answer = RawAnswer(int(status), "".join(reason), headers, b"", seconds=time.monotonic() - self._opened)
        answer.body = self._read_exactly(int(answer.header("Content-Length") or 0))
        return answer

    def read_until_closed(self, within: float | None = None) -> tuple[bytes, bool]:
        """What still comes, and whether the server closed inside `within` seconds."""
        deadline = time.monotonic() + (self._within if within is None else within)
        while (left := deadline - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                piece = self._socket.recv(65536)
            except TimeoutError:
                break
            except ConnectionResetError:
                return self._taken(), True
            if not piece:
                return self._taken(), True
            self._buffer += piece
        return self._taken(), False

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _taken(self) -> bytes:
        taken, self._buffer = self._buffer, b""
        return taken

    def _read_past(self, mark: bytes) -> bytes:
        while mark not in self._buffer:
            self._receive()
        end = self._buffer.index(mark) + len(mark)
        taken, self._buffer = self._buffer[:end], self._buffer[end:]
        return taken

    def _read_exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._receive()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _receive(self) -> None:
        self._socket.settimeout(self._within)
        try:
            piece = self._socket.recv(65536)
        except TimeoutError:
            raise NoAnswer(f"no whole answer within {self._within:g} s; so far {self._buffer!r}") from None
        except ConnectionResetError:
            raise NoAnswer(f"connection reset before a whole answer; so far {self._buffer!r}") from None
        if not piece:
            raise NoAnswer(f"connection closed before a whole answer; so far {self._buffer!r}")
        self._buffer += piece


def exchange(port: int, data: bytes, *, half_close: bool = False, closes_within: float = 2.0,
             within: float = WITHIN) -> RawAnswer:
    """Sends `data`, reads one answer, then watches whether the server closes or says more."""
    with RawConnection(port, within) as connection:
        connection.send(data)
        if half_close:
            connection.finish_sending()
        answer = connection.read_answer()
        answer.surplus, answer.closed = connection.read_until_closed(closes_within)
        return answer


def request(path: str, body: bytes = b"", *, method: str = "POST", headers: list[tuple[str, str]] | None = None,
            version: str = "HTTP/1.1", host: str | None = "sluice.test", length: str | None = "right") -> bytes:
    """A request as bytes; `length` is the Content-Length's text, "right" for the true one, None for none."""
    lines = [f"{method} {path} {version}"]
    if host is not None:
        lines.append(f"Host: {host}")
    if length is not None:
        lines.append(f"Content-Length: {len(body) if length == 'right' else length}")
    lines += [f"{name}: {value}" for name, value in headers or []]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
