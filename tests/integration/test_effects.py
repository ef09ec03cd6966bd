"""What becomes of events in the business tables."""

from __future__ import annotations

import pytest

from tests.support.dead_letter import dead_letter_of
from tests.support.effects import WANTS_A_ROW
from tests.support.events import (
    Event, failed_invoice, fresh_id, paid_invoice, payment, refund, snapshot, thin, unmatched)
from tests.support.lanes import expect_lane, lane_of
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "60s"}
EXTRA_TABLES = [
    "CREATE TABLE meter_error (event VARBINARY(255) NOT NULL, meter VARBINARY(64) NOT NULL)",
    "CREATE TABLE charge (id VARBINARY(64) PRIMARY KEY, status VARCHAR(16) NOT NULL)"]
EXTRA_EFFECTS = [
    WANTS_A_ROW,
    {"name": "thin", "when": {"source": SOURCE, "type": "v1.billing.meter.error_report_triggered"},
     "let": {"meter": "/related_object/id"},
     "sql": [{"run": "INSERT INTO meter_error VALUES (:event_id, :meter)", "rows": {1: "done"}}]},
    {"name": "one-of-two", "when": {"type": ["charge.updated", "charge.captured"]},
     "let": {"customer": "/data/object/customer"},
     "sql": [{"run": "UPDATE wallet SET balance = balance + 7 WHERE customer = :customer", "rows": {1: "done"}}]},
    {"name": "two-of-two", "when": {"source": SOURCE, "type": "charge.updated"},
     "let": {"customer": "/data/object/customer", "note": {"pointer": "/data/object/note", "optional": True}},
     "sql": [{"run": "INSERT INTO email_request (event, customer, address) VALUES (:event_id, :customer, :note)",
              "rows": {1: "done"}}]},
    {"name": "credit-fast", "when": {"source": SOURCE, "type": "charge.succeeded"},
     "let": {"customer": "/data/object/customer", "amount": {"pointer": "/data/object/amount", "as": "int64"}},
     "add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": ":amount", "floor": 0,
             "below": "park", "missing": "defer"},
     "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":customer", "amount": ":amount"}}},
    {"name": "capture", "when": {"source": SOURCE, "type": "charge.pending"}, "let": {"charge": "/data/object/id"},
     "set": {"table": "charge", "key": {"id": ":charge"}, "row": {"status": "pending"}, "when": {"status": ["new"]},
             "otherwise": "ignore", "missing": "park"}}]


@pytest.fixture(scope="module")
def provider(shared: Pipeline) -> Provider:
    return shared.provider(shared.ingress())


@pytest.fixture
def customer(shared: Pipeline) -> str:
    """With an empty wallet."""
    name = fresh_id("cus")
    shared.ledger.open_wallet(name)
    return name


def test_partial_refunds_are_running_totals(shared: Pipeline, provider: Provider, customer: str) -> None:
    """30, then 30 more: Stripe says 30 and 60; the wallet loses 60, not 90."""
    intent = fresh_id("pi")
    events = [payment(customer, 100, intent=intent), refund(customer, total=30, before=0, intent=intent),
              refund(customer, total=60, before=30, intent=intent)]
    for event in events:
        provider.deliver(event).twice().expect(200)
    shared.ledger.expect_applied(*events)
    shared.ledger.expect_balance(customer, 40)


def test_failed_invoice_asks_for_one_email(shared: Pipeline, provider: Provider, customer: str) -> None:
    event = failed_invoice(customer)
    provider.deliver(event).times(3).expect(200)
    shared.ledger.expect_status(event, "done")
    assert shared.ledger.query("SELECT event, address FROM email_request WHERE customer = %s", customer.encode()) == [
        (event.id.encode(), "someone@example.test")]


def test_event_without_an_effect_is_ignored_and_known(shared: Pipeline, provider: Provider) -> None:
    event = unmatched()
    provider.deliver(event).twice().expect(200)
    shared.ledger.expect_status(event, "ignored")


def test_amounts_keep_every_digit(shared: Pipeline, provider: Provider, customer: str) -> None:
    """Beyond 2^53, where a double loses cents."""
    provider.deliver(payment(customer, 9_007_199_254_740_993)).expect(200)
    shared.ledger.expect_balance(customer, 9_007_199_254_740_993)


def test_text_is_bound_never_spliced(shared: Pipeline, provider: Provider) -> None:
    hostile = "cus_'); DROP TABLE wallet; -- \\ \" ` ; /* ? :amount"
    shared.ledger.open_wallet(hostile)
    provider.deliver(payment(hostile, 11)).expect(200)
    shared.ledger.expect_balance(hostile, 11)


def test_row_that_does_not_change_counts_as_matched(shared: Pipeline, provider: Provider, customer: str) -> None:
    """balance + 0 matches one row."""
    event = payment(customer, 0)
    provider.deliver(event).expect(200)
    shared.ledger.expect_status(event, "done")


def test_ids_that_differ_by_case_or_trailing_space_are_different(shared: Pipeline, provider: Provider,
                                                                 customer: str) -> None:
    stem = fresh_id("evt")
    events = [payment(customer, 1, event_id=f"{stem}{end}") for end in ("_AbC", "_aBc", "_abc", "_abc ", "_ABC")]
    for event in events:
        provider.deliver(event).expect(200)
    shared.ledger.expect_applied(*events)


