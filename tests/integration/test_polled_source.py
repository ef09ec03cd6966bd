"""A source with `poll`: what is read from a provider's list is one event with what its webhook brings, whichever comes first."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.support.commands import RETRY, expect_answer, send
from tests.support.effects import parks_without_a_wallet
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, key_of, open_dead_letters
from tests.support.pipeline import ORDER_BY, PRINCIPAL, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import Record, put, put_records, record_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

LIST = "stripe-list"
POLLED = {"name": LIST, "recipe": "stripe", "principal": PRINCIPAL, "order_by": list(ORDER_BY),
          "poll": {"key": {"file": "/nowhere/stripe-api-key"}, "since": "30d"}}  # which nobody here may want
CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
EXTRA_EFFECTS = [parks_without_a_wallet()]


@pytest.fixture
def both(bench: Pipeline) -> Pipeline:
    """The account's webhooks and its list. No effect names a trust."""
    bench.config["sources"].append(POLLED)
    assert not any("trust" in effect["when"] for effect in bench.config["effects"])
    return bench


@pytest.fixture
def customer(both: Pipeline) -> str:
    name = fresh_id("cus")
    both.ledger.open_wallet(name)
    return name


def polled(event: Event, *, source: str = LIST, **changes: str) -> Record:
    """As whoever reads the list publishes it: no request brought it, and nobody signed it."""
    return of_nobody(record_of(event, source=source, **{"sluice_trust": "api", "sluice_key": "", **changes}))


def of_nobody(record: Record) -> Record:
    key, value, headers = record
    return key, value, [(name, text) for name, text in headers if not name.startswith("http-")]


def counted(program: Program, result: str) -> float:
    return program.metric("webhook_processed_total", result=result)


@pytest.mark.parametrize("first", ["list", "webhook"])
def test_each_event_is_applied_once_whichever_copy_comes_first(both: Pipeline, customer: str, first: str) -> None:
    events = [payment(customer, 10 + number) for number in range(4)]
    copies = {"list": [polled(event) for event in events], "webhook": [record_of(event) for event in events]}
    consumer = both.consumer()
    put_records(both, *copies.pop(first))
    both.ledger.expect_applied(*events)
    put_records(both, *copies.popitem()[1])
    both.expect_caught_up()
    both.ledger.expect_applied(*events)
    consumer.expect_duplicates(4)
    assert counted(consumer, "done") == 4 and counted(consumer, "ignored") == 0
    assert not open_dead_letters(both)


def test_what_the_ingress_publishes_of_a_webhook_has_the_lists_keys_and_digest(both: Pipeline, customer: str) -> None:
    """The ingress gives the list no address, and has no need of the provider's key."""
    provider = both.provider(ingress := both.ingress())
    event = payment(customer, 100)
    provider.deliver(event).expect(200)
    for path in (f"/v1/webhooks/{LIST}", f"/poll:{LIST}"):
        both.provider(ingress, path=path).deliver(payment(customer, 7)).expect(404)
    [webhook] = [record for record in both.log.read(both.topic) if record.text("ce_id") == event.id]
    as_listed = {"sluice-source": LIST, "sluice-trust": "api", "sluice-key": ""}
    headers = [(name, as_listed.pop(name, value.decode()).encode()) for name, value in webhook.separated]
    copy = of_nobody((webhook.key, webhook.value, [*headers, *((name, text.encode()) for name, text in as_listed.items())]))
    consumer = both.consumer()
    both.ledger.expect_applied(event)
    put_records(both, copy)
    consumer.expect_duplicates(1)
    both.ledger.expect_applied(event)


def test_another_rendering_of_the_list_is_a_peers_copy_and_under_the_webhooks_name_a_conflict(both: Pipeline, customer: str) -> None:
    """Stripe renders both by API versions of their own: that is why a poll is a source of its own."""
    event, other = payment(customer, 10), payment(customer, 20)
    consumer = both.consumer()
    put(both, event, other)
    both.ledger.expect_applied(event, other)
    put_records(both, polled(event.with_content(rendered="otherwise")))
    consumer.expect_metric(1, "webhook_processed_total", result="duplicate_of_peer")
    assert not open_dead_letters(both)
    put_records(both, polled(other.with_content(rendered="otherwise"), source=SOURCE))
    wait_for(lambda: open_dead_letters(both) == [(other.id, "conflict")], "the conflict")
    both.ledger.expect_applied(event, other)
    both.ledger.run("UPDATE dead_letter SET closed_at = UTC_TIMESTAMP(6), closed_as = 'closed' WHERE closed_at IS NULL")


