"""deploy/runbooks/relay.md, done as it stands: what its alerts look at, what its SQL says, and how a refused message ends."""

from __future__ import annotations

import copy
import json
import re

import pytest

from tests.alerts import pages
from tests.integration.test_outbox import TELLING, credits_of, messages, relay, unsent
from tests.support.events import Event, fresh_id, snapshot
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import wait_for

PAGE = (pages.FOLDER / "relay.md").read_text()
SIGNED = ("--reason", "told by mail", "--operator", "ada", "--apply")
pytestmark = pytest.mark.databases("mysql", "mariadb")


@pytest.fixture
def telling(pipeline: Pipeline) -> Pipeline:
    """Its effects tell a topic of each credit, with a note of any length."""
    effect = copy.deepcopy(TELLING)
    effect["let"]["note"] = {"pointer": "/data/object/note", "optional": True}
    effect["send"]["body"]["note"] = ":note"
    pipeline.config["effects"] = [effect]
    pipeline.config["destinations"] = {"credits": {"kafka": {"topic": credits_of(pipeline)}}}
    pipeline.log.create(credits_of(pipeline), partitions=1)
    pipeline.log.configure(credits_of(pipeline), **{"max.message.bytes": "2000"})
    return pipeline


def refused(pipeline: Pipeline) -> tuple[Program, Program]:
    """One message that the topic refuses, and one behind it. The relay and the retry role."""
    customer, intent = fresh_id("cus"), fresh_id("pi")
    pipeline.ledger.open_wallet(customer)

    def paid(amount: int, note: str) -> Event:
        return snapshot("payment_intent.succeeded", {"id": intent, "customer": customer, "amount": amount, "note": note})

    put(pipeline, paid(1, "x" * 10_000), paid(2, ""))
    pipeline.consumer()
    sends, retry = relay(pipeline), pipeline.retry_role()
    sends.expect_metric(1, "sluice_relay_messages_total", destination="credits", result="refused")
    retry.expect_metric(1, "sluice_consumer_dlq_open", **{"class": "message_refused"})
    return sends, retry


def message(pipeline: Pipeline) -> str:
    [found] = json.loads(pipeline.ctl("outbox", "list", "--state", "refused", "--json").stdout)["messages"]
    return str(found["id"])


def expect_over(pipeline: Pipeline, sends: Program, retry: Program, *amounts: int) -> None:
    """As the page's last section says."""
    wait_for(lambda: unsent(pipeline) == 0, "all messages to be sent or skipped")
    assert [json.loads(record.value)["amount"] for record in messages(pipeline)] == [*amounts]
    sends.expect_metric(0, "sluice_relay_oldest_seconds", destination="credits")
    retry.expect_metric(0, "sluice_consumer_dlq_open", **{"class": "message_refused"})
    assert "No messages." in pipeline.ctl("outbox", "list").stdout


def test_refused_message_is_skipped_and_those_behind_it_go(telling: Pipeline) -> None:
    sends, retry = refused(telling)
    done = telling.ctl("outbox", "skip", message(telling), *SIGNED)
    assert done.returncode == 0, done.stdout + done.stderr
    expect_over(telling, sends, retry, 2)


def test_refused_messages_are_sent_again_when_the_receiver_takes_them(telling: Pipeline) -> None:
    sends, retry = refused(telling)
    telling.log.configure(credits_of(telling), **{"max.message.bytes": "100000"})
    done = telling.ctl("outbox", "retry", "--destination", "credits", "--since", "2h", *SIGNED)
    assert done.returncode == 0, done.stdout + done.stderr
    expect_over(telling, sends, retry, 1, 2)


def test_page_says_what_holds_its_key(telling: Pipeline) -> None:
    refused(telling)
    said = json.loads(telling.ctl("outbox", "list", "--json").stdout)
    assert {(one["destination"], one["state"], one["count"]) for one in said["counts"]} == {("credits", "refused", 1), ("credits", "waiting", 1)}
    assert [one["state"] for one in said["messages"]] == ["refused", "waiting"] and "credits" in said["messages"][0]["error_text"]
    [block] = re.findall(r"^```sql\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    telling.ledger.query(block.strip().rstrip(";").replace("%", "%%"))
