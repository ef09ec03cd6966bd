"""What cannot be applied ends in the DLQ, visibly and whole; its object waits for an operator, nobody else does."""

from __future__ import annotations

import struct
import time

import pytest

from tests.support.dead_letter import dead_letter_of
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, failed_invoice, fresh_id, paid_invoice, payment, refund, snapshot
from tests.support.kafka_log import LogRecord, java_partition
from tests.support.lanes import expect_lane, expect_nothing_owed, open_dead_letters
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import put, put_again, put_records, record_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0}}
EXTRA_TABLES = ["CREATE TABLE only_once (customer VARBINARY(64) PRIMARY KEY)"]
EXTRA_EFFECTS = [
    {**WANTS_A_ROW, "retry": {"attempts": 3}},
    {"name": "wants-it-soon", "when": {"source": SOURCE, "type": "charge.succeeded"}, "defer": {"for": "3s"},
     "let": {"customer": "/data/object/customer"},
     "sql": [{"run": "UPDATE wallet SET balance = balance + 1 WHERE customer = :customer",
              "rows": {1: "done", 0: "defer"}}]},
    {"name": "too-many", "when": {"source": SOURCE, "type": "charge.updated"},
     "let": {"first": "/data/object/first", "second": "/data/object/second"},
     "sql": [{"run": "UPDATE wallet SET balance = balance + 1 WHERE customer IN (:first, :second)",
              "rows": {1: "done"}}]},
    {"name": "once", "when": {"source": SOURCE, "type": "charge.captured"},
     "let": {"customer": "/data/object/customer"},
     "sql": [{"run": "UPDATE wallet SET balance = balance + 1 WHERE customer = :customer", "rows": {1: "done"}},
             {"run": "INSERT INTO only_once VALUES (:customer)", "rows": {1: "done"}}]},
    {"name": "odd-error", "when": {"source": SOURCE, "type": "charge.expired"},
     "let": {"customer": "/data/object/customer", "zone": "/data/object/zone"},
     "sql": [{"run": "UPDATE wallet SET balance = JSON_LENGTH('{}', :zone) WHERE customer = :customer",
              "rows": {1: "done"}}]}]


@pytest.fixture
def customer(shared: Pipeline) -> str:
    """With an empty wallet."""
    name = fresh_id("cus")
    shared.ledger.open_wallet(name)
    return name


def odd_payment(customer: str, /, **changes: object) -> Event:
    """One that cannot be applied; Ellipsis leaves a field out."""
    obj = {"id": fresh_id("pi"), "customer": customer, "amount": "a lot", **changes}
    return snapshot("payment_intent.succeeded", {key: value for key, value in obj.items() if value is not ...})


def dead_letters_of_class(pipeline: Pipeline, error_class: str) -> list[LogRecord]:
    return [dead_letter for dead_letter in pipeline.log.read(pipeline.dlq) if dead_letter.text("sluice-error-class") == error_class]


def test_deferred_event_ends_in_the_dlq_when_its_time_is_over(shared: Pipeline, customer: str,
                                                              retry_role: Program) -> None:
    """`defer: {for: 3s}`. Until then later events pass it; from then on they wait as behind any dead one."""
    deferred = snapshot("charge.succeeded", {"id": fresh_id("ch"), "customer": "cus_never"})
    passing, behind = (payment(customer, amount, intent=deferred.object) for amount in (5, 6))
    put(shared, deferred, passing)
    shared.ledger.expect_applied(passing)
    dead_letter = dead_letter_of(shared, deferred)
    assert dead_letter.text("sluice-error-class") == "deferred"
    assert deferred.id in [line["event"] for line in retry_role.decisions("deferred")], "it was not tried again"
    put(shared, behind)
    expect_lane(shared, deferred, "dead", "parked")
    shared.expect_caught_up()
    shared.ledger.expect_applied(passing)


def test_retried_event_ends_in_the_dlq_when_its_attempts_are_used_up(shared: Pipeline, customer: str,
                                                                     retry_role: Program) -> None:
    unit = fresh_id("in")
    retried, follower, stranger = paid_invoice("cus_never", unit=unit), paid_invoice(customer, unit=unit), paid_invoice(customer)
    put(shared, retried, follower, stranger)
    dead_letter = dead_letter_of(shared, retried)
    assert (dead_letter.text("sluice-error-class"), dead_letter.text("sluice-attempt")) == ("exhausted", "3")
    expect_lane(shared, retried, "dead", "parked")
    shared.ledger.expect_applied(stranger)
    shared.expect_caught_up()