def test_dead_event_of_the_list_is_run_again_on_demand_only(both: Pipeline) -> None:
    """It has no signature that could be verified again."""
    late = fresh_id("cus")
    event = paid_invoice(late)
    put_records(both, polled(event))
    both.consumer(role="both")
    expect_lane(both, event, "dead")
    both.ledger.open_wallet(late)
    assert not trial_of(both, "--id", event.id)["verified"]
    expect_answer(both, send(both, RETRY, event), "refused", "unverifiable")
    expect_answer(both, send(both, RETRY, event, unverified=True), "carried_out")
    both.ledger.expect_applied(event)


def unread_by_the_release_before(pipeline: Pipeline, event: Event) -> tuple[Program, int]:
    """That one knows no `api`, as this one knows no `xpi`. Its entry, whose record this one can read."""
    put_records(pipeline, polled(event, sluice_trust="xpi"))
    consumer = pipeline.consumer(role="both")
    expect_lane(pipeline, event, "dead")
    [(entry,)] = pipeline.ledger.query("SELECT id FROM dead_letter WHERE kind = 'undecodable' AND closed_at IS NULL")
    pipeline.ledger.run("UPDATE lane_event SET headers = REPLACE(headers, 'xpi', 'api')")
    return consumer, entry


def test_what_the_release_before_could_not_read_counts_once_when_it_is_retried(both: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    consumer, entry = unread_by_the_release_before(both, event)
    expect_answer(both, send(both, RETRY, event, entry=entry), "refused", "unverifiable")
    expect_answer(both, send(both, RETRY, event, entry=entry, unverified=True), "carried_out")
    both.ledger.expect_applied(event)
    put_records(both, record_of(event))
    consumer.expect_duplicates(1)
    both.ledger.expect_applied(event)


def test_what_the_release_before_could_not_read_leaves_its_turn_to_a_copy_that_came_meanwhile(both: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    consumer, entry = unread_by_the_release_before(both, event)
    put_records(both, record_of(event))
    expect_lane(both, event, "dead", "parked")
    expect_answer(both, send(both, RETRY, event, entry=entry, unverified=True), "carried_out")
    both.ledger.expect_applied(event)
    consumer.expect_duplicates(1)
    expect_lane(both, event)
    assert not open_dead_letters(both)


def test_what_the_release_before_could_not_read_stays_dead_where_its_day_was_dropped(both: Pipeline, customer: str) -> None:
    """Whether it was applied then nobody knows any more."""
    event = payment(customer, 5)
    consumer, entry = unread_by_the_release_before(both, event)
    both.ledger.run("REPLACE INTO sluice_meta VALUES ('dropped_before', '2999-01-01', UTC_TIMESTAMP(6))")
    expect_answer(both, send(both, RETRY, event, entry=entry, unverified=True), "carried_out")
    wait_for(lambda: died_of(both, event) == ["too_old"], "it to be dead again")
    both.ledger.run("DELETE FROM sluice_meta WHERE name = 'dropped_before'")
    both.ledger.expect_ledger_rows(0, event)


def test_what_the_release_before_could_not_read_is_a_conflict_where_another_content_came(both: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    consumer, entry = unread_by_the_release_before(both, event)
    elsewhere = fresh_id("pi")
    other = replace(event.with_content(amount_received=7, id=elsewhere), object=elsewhere)
    put_records(both, polled(other))
    both.ledger.expect_status(other, "done")
    expect_answer(both, send(both, RETRY, event, entry=entry, unverified=True), "carried_out")
    wait_for(lambda: died_of(both, event) == ["conflict"], "it to be a conflict")


def died_of(pipeline: Pipeline, event: Event) -> list[str]:
    rows = pipeline.ledger.query("SELECT e.error_class FROM lane_event e JOIN lane USING (lane_key) WHERE object_key = %s AND status = 'dead'",
                                 key_of(event))
    return [error.decode() for (error,) in rows]


def trial_of(pipeline: Pipeline, *words: str) -> dict:
    [trial] = json.loads(pipeline.ctl("effects", "test", *words, "--json").stdout)["trials"]
    return trial["event"]


def test_ctl_knows_a_polled_source(both: Pipeline) -> None:
    both.make_database()
    both.consumer()
    sample = ("--sample", "invoice.paid")
    assert [trial_of(both, *sample, *words)["source"] for words in ((), ("--source", LIST))] == [SOURCE, LIST]
    said = json.loads(both.ctl("keys", "list", "--json").stdout)
    assert {line["path"]: line["state"] for line in said["paths"]}[f"poll:{LIST}"] == "as recorded"
    [its] = [one for one in json.loads(both.ctl("effects", "explain", "invoice.paid", "--json").stdout)["sources"]
             if one["source"] == LIST]
    assert [(effect["matches"], effect["why"].rpartition(", ")[2]) for effect in its["effects"]
            if effect["name"] == "wants-a-row"] == [(True, "trust api")]
