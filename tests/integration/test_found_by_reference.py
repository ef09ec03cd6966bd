"""Support has an order number or a provider's number in hand: every event, entry and lane of that payment is found by it."""

from __future__ import annotations

import json

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import SAYS, new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

PAY = {"name": "pay-order", "when": {"payment": "paid"}, "set": {
    "table": "shop_order", "key": {"no": ":reference"}, "row": {"status": "PAID", "paid_by": ":transaction", "source": ":source"},
    "when": {"status": ["PENDING"], "amount": [":amount"]},
    "otherwise": {"park": "not_payable", "reason": "order :reference: :transaction pays :amount"}, "missing": "defer"}}


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY)
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def asked(shop: Pipeline, *words: str, finds: bool = True) -> dict:
    result = shop.ctl(*words, "--json")
    assert result.returncode == (0 if finds else 1), result.stdout + result.stderr
    return json.loads(result.stdout)


def events_of(shop: Pipeline, *number: str) -> list[dict]:
    return json.loads(shop.ctl("event", "show", *number, "--json").stdout)["events"]


@pytest.mark.parametrize("source", SAYS)
def test_payment_of_every_provider_is_found_by_both_numbers(shop: Pipeline, ingress: Program, source: str) -> None:
    """WeChat Pay has both in a part that it encrypts."""
    shop.consumer()
    order = new_order(shop, currency="USD" if source == "stripe" else "CNY")
    pay(shop, ingress, source, order)
    [event] = wait_for(lambda: events_of(shop, "--reference", order), "the event of the order")
    assert (event["reference"], event["source"], event["status"]) == (order, source, "done")
    [[transaction]] = shop.ledger.query("SELECT paid_by FROM shop_order WHERE no = %s", order)
    assert event["transaction"] == transaction
    assert events_of(shop, "--transaction", transaction) == [event]
    assert events_of(shop, "--transaction", transaction, "--reference", order) == [event]
    whole = asked(shop, "event", "show", event["id"], "--no-kafka")["events"][0]
    assert (whole["reference"], whole["transaction"]) == (order, transaction)


def test_payment_is_found_wherever_it_stands(shop: Pipeline, ingress: Program) -> None:
    """A case, a later event parked behind it, and another channel's event that is applied: one order, one question."""
    shop.consumer(role="both")
    order = new_order(shop, amount=1)
    pay(shop, ingress, "alipay", order, "/total_amount=88.88", "/trade_no=T-one")
    wait_for(lambda: [event["status"] for event in events_of(shop, "--reference", order)] == ["dead"], "the case")
    pay(shop, ingress, "alipay", order, "/total_amount=88.88", "/trade_no=T-one", "/notify_time=2026-11-21 10:00:01")
    wait_for(lambda: [event["status"] for event in events_of(shop, "--reference", order)] == ["dead", "parked"], "the one behind it")
    shop.ledger.run(f"UPDATE shop_order SET amount = 8888 WHERE no = '{order}'")
    pay(shop, ingress, "wechat-pay", order)
    wait_for(lambda: order_of(shop, order)[:2] == ("PAID", "wechat-pay"), "the other channel")
    found = events_of(shop, "--reference", order)
    assert [(event["source"], event["status"]) for event in found] == [("alipay", "dead"), ("alipay", "parked"), ("wechat-pay", "done")]
    assert f"order {order}: T-one pays 8888" in found[0]["error_text"], "the reason, whole"
    [entry] = asked(shop, "dlq", "list", "--reference", order)["entries"]
    assert (entry["reference"], entry["transaction"], entry["error_class"]) == (order, "T-one", "not_payable")
    assert asked(shop, "dlq", "list", "--transaction", "T-one")["entries"] == [entry]
    assert asked(shop, "dlq", "list", "--reference", order, "--transaction", "T-two")["entries"] == []
    for number in (("--reference", order), ("--transaction", "T-one")):
        [lane] = asked(shop, "lane", "show", *number)["lanes"]
        assert [(event["status"], event["reference"], event["transaction"]) for event in lane["events"]] == [
            ("dead", order, "T-one"), ("parked", order, "T-one")]
    people = shop.ctl("event", "show", "--reference", order).stdout
    assert [line.split()[5] for line in people.splitlines() if order in line and "  " in line.strip()[:25]] == ["dead", "parked", "done"], people
    assert f"reference {order}\n" in shop.ctl("dlq", "show", str(entry["id"])).stdout


