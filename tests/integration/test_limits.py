"""Bounds of time and room: none of them can be stretched by trickling, pipelining or coming in numbers."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import time

import pytest

from tests.support.crowd import at_once
from tests.support.events import Event, payment, snapshot
from tests.support.http_raw import NoAnswer, RawConnection, exchange, request
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for

LIMIT = 512 * 1024  # bytes of a body, where a source says nothing else
ANNOUNCERS = 100
HEADERS_WITHIN, BODY_WITHIN, IDLE = 5.0, 10.0, 30.0  # seconds, as listen.* says when nothing is set


def event_of_size(size: int) -> Event:
    empty = snapshot("payment_intent.succeeded", {"id": "pi_big", "customer": "cus_1", "amount": 1, "note": ""})
    return empty.with_body(empty.body.replace(b'"note": ""', b'"note": "' + b"x" * (size - len(empty.body)) + b'"'))


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_body_limit_is_exact(pipeline: Pipeline, provider: Provider, over: int) -> None:
    event = event_of_size(LIMIT + over)
    assert len(event.body) == LIMIT + over
    provider.deliver(event).expect(413 if over > 0 else 200)
    if over <= 0:
        [record] = pipeline.log.read(pipeline.topic)
        assert record.value == event.body
    else:
        pipeline.expect_nothing_published()


def test_oversize_is_refused_by_its_declared_length(gate: Program) -> None:
    """Before one byte of the body was sent."""
    data = request(PATH, b"", length=str(LIMIT + 1), headers=[("Stripe-Signature", "t=1,v1=0")])
    answer = exchange(gate.port, data)
    assert answer.status == 413 and answer.closed and answer.surplus == b""


def test_a_length_that_is_only_announced_takes_no_memory(gate: Program) -> None:
    """A hundred bytes that say half a megabyte follows: nothing of that is resident before it comes."""
    before = gate.resident_kib
    with contextlib.ExitStack() as held:
        for _ in range(ANNOUNCERS):
            connection = held.enter_context(RawConnection(gate.port))
            connection.send(request(PATH, b"", length=str(LIMIT), headers=[("Expect", "100-continue")]))
            assert connection.read_answer().status == 100  # the body is what it waits for now
        assert gate.resident_kib - before < ANNOUNCERS * 128


def test_source_may_have_a_limit_of_its_own(pipeline: Pipeline) -> None:
    pipeline.config["sources"][0]["max_body"] = "2KiB"
    provider = pipeline.provider(pipeline.ingress())
    provider.deliver(event_of_size(2048)).expect(200)
    provider.deliver(event_of_size(2049)).expect(413)


def trickle(connection: RawConnection, data: bytes, every: float, within: float) -> float:
    """Sends byte after byte until the server has had enough; returns how long that took, at most `within`."""
    began = time.monotonic()
    bytes_left = iter(data)

    def ended() -> bool:
        connection.send(bytes([next(bytes_left, 0x61)]))
        _, closed = connection.read_until_closed(every)
        return closed

    wait_for(ended, "the server to close a trickling connection", within, every=0)
    return time.monotonic() - began


@pytest.mark.slow
def test_deadlines_are_set_once_per_phase(gate: Program) -> None:
    """A byte now and then does not renew them. All side by side, since these seconds are real."""
    at_once([lambda: expect_trickled_head_ends(gate), lambda: expect_trickled_body_ends(gate),
             lambda: expect_silent_head_ends(gate)])


def expect_trickled_head_ends(gate: Program) -> None:
    with RawConnection(gate.port, within=HEADERS_WITHIN + 5) as connection:
        connection.send(b"POST ")
        took = trickle(connection, PATH.encode() * 100, every=0.4, within=HEADERS_WITHIN + 5)
    assert took < HEADERS_WITHIN + 2, f"{took:.1f} s"


def expect_trickled_body_ends(gate: Program) -> None:
    with RawConnection(gate.port, within=BODY_WITHIN + 5) as connection:
        connection.send(request(PATH, b"", length="100000", headers=[("Stripe-Signature", "t=1,v1=0")]))
        took = trickle(connection, PATH.encode() * 100, every=0.4, within=BODY_WITHIN + 5)
    assert took < BODY_WITHIN + 2, f"{took:.1f} s"


def expect_silent_head_ends(gate: Program) -> None:
    began = time.monotonic()
    with RawConnection(gate.port, within=HEADERS_WITHIN + 4) as connection:
        connection.send(b"POST " + PATH.encode())
        with contextlib.suppress(NoAnswer):  # closing without a word is fine too: no request was there yet
            assert connection.read_answer().status == 408
        _, closed = connection.read_until_closed(2)
    assert closed and time.monotonic() - began < HEADERS_WITHIN + 3


PATIENT = 10_000  # peers at once, where a process may have so many descriptors
LATE = 0.15       # seconds around a deadline in which a peer sends as fast as it can


class PatientPeer:
    """Sends `first`, later a flood around the moment at which its time is over, and then nothing any more."""

    def __init__(self, port: int, first: bytes, within: float) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.sendall(first)
        self.socket.setblocking(False)
        self.over = time.monotonic() + within

    def flood(self, now: float) -> None:
        if abs(now - self.over) < LATE:
            with contextlib.suppress(OSError):
                self.socket.send(b"1\r\na\r\n" * 20)

    def is_let_go(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            try:
                while self.socket.recv(65536):
                    pass
            except ConnectionResetError:
                pass
            return True
        return False


@pytest.mark.slow
def test_peers_with_bytes_on_their_way_at_the_deadline_are_let_go(pipeline: Pipeline) -> None:
    """In a head, in chunks, after a refusal. None of them holds its place for longer than its time."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the ingress inherits it
    pipeline.config["sources"][0]["chunked"] = True
    ingress = pipeline.ingress()
    before = ingress.open_files
    kinds = [(request(PATH, length=None, headers=[("Transfer-Encoding", "chunked")]), BODY_WITHIN),
             (b"POST " + PATH.encode() + b" HTTP/1.1\r\nX: ", HEADERS_WITHIN), (request("/nowhere"), 1.0)]
    each = min(PATIENT, most - 1000) // len(kinds)
    peers = [PatientPeer(ingress.port, first, within) for first, within in kinds for _ in range(each)]
    last = max(peer.over for peer in peers)

    def all_let_go() -> bool:
        now = time.monotonic()
        for peer in peers:
            peer.flood(now)
        return now > last and ingress.open_files <= before + 5

    try:
        wait_for(all_let_go, "their places to be given back", within=last - time.monotonic() + 5, every=0)
        assert all(peer.is_let_go() for peer in peers)
    finally:
        for peer in peers:
            peer.socket.close()
    provider = pipeline.provider(ingress)
    provider.deliver(payment()).expect(200)