CANNOT_BE_APPLIED: dict[str, dict] = {
    "amount is a text of more than digits": {"amount": "10.00"},
    "amount is a fraction": {"amount": 10.5},
    "amount is written with an exponent": {"amount": 1e30},
    "amount is null": {"amount": None},
    "amount is beyond int64": {"amount": 2**63},
    "amount is an object": {"amount": {"value": 1}},
    "customer is missing": {"amount": 5, "customer": ...},
    "customer is a number": {"amount": 5, "customer": 17}}


def test_data_that_cannot_be_applied_is_dead_at_once(shared: Pipeline, customer: str) -> None:
    """One dead letter each; what follows on the same object waits behind it, and nothing else does."""
    odd = {name: odd_payment(customer, **changes) for name, changes in CANNOT_BE_APPLIED.items()}
    followers = [payment(customer, 7, intent=event.object) for event in odd.values()]
    stranger = payment(customer, 3)
    put(shared, *odd.values(), *followers, stranger)
    shared.ledger.expect_applied(stranger)
    for name, event in odd.items():
        dead_letter = dead_letter_of(shared, event)
        assert dead_letter.text("sluice-error-class") == "park", name
        expect_lane(shared, event, "dead", "parked")
    shared.expect_caught_up()
    shared.ledger.expect_applied(stranger)


def test_value_that_its_column_does_not_take_is_dead_at_once(shared: Pipeline, customer: str) -> None:
    event = failed_invoice(customer).with_content(customer_email="e" * 65)
    put(shared, event)
    assert dead_letter_of(shared, event).text("sluice-error-class") == "data"


def test_constraint_of_the_business_table_is_a_data_error(shared: Pipeline) -> None:
    """The table's own CHECK refuses it: no effect at all, a dead letter, the rest goes on."""
    poor = fresh_id("cus")
    shared.ledger.open_wallet(poor, balance=-999_999_990)
    event = refund(poor, total=100)
    put(shared, event)
    assert dead_letter_of(shared, event).text("sluice-error-class") == "data"
    assert shared.ledger.balance(poor) == -999_999_990
    shared.ledger.expect_ledger_rows(0, event)


def test_duplicate_key_of_a_business_table_is_no_duplicate_event(shared: Pipeline, customer: str) -> None:
    """1062 from an effect is a business error: reading it as "seen already" would drop a payment."""
    first, second = (snapshot("charge.captured", {"id": fresh_id("ch"), "customer": customer}) for _ in range(2))
    put(shared, first)
    shared.ledger.expect_status(first, "done")
    put(shared, second)
    assert dead_letter_of(shared, second).text("sluice-error-class") == "data"
    assert shared.ledger.balance(customer) == 1


def test_error_that_nobody_knows_is_tried_a_few_times(shared: Pipeline, customer: str, retry_role: Program) -> None:
    event = snapshot("charge.expired", {"id": fresh_id("ch"), "customer": customer, "zone": "{"})
    put(shared, event)
    dead_letter = dead_letter_of(shared, event)
    assert (dead_letter.text("sluice-error-class"), dead_letter.text("sluice-attempt")) == ("unknown", "3")


def test_unlisted_row_count_is_parked(shared: Pipeline, customer: str) -> None:
    """Two rows where the effect expects one."""
    other = fresh_id("cus")
    shared.ledger.open_wallet(other)
    event = snapshot("charge.updated", {"id": fresh_id("ch"), "first": customer, "second": other})
    put(shared, event)
    assert dead_letter_of(shared, event).text("sluice-error-class") == "park"
    assert (shared.ledger.balance(customer), shared.ledger.balance(other)) == (0, 0)


