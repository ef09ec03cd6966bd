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
REASONS = {200: "OK", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 498: "Answer"}


@pytest.fixture
def everybody(pipeline: Pipeline) -> Pipeline:
    add_every_source(pipeline)
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    pipeline.config["effects"] = [
        {"name": f"tell-{name}", "when": {"source": name, **({} if TRUST[name] == "full" else {"trust": TRUST[name]})},
         "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":source", "amount": 1}}}
        for name in FILES]
    return pipeline


@pytest.fixture
def ingress(everybody: Pipeline) -> Program:
    return everybody.ingress()


def send(pipeline: Pipeline, ingress: Program, name: str, *options: str) -> list[dict]:
    """One line for each attempt; all were answered as they should be."""
    journal = pipeline.folder / f"{name}.jsonl"
    result = pipeline.ctl("send", "--source", name, "--url", f"http://127.0.0.1:{ingress.port}", "--quiet", "--json",
                          "--events", str(journal), *signing_options(name), *options)
    assert result.returncode == 0, f"{name}: {result.stdout}{result.stderr}{journal.read_text() if journal.exists() else ''}"
    return [json.loads(line) for line in journal.read_text().splitlines()]


def ids_in(line: dict) -> list[str]:
    return [line["id"], *line.get("other_ids", [])]


def test_each_event_of_each_provider_has_one_effect(everybody: Pipeline, ingress: Program) -> None:
    everybody.consumer()
    wanted: Counter[tuple[str, str]] = Counter()
    for name in FILES:
        timed = ["--stale", "50"] if "timestamp" in recipe(name) and recipe(name)["timestamp"] != "none" else []
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


def wanted_bytes(answer: dict) -> bytes:
    body = answer.get("body", "").encode()
    head = f"HTTP/1.1 {answer['status']} {REASONS[answer['status']]}\r\n"
    if "type" in answer:
        head += f"Content-Type: {answer['type']}\r\n"
    if answer["status"] != 204:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def exchange(ingress: Program, request: bytes) -> bytes:
    with RawConnection(ingress.port) as connection:
        connection.send(request)
        answer = connection.read_answer()
    fields = "".join(f"{name}: {value}\r\n" for name, value in answer.headers if name.lower() != "connection")
    return f"HTTP/1.1 {answer.status} {answer.reason}\r\n{fields}\r\n".encode() + answer.body


def expect_verdict(pipeline: Pipeline, name: str, file: Path, answer: dict, *, genuine: bool) -> None:
    verdict = pipeline.ctl("verify", "--source", name, "--request", str(file), "--json")
    assert verdict.returncode == (0 if genuine else 1), f"{file.name} of {name}: {verdict.stdout}{verdict.stderr}"
    said = json.loads(verdict.stdout)
    assert (said["accepted"], said["status"], said["body"]) == (genuine, answer["status"], answer.get("body", ""))
    assert bool(said["events"]) is genuine and bool(said["key"] or not genuine or name in ("paypal", "unionpay"))


def test_answers_are_those_that_the_provider_wants(everybody: Pipeline, ingress: Program) -> None:
    for name in FILES:
        answers = recipe(name)["answers"]
        kinds = set()
        for file in saved(everybody, ingress, name):
            kind = file.stem.split("-", 1)[1]
            kinds.add(kind)
            genuine = kind in ("fresh", "duplicate")
            answer = answers["success" if genuine else "bad_signature"]
            assert exchange(ingress, file.read_bytes()) == wanted_bytes(answer), f"{file.name} of {name}"
            expect_verdict(everybody, name, file, answer, genuine=genuine)
        assert {"fresh", "duplicate", "wrong-signature", "no-signature", "other-key"} <= kinds, name
