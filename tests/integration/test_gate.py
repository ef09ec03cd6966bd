"""The raw gate: what is no plain HTTP/1.1 request gets one clear answer, the connection closes, and nothing else happens.

The cases are the rows of reliability.md 4.1 (what the HTTP library lets through) and those of 4.3 on framing and paths.
"""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime

import pytest

from tests.support.events import payment
from tests.support.http_raw import RawAnswer, RawConnection, exchange, request
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider

HOST = "Host: sluice.test"
BODY = b"hello"


def head(*lines: str, path: str = PATH, method: str = "POST", version: str = "HTTP/1.1") -> bytes:
    """A head whose field lines are exactly `lines`."""
    return "\r\n".join([f"{method} {path} {version}", *lines]).encode("latin-1") + b"\r\n\r\n"


def with_line(line: str, body: bytes = BODY) -> bytes:
    """A right request but for one more field line."""
    return head(HOST, f"Content-Length: {len(body)}", line) + body


def with_framing(*lines: str, body: bytes = BODY, version: str = "HTTP/1.1") -> bytes:
    return head(HOST, *lines, version=version) + body


CHUNKED = b"5\r\nhello\r\n0\r\n\r\n"
SMUGGLED = b"GET /v1/other HTTP/1.1\r\nHost: x\r\n\r\n"

# name: (bytes, the status that says it best)
FRAMING: dict[str, tuple[bytes, int]] = {
    "coding gzip without a length": (with_framing("Transfer-Encoding: gzip"), 501),
    "coding gzip, then a length": (with_framing("Transfer-Encoding: gzip", "Content-Length: 5"), 400),
    "a length, then coding gzip": (with_framing("Content-Length: 5", "Transfer-Encoding: gzip"), 400),
    "coding chunked twice in one line": (with_framing("Transfer-Encoding: chunked, chunked", body=CHUNKED), 501),
    "coding chunked in two lines": (with_framing("Transfer-Encoding: chunked", "Transfer-Encoding: chunked",
                                                 body=CHUNKED), 400),
    "coding identity and a length": (with_framing("Transfer-Encoding: identity", "Content-Length: 5"), 400),
    "coding xchunked and a length": (with_framing("Transfer-Encoding: xchunked", "Content-Length: 5"), 400),
    "coding xchunked": (with_framing("Transfer-Encoding: xchunked", body=CHUNKED), 501),
    "coding chunked, identity and a length": (
        with_framing("Transfer-Encoding: chunked, identity", "Content-Length: 5"), 400),
    "coding with an empty element": (with_framing("Transfer-Encoding: ,chunked", body=CHUNKED), 501),
    "coding with a parameter": (with_framing("Transfer-Encoding: chunked;q=1", body=CHUNKED), 501),
    "coding folded": (with_framing("Transfer-Encoding:\r\n chunked", body=CHUNKED), 400),
    "coding chunked and a length": (with_framing("Transfer-Encoding: chunked", "Content-Length: 5", body=CHUNKED), 400),
    "a length and coding chunked": (with_framing("Content-Length: 5", "Transfer-Encoding: chunked", body=CHUNKED), 400),
    "coding chunked where it is not allowed": (with_framing("Transfer-Encoding: chunked", body=CHUNKED), 411),
    "coding chunked, then gzip": (with_framing("Transfer-Encoding: chunked, gzip", body=CHUNKED), 501),
    "coding gzip, then chunked, in two lines": (with_framing("Transfer-Encoding: gzip", "Transfer-Encoding: chunked", body=CHUNKED), 501),
    "coding chunked, then gzip, and a length": (with_framing("Transfer-Encoding: chunked, gzip", "Content-Length: 5"), 400),
    "coding chunked in HTTP/1.0": (with_framing("Transfer-Encoding: chunked", body=CHUNKED, version="HTTP/1.0"), 400),
    "coding chunked and a length in HTTP/1.0": (
        with_framing("Transfer-Encoding: chunked", "Content-Length: 5", body=CHUNKED, version="HTTP/1.0"), 400),
    "no length in HTTP/1.0": (with_framing(body=b"", version="HTTP/1.0"), 411),
    "Transfer_Encoding": (with_framing("Content-Length: 5", "Transfer_Encoding: chunked"), 400),
    "no length": (with_framing(body=b""), 411),
    "length twice, equal": (with_framing("Content-Length: 5", "Content-Length: 5"), 400),
    "length twice, different": (with_framing("Content-Length: 5", "Content-Length: 6"), 400),
    "length as a list": (with_framing("Content-Length: 5, 5"), 400),
    "length with a leading zero": (with_framing("Content-Length: 05"), 400),
    "length with a plus": (with_framing("Content-Length: +5"), 400),
    "length with a minus": (with_framing("Content-Length: -5"), 400),
    "length in hex": (with_framing("Content-Length: 0x5"), 400),
    "length empty": (with_framing("Content-Length:"), 400),
    "length of nine digits": (with_framing("Content-Length: 000000005"), 400),
    "length 2^63": (with_framing("Content-Length: 9223372036854775808"), 400),
    "length 2^64": (with_framing("Content-Length: 18446744073709551616"), 400),
    "length and a letter": (with_framing("Content-Length: 5a"), 400),
    "length with a space inside": (with_framing("Content-Length: 1 0"), 400)}

