"""The protocols are understood in whatever pieces they come, and the wire loses exactly what it is told to lose."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable

import pytest

from tests.chaos.wire import Wire, pass_time
from tests.chaos.wire_protocols import (KafkaFrames, MysqlCommands, OutOfStep, RespReplies, is_commit, kafka_request,
                                        kafka_response)
from tests.support.wait import LONG_ENOUGH


def packet(payload: bytes, sequence: int = 0) -> bytes:
    return len(payload).to_bytes(3, "little") + bytes([sequence]) + payload


def frame(*fields: int, kinds: str = ">hhi") -> bytes:
    body = struct.pack(kinds, *fields)
    return struct.pack(">i", len(body)) + body


def in_pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at:at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_commands_of_mysql(size: int) -> None:
    stream = packet(b"\x0dlogin", 1) + packet(b"\x03BEGIN") + packet(b"\x17" + b"x" * 500) + packet(b"\x03commit ")
    parser = MysqlCommands()
    found = [command for piece in in_pieces(stream, size) for command in parser.feed(piece)]
    assert [command for command, _ in found] == [3, 0x17, 3]
    assert [is_commit(*command) for command in found] == [False, False, True]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_frames_of_kafka(size: int) -> None:
    stream = frame(0, 9, 41) + frame(8, 9, 42)
    parser = KafkaFrames()
    found = [each for piece in in_pieces(stream, size) for each in parser.feed(piece)]
    assert [kafka_request(each) for each in found] == [(0, 41), (8, 42)] and b"".join(found) == stream
    assert kafka_response(frame(7, kinds=">i")) == 7


def test_frames_of_something_else_are_refused() -> None:
    with pytest.raises(OutOfStep):
        KafkaFrames().feed(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_replies_of_redis(size: int) -> None:
    replies = [b"+OK\r\n", b"$-1\r\n", b"$4\r\nP:ab\r\n", b"*2\r\n$1\r\na\r\n:5\r\n", b"-ERR no\r\n", b"%1\r\n+a\r\n*0\r\n"]
    parser = RespReplies()
    assert [each for piece in in_pieces(b"".join(replies), size) for each in parser.feed(piece)] == replies


# The wire itself, between an echo server and a client

Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Wire], Awaitable[object]]


def through(protocol: str, client: Client, answer: Callable[[bytes], bytes] = lambda data: data) -> object:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(answer(data))
            await writer.drain()
        writer.close()

    async def talk() -> object:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        wire = Wire(0, server.sockets[0].getsockname()[1], protocol)
        listener = await wire.serve()
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.sockets[0].getsockname()[1])
        return await asyncio.wait_for(client(reader, writer, wire), LONG_ENOUGH)

    return asyncio.run(talk())


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> bytes:
    """What comes back; empty when the connection ends."""
    try:
        writer.write(data)
        return await reader.read(65536)
    except ConnectionError:
        return b""


def test_a_whole_wire_changes_nothing() -> None:
    async def client(reader, writer, wire) -> bytes:
        return await ask(reader, writer, b"\x03whatever")
    assert through("mysql", client) == b"\x03whatever"


def test_the_answer_to_commit_is_lost_after_the_server_got_it() -> None:
    got: list[bytes] = []

    async def client(reader, writer, wire) -> list[bytes]:
        wire.break_with({"kind": "lost_commit", "share": 1})
        return [await ask(reader, writer, packet(b"\x03BEGIN")), await ask(reader, writer, packet(b"\x03COMMIT"))]
    answers = through("mysql", client, lambda data: got.append(data) or data)
    assert answers == [packet(b"\x03BEGIN"), b""] and got[1] == packet(b"\x03COMMIT")


def test_only_the_answer_to_a_produce_request_is_lost() -> None:
    def server(data: bytes) -> bytes:
        return b"".join(frame(kafka_request(each)[1], kinds=">i") for each in KafkaFrames().feed(data))

    async def client(reader, writer, wire) -> bytes:
        wire.break_with({"kind": "lost_produce", "share": 1})
        writer.write(frame(3, 9, 1) + frame(0, 9, 2) + frame(3, 9, 3))
        first = await reader.read(65536)
        return first + await ask(reader, writer, b"")
    assert through("kafka", client, server) == frame(1, kinds=">i")


def test_replies_are_those_of_the_commands_before() -> None:
    numbers = iter(range(10))

    async def client(reader, writer, wire) -> list[bytes]:
        first = await ask(reader, writer, b"x")
        wire.break_with({"kind": "shifted"})
        return [first, *[await ask(reader, writer, b"x") for _ in range(3)]]
    assert through("redis", client, lambda _: b":%d\r\n" % next(numbers)) == [b":0\r\n", b":0\r\n", b":1\r\n", b":2\r\n"]


@pytest.mark.parametrize("upwards", [0, 1])
def test_a_cut_comes_after_so_many_bytes(upwards: int) -> None:
    got: list[bytes] = []

    async def client(reader, writer, wire) -> bytes:
        wire.break_with({"kind": "cut", "after": 5, "upwards": upwards})
        return await ask(reader, writer, b"0123456789")
    answer = through("mysql", client, lambda data: got.append(data) or data)
    assert b"".join(got) == (b"01234" if upwards else b"0123456789")
    assert len(answer) <= 5


def test_what_was_lost_one_way_ends_the_connection_when_it_heals() -> None:
    async def client(reader, writer, wire) -> bytes:
        wire.break_with({"kind": "lost_downwards"})
        writer.write(b"question")
        while not wire.counts["lost_pieces"]:
            await pass_time(0.001)
        wire.heal()
        return await ask(reader, writer, b"again")
    assert through("mysql", client) == b""
