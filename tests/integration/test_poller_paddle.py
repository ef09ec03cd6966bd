"""A list that cannot be asked by time: Paddle's, whose ids sort as its events were created."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.support.effects import EFFECTS
from tests.support.events import fresh_id
from tests.support.paddle_list import PaddleList, transaction
from tests.support.pipeline import Pipeline

SOURCE = "paddle-list"
DAY = 86400.0
OLD = 1200.0  # seconds: older than the overlap


@pytest.fixture
def listing() -> Iterator[PaddleList]:
    running = PaddleList(key="pdl_test_apikey_1")
    yield running
    running.close()


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("ctm")
    pipeline.ledger.open_wallet(name)
    return name


def polls(pipeline: Pipeline, listing: PaddleList, **poll: object) -> Pipeline:
    """The account's list alone, and the wallets that its payments fill."""
    pipeline.secrets["TEST_PADDLE_API_KEY"] = listing.key
    pipeline.config["sources"] = [{
        "name": SOURCE, "recipe": "paddle", "principal": "main",
        "poll": {"key": {"env": "TEST_PADDLE_API_KEY"}, "url": listing.url, "allow": ["127.0.0.1"], **poll}}]
    pipeline.config["effects"] = [{
        **EFFECTS[0], "when": {"source": SOURCE, "type": "transaction.completed"},
        "let": {"customer": "/data/customer_id", "amount": {"pointer": "/data/details/totals/grand_total", "as": "int64"}}}]
    return pipeline


def ids(listing: PaddleList, first: int = 0) -> list[str]:
    return sorted(event.id for event in listing.events[first:])


def test_events_become_rows_and_a_second_run_goes_on_behind_them(pipeline: Pipeline, listing: PaddleList, customer: str) -> None:
    polls(pipeline, listing, since="7d")
    listing.add(*(transaction(customer, 1000) for _ in range(3)), ago=8 * DAY)
    listing.add(*(transaction(customer, 1) for _ in range(450)), ago=6 * DAY)
    pipeline.consumer()
    pipeline.poll_once()
    pipeline.ledger.expect_applied(*listing.events[3:])
    pipeline.ledger.expect_balance(customer, 450)
    asked = len(listing.asked)
    listing.add(transaction(customer, 7), ago=OLD)
    pipeline.poll_once()
    # More than once where Kafka was slow to take it.
    assert {one.parameter("after") for one in listing.asked[asked:]} == {listing.events[-2].id}
    pipeline.ledger.expect_balance(customer, 457)
    assert pipeline.published() == ids(listing, 3)


def test_since_now_leaves_what_was_before_and_takes_what_becomes_visible_late(
        pipeline: Pipeline, listing: PaddleList, customer: str) -> None:
    polls(pipeline, listing)
    listing.add(*(transaction(customer, 1000) for _ in range(5)), ago=OLD)
    listing.add(transaction(customer, 1), ago=120, visible_in=60)
    listing.add(transaction(customer, 1), ago=60)
    pipeline.poll_once()
    assert pipeline.published() == ids(listing, 6)
    listing.pass_time(60)
    pipeline.poll_once()
    assert pipeline.published() == ids(listing, 5)


def test_a_place_that_is_gone_is_a_gap_and_the_walk_goes_on_with_the_oldest_event(
        pipeline: Pipeline, listing: PaddleList, customer: str) -> None:
    polls(pipeline, listing, since="1d")
    listing.add(transaction(customer, 1), ago=OLD)
    pipeline.poll_once()
    before = pipeline.published()
    pipeline.ledger.run("UPDATE poll_walk SET at_created = at_created - INTERVAL 100 DAY,"
                        " complete_until = complete_until - INTERVAL 100 DAY, at_id = 'evt_forgotten'")
    listing.add(*(transaction(customer, 1) for _ in range(250)), ago=80 * DAY)
    program = pipeline.poll_once()
    assert program.decisions("poll_gap")
    assert set(pipeline.published()) == {*before, *ids(listing)}


def test_what_is_missing_is_found(pipeline: Pipeline, listing: PaddleList, customer: str) -> None:
    polls(pipeline, listing, since="7d", budget=100)
    listing.add(*(transaction(customer, 1000) for _ in range(3)), ago=4 * DAY)
    listing.add(*(transaction(customer, 1) for _ in range(250)), ago=2 * DAY)
    pipeline.consumer()
    repair = ("--source", SOURCE, "--from", "3d", "--apply", "--operator", "ada", "--reason", "a test", "--before-first", "--json")
    report = pipeline.reconcile(*repair)
    assert report.returncode == 1 and json.loads(report.stdout)["injected"] == 250, report.stdout[:800] + report.stderr
    pipeline.ledger.expect_applied(*listing.events[3:])
    pipeline.ledger.expect_balance(customer, 250)
    assert pipeline.reconcile(*repair).returncode == 0
