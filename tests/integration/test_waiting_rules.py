"""An event that waits is judged by the effects that run when its turn comes, not by those that ran when it came."""

from __future__ import annotations

import copy
import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

PAY = {"name": "pay-order", "when": {"payment": "paid"}, "set": {
    "table": "shop_order", "key": {"no": ":reference"}, "row": {"status": "PAID", "paid_by": ":transaction"},
    "when": {"amount": [":amount"]}, "missing": "defer"}}
PAY_ANY_AMOUNT = copy.deepcopy(PAY)
del PAY_ANY_AMOUNT["set"]["when"]
CHECK = {"name": "amount-differs", "when": {"payment": "paid"}, "decide": {
    "select": "SELECT IF(amount = :amount, 'done', 'park:amount_mismatch') FROM shop_order WHERE no = :reference", "none": "ignore"}}
NOTE = {"name": "note", "when": {"payment": "paid"}, "insert": {"table": "note", "row": {"event": ":event_id"}}}


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY)
    pipeline.ledger.run("CREATE TABLE note (event VARBINARY(255) PRIMARY KEY)")
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def payment_that_waits(shop: Pipeline, ingress: Program) -> None:
    before = shop.consumer(role="both")
    pay(shop, ingress, "alipay", "O-late")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status = 'deferred'") == [(1,)], "the payment to wait")
    assert before.stop() == 0


def with_effects(shop: Pipeline, *effects: dict) -> None:
    shop.config["effects"] = list(effects)
    shop.consumer(role="both")


def make_order(shop: Pipeline, amount: int) -> None:
    shop.ledger.run(f"INSERT INTO shop_order (no, amount) VALUES ('O-late', {amount})")


def test_check_that_became_an_effect_of_its_own_holds_for_what_waited(shop: Pipeline, ingress: Program) -> None:
    payment_that_waits(shop, ingress)
    make_order(shop, amount=999_999)
    with_effects(shop, CHECK, PAY_ANY_AMOUNT)
    wait_for(lambda: shop.ledger.query("SELECT error_class FROM dead_letter") == [(b"amount_mismatch",)], "the case", within=60)
    assert order_of(shop, "O-late")[0] == "PENDING"


def test_effect_that_was_added_since_is_applied_too(shop: Pipeline, ingress: Program) -> None:
    payment_that_waits(shop, ingress)
    make_order(shop, amount=8888)
    with_effects(shop, PAY, NOTE)
    wait_for(lambda: order_of(shop, "O-late")[0] == "PAID", "the payment", within=60)
    assert shop.ledger.query("SELECT COUNT(*) FROM note") == [(1,)], "in the same transaction"
    [[had]] = shop.ledger.query("SELECT had_effects FROM inbox")
    assert json.loads(had) == ["pay-order", "note"]


def test_event_that_no_effect_wants_any_more_is_ignored(shop: Pipeline, ingress: Program) -> None:
    payment_that_waits(shop, ingress)
    make_order(shop, amount=8888)
    with_effects(shop, {**PAY, "when": {"payment": "closed"}})
    wait_for(lambda: shop.ledger.query("SELECT status FROM inbox") == [("ignored",)], "its turn", within=60)
    assert order_of(shop, "O-late")[0] == "PENDING"
