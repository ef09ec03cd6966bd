"""A provider that refuses, limits, breaks off or says nonsense: retries with manners, and no event is lost."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support.event_list import EventList, Fault, cut_short, hangs_up, says
from tests.support.events import Event, payment, printed
from tests.support.pipeline import POLLED, Pipeline
from tests.support.wait import wait_for

OLD = 1200.0  # seconds: older than the overlap
CONCERN = f"poll {POLLED}"


@pytest.fixture
def polling(pipeline: Pipeline, listing: EventList) -> Pipeline:
    pipeline.polls(listing, since="1d")
    return pipeline


def ids(events: list[Event]) -> list[str]:
    return sorted(event.id for event in events)


PASSING: dict[str, list[Fault]] = {
    "server errors": [500, 503, 502], "cut": [cut_short, cut_short], "hung up": [hangs_up, 500, hangs_up],
    "no page": [says(b"<html>"), says(b'{"data": 1}'), says(b'{"object": "list", "data": [], "has_more": "no"}')], "empty": [says(b"")]}


@pytest.mark.parametrize("faults", PASSING.values(), ids=PASSING)
def test_what_passes_is_tried_again(polling: Pipeline, listing: EventList, faults: list[Fault]) -> None:
    listing.add(*(payment("cus_1", 1) for _ in range(150)), ago=OLD)
    listing.fail(*faults)
    program = polling.poll_once()
    assert polling.published() == ids(listing.events)
    # Where a kept connection had gone, libcurl has asked once more by itself.
    assert 1 <= len(program.decisions("poll_request_failed")) <= len(faults)


def test_three_retries_then_the_source_is_in_trouble_and_slow(polling: Pipeline, listing: EventList) -> None:
    listing.add(payment("cus_1", 1), ago=OLD)
    listing.fail(*[500] * 5)
    program = polling.poller()
    wait_for(lambda: program.decisions("poll_works_again"), "it to work again")
    assert len(program.decisions("poll_in_trouble")) == 1
    waits = [line["wait_ms"] for line in program.decisions("poll_request_failed")]
    assert len(waits) == 5 and all(low * 750 <= wait <= low * 1000 for low, wait in zip((2, 4, 8), waits, strict=False)), waits
    assert all(wait >= 45_000 for wait in waits[3:]), waits
    wait_for(lambda: polling.published() == ids(listing.events), "the event to be published")


def test_a_key_that_is_refused_is_trouble_at_once(polling: Pipeline, listing: EventList) -> None:
    polling.secrets["TEST_STRIPE_API_KEY"] = "rk_test_that_is_wrong"
    program = polling.poller(start=False).start()
    program.expect_degraded(CONCERN, "401")
    program.expect_metric(1, "sluice_poller_in_trouble", source=POLLED)
    age = program.metric("sluice_poller_complete_seconds", source=POLLED)
    wait_for(lambda: program.metric("sluice_poller_complete_seconds", source=POLLED) > age, "the checkpoint, which stands, to grow older")
    assert "rk_test_that_is_wrong" not in program.out.read_text()


def test_a_limit_is_waited_out(polling: Pipeline, listing: EventList) -> None:
    listing.add(*(payment("cus_1", 1) for _ in range(250)), ago=OLD)
    listing.limit(2, retry_after="2")
    program = polling.poller()
    wait_for(lambda: program.metric("sluice_poller_requests_total", source=POLLED, result="limited") >= 2, "two refusals")
    first, second = [asked.time for asked in listing.asked][2:4]
    assert second - first > 1.9, "Retry-After was not kept"
    listing.unlimit()
    wait_for(lambda: polling.published() == ids(listing.events), "all to be read")
    assert not program.decisions("poll_in_trouble")


def test_a_limit_of_a_page_that_was_asked_for_early_is_waited_out(polling: Pipeline, listing: EventList) -> None:
    """The page before it is not kept, so that nobody reads the answer."""
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    listing.add(*(payment("cus_1", 1) for _ in range(250)), ago=OLD / 2)
    listing.fail(0, says(b"", 429, retry_after="3600"))
    asked = len(listing.asked)
    program = polling.poller("poller.after_claim=delay:1000@1;poller.after_claim=error@1")
    program.expect_metric(1, "sluice_poller_requests_total", source=POLLED, result="limited")
    age = program.metric("sluice_poller_complete_seconds", source=POLLED)
    wait_for(lambda: program.metric("sluice_poller_complete_seconds", source=POLLED) > age, "the walk to look again whether it may ask")
    assert len(listing.asked) == asked + 2


def test_nothing_is_asked_for_early_while_pages_are_not_kept(polling: Pipeline, listing: EventList) -> None:
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    place = listing.events[-1].id
    listing.add(*(payment("cus_1", 1) for _ in range(250)), ago=OLD / 2)
    asked = len(listing.asked)
    polling.poller("poller.after_claim=error")
    wait_for(lambda: len(listing.asked) >= asked + 6, "the page to be asked for again")
    assert sum(one.parameter("ending_before") != place for one in listing.asked[asked:]) <= 1


def held_back(listing: EventList, until: threading.Event) -> Fault:
    """The page, but not before."""
    def answer(handler: BaseHTTPRequestHandler) -> None:
        until.wait(30)
        says(printed(listing.page(parse_qsl(urlsplit(handler.path).query))))(handler)
    return answer


def test_a_walk_that_hangs_is_not_alive_and_one_that_catches_up_is(polling: Pipeline, listing: EventList) -> None:
    """Pages that were asked for early are read without a pause between them."""
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    listing.add(*(payment("cus_1", 1) for _ in range(350)), ago=OLD / 2)
    first, second, third = (threading.Event() for _ in range(3))
    listing.fail(*(held_back(listing, until) for until in (first, second, third)))
    asked = len(listing.asked)
    program = polling.poller(start=False)
    program.environment["SLUICE_HURRY"] = "100"
    program.start().ready()
    first.set()
    wait_for(lambda: program.get("/livez")[0] == 503, "the walk to be taken for one that hangs")
    second.set()
    wait_for(lambda: len(listing.asked) == asked + 3, "the third page to be asked for")
    wait_for(lambda: program.get("/livez")[0] == 200, "the walk to be alive again", within=10)
    third.set()
    wait_for(lambda: len(set(polling.published())) == 351, "all to be read")


def test_an_event_that_cannot_be_read_goes_to_quarantine_and_its_page_goes_on(polling: Pipeline, listing: EventList) -> None:
    good = [payment("cus_1", 1) for _ in range(3)]
    odd = payment("cus_1", 1)
    listing.add(good[0], odd, *good[1:], ago=OLD)
    listing.spoil(odd, type=None)
    polling.poll_once()
    assert polling.published() == ids(good)
    assert polling.log.count(polling.quarantine) == 1


def test_an_event_without_an_id_goes_to_quarantine_once(polling: Pipeline, listing: EventList) -> None:
    good = [payment("cus_1", 1) for _ in range(3)]
    odd = payment("cus_1", 1)
    listing.add(good[0], odd, *good[1:], ago=OLD)
    listing.spoil(odd, id=None)
    polling.poll_once()
    assert polling.published() == ids(good)
    assert polling.log.count(polling.quarantine) == 1


def test_a_page_that_is_too_long_is_asked_for_in_smaller_pieces(polling: Pipeline, listing: EventList) -> None:
    polling.config["sources"][-1]["poll"]["most_page"] = "1MiB"
    listing.add(*(payment("c" * 30_000, 1) for _ in range(100)), ago=OLD)
    polling.poll_once()
    assert polling.published() == ids(listing.events)


def test_a_page_that_is_none_stops_this_walk_and_no_other(polling: Pipeline, listing: EventList) -> None:
    other = EventList(key=listing.key)
    polling.config["sources"].append({**polling.config["sources"][-1], "name": "stripe-us-list", "principal": "acct_us",
                                      "poll": {**polling.config["sources"][-1]["poll"], "url": other.url}})
    other.add(payment("cus_1", 1), ago=OLD)
    listing.fail(*[says(b"<html>")] * 50)
    program = polling.poller()
    program.expect_metric(1, "sluice_poller_halted", source=POLLED)
    wait_for(lambda: polling.published() == ids(other.events), "the other one to be read")
    program.expect_metric(0, "sluice_poller_halted", source="stripe-us-list")
    other.close()


def test_kafka_away_moves_no_checkpoint(polling: Pipeline, listing: EventList) -> None:
    listing.add(*(payment("cus_1", 1) for _ in range(20)), ago=OLD)
    polling.config["kafka"]["brokers"] = ["127.0.0.1:1"]
    program = polling.poller(start=False).start()
    program.expect_not_ready("kafka")
    wait_for(lambda: listing.asked and polling.ledger.query("SELECT 1 FROM poll_walk"), "a page to be asked for")
    assert polling.ledger.query("SELECT at_id, moved_at FROM poll_walk") == [(None, None)]


def test_a_paused_poller_cannot_move_the_checkpoint_back(polling: Pipeline, listing: EventList) -> None:
    listing.add(*(payment("cus_1", 1) for _ in range(20)), ago=OLD)
    frozen = polling.poller("poller.before_move=stop@1", start=False)
    frozen.start("poller.before_move=stop@1")
    wait_for(lambda: frozen.frozen, "the first one to freeze")
    listing.add(*(payment("cus_1", 1) for _ in range(20)), ago=OLD / 2)
    second = polling.poller()
    newest = listing.events[-1].id.encode()
    wait_for(lambda: polling.ledger.query("SELECT at_id FROM poll_walk") == [(newest,)], "the second one to walk")
    frozen.resume()
    wait_for(lambda: frozen.decisions("poll_standby"), "the first one to see that it lost its lease")
    assert polling.ledger.query("SELECT at_id FROM poll_walk") == [(newest,)]
    second.expect_metric(1, "sluice_poller_leading", source=POLLED)
    frozen.expect_metric(0, "sluice_poller_complete_seconds", source=POLLED)
    assert polling.published().count(listing.events[0].id) >= 1


def test_a_checkpoint_that_the_provider_forgot_is_told(polling: Pipeline, listing: EventList) -> None:
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    polling.ledger.run("UPDATE poll_walk SET at_id = 'evt_gone', at_created = at_created - INTERVAL 40 DAY,"
                       " complete_until = complete_until - INTERVAL 40 DAY")
    listing.add(payment("cus_1", 1), ago=OLD / 2)
    program = polling.poll_once()
    assert program.decisions("poll_gap") and polling.published() == ids(listing.events)


def test_another_accounts_checkpoint_is_not_used(polling: Pipeline, listing: EventList) -> None:
    polling.poll_once()
    polling.config["sources"][-1]["principal"] = "acct_other"
    program = polling.poller(start=False).start()
    program.expect_not_ready("acct_main")
    program.expect_metric(1, "sluice_poller_halted", source=POLLED)
    polling.ledger.run("DELETE FROM poll_walk")
    program.expect_metric(1, "sluice_poller_leading", source=POLLED)
    program.expect_metric(0, "sluice_poller_halted", source=POLLED)


def test_a_job_ends_at_once_where_requests_fail(polling: Pipeline, listing: EventList) -> None:
    listing.fail(*[500] * 50)
    program = polling.poll_once(ends_with=1)
    assert len(program.decisions("poll_request_failed")) == 4


def test_a_key_that_no_header_may_have_is_trouble(polling: Pipeline, listing: EventList) -> None:
    polling.secrets["TEST_STRIPE_API_KEY"] = "rk_test_1\r\nHost: elsewhere"
    program = polling.poll_once(ends_with=1)
    assert not listing.asked and "poll.key" in program.decisions("poll_in_trouble")[0]["reason"]


def test_the_walk_stands_before_an_event_that_the_topic_does_not_take(polling: Pipeline, listing: EventList) -> None:
    before, large, behind = (payment("cus_1", 1) for _ in range(3))
    for event, ago in ((before, OLD), (large, OLD - 10), (behind, OLD - 20)):
        listing.add(event, ago=ago)
    listing.spoil(large, note="x" * 2_000_000)
    polling.poll_once(ends_with=1)
    program = polling.poller()
    program.expect_metric(1, "sluice_poller_halted", source=POLLED)
    program.expect_degraded(CONCERN, large.id)
    polling.expect_published(before)
    assert polling.ledger.query("SELECT at_id FROM poll_walk") == [(before.id.encode(),)]


def test_a_key_of_another_account_reads_nothing(polling: Pipeline, listing: EventList) -> None:
    """The event of the checkpoint is unknown, though it is young. Going on by time would take the other account's events."""
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    others = EventList(key=listing.key)
    others.add(payment("cus_2", 1), ago=OLD / 2)
    before = polling.ledger.query("SELECT at_id, complete_until FROM poll_walk")
    polling.config["sources"][-1]["poll"]["url"] = others.url
    program = polling.poll_once(ends_with=1)
    assert "another account" in program.decisions("poll_in_trouble")[0]["reason"]
    assert polling.published() == ids(listing.events)
    assert polling.ledger.query("SELECT at_id, complete_until FROM poll_walk") == before
    others.close()


