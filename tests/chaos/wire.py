"""One wire of the fault proxy: connections to one server, and what goes wrong on them.

A fault is on from `break_with` until `heal`. Connections that lost bytes, or whose replies are out of step, are cut when it
heals: TCP never goes on after a gap.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.chaos import wire_protocols as protocols

PIECE = 65536
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: a close is a reset


class Cut(Exception):
    """This connection ends here."""


class Wire:
    """Listens on `port`, forwards to `target`; `protocol` is redis, mysql or kafka. Lives in one asyncio loop."""

    def __init__(self, port: int, target: int, protocol: str, seed: int = 0) -> None:
        self.port, self.target, self.protocol = port, target, protocol
        self.fault: dict = {}
        self.counts: Counter[str] = Counter()
        self.dice = Random(seed)
        self._open: set[Connection] = set()

    async def serve(self) -> asyncio.Server:
        return await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    def break_with(self, fault: dict) -> None:
        self.fault = fault

    def heal(self) -> None:
        self.fault = {}
        for connection in list(self._open):
            if connection.tainted:
                connection.abort()

    def retarget(self, target: int) -> None:
        """As a fail-over does: who is connected loses its connection, who comes gets the other server."""
        self.target = target
        for connection in list(self._open):
            connection.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            upstream = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            _reset(writer)
            return
        connection = Connection(self, (reader, writer), upstream)
        self._open.add(connection)
        try:
            await connection.run()
        finally:
            self._open.discard(connection)
            connection.abort()


class Connection:
    """Both directions of one client's connection."""

    def __init__(self, wire: Wire, client: tuple, server: tuple) -> None:
        self.wire = wire
        self._lossy: set[bool] = set()         # directions that have a gap: upwards, or not
        self._out_of_step = False              # replies are those of the commands before
        self._client, self._server = client, server
        self._budget: int | None = None        # bytes until the cut
        self._budget_of: dict | None = None    # the fault that set it
        self._doomed = False                   # the answer that comes next is lost
        self._lost: set[int] = set()           # Kafka requests whose answers are
        self._last_reply = b"+OK\r\n"
        self._commands = protocols.MysqlCommands()
        self._requests, self._responses = protocols.KafkaFrames(), protocols.KafkaFrames()
        self._replies = protocols.RespReplies()

    @property
    def tainted(self) -> bool:
        return bool(self._lossy) or self._out_of_step

    async def run(self) -> None:
        up = asyncio.ensure_future(self._pump(self._client[0], self._server[1], upwards=True))
        down = asyncio.ensure_future(self._pump(self._server[0], self._client[1], upwards=False))
        done, pending = await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(up, down, return_exceptions=True)

    def abort(self) -> None:
        for _, writer in (self._client, self._server):
            _reset(writer)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, upwards: bool) -> None:
        with contextlib.suppress(OSError, Cut, protocols.OutOfStep):
            while data := await reader.read(PIECE):
                pieces = self._look_up(data) if upwards else self._look_down(data)
                for piece in pieces:
                    await self._forward(piece, writer, upwards)

    async def _forward(self, data: bytes, writer: asyncio.StreamWriter, upwards: bool) -> None:
        fault, kind = self.wire.fault, self.wire.fault.get("kind")
        if kind == ("lost_upwards" if upwards else "lost_downwards"):
            self._lossy.add(upwards)
        if upwards in self._lossy:
            self.wire.counts["lost_pieces"] += 1
            return
        if kind == "delay":
            await pass_time(fault["seconds"])
        elif kind == "throttle":
            await pass_time(len(data) / fault["bytes_per_second"])
        elif kind == "cut" and bool(fault["upwards"]) == upwards:
            await self._cut_after(data, writer, fault)
        writer.write(data)
        await writer.drain()

    async def _cut_after(self, data: bytes, writer: asyncio.StreamWriter, fault: dict) -> None:
        if self._budget_of is not fault:
            self._budget_of, self._budget = fault, int(fault["after"])
        if len(data) <= self._budget:
            self._budget -= len(data)
            return
        writer.write(data[:self._budget])
        with contextlib.suppress(OSError):
            await writer.drain()
        self._count_and_cut("cut")

    # what the bytes mean

    def _look_up(self, data: bytes) -> list[bytes]:
        kind = self.wire.fault.get("kind")
        if self.wire.protocol == "mysql":
            for command, text in self._commands.feed(data):
                wanted = protocols.is_commit(command, text) if kind == "lost_commit" else \
                    kind == "lost_answer" and command in (protocols.QUERY, protocols.EXECUTE)
                self._doomed = self._doomed or (wanted and self._unlucky())
        elif self.wire.protocol == "kafka":
            for frame in self._requests.feed(data):
                key, correlation = protocols.kafka_request(frame)
                wanted = {"lost_produce": key == protocols.PRODUCE, "lost_offset_commit": key == protocols.OFFSET_COMMIT,
                          "lost_answer": True}.get(kind, False)
                if wanted and self._unlucky():
                    self._lost.add(correlation)
        return [data]

    def _look_down(self, data: bytes) -> Iterator[bytes]:
        """What goes to the client; Cut in the place of an answer that is lost."""
        if self.wire.protocol == "kafka":
            for frame in self._responses.feed(data):
                if protocols.kafka_response(frame) in self._lost:
                    self._count_and_cut("lost_answers")
                yield frame
        elif self.wire.protocol == "redis":
            yield from map(self._shifted, self._replies.feed(data))
        else:
            if self._doomed:
                self._count_and_cut("lost_answers")
            yield data

    def _shifted(self, reply: bytes) -> bytes:
        """Command n is answered with reply n-1 from the moment it is on."""
        if self.wire.fault.get("kind") != "shifted" and not self._out_of_step:
            self._last_reply = reply
            return reply
        self._out_of_step = True
        self.wire.counts["shifted_replies"] += 1
        before, self._last_reply = self._last_reply, reply
        return before

    def _unlucky(self) -> bool:
        return self.wire.dice.random() < self.wire.fault["share"]

    def _count_and_cut(self, what: str) -> None:
        self.wire.counts[what] += 1
        raise Cut


async def pass_time(seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), seconds)


def _reset(writer: asyncio.StreamWriter) -> None:
    """At once, without what is still queued."""
    handle = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    writer.transport.abort()
