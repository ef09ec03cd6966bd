"""What a provider lists and we do not have is found, and with --apply it is applied once."""

from __future__ import annotations

import json
import signal
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.event_list import EventList, says
from tests.support.events import Event, fresh_id, payment
from tests.support.pipeline import POLLED, Pipeline
from tests.support.wait import wait_for

MINUTES = 60.0
DAYS = 86400.0
OLD = 20 * MINUTES  # older than the settling time
SIGNED = ("--apply", "--operator", "ada", "--reason", "Kafka lost a disk")
ALL = (*SIGNED, "--before-first")


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


@pytest.fixture
def site(pipeline: Pipeline, listing: EventList) -> Pipeline:
    pipeline.polls(listing, budget=100)
    return pipeline


def some(number: int, customer: str) -> list[Event]:
    return [payment(customer, 1) for _ in range(number)]


def webhooks(site: Pipeline, *events: Event) -> None:
    provider = site.provider(site.ingress())
    for event in events:
        provider.deliver(event).expect(200)


def served_for_hours(site: Pipeline, hours: int = 3) -> None:
    """What is here was received so long ago."""
    site.ledger.run(f"UPDATE inbox SET received_at = received_at - INTERVAL {hours} HOUR")


def reconciled(site: Pipeline, *arguments: str, ends_with: int, since: str = "1d", failpoints: str = "") -> dict:
    done = site.reconcile("--from", since, "--json", *arguments, failpoints=failpoints)
    assert done.returncode == ends_with, done.stdout + done.stderr
    return json.loads(done.stdout)


def ids(report: dict, what: str = "missing") -> set[str]:
    return {event["id"] for event in report["events"][what]}


def test_an_event_that_the_webhook_missed_is_found_and_applied_once(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(3, customer), ago=OLD)
    received, *missed = listing.events
    young = payment(customer, 1)
    listing.add(young, ago=5 * MINUTES)
    site.consumer()
    webhooks(site, received)
    site.ledger.expect_applied(received)
    served_for_hours(site)
    report = reconciled(site, ends_with=1)
    assert ids(report) == {event.id for event in missed} and report["listed"] == 3 and report["injected"] == 0
    assert len(site.published()) == 1, "a dry run changes nothing"
    assert reconciled(site, *SIGNED, ends_with=1)["injected"] == 2
    site.ledger.expect_applied(received, *missed)
    site.ledger.expect_balance(customer, 3)
    assert reconciled(site, ends_with=0)["missing"] == 0


def test_what_lies_before_all_that_is_here_is_not_injected(site: Pipeline, listing: EventList, customer: str) -> None:
    """Another system applied it, before this one began; or the key is another account's, and none of its events is here."""
    for age in (4 * OLD, 3 * OLD, 2 * OLD):
        listing.add(payment(customer, 1), ago=age)
    before, first, missed = listing.events
    site.consumer()
    assert reconciled(site, ends_with=1)["before_first"] == 3, "a dry run says what would not be injected"
    report = reconciled(site, *SIGNED, ends_with=1)
    assert (report["missing"], report["injected"], report["before_first"]) == (3, 0, 3)
    assert {event["state"] for event in report["events"]["missing"]} == {"before the first"} and site.published() == []
    webhooks(site, first)
    site.ledger.expect_applied(first)
    report = reconciled(site, *SIGNED, ends_with=1)
    assert (report["injected"], report["before_first"]) == (0, 2), "its webhook was sent again, after the account had moved here"
    served_for_hours(site, 1)
    report = reconciled(site, *SIGNED, ends_with=1)
    assert (report["missing"], report["injected"], report["before_first"]) == (2, 1, 1)
    site.ledger.expect_applied(first, missed)
    assert reconciled(site, *ALL, ends_with=1)["injected"] == 1
    site.ledger.expect_applied(before, first, missed)
    site.ledger.expect_balance(customer, 3)


