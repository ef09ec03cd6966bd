"""Authentic requests that a recipe cannot read: one open entry each, and applied once after the recipe was mended."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import signal

import pytest
import yaml

from tests.support import failpoints
from tests.support.commands import CLOSE, RETRY, expect_answer, send
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.older_copy import put_copy_back, take_copy
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import TREE, Program
from tests.support.provider import Provider
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

RECORDS = "sluice_consumer_quarantine_records_total"


def use_recipe(pipeline: Pipeline, *, event_id: str | list[str]) -> None:
    """Stripe's recipe as an operator's own, with the id at a place of their choice."""
    recipe = own_copy("stripe")
    recipe["extract"]["id"] = event_id
    pipeline.config["recipes"] = [recipe]
    pipeline.config["sources"][0]["recipe"] = recipe["name"]


def own_copy(name: str) -> dict:
    """A built-in recipe as somebody's own."""
    [recipe] = yaml.safe_load((TREE / f"common/webhook/recipes/{name}.yaml").read_text())["recipes"]
    return recipe | {"name": f"{name}-own"}


def mend(pipeline: Pipeline) -> None:
    """The old place stays the first, so that no event that could be read gets another key."""
    pipeline.end_programs()
    use_recipe(pipeline, event_id=["/event_id", "/id"])


def deliver(pipeline: Pipeline, *events: Event) -> Provider:
    provider = pipeline.provider(pipeline.ingress())
    for event in events:
        assert provider.post(event.body, provider.headers(event.body)).status == 200
    return provider


@pytest.fixture
def event(pipeline: Pipeline) -> Event:
    """Worth something to a customer with a wallet, as soon as somebody can read it."""
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    use_recipe(pipeline, event_id="/event_id")
    return payment(customer, 70)


def entries(pipeline: Pipeline) -> list[tuple]:
    return pipeline.ledger.query("SELECT id, kind, error_class, error_text, source, dlq_sent, closed_as FROM dead_letter ORDER BY id")


def only_entry(pipeline: Pipeline) -> int:
    """Open, unreadable, and nothing is owed for it."""
    [(number, *rest)] = wait_for(lambda: entries(pipeline), "an entry")
    assert rest == ["unreadable", b"unreadable", b"missing_pointer; id: /event_id is missing", b"stripe-eu", 1, None]
    return number


def closed_as(pipeline: Pipeline) -> str | None:
    [(*_, how)] = entries(pipeline)
    return how


def records(role: Program, what: str) -> float:
    return role.metric(RECORDS, what=what)


def test_unreadable_request_is_one_entry_however_often_it_is_read(pipeline: Pipeline, event: Event) -> None:
    deliver(pipeline, event)
    role = pipeline.retry_role()
    number = only_entry(pipeline)
    assert records(role, "opened") == 1
    assert pipeline.log.count(pipeline.dlq) == 0, "its record is durable where it is"
    assert role.stop() == 0
    pipeline.log.forget_offsets(f"{pipeline.group}.retry")
    again = pipeline.retry_role()
    wait_for(lambda: records(again, "known") == 1, "the record to be read again")
    assert only_entry(pipeline) == number


def applied_below(pipeline: Pipeline) -> int:
    """How many records of the quarantine topic MySQL claims."""
    [(offsets,)] = pipeline.ledger.query(
        "SELECT COALESCE(SUM(next_offset), 0) FROM (SELECT MAX(next_offset) AS next_offset FROM applied_offset"
        " WHERE writer LIKE '%%-quarantine' GROUP BY topic_id, partition_no) AS claims")
    return int(offsets)


@pytest.mark.parametrize("running", [True, False], ids=["under way", "between two runs"])
def test_entry_that_a_fail_over_lost_is_opened_again(pipeline: Pipeline, event: Event, running: bool) -> None:
    """Nobody else has it: the provider was answered with success."""
    role = pipeline.retry_role()
    deliver(pipeline, event)
    wait_for(lambda: applied_below(pipeline) == 1, "the first to be claimed")
    take_copy(pipeline)
    deliver(pipeline, event.redelivered(), payment(event.customer, 71))
    wait_for(lambda: len(entries(pipeline)) == 3 and applied_below(pipeline) == 3, "all to be claimed")
    wait_for(lambda: sum(max(0, offset) for offset in committed(pipeline).values()) == 3, "Kafka to know it")
    if not running:
        assert role.stop() == 0
    put_copy_back(pipeline)
    if not running:
        role = pipeline.retry_role()
    deliver(pipeline, payment(event.customer, 72))  # an idle session is looked at every few seconds only
    wait_for(lambda: len(entries(pipeline)) == 4, "what was lost to be there again")
    wait_for(lambda: role.decisions("seek_back"), "its log to say so")