def test_slow_upload_leaves_the_time_for_its_answer(pipeline: Pipeline) -> None:
    """The body takes longer than the answer may: what counts for the answer begins with the body's last byte."""
    pipeline.config["sources"][0]["answer_within"] = "900ms"
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    event = payment()
    provider.start(event)
    data = request(PATH, event.body, headers=provider.headers(event.body))
    with RawConnection(ingress.port) as connection:
        connection.send(data[:-10])
        for byte in data[-10:-1]:
            assert connection.read_until_closed(0.2) == (b"", False)
            connection.send(bytes([byte]))
        connection.send(data[-1:])
        assert connection.read_answer().status == 200
    pipeline.expect_published(event)


def test_slow_client_holds_nobody_else_up(gate: Program, gate_provider: Provider) -> None:
    with_half_a_head = [RawConnection(gate.port) for _ in range(50)]
    try:
        for connection in with_half_a_head:
            connection.send(b"POST " + PATH.encode())
        delivery = gate_provider.deliver(payment())
        assert delivery.expect(200).last.seconds < 2
    finally:
        for connection in with_half_a_head:
            connection.close()


def test_pipelined_requests_are_answered_in_order_one_by_one(pipeline: Pipeline, ingress: Program,
                                                             provider: Provider) -> None:
    events = [payment(intent="pi_piped", amount=number + 1) for number in range(20)]
    data = b"".join(request(PATH, event.body, headers=provider.headers(event.body)) for event in events)
    for event in events:
        provider.start(event)
    with RawConnection(ingress.port) as connection:
        connection.send(data)
        assert [connection.read_answer().status for _ in events] == [200] * len(events)
    assert [record.text("ce_id") for record in pipeline.log.read(pipeline.topic)] == [event.id for event in events]


def test_pipelining_flood_costs_no_memory(gate: Program) -> None:
    """Ten thousand refusable requests at once: one answer, and the resident set stays where it was."""
    before = gate.resident_kib
    one = request("/nowhere", b"", length="0")
    with RawConnection(gate.port) as connection:
        connection.send(one * 10_000)
        assert connection.read_answer().status == 404
        rest, closed = connection.read_until_closed(5)
    assert closed and rest == b""
    assert gate.resident_kib - before < 16 * 1024


def test_too_many_connections_are_turned_away(pipeline: Pipeline) -> None:
    # One listener accepts in the order of arrival; of two, one may take the ninth before the other takes the eighth.
    ingress = pipeline.ingress(max_connections=8, threads=1)
    provider = pipeline.provider(ingress)
    held = [socket.create_connection(("127.0.0.1", ingress.port)) for _ in range(8)]
    try:
        wait_for(lambda: turned_away(ingress), "the ninth connection to be turned away")
    finally:
        for connection in held:
            connection.close()
    wait_for(lambda: provider.deliver(payment()).accepted, "service after the others have gone")