def test_a_provider_whose_clock_is_wrong_is_not_believed(polling: Pipeline, listing: EventList) -> None:
    listing.add(payment("cus_1", 1), ago=OLD)
    listing.pass_time(5 * 3600)
    program = polling.poll_once(ends_with=1)
    assert "clock" in program.decisions("poll_in_trouble")[0]["reason"]
    assert polling.ledger.query("SELECT at_id, moved_at FROM poll_walk") == [(None, None)]


def test_an_event_without_an_id_alone_at_the_end_holds_nobody_up(polling: Pipeline, listing: EventList) -> None:
    first, odd, last = (payment("cus_1", 1) for _ in range(3))
    listing.add(first, ago=OLD)
    polling.poll_once()
    listing.add(odd, ago=OLD - 10)
    listing.spoil(odd, id=None)
    polling.poll_once()
    listing.add(last, ago=OLD - 20)
    polling.poll_once()
    assert polling.published() == ids([first, last])


def test_a_lease_that_is_given_back_is_free_at_once(polling: Pipeline, listing: EventList) -> None:
    polling.poller().stop()
    assert polling.ledger.query("SELECT holder FROM poll_walk") == [(None,)]


def test_a_first_walk_begins_where_the_newest_event_before_it_has_no_id(polling: Pipeline, listing: EventList) -> None:
    before, odd, wanted = (payment("cus_1", 1) for _ in range(3))
    listing.add(before, ago=2 * 86400 + 20)
    listing.add(odd, ago=2 * 86400)
    listing.add(wanted, ago=OLD)
    listing.spoil(odd, id=None)
    polling.poll_once()
    assert polling.published() == [wanted.id]
