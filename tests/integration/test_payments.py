"""One effect for the payments of four providers: `sluicectl send` -> ingress -> Kafka -> consumer -> one table of orders."""

from __future__ import annotations

import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import SAYS, new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

PAY = {"name": "pay-order", "when": {"payment": "paid"}, "set": {
    "table": "shop_order", "key": {"no": ":reference"},
    "row": {"status": "PAID", "paid_by": ":transaction", "source": ":source", "paid_at": ":paid_at"},
    "when": {"status": ["PENDING", "PAID"], "amount": [":amount"], "currency": [":currency"], "paid_by": [None, ":transaction"]},
    "otherwise": "park", "missing": "defer"}}
CLOSE = {"name": "close-order", "when": {"payment": "closed"}, "sql": [
    {"run": "UPDATE shop_order SET status = 'CLOSED' WHERE no = :reference AND status = 'PENDING'", "rows": {0: "ignore", 1: "done"}}]}

@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY, CLOSE)
    pipeline.consumer()
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def expect_reason(shop: Pipeline, *words: str) -> None:
    def reasons() -> str:
        return json.dumps(shop.ledger.query("SELECT error_text FROM inbox WHERE error_text IS NOT NULL"), default=str)
    wait_for(lambda: all(word in reasons() for word in words), f"a dead letter that says {words}; there is {reasons()}")


@pytest.mark.parametrize("source", SAYS)
def test_one_effect_takes_the_payments_of_every_provider(shop: Pipeline, ingress: Program, source: str) -> None:
    order = new_order(shop, currency="USD" if source == "stripe" else "CNY")
    pay(shop, ingress, source, order)
    wait_for(lambda: order_of(shop, order) == ("PAID", source, 1), "the payment")


def test_another_amount_is_for_a_person(shop: Pipeline, ingress: Program) -> None:
    order = new_order(shop, amount=8889)
    pay(shop, ingress, "alipay", order)
    expect_reason(shop, "pay-order", "when does not hold")
    assert order_of(shop, order)[0] == "PENDING"


def test_an_amount_that_is_none_parks_with_what_stands_there(shop: Pipeline, ingress: Program) -> None:
    order = new_order(shop)
    pay(shop, ingress, "alipay", order, "/total_amount=88.888")
    expect_reason(shop, "effect pay-order: :amount: /total_amount is", "88.888", "CNY has 2 decimals")
    assert order_of(shop, order)[0] == "PENDING"


def test_what_is_no_payment_is_ignored(shop: Pipeline, ingress: Program) -> None:
    """UnionPay's answer says that the money has not moved; WeChat's refund is of another kind."""
    order = new_order(shop)
    pay(shop, ingress, "unionpay", order, "/txnAmt=8888", "/respCode=05")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status = 'ignored'") == [(1,)], "the event that is ignored")
    assert order_of(shop, order)[0] == "PENDING"


def test_a_trade_that_is_closed_closes_its_order_once(shop: Pipeline, ingress: Program) -> None:
    order, paid = new_order(shop), new_order(shop)
    pay(shop, ingress, "alipay", paid)
    wait_for(lambda: order_of(shop, paid)[0] == "PAID", "the payment")
    for each in (order, paid):
        pay(shop, ingress, "alipay", each, "/trade_status=TRADE_CLOSED")
    wait_for(lambda: order_of(shop, order)[0] == "CLOSED", "the closed trade")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'ignored')") == [(3,)], "all three")
    assert order_of(shop, paid)[0] == "PAID"