def test_dead_letter_carries_both_header_sets(shared: Pipeline, customer: str) -> None:
    """Key, value and the record's own headers untouched; Spring's headers in its encodings, Kafka Connect's as text."""
    event = odd_payment(customer)
    put(shared, event)
    dead_letter = dead_letter_of(shared, event)
    [origin] = [record for record in shared.log.read(shared.topic) if record.text("ce_id") == event.id]
    assert (dead_letter.key, dead_letter.value) == (origin.key, origin.value)
    assert dead_letter.headers[:len(origin.headers)] == origin.headers
    assert dead_letter.header("kafka_dlt-original-topic") == shared.topic.encode()
    assert dead_letter.header("kafka_dlt-original-partition") == struct.pack(">i", origin.partition)
    assert dead_letter.header("kafka_dlt-original-offset") == struct.pack(">q", origin.offset)
    [appended] = struct.unpack(">q", dead_letter.header("kafka_dlt-original-timestamp"))
    assert abs(appended / 1000 - time.time()) < 120
    assert dead_letter.text("kafka_dlt-original-timestamp-type") in ("CREATE_TIME", "CreateTime")
    assert dead_letter.text("kafka_dlt-original-consumer-group") == shared.group
    assert dead_letter.text("kafka_dlt-exception-fqcn") and dead_letter.text("kafka_dlt-exception-message")
    assert dead_letter.text("__connect.errors.topic") == shared.topic
    assert dead_letter.text("__connect.errors.partition") == str(origin.partition)
    assert dead_letter.text("__connect.errors.offset") == str(origin.offset)
    assert dead_letter.text("__connect.errors.exception.class.name") and dead_letter.text("__connect.errors.exception.message")
    assert int(dead_letter.text("sluice-attempt")) >= 1 and dead_letter.text("sluice-error-class")
    assert dead_letter.text("sluice-first-failed-at").endswith("Z")
    assert dead_letter.partition == origin.partition


def test_redelivered_dead_event_is_settled_without_a_second_dead_letter(shared: Pipeline, customer: str) -> None:
    event = odd_payment(customer)
    put(shared, event)
    dead_letter_of(shared, event)
    put_again(shared, event)
    shared.expect_caught_up()
    dead_letter_of(shared, event)


def test_redelivered_dead_event_sends_the_dead_letter_that_is_owed(shared: Pipeline, customer: str) -> None:
    """As after a crash between the commit and the delivery report."""
    event = odd_payment(customer)
    put(shared, event)
    dead_letter_of(shared, event)
    shared.ledger.run(f"UPDATE inbox SET dlq_sent = 0 WHERE event_id = '{event.id}'",
                      f"UPDATE dead_letter SET dlq_sent = 0 WHERE event_id = '{event.id}' AND closed_at IS NULL")
    put_again(shared, event)
    expect_nothing_owed(shared)
    wait_for(lambda: shared.ledger.inbox_row(event)["dlq_sent"] == 1, "the inbox to say so too")
    dead_letters = [dead_letter for dead_letter in shared.log.read(shared.dlq) if dead_letter.text("ce_id") == event.id]
    assert [dead_letter.text("sluice-error-class") for dead_letter in dead_letters] == ["park", "park"]
    assert open_dead_letters(shared).count((event.id, "park")) == 1


def test_undecodable_records_go_to_the_dlq_and_hold_only_their_key(shared: Pipeline, customer: str) -> None:
    """Whatever lies in the topic: it is moved aside as it is, one open entry each. What its key belongs to waits: nobody
    knows what it was. A record without a key holds nothing."""
    first, stranger = payment(customer, 1), payment(customer, 3)
    keyed, value, headers = record_of(first)
    no_digest = [header for header in headers if header[0] != "sluice-digest"]
    odd = [(keyed, b"{}", []), (None, b"{}", []), (keyed, None, []), (None, None, []), (keyed, value, no_digest),
           (keyed, value, [*headers, ("sluice-dedup-key", b"00")])]
    before = len(dead_letters_of_class(shared, "undecodable"))
    place = java_partition(keyed, shared.partitions)
    shared.log.append_all(shared.topic, [(body, key, head, place) for key, body, head in odd])
    follower = payment(customer, 3, intent=first.object)
    put(shared, follower, stranger)
    shared.ledger.expect_applied(stranger)
    shared.expect_caught_up()
    expect_lane(shared, first, "dead", "dead", "dead", "dead", "parked")
    expect_nothing_owed(shared)
    shared.ledger.expect_applied(stranger)
    dead_letters = dead_letters_of_class(shared, "undecodable")[before:]
    assert len(dead_letters) == len(odd)
    seen = sorted((dead_letter.key or b"", dead_letter.value or b"", len(own_headers(dead_letter))) for dead_letter in dead_letters)
    assert seen == sorted((key or b"", body or b"", len(head)) for key, body, head in odd)
    entries = shared.ledger.query("SELECT offset_no FROM dead_letter WHERE kind = 'undecodable' AND partition_no = %s"
                                  " AND closed_at IS NULL ORDER BY offset_no", place)
    last = [dead_letter.text("__connect.errors.offset") for dead_letter in dead_letters]
    assert [str(offset) for (offset,) in entries][-len(odd):] == sorted(last, key=int)


