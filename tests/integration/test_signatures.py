"""Who is let in: Stripe's signatures, their time window, several secrets, and nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.events import payment
from tests.support.http_raw import exchange, request
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider, signature, signature_header
from tests.support.shifted_clock import clock_at
from tests.support.wait import wait_for

VECTORS = json.loads((Path(__file__).parents[1] / "support/stripe_vectors/vectors.json").read_text())
BODY = payment().body


def post(gate: Program, headers: list[tuple[str, str]], body: bytes = BODY):
    return exchange(gate.port, request(PATH, body, headers=headers), closes_within=0.05)


def refusals(secret: str) -> dict[str, Callable[[int], list[tuple[str, str]]]]:
    """What is not let in: headers as a function of the current second."""
    def right(at: int, body: bytes = BODY, key: str = secret) -> str:
        return signature_header(key, body, at)

    def only(value: Callable[[int], str]) -> Callable[[int], list[tuple[str, str]]]:
        return lambda at: [("Stripe-Signature", value(at))]

    return {
        "no header": lambda at: [],
        "empty header": only(lambda at: ""),
        "header twice, equal": lambda at: [("Stripe-Signature", right(at))] * 2,
        "header twice, one forged": lambda at: [("Stripe-Signature", right(at)),
                                                ("stripe-signature", f"t={at},v1={'0' * 64}")],
        "forged": only(lambda at: f"t={at},v1={'0' * 64}"),
        "of another body": only(lambda at: right(at, b"{}")),
        "of another secret": only(lambda at: right(at, key="whsec_of_somebody_else")),
        "of the secret without its prefix": only(lambda at: right(at, key=secret.removeprefix("whsec_"))),
        "cut short": only(lambda at: right(at)[:-1]),
        "one digit too many": only(lambda at: right(at) + "0"),
        "last digit changed": only(lambda at: right(at)[:-1] + ("0" if right(at)[-1] != "0" else "1")),
        "first digit changed": only(lambda at: right(at).replace("v1=", "v1=g", 1)),
        "no timestamp": only(lambda at: "v1=" + signature(secret, BODY, at)),
        "timestamp twice": only(lambda at: f"t={at}," + right(at)),
        "timestamp is no number": only(lambda at: f"t=now,v1={signature(secret, BODY, at)}"),
        "timestamp with a sign": only(lambda at: f"t=+{at},v1={signature(secret, BODY, at)}"),
        "timestamp with a tail": only(lambda at: f"t={at}.0,v1={signature(secret, BODY, at)}"),
        "timestamp of thirteen digits": only(lambda at: f"t={at}000,v1={signature(secret, BODY, at)}"),
        "timestamp moved after signing": only(lambda at: f"t={at - 1},v1={signature(secret, BODY, at)}"),
        "no signature": only(lambda at: f"t={at}"),
        "only scheme v0": only(lambda at: right(at).replace("v1=", "v0=")),
        "only an unknown scheme": only(lambda at: right(at).replace("v1=", "v2=")),
        "too old": only(lambda at: right(at - 305)),
        "too new": only(lambda at: right(at + 305)),
        "far past": only(lambda at: right(0)),
        "far future": only(lambda at: right(9_999_999_999)),
        "nine forged signatures": only(lambda at: f"t={at}" + f",v1={'0' * 64}" * 9),
        "header of 2 KiB": only(lambda at: right(at) + f",v0={'0' * 2048}"),
        "semicolons for commas": only(lambda at: right(at).replace(",", ";"))}


@pytest.mark.parametrize("case", refusals("x"))
def test_request_is_refused_in_one_wording(gate: Program, gate_pipeline: Pipeline, case: str) -> None:
    now = int(time.time())
    refused = post(gate, refusals(gate_pipeline.secret)[case](now))
    forged = post(gate, [("Stripe-Signature", f"t={now},v1={'1' * 64}")])
    assert (refused.status, refused.body) == (forged.status, forged.body), "another wording than for a forgery"
    assert refused.status == 400 and refused.surplus == b""
    gate_pipeline.expect_nothing_published()


def test_rightly_signed_is_let_in(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    provider.deliver(payment()).expect(200)
    upper = signature_header(pipeline.secret, BODY, int(time.time()))
    ok = [("STRIPE-SIGNATURE", upper)]
    assert post(ingress, ok).status == 200, "header names have no case"


@pytest.mark.parametrize("age", [-297, 0, 297])
def test_window_reaches_to_both_sides(pipeline: Pipeline, provider: Provider, age: int) -> None:
    event = payment()
    answer = provider.start(event).attempt(at=int(time.time()) - age)
    assert answer.status == 200, f"signed {age} s ago"
    pipeline.expect_published(event)


def test_any_of_several_signatures_counts(pipeline: Pipeline, ingress: Program) -> None:
    now = int(time.time())
    right = signature(pipeline.secret, BODY, now)
    header = f"t={now},v0={'2' * 64},v1={'0' * 64},v1={right},v1={'1' * 64}"
    assert post(ingress, [("Stripe-Signature", header)]).status == 200


def test_every_live_secret_counts_and_no_other(pipeline: Pipeline) -> None:
    """Rotation: two live keys, one whose time is over and one whose time has not come."""
    keys = {"old": "whsec_old", "gone": "whsec_gone", "early": "whsec_early"}
    pipeline.secrets |= {f"TEST_{name.upper()}": value for name, value in keys.items()}
    pipeline.config["sources"][0]["keys"] += [
        {"id": "old", "value": {"env": "TEST_OLD"}, "not_after": "2099-01-01T00:00:00Z"},
        {"id": "gone", "value": {"env": "TEST_GONE"}, "not_after": "2020-01-01T00:00:00Z"},
        {"id": "early", "value": {"env": "TEST_EARLY"}, "not_before": "2099-01-01T00:00:00Z"}]
    provider = pipeline.provider(pipeline.ingress())
    answers = {name: provider.start(payment()).attempt(secret=value).status
               for name, value in {"current": pipeline.secret, **keys}.items()}
    assert answers == {"current": 200, "old": 200, "gone": 400, "early": 400}
    used = {record.text("sluice-key") for record in pipeline.log.read(pipeline.topic)}
    assert used == {"current", "old"}


def test_body_is_verified_as_it_came(pipeline: Pipeline, provider: Provider) -> None:
    """A body that would print differently: the raw bytes count, and the raw bytes are published."""
    body = BODY.replace(b'": ', b'" :  ').replace(b"\n", b"\r\n") + b" \n"
    assert provider.post(body, provider.headers(body)).status == 200
    [record] = pipeline.log.read(pipeline.topic)
    assert record.value == body
    reprinted = json.dumps(json.loads(body)).encode()
    assert provider.post(reprinted, provider.headers(body)).status == 400


def test_forgeries_cost_neither_redis_nor_kafka(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    claimed_and_confirmed = sets_seen(pipeline) + 2
    provider.deliver(payment()).expect(200)
    wait_for(lambda: sets_seen(pipeline) == claimed_and_confirmed, "the confirmation, which follows the answer")
    for _ in range(20):
        provider.start(payment()).attempt(secret="whsec_forged")
    assert sets_seen(pipeline) == claimed_and_confirmed
    assert pipeline.log.count(pipeline.topic) == 1


def sets_seen(pipeline: Pipeline) -> int:
    """How many SETs this Redis has seen."""
    import redis

    with redis.Redis(port=pipeline.redis.port) as client:
        return client.info("commandstats").get("cmdstat_set", {}).get("calls", 0)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['maker'].split()[0]}-{vector['name']}")
def test_verdict_is_that_of_stripes_own_library(new_pipeline: Callable[..., Pipeline], vector: dict) -> None:
    """Requests signed by Stripe's packages; the ages 0, 300 and 301 s have the library's own verdict."""
    pipeline = new_pipeline()
    pipeline.secrets["TEST_STRIPE_SECRET"] = vector["secret"]
    body = vector["payload"].encode()
    file = pipeline.folder / "request.http"
    file.write_bytes(request(PATH, body, headers=[("Content-Type", "application/json"),
                                                  ("Stripe-Signature", vector["header"])]))
    for age, wanted in ((0, vector["accepted_when_fresh"]), (300, vector["accepted_at_300"]),
                        (301, vector["accepted_at_301"])):
        result = pipeline.ctl("verify", "--source", "stripe-eu", "--now", str(vector["timestamp"] + age),
                              "--request", str(file), "--json")
        verdict = json.loads(result.stdout)
        assert verdict["accepted"] is wanted, f"{age} s old: {verdict}"


def test_ingress_takes_what_stripes_libraries_signed(pipeline: Pipeline) -> None:
    """The same vectors over the wire, to an ingress whose clock stands where the libraries signed them."""
    pipeline.secrets["TEST_STRIPE_SECRET"] = VECTORS[0]["secret"]
    ingress = pipeline.ingress(start=False)
    ingress.environment = {**ingress.environment, **clock_at(VECTORS[0]["timestamp"])}
    ingress.start().ready()
    for vector in VECTORS:
        body = vector["payload"].encode()
        answer = post(ingress, [("Content-Type", "application/json"), ("Stripe-Signature", vector["header"])], body)
        assert answer.status == (200 if vector["accepted_when_fresh"] else 400), vector["name"]