def test_entry_that_a_fail_over_lost_before_it_was_claimed_is_opened_again(pipeline: Pipeline, event: Event) -> None:
    role = pipeline.retry_role()
    deliver(pipeline, event)
    wait_for(lambda: applied_below(pipeline) == 1, "the first to be claimed")
    take_copy(pipeline)
    assert role.stop() == 0
    pipeline.retry_role(start=False).start("consumer.after_quarantine_entry=delay:4000@1").ready()
    deliver(pipeline, payment(event.customer, 71))
    wait_for(lambda: len(entries(pipeline)) == 2, "the second to have its entry")
    assert applied_below(pipeline) == 1
    put_copy_back(pipeline)
    assert len(entries(pipeline)) == 1
    wait_for(lambda: len(entries(pipeline)) == 2 and applied_below(pipeline) == 2, "what was lost to be there again")


def committed(pipeline: Pipeline) -> dict[int, int]:
    return pipeline.log.committed(f"{pipeline.group}.retry", pipeline.quarantine)


def test_requests_that_kafka_dropped_unread_raise_the_alarm(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline(partitions=1).prepare()
    use_recipe(pipeline, event_id="/event_id")
    role = pipeline.retry_role()
    deliver(pipeline, payment("cus_1", 70))
    wait_for(lambda: applied_below(pipeline) == 1, "the first to be claimed")
    assert role.stop() == 0
    deliver(pipeline, *(payment("cus_1", number) for number in (1, 2, 3)))
    pipeline.log.truncate(pipeline.quarantine, 0, before=3)
    role = pipeline.retry_role()
    wait_for(lambda: len(entries(pipeline)) == 2, "the last to have its entry")
    [line] = wait_for(lambda: role.decisions("gap"), "the alarm")
    assert (line["topic"], line["from"], line["to"]) == (pipeline.quarantine, 1, 3)
    role.expect_metric(2, "sluice_consumer_gap_events_total")


@pytest.mark.parametrize("point", failpoints.WAITING["quarantine"])
def test_killed_between_entry_and_claim(pipeline: Pipeline, event: Event, point: str) -> None:
    pipeline.config["kafka"]["options"] = QUICKLY_GONE
    deliver(pipeline, event)
    victim = pipeline.retry_role(start=False).start(f"{point}=kill@1")
    wait_for(lambda: not victim.running, "the victim to die")
    assert victim.exit_code == -signal.SIGKILL and point in victim.hit_failpoints()
    role = pipeline.retry_role()
    wait_for(lambda: records(role, "known") == 1, "the record to be read again")
    only_entry(pipeline)


def test_retry_after_the_recipe_was_mended_applies_it_once(pipeline: Pipeline, event: Event) -> None:
    deliver(pipeline, event)
    pipeline.retry_role()
    number = only_entry(pipeline)
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number), "refused", "unreadable")
    assert only_entry(pipeline) == number

    mend(pipeline)
    consumer = pipeline.consumer(role="both")
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number, times=3), "carried_out")
    pipeline.ledger.expect_applied(event)
    assert closed_as(pipeline) == "retried"
    expect_lane(pipeline, event)
    expect_nothing_owed(pipeline)

    deliver(pipeline, event.redelivered())
    pipeline.expect_published(event)
    pipeline.expect_caught_up()
    pipeline.ledger.expect_ledger_rows(1, event)
    consumer.expect_duplicates(1)
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number), "refused", "finished")


@pytest.mark.parametrize("long_ago", [False, True], ids=["lately", "long ago"])
def test_event_that_the_provider_brought_meanwhile_closes_its_entry(pipeline: Pipeline, event: Event, long_ago: bool) -> None:
    """Also when its row in the inbox is gone: it is undated then, and its key is all that is left."""
    if long_ago:
        event = event.with_body(event.body.replace(b'"created"', b'"created_elsewhere"'))
    deliver(pipeline, event)
    pipeline.retry_role()
    number = only_entry(pipeline)
    mend(pipeline)
    consumer = pipeline.consumer(role="both")
    deliver(pipeline, event.redelivered())
    pipeline.ledger.expect_applied(event)
    if long_ago:
        consumer.stop()
        pipeline.ledger.age_undated()
        pipeline.consumer(role="both")
        pipeline.ledger.expect_undated_swept()
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number), "refused", "finished")
    assert closed_as(pipeline) == "done"
    pipeline.ledger.expect_ledger_rows(1, event)