def test_clients_leave_descriptors_for_all_else(pipeline: Pipeline) -> None:
    """Of 600 they get 344, whatever the configuration wishes. Probes are answered, and so is who comes later."""
    ingress = pipeline.ingress(start=False, threads=1)
    ingress.most_files = 600
    ingress.start().ready()
    assert [line["allowed"] for line in ingress.decisions("connections_limited")] == [344]
    provider = pipeline.provider(ingress)
    held = [socket.create_connection(("127.0.0.1", ingress.port)) for _ in range(700)]
    try:
        wait_for(lambda: turned_away(ingress), "the next connection to be turned away")
        assert [ingress.get(path)[0] for path in ("/livez", "/readyz")] == [200, 200]
    finally:
        for connection in held:
            connection.close()
    wait_for(lambda: provider.deliver(payment()).accepted, "service after the others have gone")


def turned_away(ingress: Program) -> bool:
    """Closed without service: with a 503 or at once."""
    try:
        with RawConnection(ingress.port, within=1) as connection:
            connection.send(request("/nowhere", b"", length="0"))
            return connection.read_answer().status == 503
    except (NoAnswer, OSError) as error:
        return "closed" in str(error) or "reset" in str(error)


def test_limit_per_address_spares_other_addresses(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(max_connections_per_address=2, threads=1)
    held = [RawConnection(ingress.port, source="127.0.0.2") for _ in range(2)]
    try:
        wait_for(lambda: turned_away_from(ingress, "127.0.0.2"), "the third of one address to be turned away")
        with RawConnection(ingress.port, source="127.0.0.3") as other:
            other.send(request("/nowhere", b"", length="0"))
            assert other.read_answer().status == 404
    finally:
        for connection in held:
            connection.close()


def turned_away_from(ingress: Program, address: str) -> bool:
    try:
        with RawConnection(ingress.port, within=1, source=address) as connection:
            connection.send(request("/nowhere", b"", length="0"))
            return connection.read_answer().status == 503
    except (NoAnswer, OSError) as error:
        return "closed" in str(error) or "reset" in str(error)


def test_a_limit_of_a_client_delays_and_loses_nothing(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(limits={"requests": {"rate": "20/s", "burst": 5}})
    provider = pipeline.provider(ingress)
    events = [payment() for _ in range(20)]
    answers = [provider.deliver(event).answers[0] for event in events]
    limited = [answer for answer in answers if not answer.accepted]
    assert limited and {(answer.status, answer.headers["retry-after"]) for answer in limited} == {(429, "1")}
    provider.retry_refused()
    published = [json.loads(record.value)["id"] for record in pipeline.log.read(pipeline.topic)]
    assert sorted(published) == sorted(event.id for event in events)
    assert ingress.decisions("limited")[0]["reason"] == "requests"


def test_who_floods_is_made_to_wait_and_others_are_not(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(limits={"requests": {"rate": "1/h", "burst": 3}})
    provider = pipeline.provider(ingress)
    with RawConnection(ingress.port, source="127.0.0.2") as forger:
        statuses = []
        for _ in range(5):
            forger.send(request(PATH, b"{}", headers=[("Stripe-Signature", "t=1,v1=00")]))
            statuses.append(forger.read_answer().status)
    assert statuses == [400, 400, 400, 429, 429]
    for _ in range(3):
        provider.deliver(payment()).expect(200)


def test_networks_of_a_source_are_the_only_ones(pipeline: Pipeline) -> None:
    pipeline.config["sources"][0]["allow"] = ["127.0.0.2/32"]
    ingress = pipeline.ingress()
    event = payment()
    provider = pipeline.provider(ingress)
    provider.deliver(event).expect(403)
    with RawConnection(ingress.port, source="127.0.0.2") as listed:
        listed.send(request(PATH, event.body, headers=provider.headers(event.body)))
        assert listed.read_answer().status == 200
    [line] = ingress.decisions("gate_refused")
    assert (line["reason"], line["client"], line["source"]) == ("client_not_allowed", "127.0.0.1", "stripe-eu")


def test_requests_per_connection_are_bounded(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress(max_requests_per_connection=3)
    provider = pipeline.provider(ingress)
    events = [payment() for _ in range(3)]
    with RawConnection(ingress.port) as connection:
        for event in events:
            provider.start(event)
            connection.send(request(PATH, event.body, headers=provider.headers(event.body)))
            last = connection.read_answer()
            assert last.status == 200
        rest, closed = connection.read_until_closed(2)
    assert closed and rest == b"" and (last.header("Connection") or "").lower() == "close"


def test_client_that_goes_away_leaves_nothing_behind(gate: Program, gate_provider: Provider) -> None:
    """Closed in the middle of head, body and answer."""
    body = payment().body
    whole = request(PATH, body, headers=gate_provider.headers(body))
    before = gate.open_files
    for cut in (3, 40, len(whole) - len(body), len(whole) - 10, len(whole)):
        with RawConnection(gate.port) as connection:
            connection.send(whole[:cut])
    wait_for(lambda: gate.open_files <= before, "descriptors to be given back")
    gate_provider.deliver(payment()).expect(200)