def test_deferred_event_waits_for_its_row(shared: Pipeline, provider: Provider, retry_role: Program) -> None:
    """"Not ours yet": nothing is counted as an error; the row appears, the event is applied."""
    late = fresh_id("cus")
    event = payment(late, 50)
    provider.deliver(event).expect(200)
    expect_lane(shared, event, "deferred")
    wait_for(lambda: len(retry_role.decisions("deferred")) >= 2, "it to be tried again")
    shared.ledger.open_wallet(late)
    shared.ledger.expect_applied(event)
    expect_lane(shared, event)


def test_deferred_event_lets_its_followers_pass(shared: Pipeline, provider: Provider, customer: str) -> None:
    """Later events of the same object run; after each success of the object the first is tried again, at once."""
    late, unit = fresh_id("cus"), fresh_id("pi")
    early = payment(late, 50, intent=unit)
    followers = [payment(customer, 5, intent=unit), payment(customer, 6, intent=unit)]
    provider.deliver(early).expect(200)
    provider.deliver(followers[0]).expect(200)
    shared.ledger.expect_status(followers[0], "done")
    shared.ledger.expect_status(early, "deferred")
    shared.ledger.open_wallet(late)
    provider.deliver(followers[1]).expect(200)
    shared.ledger.expect_applied(early, *followers)
    expect_lane(shared, early)


def test_retry_holds_followers_and_succeeds(shared: Pipeline, provider: Provider, customer: str) -> None:
    """What passes by itself soon, here within consumer.in_place, never gets into a lane."""
    late, unit = fresh_id("cus"), fresh_id("in")
    head, follower, stranger = paid_invoice(late, unit=unit), paid_invoice(customer, unit=unit), paid_invoice(customer)
    for event in (head, follower, stranger):
        provider.deliver(event).expect(200)
    shared.ledger.expect_status(stranger, "done")
    stays(lambda: expect_unknown(shared, follower), during=0.3)  # it must not overtake
    shared.ledger.open_wallet(late)
    shared.ledger.expect_applied(head, follower, stranger)
    order = [event for event, _, _ in shared.ledger.entries()]
    assert order.index(stranger.id) < order.index(head.id) < order.index(follower.id)
    assert lane_of(shared, head) is None


def expect_unknown(pipeline: Pipeline, event: Event) -> None:
    assert pipeline.ledger.status(event) is None


def test_all_matching_effects_run_in_one_transaction(shared: Pipeline, provider: Provider, customer: str) -> None:
    """The second effect refuses: what the first one did is not there either."""
    fine = snapshot("charge.updated", {"id": fresh_id("ch"), "customer": customer, "note": "yes"})
    refused = snapshot("charge.updated", {"id": fresh_id("ch"), "customer": customer})  # NULL is refused
    provider.deliver(fine).expect(200)
    provider.deliver(refused).expect(200)
    assert dead_letter_of(shared, refused).text("sluice-error-class") == "data"
    shared.ledger.expect_status(fine, "done")
    assert shared.ledger.balance(customer) == 7
    assert shared.ledger.query("SELECT event FROM email_request WHERE customer = %s", customer.encode()) == [
        (fine.id.encode(),)]


def test_thin_events_reach_effects(shared: Pipeline, provider: Provider) -> None:
    event = thin()
    provider.deliver(event).twice().expect(200)
    shared.ledger.expect_status(event, "done")
    assert shared.ledger.query("SELECT event FROM meter_error WHERE meter = %s", event.object.encode()) == [
        (event.id.encode(),)]


def charge(customer: str, amount: int) -> Event:
    return snapshot("charge.succeeded", {"id": fresh_id("ch"), "customer": customer, "amount": amount},
                    customer=customer, effect=amount)


def test_set_based_effects_count_each_event_of_a_hot_row(shared: Pipeline, provider: Provider, customer: str) -> None:
    """Many objects, one wallet: batches add their amounts up, and one that would go under the floor is left out."""
    events = [charge(customer, amount) for amount in range(1, 41)]
    greedy = charge(customer, -10_000)
    for event in [*events[:20], greedy, *events[20:]]:
        provider.deliver(event).expect(200)
    for event in events:
        shared.ledger.expect_status(event, "done")
    assert dead_letter_of(shared, greedy).text("sluice-error-class") == "park"
    assert shared.ledger.balance(customer) == sum(range(1, 41))
    rows = shared.ledger.query("SELECT event FROM wallet_entry WHERE customer = %s", customer.encode())
    assert sorted(rows) == sorted((event.id.encode(),) for event in events)


def test_set_based_effect_waits_for_its_row(shared: Pipeline, provider: Provider, retry_role: Program) -> None:
    late = fresh_id("cus")
    event = charge(late, 7)
    provider.deliver(event).expect(200)
    expect_lane(shared, event, "deferred")
    shared.ledger.open_wallet(late)
    shared.ledger.expect_status(event, "done")
    shared.ledger.expect_balance(late, 7)
    expect_lane(shared, event)


def test_guarded_change_of_state_happens_once(shared: Pipeline, provider: Provider) -> None:
    known, paid, unknown = fresh_id("ch"), fresh_id("ch"), fresh_id("ch")
    shared.ledger.run(f"INSERT INTO charge VALUES ('{known}', 'new'), ('{paid}', 'paid')")
    events = {name: snapshot("charge.pending", {"id": name}) for name in (known, paid, unknown)}
    for event in events.values():
        provider.deliver(event).expect(200)
    shared.ledger.expect_status(events[known], "done")
    shared.ledger.expect_status(events[paid], "done")
    assert dead_letter_of(shared, events[unknown]).text("sluice-error-class") == "park"
    assert dict(shared.ledger.query("SELECT id, status FROM charge")) == {
        known.encode(): "pending", paid.encode(): "paid"}
