"""`sluicectl outbox` finds messages by what people have of them: an id, a receiver's idempotency key, the key that stands still."""

from __future__ import annotations

import copy
import json

import pytest

from tests.integration.test_outbox import TELLING, credits_of, relay, some_payments
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.records import put

pytestmark = pytest.mark.databases("mysql", "mariadb")


@pytest.fixture
def refused(pipeline: Pipeline) -> list[dict]:
    """Of two customers with two messages each, the first ones: no message is small enough for the topic."""
    pipeline.config["effects"] = [copy.deepcopy(TELLING)]
    pipeline.config["destinations"] = {"credits": {"kafka": {"topic": credits_of(pipeline)}}}
    pipeline.log.create(credits_of(pipeline), partitions=1, config={"max.message.bytes": "100"})
    events = some_payments(pipeline, customers=2, each=2)
    put(pipeline, *events)
    pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    relay(pipeline).expect_metric(2, "sluice_relay_messages_total", destination="credits", result="refused")
    return told(pipeline, "list", "--state", "refused")["messages"]


def told(pipeline: Pipeline, *arguments: str) -> dict:
    done = pipeline.ctl("outbox", *arguments, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def expect_refusal(pipeline: Pipeline, says: str, *arguments: str, code: int = 1) -> None:
    done = pipeline.ctl("outbox", *arguments)
    assert done.returncode == code and says in done.stderr, done.stdout + done.stderr


def test_message_is_known_by_its_key(pipeline: Pipeline, refused: list[dict]) -> None:
    first, second = refused
    assert told(pipeline, "show", first["idempotency_key"].upper())["id"] == first["id"]
    expect_refusal(pipeline, "named by its id or its idempotency key", "show", first["idempotency_key"][:63], code=2)
    expect_refusal(pipeline, "there is no message " + "0" * 64, "retry", "0" * 64)
    for words in (["--key", second["key"]], ["--key", second["key"], "--destination", "credits"], [second["idempotency_key"]]):
        for action in ("retry", "skip"):
            plan = told(pipeline, action, *words)
            assert (plan["total"], [entry["event_id"] for entry in plan["sample"]]) == (1, [second["event_id"]]), plan
    assert [one["state"] for one in told(pipeline, "list", "--key", second["key"])["messages"]] == ["refused", "waiting"]
    expect_refusal(pipeline, "no refused message has the key 'nobody'", "retry", "--key", "nobody")
    for more in (["--source", SOURCE], ["--everything"], [str(first["id"])]):
        expect_refusal(pipeline, "--key goes with --destination alone", "skip", "--key", second["key"], *more, code=2)


def test_destination_that_is_nowhere_is_refused(pipeline: Pipeline, refused: list[dict]) -> None:
    pipeline.config["destinations"]["mail"] = {"http": {"url": "https://mail.example/"}}
    for command in ("list", "retry", "skip"):
        expect_refusal(pipeline, "there is no destination 'credit': did you mean \"credits\"?", command, "--destination", "credit")
        expect_refusal(pipeline, "there is no destination 'x': there are: credits, mail", command, "--destination", "x")
    assert told(pipeline, "list", "--destination", "mail")["messages"] == []
    assert told(pipeline, "skip", "--destination", "mail")["total"] == 0
    pipeline.config["destinations"] = {"mail": {"http": {"url": "https://mail.example/"}}}
    pipeline.config["effects"][0]["send"]["to"] = "mail"
    assert told(pipeline, "retry", "--destination", "credits")["total"] == len(refused), "the file lost it, its messages are there"