def test_operators_act_on_an_order(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    orders = [new_order(shop, amount=1) for _ in range(2)]
    for order in orders:
        pay(shop, ingress, "alipay", order)
    wait_for(lambda: len(asked(shop, "dlq", "list")["entries"]) == 2, "both cases")
    skipped = shop.ctl("dlq", "skip", "--reference", orders[0], "--reason", "refunded by hand", "--operator", "kim", "--apply")
    assert skipped.returncode == 0 and "carried out 1, refused 0" in skipped.stdout + skipped.stderr, skipped.stdout + skipped.stderr
    [left] = asked(shop, "dlq", "list")["entries"]
    assert left["reference"] == orders[1]
    [event] = events_of(shop, "--reference", orders[0])
    assert event["status"] == "skipped"
    asked(shop, "lane", "show", "--reference", orders[0], finds=False)


def test_number_that_nobody_knows_says_what_it_may_be(shop: Pipeline, ingress: Program) -> None:
    shop.consumer()
    for words, sentence in {("event", "show", "--reference", "O-none"): "The inbox has no event of the order O-none: none was accepted,",
                            ("event", "show", "--transaction", "T-none"): "no event of the transaction T-none",
                            ("lane", "show", "--reference", "O-none"): "No event of the order O-none waits."}.items():
        result = shop.ctl(*words)
        assert result.returncode == 1 and sentence in result.stdout, result.stdout + result.stderr
    for words in (("event", "show"), ("lane", "show"), ("event", "show", "evt_1", "--reference", "O-1"),
                  ("event", "show", "--reference", "O-1", "--applied")):
        assert shop.ctl(*words).returncode == 2, words


def test_edited_event_is_found_by_what_it_is_applied_with(shop: Pipeline, ingress: Program) -> None:
    """The old entry keeps the number that came; so both numbers lead to it."""
    shop.consumer(role="both")
    wrong, right = new_order(shop, amount=1), new_order(shop)
    pay(shop, ingress, "alipay", wrong)
    [entry] = wait_for(lambda: asked(shop, "dlq", "list", "--reference", wrong)["entries"], "the case")
    body = shop.folder / "body.txt"
    saved = shop.ctl("dlq", "show", str(entry["id"]), "--save-body", "-")
    body.write_text(saved.stdout.replace(wrong, right))
    edited = shop.ctl("dlq", "edit", str(entry["id"]), "--body", str(body), "--reason", "typo in the order", "--operator", "kim", "--apply")
    assert edited.returncode == 0, edited.stdout + edited.stderr
    wait_for(lambda: order_of(shop, right)[0] == "PAID", "the order that was meant")
    assert [event["status"] for event in events_of(shop, "--reference", right)] == ["done"]
    assert events_of(shop, "--reference", wrong) == []
    assert [each["id"] for each in asked(shop, "dlq", "list", "--all", "--reference", wrong)["entries"]] == [entry["id"]]


def test_payments_of_one_batch_are_found_each_by_its_own_numbers(pipeline: Pipeline) -> None:
    """The effect is for no payment, so that its values and the numbers come out of one reading of each body."""
    open_shop(pipeline, {"name": "pay-by-type", "when": {"source": "alipay", "type": SAYS["alipay"][0]}, "let": {"no": "/out_trade_no"},
                         "set": {"table": "shop_order", "key": {"no": ":no"}, "row": {"status": "PAID"}, "missing": "park"}})
    ingress = pipeline.ingress()
    orders = [new_order(pipeline) for _ in range(4)]
    for order in orders:
        pay(pipeline, ingress, "alipay", order, "/total_amount=88.88", f"/trade_no=T-{order}")
    pipeline.consumer()
    for order in orders:
        wait_for(lambda order=order: order_of(pipeline, order)[0] == "PAID", "the order to be paid")
        assert [event["transaction"] for event in events_of(pipeline, "--reference", order)] == [f"T-{order}"]


def test_what_has_no_number_is_null(shop: Pipeline, ingress: Program) -> None:
    """And it is taken in as ever: an event that is no payment, and one whose number has 256 bytes, which is never cut."""
    shop.consumer()
    pay(shop, ingress, "unionpay", "O-no-payment", "/txnAmt=8888", "/respCode=05")
    pay(shop, ingress, "alipay", "O" * 256)
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox") == [(2,)], "both events")
    assert shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE reference IS NOT NULL") == [(0,)]
    assert shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE transaction IS NOT NULL") == [(1,)]


def test_erasure_takes_the_numbers_and_leaves_what_makes_the_event_count_once(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    order, other = new_order(shop, amount=1), new_order(shop)
    for each in (order, other):
        pay(shop, ingress, "alipay", each)
    [entry] = wait_for(lambda: asked(shop, "dlq", "list", "--reference", order)["entries"], "the case")
    wait_for(lambda: order_of(shop, other)[0] == "PAID", "the other order")
    who = ("--operator", "kim", "--reason", "refunded", "--apply")
    assert shop.ctl("dlq", "skip", str(entry["id"]), *who).returncode == 0
    wait_for(lambda: [event["status"] for event in events_of(shop, "--reference", order)] == ["skipped"], "the end")
    done = shop.ctl("erase", "--object", entry["object_key"], *who)
    assert done.returncode == 0, done.stdout + done.stderr
    assert events_of(shop, "--reference", order) == [] and not asked(shop, "dlq", "list", "--all", "--reference", order)["entries"]
    assert shop.ledger.query("SELECT COUNT(*), COUNT(reference), COUNT(transaction) FROM inbox") == [(2, 1, 1)]
    assert shop.ledger.query("SELECT COUNT(*), COUNT(reference), COUNT(transaction) FROM dead_letter") == [(1, 0, 0)]
    assert len(events_of(shop, "--reference", other)) == 1, "another person's"
