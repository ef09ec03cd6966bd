"""`after_case: pass`: a case waits for a person, and later events of its object do not wait for it."""

from __future__ import annotations

import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import new_order, open_shop, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

PAY = {"name": "pay-order", "when": {"payment": "paid"}, "after_case": "pass", "while_deferred": "hold",
       "decide": {"none": "defer", "select": "SELECT IF(amount = :amount, 'done', IF(:amount = 200, 'park', 'park:amount_mismatch')) FROM shop_order"
                                             " WHERE no = :reference FOR UPDATE"},
       "add": {"table": "shop_sum", "key": {"no": ":reference"}, "column": "paid", "by": ":amount"}}
SUMS = "CREATE TABLE shop_sum (no VARCHAR(64) PRIMARY KEY, paid BIGINT NOT NULL DEFAULT 0)"
WRONG, RIGHT, BREAKS = "/total_amount=1.00", "/total_amount=88.88", "/total_amount=2.00"


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY)
    pipeline.ledger.run(SUMS)
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def order(shop: Pipeline, name: str = "") -> str:
    no = name or new_order(shop)
    shop.ledger.run(f"INSERT INTO shop_sum (no) VALUES ('{no}')")
    return no


def pay_once(shop: Pipeline, ingress: Program, no: str, amount: str) -> None:
    pay(shop, ingress, "alipay", no, amount, "/trade_no=T-one")  # the object


def expect_paid(shop: Pipeline, no: str, fen: int) -> None:
    wait_for(lambda: shop.ledger.query(f"SELECT paid FROM shop_sum WHERE no = '{no}'") == [(fen,)], f"{fen} fen of {no}")


def expect_lane(shop: Pipeline, *statuses: str) -> None:
    wait_for(lambda: shop.ledger.query("SELECT status FROM lane_event ORDER BY position") == [(each,) for each in statuses], f"{statuses}")


def ctl(shop: Pipeline, *words: str) -> dict:
    result = shop.ctl(*words, "--json")
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)


def end_cases(shop: Pipeline, action: str) -> dict:
    return ctl(shop, "dlq", action, "--kind", "case", "--operator", "kim", "--reason", "looked at", "--apply")


def test_later_events_do_not_wait_for_a_case(shop: Pipeline, ingress: Program) -> None:
    consumer = shop.consumer(role="both")
    no = order(shop)
    pay_once(shop, ingress, no, WRONG)
    expect_lane(shop, "dead")
    for _ in range(2):
        pay_once(shop, ingress, no, RIGHT)
    expect_paid(shop, no, 2 * 8888)
    pay_once(shop, ingress, no, WRONG)
    expect_lane(shop, "dead", "dead")
    consumer.expect_metric(2, "sluice_consumer_cases_open", **{"class": "amount_mismatch"})
    consumer.expect_metric(2, "sluice_consumer_lane_events", state="open")
    consumer.expect_metric(0, "sluice_consumer_lanes_held_by_cases")
    planned = ctl(shop, "dlq", "skip", "--kind", "case", "--operator", "kim", "--reason", "looked at")
    assert (planned["total"], planned["waiting_behind"]) == (2, 0), planned
    assert end_cases(shop, "skip")["carried_out"] == 2
    expect_lane(shop)


def test_what_waited_goes_on_past_one_that_becomes_a_case(shop: Pipeline, ingress: Program) -> None:
    """The retry role finds the case, with the others behind it already."""
    shop.consumer(role="both")
    for amount in (WRONG, RIGHT, WRONG, RIGHT):
        pay_once(shop, ingress, "O-late", amount)
    wait_for(lambda: len(shop.ledger.query("SELECT status FROM lane_event")) == 4, "all to wait")
    order(shop, "O-late")
    shop.ledger.run("INSERT INTO shop_order (no, amount) VALUES ('O-late', 8888)")
    expect_paid(shop, "O-late", 2 * 8888)
    expect_lane(shop, "dead", "dead")


def test_case_that_is_retried_holds_its_object_until_it_is_through(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    no = order(shop)
    for amount in (WRONG, RIGHT):
        pay_once(shop, ingress, no, amount)
    expect_paid(shop, no, 8888)
    shop.ledger.run(f"UPDATE shop_order SET amount = 100 WHERE no = '{no}'")
    assert end_cases(shop, "retry")["carried_out"] == 1
    expect_paid(shop, no, 8988)
    expect_lane(shop)


def test_only_what_the_plan_named_is_ended(shop: Pipeline, ingress: Program) -> None:
    """The second case stood beside the first all the time: nothing brought it up."""
    shop.consumer(role="both")
    no = order(shop)
    for amount in (WRONG, WRONG, BREAKS, RIGHT):
        pay_once(shop, ingress, no, amount)
    expect_lane(shop, "dead", "dead", "dead", "parked")
    first, second, broken = (each["id"] for each in ctl(shop, "dlq", "list")["entries"])
    ended = ctl(shop, "dlq", "skip", str(first), str(broken), "--with-behind", "--operator", "kim", "--reason", "looked at", "--apply")
    assert (ended["carried_out"], ended["opened_behind"]) == (2, []), ended
    expect_paid(shop, no, 8888)
    assert [each["id"] for each in ctl(shop, "dlq", "list")["entries"]] == [second]


@pytest.mark.parametrize("status", ["parked", "retry", "deferred"])
def test_what_an_older_release_left_behind_it_is_woken(shop: Pipeline, ingress: Program, status: str) -> None:
    """That release knows nothing of the column: behind the case it parks, and leaves what waits to an operator."""
    shop.config["effects"] = [{**PAY, "after_case": "hold"}]
    consumer = shop.consumer(role="both")
    no = order(shop)
    for amount in (WRONG, RIGHT):
        pay_once(shop, ingress, no, amount)
    expect_lane(shop, "dead", "parked")
    consumer.stop()
    shop.ledger.run("UPDATE lane_event SET lets_pass = 1 WHERE status = 'dead'")
    shop.ledger.run(f"UPDATE lane_event SET status = '{status}', due_at = UTC_TIMESTAMP(6) WHERE status = 'parked'")
    shop.config["effects"] = [PAY]
    shop.consumer(role="both")
    expect_paid(shop, no, 8888)
    expect_lane(shop, "dead")
