"""Values of effects without the recipes' payment facts: three channels in one effect, each with its own way to write an amount."""

from __future__ import annotations

import base64
import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CHANNELS = ["alipay", "unionpay", "wechat-pay"]
PAID_WHEN = {"source": CHANNELS, "body": [
    {"/trade_status": ["TRADE_SUCCESS", "TRADE_FINISHED"]}, {"/respCode": ["00", "A6"], "/txnType": "01"}, {"/decrypted/trade_state": "SUCCESS"}]}
LET = {
    "order": ["/out_trade_no", "/decrypted/out_trade_no", "/orderId"],
    "trade": ["/trade_no", "/decrypted/transaction_id", "/queryId"],
    "amount": [{"pointer": "/total_amount", "as": "minor", "currency": "CNY"},
               {"pointer": ["/decrypted/amount/total", "/txnAmt"], "as": "int64"}],
    "yuan": [{"pointer": ["/decrypted/amount/total", "/txnAmt"], "as": "decimal", "currency": "CNY"}, "/total_amount"],
    "channel": {"event": "provider", "map": {"alipay": "ali", "unionpay": "union", "wechat-pay": "wechat"}},
    "at": [{"pointer": "/gmt_payment", "as": "time", "forms": "rfc3339", "zone": "+08:00"},
           {"pointer": "/txnTime", "as": "time", "forms": "compact", "zone": "+08:00"},
           {"pointer": "/decrypted/success_time", "as": "time"}],
    "attach": {"pointer": ["/passback_params", "/decrypted/attach", "/reqReserved"], "default": "none"},
    "buyer": {"pointer": "/decrypted/payer", "as": "json", "optional": True},
    "raw": {"pointer": "/note", "as": "base64", "optional": True},
}
PAY = {"name": "pay-order", "when": PAID_WHEN, "let": {name: LET[name] for name in ("order", "trade", "amount", "at")}, "set": {
    "table": "shop_order", "key": {"no": ":order"}, "row": {"status": "PAID", "paid_by": ":trade", "source": ":source", "paid_at": ":at"},
    "when": {"status": ["PENDING", "PAID"], "amount": [":amount"], "paid_by": [None, ":trade"]}, "otherwise": "park", "missing": "defer"}}
BOOK = {"name": "book", "when": PAID_WHEN, "let": {name: value for name, value in LET.items() if name not in ("trade",)}, "insert": {
    "table": "shop_book", "duplicate": "done",
    "row": {"event": ":event_id", "no": ":order", "fen": ":amount", "yuan": ":yuan", "channel": ":channel", "paid_at": ":at", "attach": ":attach",
            "buyer": ":buyer", "raw": ":raw"}}}
BOOKS = ("CREATE TABLE shop_book (event VARBINARY(255) PRIMARY KEY, no VARCHAR(64) NOT NULL, fen BIGINT NOT NULL, yuan DECIMAL(12,2) NOT NULL,"
         " channel VARCHAR(8) NOT NULL, paid_at DATETIME(6) NOT NULL, attach VARCHAR(255) NOT NULL, buyer JSON, raw VARBINARY(64))")


@pytest.fixture
def closed_shop(pipeline: Pipeline) -> Pipeline:
    """Whose consumer does not run yet."""
    open_shop(pipeline, PAY, BOOK)
    pipeline.ledger.run(BOOKS)
    return pipeline


@pytest.fixture
def shop(closed_shop: Pipeline) -> Pipeline:
    closed_shop.consumer()
    return closed_shop


@pytest.fixture
def ingress(closed_shop: Pipeline) -> Program:
    return closed_shop.ingress()


def expect_status(shop: Pipeline, status: str, count: int = 1) -> None:
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status = %s", status) == [(count,)], f"{count} events that are {status}")


def expect_reason(shop: Pipeline, *words: str) -> None:
    def reasons() -> str:
        return json.dumps(shop.ledger.query("SELECT error_text FROM inbox WHERE error_text IS NOT NULL"), default=str)
    wait_for(lambda: all(word in reasons() for word in words), f"a dead letter that says {words}; there is {reasons()}")


@pytest.mark.parametrize("source", CHANNELS)
def test_one_effect_takes_what_each_channel_writes_in_its_own_way(shop: Pipeline, ingress: Program, source: str) -> None:
    order = new_order(shop)
    pay(shop, ingress, source, order)
    wait_for(lambda: order_of(shop, order) == ("PAID", source, 1), "the payment")
    [(fen, yuan, channel, in_past, attach)] = shop.ledger.query(
        "SELECT fen, CAST(yuan AS CHAR), channel, paid_at < UTC_TIMESTAMP() + INTERVAL 1 DAY, attach FROM shop_book WHERE no = %s", order)
    assert (fen, yuan, channel, in_past) == (8888, "88.88", source.removesuffix("pay").removesuffix("-"), 1)
    assert attach