def test_retried_event_waits_behind_those_of_its_object(pipeline: Pipeline, event: Event) -> None:
    deliver(pipeline, event)
    pipeline.retry_role()
    number = only_entry(pipeline)
    mend(pipeline)
    pipeline.consumer(role="both")
    head = payment(fresh_id("cus"), 1, intent=event.object).with_content(amount="none")
    deliver(pipeline, head)
    expect_lane(pipeline, head, "dead")
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number), "carried_out")
    expect_lane(pipeline, head, "dead", "parked")
    pipeline.ledger.expect_ledger_rows(0, event)


def test_stored_body_that_somebody_changed_is_not_run(pipeline: Pipeline, event: Event) -> None:
    deliver(pipeline, event)
    pipeline.retry_role()
    number = only_entry(pipeline)
    pipeline.ledger.run("UPDATE dead_letter SET body = REPLACE(body, ': 70,', ': 7000,')")
    mend(pipeline)
    pipeline.retry_role()
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=number), "refused", "not_authentic")
    expect_answer(pipeline, send(pipeline, CLOSE, event, entry=number), "carried_out")
    assert closed_as(pipeline) == "closed"


def test_request_of_a_source_that_this_process_does_not_know_is_an_entry_all_the_same(pipeline: Pipeline, event: Event) -> None:
    deliver(pipeline, event)
    pipeline.log.append(pipeline.quarantine, b"of whom?")
    pipeline.config["sources"][0] |= {"name": "stripe-us", "principal": "acct_us"}
    for effect in pipeline.config["effects"]:
        effect["when"]["source"] = "stripe-us"
    role = pipeline.retry_role()
    wait_for(lambda: records(role, "no_source") == 1 and records(role, "foreign") == 1, "both records to be read")
    [(_, *rest)] = entries(pipeline)
    assert rest == ["unreadable", b"unreadable", b"no_source; the ingress said missing_pointer; id: /event_id is missing", b"stripe-eu", 1, None]


def test_missing_topic_is_named_with_what_mends_it(pipeline: Pipeline, event: Event) -> None:
    pipeline.log.delete(pipeline.quarantine)
    role = pipeline.retry_role(start=False).start()
    role.expect_not_ready(pipeline.quarantine, "sluicectl topics --apply")
    pipeline.log.create(pipeline.quarantine, partitions=pipeline.partitions)
    role.ready()


def test_events_of_a_delivery_without_a_readable_list_are_all_let_in(pipeline: Pipeline) -> None:
    """Signed together, so what is looked at again is the delivery that the entry holds."""
    pipeline.secrets["TEST_GOCARDLESS"] = secret = "gocardless secret of a test"
    recipe = own_copy("gocardless")
    pipeline.config["sources"].append({"name": "gocardless", "recipe": recipe["name"], "principal": "gocardless",
                                       "keys": [{"id": "g", "value": {"env": "TEST_GOCARDLESS"}}]})
    pipeline.config["recipes"] = [copy.deepcopy(recipe) | {"items": {"at": "/list", "signed": "together"}}]
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    ids = [fresh_id("EV") for _ in range(3)]
    body = json.dumps({"events": [
        {"id": number, "created_at": "2026-11-21T10:46:38.000Z", "resource_type": "payments", "action": "confirmed",
         "links": {"payment": "PM1"}} for number in ids]}).encode()
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    provider = pipeline.provider(pipeline.ingress())
    assert provider.post(body, [("Webhook-Signature", signature)], path="/v1/webhooks/gocardless").status == 204
    pipeline.retry_role()
    [(number, *_)] = wait_for(lambda: entries(pipeline), "an entry")

    pipeline.end_programs()
    pipeline.config["recipes"] = [recipe]
    pipeline.ctl("keys", "accept", "--operator", "ada", "--reason", "none could be read", "--apply").check_returncode()
    pipeline.consumer(role="both")
    any_event = Event("none", "none", b"", "an entry without a lane")
    expect_answer(pipeline, send(pipeline, RETRY, any_event, entry=number), "carried_out")
    wait_for(lambda: dict(pipeline.ledger.query("SELECT event_id, status FROM inbox"))
             == {one.encode(): "ignored" for one in ids}, "all three to be finished")
    expect_nothing_owed(pipeline)
