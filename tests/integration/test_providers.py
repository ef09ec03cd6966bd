"""Every provider from end to end: `sluicectl send` -> ingress -> Kafka -> consumer -> database, and the bytes of each answer."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support.every_source import FILES, add_every_source, recipe, signing_options
from tests.support.http_raw import RawConnection
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import expect_soon

TRUST = {name: recipe(name).get("trust", "full") for name in FILES}

# Of sources whose types nobody signs: those that `sluicectl send` makes, which effects have to name.
TYPES = {"github": ["marketplace_purchase.purchased", "sponsorship.created"], **dict.fromkeys(("shopify", "shopify-events"), ["orders/paid", "orders/updated"])}

EMPTY = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def said(first_line: str, body: bytes, kind: str) -> bytes:
    return f"HTTP/1.1 {first_line}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


PLAIN, JSON = "text/plain", "application/json"
WRONG = b'{"error":"the signature does not verify"}'
# What providers look at (providers' own pages; the recipes' files name them), written down once more: not read from the recipes.
TAKEN = {"adyen": said("200 OK", b"[accepted]", PLAIN), "alipay": said("200 OK", b"success", PLAIN),
         "gocardless": b"HTTP/1.1 204 No Content\r\n\r\n"}
REFUSED = {"alipay": said("400 Bad Request", b"fail", PLAIN), "gocardless": b"HTTP/1.1 498 Answer\r\nContent-Length: 0\r\n\r\n",
           "wechat-pay": said("401 Unauthorized", b'{"code":"FAIL","message":"the signature does not verify"}', JSON),
           "xendit": said("401 Unauthorized", b'{"error":"the token is not the right one"}', JSON),
           **dict.fromkeys(("braintree", "unionpay"), said("400 Bad Request", b"the signature does not verify", PLAIN)),
           **dict.fromkeys(("adyen", "adyen-platform", "mercado-pago", "shopify", "shopify-events"), said("401 Unauthorized", WRONG, JSON))}


def when(name: str) -> dict:
    trust = {} if TRUST[name] == "full" else {"trust": TRUST[name]}
    return {"source": name, **trust, **({"type": TYPES[name]} if TRUST[name] == "type" else {})}


def with_every_source(pipeline: Pipeline) -> Pipeline:
    add_every_source(pipeline)
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    pipeline.config["effects"] = [
        {"name": f"tell-{name}", "when": when(name),
         "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":source", "amount": 1}}}
        for name in FILES]
    return pipeline


@pytest.fixture
def everybody(pipeline: Pipeline) -> Pipeline:
    return with_every_source(pipeline)


@pytest.fixture
def ingress(everybody: Pipeline) -> Program:
    return everybody.ingress()


@pytest.fixture(scope="module")
def gate(gate_pipeline: Pipeline) -> Program:
    """For tests of answers, where nothing is applied. On a busy machine a request is older than the 5 s of Paddle."""
    with_every_source(gate_pipeline)
    for source in gate_pipeline.config["sources"]:
        if has_window(source["name"]):
            source["tolerance"] = "300s"
    return gate_pipeline.ingress()


def send(pipeline: Pipeline, ingress: Program, name: str, *options: str) -> list[dict]:
    """One line for each attempt; all were answered as they should be."""
    journal = pipeline.folder / f"{name}.jsonl"
    result = pipeline.ctl("send", "--source", name, "--url", f"http://127.0.0.1:{ingress.port}", "--quiet", "--json",
                          "--events", str(journal), *signing_options(name), *options)
    assert result.returncode == 0, f"{name}: {result.stdout}{result.stderr}{journal.read_text() if journal.exists() else ''}"
    return [json.loads(line) for line in journal.read_text().splitlines()]


def has_window(name: str) -> bool:
    timestamp = recipe(name).get("timestamp", "none")
    return timestamp != "none" and timestamp["window"] != "none"


def ids_in(line: dict) -> list[str]:
    return [line["id"], *line.get("other_ids", [])]


def test_each_event_of_each_provider_has_one_effect(everybody: Pipeline, ingress: Program) -> None:
    everybody.consumer()
    wanted: Counter[tuple[str, str]] = Counter()
    for name in FILES:
        timed = ["--stale", "50"] if has_window(name) else []
        lines = send(everybody, ingress, name, "--count", "6", "--duplicates", "100", "--forgeries", "200", *timed)
        genuine = [line for line in lines if line["kind"] in ("fresh", "duplicate")]
        assert len(genuine) == 12 and len(lines) >= 24, f"{name}: {lines}"
        for line in genuine:
            for event in ids_in(line):
                wanted[name, event] = 1
    def check() -> None:
        told = Counter((source, event) for event, source, _ in everybody.ledger.entries())
        assert told == wanted, f"not told: {list((wanted - told).items())[:5]}, not wanted: {list((told - wanted).items())[:5]}"
    expect_soon(check)
    everybody.expect_caught_up()
    assert everybody.log.count(everybody.quarantine) == 0


def saved(pipeline: Pipeline, ingress: Program, name: str) -> list[Path]:
    """Raw requests: a fresh delivery and its duplicate, and one of each forgery."""
    folder = pipeline.folder / f"{name}-requests"
    result = pipeline.ctl("send", "--source", name, "--url", f"http://127.0.0.1:{ingress.port}", "--save", str(folder), "--json",
                          "--count", "1", "--duplicates", "100", "--forgeries", "900", "--seed", "5", *signing_options(name))
    assert result.returncode == 0, f"{name}: {result.stderr}"
    return [Path(row["file"]) for row in json.loads(result.stdout)]


def wanted(name: str, *, genuine: bool) -> bytes:
    return TAKEN.get(name, EMPTY) if genuine else REFUSED.get(name, said("400 Bad Request", WRONG, JSON))


def exchange(ingress: Program, request: bytes) -> tuple[bytes, list[str]]:
    """The answer as the provider reads it, and apart from it what it says of our decision."""
    with RawConnection(ingress.port) as connection:
        connection.send(request)
        answer = connection.read_answer()
    ours = ("connection", "date", "sluice-decision")
    fields = "".join(f"{name}: {value}\r\n" for name, value in answer.headers if name.lower() not in ours)
    said = [value for name, value in answer.headers if name == "Sluice-Decision"]
    return f"HTTP/1.1 {answer.status} {answer.reason}\r\n{fields}\r\n".encode() + answer.body, said


def expect_verdict(pipeline: Pipeline, name: str, file: Path, *, genuine: bool) -> None:
    verdict = pipeline.ctl("verify", "--source", name, "--request", str(file), "--json")
    assert verdict.returncode == (0 if genuine else 1), f"{file.name} of {name}: {verdict.stdout}{verdict.stderr}"
    found = json.loads(verdict.stdout)
    head, _, body = wanted(name, genuine=genuine).partition(b"\r\n\r\n")
    assert (found["accepted"], found["status"], found["body"]) == (genuine, int(head.split()[1]), body.decode())
    assert bool(found["events"]) is genuine and bool(found["key"] or not genuine or name in ("paypal", "unionpay"))


@pytest.mark.parametrize("name", FILES)
def test_answers_are_those_that_the_provider_wants(gate_pipeline: Pipeline, gate: Program, name: str) -> None:
    kinds = set()
    for file in saved(gate_pipeline, gate, name):
        kind = file.stem.split("-", 1)[1]
        kinds.add(kind)
        genuine = kind in ("fresh", "duplicate")
        answer, decision = exchange(gate, file.read_bytes())
        assert answer == wanted(name, genuine=genuine), file.name
        assert decision in ([["accepted"], ["duplicate"]] if genuine else [[]]), file.name
        expect_verdict(gate_pipeline, name, file, genuine=genuine)
    assert {"fresh", "duplicate", "wrong-signature", "no-signature", "other-key"} <= kinds
