"""Authentic bytes that cannot be read for sure: kept whole in the quarantine topic and answered with success."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.support.events import fresh_id, payment
from tests.support.http_raw import request
from tests.support.pipeline import PATH, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for

Change = Callable[[bytes], bytes]  # of a good body


def without(name: str) -> Change:
    return lambda body: json.dumps({key: value for key, value in json.loads(body).items() if key != name}).encode()


def having(**fields: object) -> Change:
    return lambda body: json.dumps({**json.loads(body), **fields}).encode()


def spliced(text: str) -> Change:
    """`text` put in at the front, inside the object."""
    return lambda body: body.replace(b"{", b"{" + text.encode() + b",", 1)


def always(body: bytes) -> Change:
    return lambda _: body


UNREADABLE: dict[str, Change] = {
    "nothing": always(b""),
    "white space only": always(b" \n "),
    "no JSON": always(b"hello"),
    "cut short": lambda body: body[:-5],
    "something after it": lambda body: body + b"{}",
    "a comma after it": lambda body: body + b",",
    "an array": lambda body: b"[" + body + b"]",
    "a number": always(b"7"),
    "a string": always(b'"evt_1"'),
    "comments": lambda body: b"/* x */" + body,
    "single quotes": lambda body: body.replace(b'"id"', b"'id'", 1),
    "byte order mark": lambda body: b"\xef\xbb\xbf" + body,
    "UTF-16": lambda body: body.decode().encode("utf-16"),
    "bad UTF-8": lambda body: body.replace(b"succeeded", b"succ\xff\xfeeded", 1),
    "overlong UTF-8": lambda body: body.replace(b"canary", b"\xc0\xafnary", 1),
    "surrogate in UTF-8": lambda body: body.replace(b"canary", b"\xed\xa0\x80nary", 1),
    "control character in a string": lambda body: body.replace(b"canary", b"ca\x01ary", 1),
    "NUL in a string": lambda body: body.replace(b"canary", b"ca\0ary", 1),
    "depth 70": spliced('"deep": ' + "[" * 70 + "]" * 70),
    "depth 100,000": spliced('"deep": ' + "[" * 100_000 + "]" * 100_000),
    "NaN": spliced('"x": NaN'),
    "leading zero": spliced('"x": 01'),
    "number without end": spliced('"x": 1.'),
    "id twice": spliced('"id": "evt_other"'),
    "id twice, one escaped": spliced('"\\u0069d": "evt_other"'),
    "type twice": spliced('"type": "charge.refunded"'),
    "data twice": spliced('"data": {}'),
    "no id": without("id"),
    "id null": having(id=None),
    "id a number": having(id=7),
    "id empty": having(id=""),
    "id of 256 bytes": having(id="e" * 256),
    "id with a line end": having(id="evt_1\n"),
    "id with a dead_letter above 127": having(id="evt_é"),
    "id with half of a surrogate pair": having(id="evt_\ud83d"),
    "object with half of a surrogate pair": having(data={"object": {"id": "pi_\ude00"}}),
    "time beyond 64 bits": having(created=2**64),
    "no type": without("type"),
    "type a number": having(type=1),
    "type of 129 bytes": having(type="t" * 129)}

READABLE: dict[str, Change] = {
    "depth 60": spliced('"deep": ' + "[" * 60 + "]" * 60),
    "white space around": lambda body: b"\r\n " + body + b"\n\n",
    "id of 255 bytes": having(id=(fresh_id("evt") + "e" * 255)[:255]),
    "escaped id": lambda body: body.replace(b'"id"', b'"\\u0069d"', 1),
    "a duplicate key that nobody reads": spliced('"request_log": 1, "request_log": 2'),
    "a number beyond int64 that nobody reads": spliced('"x": 18446744073709551615'),
    "a number beyond 64 bits that nobody reads": spliced('"x": 123456789012345678901234567890'),
    "a number beyond a double that nobody reads": spliced('"x": 1e400'),
    "half of a surrogate pair that nobody reads": lambda body: body.replace(b"canary", b"\\ud83dnary", 1),
    "an unknown type": having(type="something.brand_new"),
    "no object": having(data={"object": {"description": "no id"}}),
    "object expanded": having(data={"object": {"id": "ch_1", "payment_intent": {"id": "pi_expanded"}}})}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_is_kept_and_answered(gate: Program, gate_pipeline: Pipeline, gate_provider: Provider,
                                         name: str) -> None:
    body = UNREADABLE[name](payment().body)
    published = gate_pipeline.log.count(gate_pipeline.topic)
    answer = gate_provider.post(body, gate_provider.headers(body))
    assert answer.status == 200, f"{answer.status}: refusing it burns the provider's retries"
    assert gate_pipeline.log.count(gate_pipeline.topic) == published, "something else was published for it"
    kept = [entry for entry in gate_pipeline.log.read(gate_pipeline.quarantine) if (entry.value or b"") == body]
    assert kept, "it is lost"
    detail = kept[-1].text("sluice-quarantine-detail") or ""
    assert re.fullmatch(r"(body|id|type|order_by|time|day|livemode|digest): [ -~]{1,190}", detail), detail
    assert "canary" not in detail and "evt_" not in detail, "a value of the body"


def test_what_could_not_be_read_is_named_wherever_people_look(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    body = UNREADABLE["type twice"](payment().body)
    headers = provider.headers(body)
    assert provider.post(body, headers).status == 200
    [line] = wait_for(lambda: ingress.decisions("quarantined"), "its line")
    said = "type: /type stands twice"
    assert (line["reason"], line["detail"]) == ("duplicate_key", said)
    [record] = pipeline.log.read(pipeline.quarantine)
    assert (record.text("sluice-quarantine-reason"), record.text("sluice-quarantine-detail")) == ("duplicate_key", said)
    file = pipeline.folder / "request.http"
    file.write_bytes(request(PATH, body, headers=headers))
    verdict = json.loads(pipeline.ctl("verify", "--source", SOURCE, "--request", str(file), "--json").stdout)
    assert verdict["reason"] == f"authentic, but it cannot be read, so it goes to quarantine: {said}"
    provider.deliver(payment()).expect(200)
    [line] = wait_for(lambda: ingress.decisions("accepted"), "the line of a good one")
    assert "detail" not in line


@pytest.mark.parametrize("name", READABLE)
def test_unusual_but_readable_is_published(gate: Program, gate_pipeline: Pipeline, gate_provider: Provider,
                                           name: str) -> None:
    body = READABLE[name](payment().body)
    quarantined = gate_pipeline.log.count(gate_pipeline.quarantine)
    assert gate_provider.post(body, gate_provider.headers(body)).status == 200
    assert gate_pipeline.log.count(gate_pipeline.quarantine) == quarantined
    assert body in [entry.value for entry in gate_pipeline.log.read(gate_pipeline.topic)]


@pytest.mark.parametrize("name", ["bad UTF-8", "nothing", "depth 100,000"])
def test_unreadable_and_unsigned_is_refused(gate: Program, gate_pipeline: Pipeline, gate_provider: Provider,
                                            name: str) -> None:
    body = UNREADABLE[name](payment().body)
    kept = gate_pipeline.log.count(gate_pipeline.quarantine)
    assert gate_provider.post(body, gate_provider.headers(body, secret="whsec_forged")).status == 400
    assert gate_pipeline.log.count(gate_pipeline.quarantine) == kept


def test_object_expanded_counts_by_its_id(pipeline: Pipeline, provider: Provider) -> None:
    good = payment()
    provider.deliver(good.with_body(READABLE["object expanded"](good.body))).expect(200)
    [record] = pipeline.log.read(pipeline.topic)
    assert record.key == b"stripe/acct_main/pi_expanded"


def test_event_without_object_is_ordered_by_its_own_id(pipeline: Pipeline, provider: Provider) -> None:
    good = payment()
    provider.deliver(good.with_body(READABLE["no object"](good.body))).expect(200)
    [record] = pipeline.log.read(pipeline.topic)
    assert record.key == f"stripe/acct_main/{good.id}".encode()
    assert record.header("ce_subject") is None