def test_what_was_injected_says_by_which_reconciliation(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    report = reconciled(site, *ALL, ends_with=1)
    (record,) = site.log.read(site.topic)
    assert record.text("sluice-reconciled") == report["reconciliation"]
    [row] = site.ledger.query("SELECT kind, applies, listed, missing, injected, operator, reason, ended_at IS NOT NULL FROM reconciliation")
    assert row == ("once", 1, 1, 1, 1, b"ada", b"Kafka lost a disk", 1)
    assert site.ledger.query("SELECT event_id, injected FROM reconciliation_missing") == [(listing.events[0].id.encode(), 1)]
    site.consumer()
    site.ledger.expect_applied(listing.events[0])
    for where in ((), ("--no-kafka",)):
        [shown] = json.loads(site.ctl("event", "show", listing.events[0].id, "--json", *where).stdout)["events"]
        assert shown["reconciled_by"] == report["reconciliation"], where


def test_here_and_not_there(site: Pipeline, listing: EventList, customer: str) -> None:
    """Of whole days alone: of today's events some may not be listed yet."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0) - timedelta(days=2)
    ago = (datetime.now(UTC) - noon).total_seconds()
    listing.add(*some(2, customer), ago=ago)
    listed, withdrawn = listing.events
    listing.withdraw(withdrawn)
    site.consumer()
    webhooks(site, listed, withdrawn)
    site.ledger.expect_applied(listed, withdrawn)
    report = reconciled(site, ends_with=0, since=f"{noon:%Y-%m-%d}")
    assert ids(report, "not_there") == {withdrawn.id} and report["not_there"] == 1
    report = reconciled(site, ends_with=0, since=f"{noon:%Y-%m-%d}T00:00:01Z")
    assert report["not_there"] in (None, 0) and ids(report, "not_there") == set()


def test_a_webhook_that_the_provider_does_not_list_is_told_where_the_file_has_no_such_source(
        site: Pipeline, listing: EventList, customer: str) -> None:
    """Somebody else signed it. A job that compares has the polled source alone in its file."""
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0) - timedelta(days=2)
    listing.add(*some(2, customer), ago=(datetime.now(UTC) - noon).total_seconds())
    listed, forged = listing.events
    listing.withdraw(forged)
    site.consumer()
    webhooks(site, listed, forged)
    site.ledger.expect_applied(listed, forged)
    site.config["sources"] = [source for source in site.config["sources"] if source["name"] == POLLED]
    report = reconciled(site, ends_with=0, since=f"{noon:%Y-%m-%d}")
    assert ids(report, "not_there") == {forged.id}


def test_an_event_that_cannot_be_read_is_not_said_to_be_here(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(3, customer), ago=OLD)
    received, of_no_mode, of_no_type = listing.events
    listing.spoil(of_no_mode, livemode="yes")
    listing.spoil(of_no_type, type=None)
    report = reconciled(site, ends_with=1)
    assert report["listed"] == 3 and report["unreadable"] == 2 and ids(report) == {received.id}
    site.consumer()
    webhooks(site, received)
    site.ledger.expect_applied(received)
    said = site.reconcile("--from", "1d")
    assert said.returncode == 3 and "2 listed events could not be judged" in said.stderr, said.stdout + said.stderr
    assert site.ledger.query("SELECT listed, missing, ended_at IS NOT NULL FROM reconciliation ORDER BY began_at DESC LIMIT 1") == [(3, 0, 1)]


def test_an_event_that_no_reader_can_place_is_unreadable_though_it_is_the_only_one(
        site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    listing.spoil(listing.events[0], created=None)
    report = reconciled(site, ends_with=3)
    assert report["listed"] == report["unreadable"] == 1


def test_where_the_provider_forgets_a_place_meanwhile_an_event_counts_once(site: Pipeline, listing: EventList, customer: str) -> None:
    """It goes on by time, and reads events of that second again."""
    listing.add(*some(250, customer), ago=29.5 * DAYS)
    listing.spoil(listing.events[0], type=None)
    no_such_event = json.dumps({"error": {"type": "invalid_request_error", "code": "resource_missing"}}).encode()
    listing.fail(says(no_such_event, 404), of="ending_before")
    report = reconciled(site, *ALL, ends_with=1, since="30d")
    assert (report["listed"], report["unreadable"], report["missing"], report["injected"]) == (250, 1, 249, 249)
    assert len(site.published()) == 249


@pytest.mark.parametrize("events", [0, 1])
def test_by_the_clock_of_the_provider_nothing_may_be_old_enough(site: Pipeline, listing: EventList, customer: str, events: int) -> None:
    listing.pass_time(-30 * MINUTES)
    listing.add(*some(events, customer), ago=5 * MINUTES)
    report = reconciled(site, ends_with=3, since="20m")
    assert "by the provider's clock" in report["broken_off"] and any("younger" in cut for cut in report["cuts"])
    assert site.ledger.query("SELECT COUNT(*) FROM reconciliation") == [(0,)], "nothing was compared"
    until = f"{datetime.now(UTC) - timedelta(minutes=20):%FT%TZ}"
    assert "younger" in reconciled(site, "--to", until, ends_with=0)["cuts"][-1]


def test_the_types_that_were_left_out_can_be_told(pipeline: Pipeline, listing: EventList) -> None:
    pipeline.polls(listing, budget=100, types=["charge.refunded"])
    assert reconciled(pipeline, ends_with=0)["types"] == ["charge.refunded"]


def test_a_regular_comparison_says_what_it_could_not_read(pipeline: Pipeline, listing: EventList, customer: str) -> None:
    pipeline.polls(listing, budget=100, reconcile={"every": "6h"})
    listing.add(payment(customer, 1), ago=OLD)
    listing.spoil(listing.events[0], type=None)
    poller = pipeline.poller()
    poller.expect_metric(1, "sluice_poller_reconciled_events", source=POLLED, result="unreadable")
    [said] = wait_for(lambda: poller.decisions("poll_reconciled"), "it says how it ended")
    assert said["unreadable"] == 1 and said["level"] == "warn"


def test_an_event_of_another_account_is_not_ours(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    [event] = listing.events
    site.config["sources"][0]["principal"] = "acct_other"
    site.consumer()
    webhooks(site, event)
    site.ledger.expect_applied(event)
    assert ids(reconciled(site, ends_with=1)) == {event.id}


def test_a_record_that_kafka_lost_is_applied_though_redis_knows_it(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    [event] = listing.events
    webhooks(site, event)
    ends = site.log.ends(site.topic)
    for partition, end in ends.items():
        site.log.truncate(site.topic, partition, end)
    webhooks(site, event)
    assert site.log.ends(site.topic) == ends, "its marker is durable"
    reconciled(site, *ALL, ends_with=1)
    site.consumer()
    site.ledger.expect_applied(event)
    site.ledger.expect_balance(customer, 1)


def test_where_the_consumer_lags_nothing_is_applied_twice(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(3, customer), ago=OLD)
    webhooks(site, *listing.events)
    assert reconciled(site, *ALL, ends_with=1)["injected"] == 3
    assert len(site.published()) == 6
    site.consumer()
    site.ledger.expect_applied_exactly_once(listing.events)
    site.expect_caught_up()
    site.ledger.expect_balance(customer, 3)


def test_killed_while_it_applies_and_run_again(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(120, customer), ago=OLD)
    killed = site.reconcile("--from", "1d", *ALL, failpoints="poller.after_ack_before_confirm=kill@10")
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert site.ledger.query("SELECT ended_at FROM reconciliation") == [(None,)]
    assert 0 < len(site.published()) < 120
    site.consumer()
    reconciled(site, *ALL, ends_with=1)
    site.ledger.expect_applied_exactly_once(listing.events)
    site.ledger.expect_balance(customer, 120)
    assert reconciled(site, ends_with=0)["listed"] == 120


def test_what_kafka_has_is_said_to_be_injected_though_mysql_fails(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(3, customer), ago=OLD)
    site.ledger.run("ALTER TABLE reconciliation_missing DROP COLUMN injected")
    report = reconciled(site, *ALL, ends_with=3)
    assert report["injected"] == len(site.published()) == 3
    assert [event["state"] for event in report["events"]["missing"]] == ["injected"] * 3


def test_a_run_that_is_broken_off_says_what_it_did(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(120, customer), ago=OLD)
    listing.fail(401, of="ending_before")
    report = reconciled(site, *ALL, ends_with=3, since="30m")
    done = len(site.published())
    assert 0 < done < 120 and report["injected"] == done
    assert site.ledger.query("SELECT listed, missing, injected, ended_at FROM reconciliation") == [(done, done, done, None)]


def test_where_kafka_does_not_take_all_it_says_what_it_took(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(3, customer), ago=OLD)
    report = reconciled(site, *ALL, ends_with=3, failpoints="poller.after_ack_before_confirm=error@2+")
    assert report["injected"] == 1 and "Kafka does not take" in report["broken_off"]
    assert sorted(event["state"] for event in report["events"]["missing"]) == ["injected", "not injected", "not injected"]
    assert site.ledger.query("SELECT missing, injected FROM reconciliation") == [(3, 1)]


def test_what_the_inbox_no_longer_knows_is_never_injected(site: Pipeline, listing: EventList, customer: str) -> None:
    """Its row may be gone because it was applied long ago."""
    listing.add(payment(customer, 1), ago=5 * DAYS)
    listing.add(payment(customer, 1), ago=2 * DAYS)
    dropped = datetime.now(UTC).date() - timedelta(days=4)
    site.ledger.run(f"INSERT INTO sluice_meta (name, value) VALUES ('dropped_before', '{dropped}')")
    report = reconciled(site, *ALL, ends_with=1, since="20d")
    assert "no longer knows" in report["cuts"][-1]
    assert site.published() == [listing.events[1].id]


def test_the_end_of_the_window_is_outside(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(2, customer), ago=OLD)
    created = json.loads(listing.events[0].body)["created"]
    second = datetime.fromtimestamp(created, UTC)
    def between(begin: datetime, end: datetime) -> subprocess.CompletedProcess[str]:
        return site.reconcile("--from", f"{begin:%FT%TZ}", "--to", f"{end:%FT%TZ}", "--json")
    hour = timedelta(hours=1)
    assert json.loads(between(second - hour, second).stdout)["listed"] == 0
    assert json.loads(between(second, second + timedelta(seconds=1)).stdout)["listed"] == 2


def test_only_events_whose_webhook_failed(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=3 * DAYS)
    listing.add(payment(customer, 1), ago=3 * DAYS, delivered=False)
    report = reconciled(site, "--delivery-failed", ends_with=1, since="5d")
    assert ids(report) == {listing.events[1].id} and report["listed"] == 1
    assert report["not_there"] is None and "delivery failed" in report["why_not_compared"]


def test_a_file_of_ids_needs_no_list(pipeline: Pipeline, customer: str) -> None:
    applied, dead, missed = some(3, customer)
    pipeline.consumer()
    webhooks(pipeline, applied, dead)
    pipeline.ledger.expect_applied(applied, dead)
    pipeline.ledger.run(f"UPDATE inbox SET status = 'dead' WHERE event_id = '{dead.id}'")
    file = pipeline.folder / "ids.txt"
    file.write_text("\n".join([applied.id, missed.id, "", dead.id, applied.id]))
    of_file = ("--source", "stripe-eu", "--json", "--file", str(file))
    said = pipeline.reconcile(*of_file)
    assert said.returncode == 1, said.stdout + said.stderr
    report = json.loads(said.stdout)
    assert ids(report) == {missed.id} and ids(report, "not_applied") == {dead.id} and report["listed"] == 3
    webhooks(pipeline, missed)
    pipeline.ledger.expect_status(missed, "done")
    assert pipeline.reconcile(*of_file).returncode == 0
    assert pipeline.ledger.query("SELECT kind, listed, missing, ended_at IS NOT NULL FROM reconciliation ORDER BY began_at") == [
        ("file", 3, 1, 1), ("file", 3, 0, 1)]


@pytest.mark.parametrize("applies", [True, False])
def test_while_a_poller_runs_it_compares_by_itself(pipeline: Pipeline, listing: EventList, customer: str, applies: bool) -> None:
    """The walk begins with now, and behind the first event that is here two are missing."""
    pipeline.polls(listing, budget=100, reconcile={"every": "6h", "apply": applies})
    listing.add(payment(customer, 1), ago=2 * OLD)
    listing.add(*some(2, customer), ago=OLD)
    pipeline.consumer()
    webhooks(pipeline, listing.events[0])
    pipeline.ledger.expect_applied(listing.events[0])
    served_for_hours(pipeline)
    first = pipeline.poller()
    first.expect_metric(2, "sluice_poller_reconciled_events", source=POLLED, result="missing")
    if applies:
        pipeline.ledger.expect_applied(*listing.events)
    assert len(pipeline.published()) == (3 if applies else 1)
    assert pipeline.ledger.query("SELECT kind, applies, missing, operator FROM reconciliation") == [("continuous", applies, 2, None)]
    first.stop()
    second = pipeline.poller()
    second.expect_metric(2, "sluice_poller_reconciled_events", source=POLLED, result="missing")
    assert pipeline.ledger.query("SELECT COUNT(*) FROM reconciliation") == [(1,)], "the next one is due in six hours"


def test_a_comparison_that_waits_for_the_provider_ends_with_the_poller(pipeline: Pipeline, listing: EventList) -> None:
    pipeline.polls(listing, budget=100, reconcile={"every": "6h"})
    listing.limit(0, retry_after="3600")
    poller = pipeline.poller()
    poller.expect_metric(1, "sluice_poller_leading", source=POLLED)
    assert poller.stop(10) == 0


REFUSED = [
    ([], "give --from TIME, or --file FILE"),
    (["--file", "ids.txt", "--apply"], "a file has their ids alone"),
    (["--file", "ids.txt", "--from", "1d"], "are for a list"),
    (["--file", "/nowhere"], "/nowhere cannot be read"),
    (["--file", "/dev/null"], "there is no id in it"),
    (["--from", "1d", "--apply", "--reason", "x"], "give --operator"),
    (["--from", "1d", "--apply", "--operator", "ada"], "give --reason"),
    (["--from", "yesterday"], "--from must be a time"),
    (["--from", "5m"], "younger events may not be listed yet"),
    (["--from", "90d", "--to", "60d"], "the provider may have forgotten"),
    (["--from", "1d", "--source", "stripe-eu"], "no source \"stripe-eu\" with poll"),
    (["--from", "1d", "--once"], "once")]


def test_what_cannot_be_done_as_it_is_asked_for(site: Pipeline) -> None:
    for arguments, says in REFUSED:
        refused = site.reconcile(*arguments)
        assert refused.returncode == 2 and says in refused.stderr, refused.stdout + refused.stderr


def test_where_the_provider_does_not_answer_nothing_is_said_to_be_complete(site: Pipeline, listing: EventList) -> None:
    listing.fail(401)
    report = reconciled(site, ends_with=3)
    assert not report["finished"] and "401" in report["broken_off"]
    assert site.ledger.query("SELECT COUNT(*) FROM reconciliation WHERE ended_at IS NOT NULL") == [(0,)]


def test_a_table_for_people(site: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    said = site.reconcile("--from", "1d").stdout
    assert f"of {POLLED} (stripe/acct_main)" in said and listing.events[0].id in said and "missing here" in said