AMOUNT = {"alipay": "/total_amount=88.{:02}", "unionpay": "/txnAmt=88{:02}", "wechat-pay": "/resource/plain/amount/total=88{:02}"}


def test_many_payments_at_once_are_what_each_is_alone(closed_shop: Pipeline, ingress: Program) -> None:
    """In one batch, values that were made of a body outlive it, and each body is tested by itself."""
    orders = {new_order(closed_shop, 8800 + cents): (CHANNELS[cents % 3], cents) for cents in range(12)}
    for order, (source, cents) in orders.items():
        note = base64.b64encode(order.encode()).decode()
        pay(closed_shop, ingress, source, order, AMOUNT[source].format(cents), f"/note={note}")
        if source == "unionpay":
            pay(closed_shop, ingress, source, order, "/txnAmt=1", "/respCode=05", f"/queryId={cents}")
    closed_shop.consumer()
    expect_status(closed_shop, "ignored", 4)
    wait_for(lambda: all(order_of(closed_shop, order)[0] == "PAID" for order in orders), "all payments")
    booked = closed_shop.ledger.query("SELECT no, fen, CAST(yuan * 100 AS SIGNED), CAST(raw AS CHAR) FROM shop_book")
    assert sorted(booked) == sorted((order, 8800 + cents, 8800 + cents, order) for order, (_, cents) in orders.items())


def test_an_answer_that_moves_no_money_is_ignored(shop: Pipeline, ingress: Program) -> None:
    order = new_order(shop)
    pay(shop, ingress, "unionpay", order, "/txnAmt=8888", "/respCode=05")
    expect_status(shop, "ignored")
    assert order_of(shop, order)[0] == "PENDING"


@pytest.mark.parametrize(("source", "amount", "said"), [
    ("alipay", "/total_amount=88.888", ":amount (/total_amount): \\\"88.888\\\" has more decimals than its currency or scale"),
    ("alipay", "/total_amount=88,88", "is no number of digits with at most one decimal point"),
    ("unionpay", "/txnAmt=88.88", ":amount (/txnAmt): \\\"88.88\\\" is no whole number"),
    ("unionpay", "/txnAmt=+8888", ":amount (/txnAmt): \\\"+8888\\\" is no whole number")])
def test_an_amount_that_is_none_parks_with_its_place_and_value(shop: Pipeline, ingress: Program, source: str, amount: str, said: str) -> None:
    order = new_order(shop)
    pay(shop, ingress, source, order, amount)
    expect_reason(shop, "effect pay-order: ", said)
    assert order_of(shop, order)[0] == "PENDING"
    assert shop.ledger.query("SELECT COUNT(*) FROM shop_book") == [(0,)]


def test_an_order_that_comes_later_is_paid_by_the_event_that_waited(shop: Pipeline, ingress: Program) -> None:
    order = new_order(shop)
    shop.ledger.run(f"DELETE FROM shop_order WHERE no = '{order}'")
    pay(shop, ingress, "unionpay", order)
    expect_status(shop, "deferred")
    shop.ledger.run(f"INSERT INTO shop_order (no, amount) VALUES ('{order}', 8888)")
    shop.consumer(role="retry")
    wait_for(lambda: order_of(shop, order)[0] == "PAID", "the payment that waited")


def test_a_payment_that_parked_is_made_when_it_is_retried(shop: Pipeline, ingress: Program) -> None:
    """The retried event, and the one that waits behind it, are tested by their bodies again."""
    order = new_order(shop, 1)
    pay(shop, ingress, "unionpay", order)
    expect_status(shop, "dead")
    pay(shop, ingress, "unionpay", order, "/txnAmt=8888", "/respCode=05", "/queryId=refused")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox") == [(2,)], "both events")
    shop.ledger.run(f"UPDATE shop_order SET amount = 8888 WHERE no = '{order}'")
    shop.consumer(role="retry")
    retried = shop.ctl("dlq", "retry", "--effect", "pay-order", "--operator", "kim", "--reason", "the order was wrong", "--apply")
    assert retried.returncode == 0, retried.stdout + retried.stderr
    wait_for(lambda: order_of(shop, order)[0] == "PAID", "the payment")
    expect_status(shop, "ignored")
    assert shop.ledger.query("SELECT fen FROM shop_book") == [(8888,)]


def test_what_can_never_work_has_one_verdict(pipeline: Pipeline) -> None:
    """`doctor` reads effects as the consumer does; the ingress, which does not read them, says so."""
    open_shop(pipeline, {"name": "book", "when": {"source": "alipay"}, "sql": [
        {"run": "INSERT INTO shop_order (no, amount) VALUES (:event_id, 1)", "rows": {0: "done"}}]})
    said = json.loads(pipeline.ctl("doctor", "--json").stdout)
    [effects] = [line for line in said["findings"] if line["check"] == "config.effects"]
    assert effects["level"] == "fail" and "this statement never matches 0 rows, but 1" in effects["sentence"]