HEAD_BYTES: dict[str, tuple[bytes, int]] = {
    "no Host": (head("Content-Length: 5") + BODY, 400),
    "two Hosts": (head(HOST, HOST, "Content-Length: 5") + BODY, 400),
    "empty Host": (head("Host:", "Content-Length: 5") + BODY, 400),
    "folded field": (with_line("X-Long: a\r\n b"), 400),
    "folded with a tab": (with_line("X-Long: a\r\n\tb"), 400),
    "space before the colon": (with_line("X-Name : a"), 400),
    "space before the name": (head(" " + HOST, "Content-Length: 5") + BODY, 400),
    "no colon": (with_line("X-Name"), 400),
    "empty name": (with_line(": a"), 400),
    "name with a bracket": (with_line("X(Name): a"), 400),
    "name with a letter above 127": (with_line("X-Näme: a"), 400),
    "underscore in a name we read": (with_line("Stripe_Signature: t=1"), 400),
    "Content_Length": (with_framing("Content_Length: 5"), 400),
    "NUL in a value": (with_line("X-Name: a\0b"), 400),
    "control character in a value": (with_line("X-Name: a\x01b"), 400),
    "escape in a value": (with_line("X-Name: \x1b[31m"), 400),
    "DEL in a value": (with_line("X-Name: a\x7fb"), 400),
    "byte above 127 in a value that we read": (with_line("Stripe-Signature: t=1,v1=\xe9"), 400),
    "byte above 127 in an address": (with_line("X-Forwarded-For: \xe9"), 400),
    "byte above 127 in Content-Type": (with_line("Content-Type: \xe9"), 400),
    "no Host in HTTP/1.0": (head("Content-Length: 5", version="HTTP/1.0") + BODY, 400),
    "bare CR in a value": (with_line("X-Name: a\rb"), 400),
    "bare LF at a line's end": (f"POST {PATH} HTTP/1.1\nHost: x\nContent-Length: 5\n\n".encode() + BODY, 400),
    "one bare LF": (f"POST {PATH} HTTP/1.1\r\nHost: x\nContent-Length: 5\r\n\r\n".encode() + BODY, 400),
    "leading line end": (b"\r\n" + head(HOST, "Content-Length: 5") + BODY, 400),
    "leading space": (b" " + head(HOST, "Content-Length: 5") + BODY, 400),
    "65 fields": (head(HOST, "Content-Length: 5", *(f"X-{n}: 1" for n in range(63))) + BODY, 431),
    "head of 17 KiB": (with_line("X-Long: " + "a" * 17 * 1024), 431),
    "endless head": (head(HOST, *(f"X-{n}: {'a' * 4000}" for n in range(50)))[:-2], 431),
    "two spaces in the request line": (f"POST  {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode(), 400),
    "tab in the request line": (f"POST\t{PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode(), 400),
    "space after the version": (f"POST {PATH} HTTP/1.1 \r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode(), 400),
    "no version": (f"POST {PATH}\r\n\r\n".encode(), 400),
    "TLS where plain text is spoken": (bytes.fromhex("16030100") + b"\xfe" * 64, 400)}

VERSIONS = {f"version {version}": (head(HOST, "Content-Length: 5", version=version) + BODY, status)
            for version, status in (("HTTP/1.2", 505), ("HTTP/2.0", 505), ("HTTP/0.9", 505),
                                    ("http/1.1", 400), ("HTTP/1.10", 400), ("HTTP/11", 400), ("HTTPS/1.1", 400))}

MEANING: dict[str, tuple[bytes, int]] = {
    "Expect of another kind": (with_line("Expect: 200-ok"), 417),
    "Expect twice": (with_line("Expect: 100-continue\r\nExpect: 100-continue"), 417),
    "Upgrade": (with_line("Upgrade: websocket\r\nConnection: upgrade"), 400),
    "Upgrade to HTTP/2": (with_line("Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings"), 400),
    "Connection with something that is no option": (with_line("Connection: close now"), 400),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505)}

METHODS = {f"method {method[:20]}": (head(HOST, "Content-Length: 5", method=method) + BODY, status)
           for method, status in (("GET", 405), ("PUT", 405), ("DELETE", 405), ("OPTIONS", 405), ("post", 405),
                                  ("TRACE", 405), ("M" * 1000, 400))}

PATHS = {f"path {path[:60]}": (head(HOST, "Content-Length: 5", path=path) + BODY, status)
         for path, status in (
             ("/", 404), (PATH + "/", 404), (PATH + "x", 404), (PATH[:-1], 404), ("/" + PATH, 404), (PATH.upper(), 404),
             (PATH.replace("stripe", "%73tripe"), 404), (PATH + "%00", 404), (PATH + "%2f", 404), (PATH + ";a=b", 404),
             ("/v1/../v1/webhooks/stripe-eu", 404), ("/v1/./webhooks/stripe-eu", 404), ("/v1//webhooks/stripe-eu", 404),
             ("*", 400), (f"http://sluice.test{PATH}", 400), ("sluice.test:443", 400), (PATH[1:], 400),
             (PATH + "#part", 400), (PATH + "\x80", 400), (PATH + "\0", 400), (PATH + '"', 400),
             ("/" + "a" * 5000, 414))}

REFUSED = {**FRAMING, **HEAD_BYTES, **VERSIONS, **MEANING, **METHODS, **PATHS}


def expect_one_refusal(answer: RawAnswer, status: int) -> None:
    assert answer.status == status, f"{answer.status} {answer.reason}"
    assert answer.surplus == b"", f"more than one answer: {answer.surplus!r}"
    assert answer.closed, "the connection was left open"
    assert (answer.header("Connection") or "").lower() == "close"
    assert int(answer.header("Content-Length") or -1) == len(answer.body)


@pytest.fixture(scope="module", autouse=True)
def nothing_but_good_requests_published(gate_pipeline: Pipeline, gate: Program):
    """At the end of the file: not one of all these requests has reached Kafka."""
    yield
    published = [record.value for record in gate_pipeline.log.read(gate_pipeline.topic)]
    accepted = {delivery.event.body for provider in gate_pipeline.providers for delivery in provider.deliveries}
    assert set(published) <= accepted
    assert gate_pipeline.log.count(gate_pipeline.quarantine) == 0


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_one_clear_answer(gate: Program, gate_provider: Provider, name: str) -> None:
    data, status = REFUSED[name]
    expect_one_refusal(exchange(gate.port, data), status)
    gate_provider.deliver(payment()).expect(200)  # a new connection is served as ever


@pytest.mark.parametrize("name", FRAMING)
def test_bytes_after_a_refused_request_are_never_a_request(gate: Program, gate_pipeline: Pipeline, name: str) -> None:
    """What the HTTP library would take for the next request on the connection."""
    before = gate.metric("webhook_received_total")
    data, status = FRAMING[name]
    expect_one_refusal(exchange(gate.port, data + SMUGGLED), status)
    assert gate.metric("webhook_received_total") == before


def test_signed_request_with_a_double_signature_header_is_refused(gate: Program, gate_provider: Provider) -> None:
    body = payment().body
    headers = gate_provider.headers(body)
    answer = exchange(gate.port, request(PATH, body, headers=[*headers, headers[-1]]), closes_within=0.1)
    assert answer.status == 400 and answer.surplus == b""


@pytest.mark.parametrize("name,chunks", {
    "extension": b"5;a=b\r\nhello\r\n0\r\n\r\n", "quoted extension with LF": b'5;a="\n"\r\nhello\r\n0\r\n\r\n',
    "trailer": b"5\r\nhello\r\n0\r\nStripe-Signature: t=1\r\n\r\n", "trailer Host": b"0\r\nHost: x\r\n\r\n",
    "leading zeros": b"0" * 64 + b"5\r\nhello\r\n0\r\n\r\n", "size in capitals and a sign": b"+5\r\nhello\r\n0\r\n\r\n",
    "size with 0x": b"0x5\r\nhello\r\n0\r\n\r\n", "no size": b"\r\nhello\r\n0\r\n\r\n",
    "wrong bytes after data": b"5\r\nhelloXX0\r\n\r\n", "bare LF": b"5\nhello\n0\n\n",
    "size over all bounds": b"ffffffffffffffff\r\nhello", "negative size": b"-1\r\nhello\r\n0\r\n\r\n",
}.items())
def test_chunks_are_plain_where_they_are_allowed(chunking: tuple[Program, Provider], name: str, chunks: bytes) -> None:
    ingress, provider = chunking
    expect_one_refusal(exchange(ingress.port, with_framing("Transfer-Encoding: chunked", body=chunks)), 400)
    provider.deliver(payment()).expect(200)


def test_chunked_event_is_accepted_where_it_is_allowed(chunking: tuple[Program, Provider],
                                                       gate_pipeline: Pipeline) -> None:
    ingress, provider = chunking
    event = payment()
    half = len(event.body) // 2
    pieces = [event.body[:half], event.body[half:]]
    body = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"
    data = request(PATH, b"", length=None, headers=[*provider.headers(event.body), ("Transfer-Encoding", "chunked")])
    provider.start(event)
    assert exchange(ingress.port, data + body, closes_within=0.05).status == 200
    assert event.body in [record.value for record in gate_pipeline.log.read(gate_pipeline.topic)]


@pytest.fixture(scope="module")
def chunking(gate_pipeline: Pipeline) -> tuple[Program, Provider]:
    """An ingress whose source allows chunked bodies."""
    standard = gate_pipeline.config["sources"][0]
    gate_pipeline.config["sources"][0] = {**standard, "chunked": True}
    ingress = gate_pipeline.ingress()
    gate_pipeline.config["sources"][0] = standard
    return ingress, gate_pipeline.provider(ingress)


# What costs nobody an event

TOLERATED = {"a city with its letters": [("CF-IPCity", "S\xc3\xa3o Paulo")], "a byte of no character set": [("X-Name", "\xe9")],
             "an option that is not ours": [("Connection", "TE, keep-alive"), ("TE", "trailers")],
             "options with an empty one": [("Connection", "keep-alive,")]}


@pytest.mark.parametrize("name", TOLERATED)
def test_what_nobody_reads_costs_no_event(gate: Program, gate_provider: Provider, name: str) -> None:
    event = payment()
    gate_provider.start(event)
    with RawConnection(gate.port) as connection:
        for _ in range(2):
            connection.send(request(PATH, event.body, headers=[*gate_provider.headers(event.body), *TOLERATED[name]]))
            assert connection.read_answer().status == 200


@pytest.mark.parametrize("more", [[], [("Connection", "keep-alive")], [("Connection", "close")], [("Expect", "100-continue")]])
def test_http_1_0_is_answered_and_closed(gate: Program, gate_provider: Provider, more: list[tuple[str, str]]) -> None:
    """What stands behind it on the connection is no request, whoever sent it."""
    event = payment()
    gate_provider.start(event)
    data = request(PATH, event.body, headers=[*gate_provider.headers(event.body), *more], version="HTTP/1.0")
    answer = exchange(gate.port, data + SMUGGLED)
    assert answer.status == 200 and answer.closed and answer.surplus == b""
    assert answer.header("Connection") == "close"


def test_answers_have_a_date(gate: Program, gate_provider: Provider) -> None:
    event = payment()
    gate_provider.start(event)
    good = request(PATH, event.body, headers=gate_provider.headers(event.body))
    for data in (good, head(HOST, "Content-Length: 0", path="/nowhere"), b"\r\n\r\n"):
        date = exchange(gate.port, data, closes_within=0.05).header("Date")
        assert date and abs(parsedate_to_datetime(date).timestamp() - time.time()) < 60
        assert date.endswith(" GMT")


def test_expectation_is_met_after_the_gate(gate: Program, gate_provider: Provider) -> None:
    event = payment()
    gate_provider.start(event)
    with RawConnection(gate.port) as connection:
        head_bytes = request(PATH, b"", length=str(len(event.body)),
                             headers=[*gate_provider.headers(event.body), ("Expect", "100-continue")])
        connection.send(head_bytes)
        assert connection.read_answer().status == 100
        connection.send(event.body)
        assert connection.read_answer().status == 200


def test_query_belongs_to_the_recipe_not_to_the_path(gate: Program, gate_provider: Provider) -> None:
    event = payment()
    gate_provider.start(event)
    assert gate_provider.post(event.body, gate_provider.headers(event.body), PATH + "?from=stripe").status == 200


def test_nothing_of_a_request_is_reflected(gate: Program) -> None:
    for data in (head(HOST, "Content-Length: 0", path="/<script>"), with_line("X-Evil: marker-in-answer"),
                 head("Host: marker-in-answer", "Content-Length: 0", path="/marker-in-answer")):
        answer = exchange(gate.port, data, closes_within=0.05)
        assert b"marker" not in answer.body + repr(answer.headers).encode()
        assert b"script" not in answer.body


def test_request_in_single_bytes_is_read_all_the_same(gate: Program, gate_provider: Provider) -> None:
    event = payment()
    gate_provider.start(event)
    data = request(PATH, event.body, headers=gate_provider.headers(event.body))
    with RawConnection(gate.port) as connection:
        for at in range(len(data)):
            connection.send(data[at:at + 1])
        assert connection.read_answer().status == 200