def own_headers(dead_letter: LogRecord) -> list:
    added = ("kafka_dlt-", "__connect.errors.", "retry_topic-attempts", "sluice-attempt", "sluice-error-class",
             "sluice-first-failed-at")
    return [header for header in dead_letter.headers if not header[0].startswith(added)]


def test_body_that_its_recipe_cannot_read_is_dead(shared: Pipeline, customer: str) -> None:
    """The headers are right, the body is not JSON."""
    event = payment(customer, 5)
    key, _, headers = record_of(event)
    put_records(shared, (key, b"{\"data\": ", headers))
    assert dead_letter_of(shared, event).text("sluice-error-class") == "unreadable"
    expect_lane(shared, event, "dead")


def test_names_too_long_for_the_inbox_hold_only_their_object(shared: Pipeline, customer: str) -> None:
    """What no ingress of ours writes. Ids and types are cut; a source that no table takes is an entry of on-call,
    whether its object is healthy or in trouble already. Nobody else waits."""
    unit, long = fresh_id("pi"), "n" * 600
    cut = [record_of(payment(customer, 5, intent=unit), **{name: long}) for name in ("ce_id", "ce_type")]
    odd = [record_of(payment(customer, 5, intent=unit), sluice_source=long) for _ in range(2)]
    follower, stranger = payment(customer, 7, intent=unit), payment(customer, 8)
    put_records(shared, *cut, *odd, record_of(follower))
    put(shared, far := payment(customer, 9, intent=f"{unit}{long}"), stranger)
    shared.ledger.expect_status(far, "done")
    shared.ledger.expect_status(stranger, "done")
    expect_lane(shared, follower, "dead", "dead", "parked")
    shared.expect_caught_up()


@pytest.mark.parametrize("together", [True, False], ids=["in one batch", "one after the other"])
def test_same_id_with_other_content_is_a_conflict(shared: Pipeline, customer: str, together: bool) -> None:
    """The first one counts; the second is visible, changes nothing and holds nobody."""
    event = payment(customer, 100)
    other = event.with_content(amount=999)
    follower = payment(customer, 1, intent=event.object)
    put(shared, event)
    if not together:
        shared.ledger.expect_applied(event)
    put(shared, other, follower)
    wait_for(lambda: [dead_letter for dead_letter in dead_letters_of_class(shared, "conflict") if dead_letter.value == other.body],
             "the conflict in the DLQ")
    shared.ledger.expect_applied(event, follower)
    shared.expect_caught_up()
    expect_lane(shared, event)
    assert open_dead_letters(shared).count((event.id, "conflict")) == 1


def peers_of(pipeline: Pipeline) -> float:
    [program] = [program for program in pipeline.programs if program.running]
    return program.metric("webhook_processed_total", result="duplicate_of_peer")


def test_copies_by_two_sources_of_one_principal_are_one_event(pipeline: Pipeline) -> None:
    """Two endpoints of one account: one event twice, with the same content or, in another API version, with other."""
    pipeline.config["sources"].append({**pipeline.config["sources"][0], "name": "stripe-us", "path": "/v1/webhooks/stripe-us"})
    pipeline.ledger.open_wallet("cus_1")
    same, differs = payment("cus_1", 10), payment("cus_1", 20)
    pipeline.consumer()
    put(pipeline, same, differs)
    pipeline.ledger.expect_applied(same, differs)
    put_records(pipeline, *(record_of(event, source="stripe-us") for event in (same, differs.with_content(amount=21))))
    pipeline.expect_caught_up()
    pipeline.ledger.expect_applied(same, differs)
    assert peers_of(pipeline) == 1
    assert not dead_letters_of_class(pipeline, "conflict")


@pytest.mark.parametrize("first", [SOURCE, "stripe-before"], ids=["comes under a name that is not ours", "came under a name that is gone"])
def test_same_id_with_other_content_under_a_renamed_source_is_a_conflict(shared: Pipeline, customer: str, first: str) -> None:
    """Only two endpoints that there are may say one event differently."""
    event = payment(customer, 100)
    other = event.with_content(amount=999)
    second = "stripe-after" if first == SOURCE else SOURCE
    peers = peers_of(shared)
    put_records(shared, record_of(event, source=first))
    wait_for(lambda: shared.ledger.status(event), "the first to be taken in")
    put_records(shared, record_of(other, source=second))
    wait_for(lambda: [dead_letter for dead_letter in dead_letters_of_class(shared, "conflict") if dead_letter.value == other.body],
             "the conflict in the DLQ")
    assert peers_of(shared) == peers and open_dead_letters(shared).count((event.id, "conflict")) == 1
