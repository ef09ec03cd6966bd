"""Cases: what a rule of an effect leaves to a person. Nothing failed, so nothing but its own object waits and nobody is paged."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.shop import new_order, open_shop, order_of, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

DECIDE = {"none": "defer", "select": """
    SELECT CASE
             WHEN amount <> :amount OR currency <> :currency THEN 'park:amount_mismatch'
             WHEN status = 'PENDING' THEN 'done'
             WHEN paid_by = :transaction THEN 'ignore'
             WHEN status = 'PAID' THEN 'park:paid_twice'
             ELSE CONCAT('park:', LOWER(status))
           END,
           CONCAT('order ', no, ' is ', status, ' over ', amount, ' ', currency, ', paid were ', :amount, ' ', :currency)
    FROM shop_order WHERE no = :reference FOR UPDATE"""}
PAY = {"name": "pay-order", "when": {"payment": "paid"}, "decide": DECIDE, "set": {
    "table": "shop_order", "key": {"no": ":reference"},
    "row": {"status": "PAID", "paid_by": ":transaction", "source": ":source", "paid_at": ":paid_at"}},
       "insert": {"table": "shop_payment", "row": {"event": ":event_id", "no": ":reference"}}}
PAYMENTS = "CREATE TABLE shop_payment (event VARBINARY(255) PRIMARY KEY, no VARCHAR(64) NOT NULL)"
BUDGET = 3


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    open_shop(pipeline, PAY)
    pipeline.ledger.run(PAYMENTS)
    pipeline.config["consumer"] = {"dead_letter_budget": {"events": BUDGET, "refill": "24h"}}
    return pipeline


@pytest.fixture
def ingress(shop: Pipeline) -> Program:
    return shop.ingress()


def cases(shop: Pipeline, *options: str) -> list[dict]:
    result = shop.ctl("dlq", "list", "--kind", "case", "--json", *options)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout)["entries"]


def expect_case(shop: Pipeline, name: str, *words: str) -> dict:
    def found() -> dict | None:
        return next((case for case in cases(shop) if case["error_class"] == name), None)
    case = wait_for(found, f"a case of class {name}")
    assert all(word in case["error_text"] for word in words), case
    return case


def expect_settled(shop: Pipeline, count: int) -> None:
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'ignored')") == [(count,)], "all of them")


def test_each_payment_of_an_order_is_decided_by_what_the_order_says(shop: Pipeline, ingress: Program) -> None:
    consumer = shop.consumer()
    order, closed = new_order(shop), new_order(shop)
    shop.ledger.run(f"UPDATE shop_order SET status = 'CLOSED' WHERE no = '{closed}'")
    for _ in range(2):  # told of twice, in events of their own
        pay(shop, ingress, "alipay", order, "/total_amount=88.88", "/trade_no=T-1")
        wait_for(lambda: order_of(shop, order) == ("PAID", "alipay", 1), "the first payment")
    expect_settled(shop, 2)
    pay(shop, ingress, "wechat-pay", order)
    expect_case(shop, "paid_twice", f"effect pay-order: order {order} is PAID over 8888 CNY, paid were 8888 CNY")
    pay(shop, ingress, "unionpay", new_order(shop, amount=8889))
    expect_case(shop, "amount_mismatch", "is PENDING over 8889 CNY, paid were 8888 CNY")
    pay(shop, ingress, "wechat-pay", closed)
    expect_case(shop, "closed", f"order {closed} is CLOSED")
    assert order_of(shop, order) == ("PAID", "alipay", 1)
    assert shop.ledger.query("SELECT COUNT(*) FROM shop_payment") == [(1,)], "what is ignored changes nothing"
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status = 'dead' AND dlq_sent = 1") == [(3,)], "their DLQ records")
    wait_for(lambda: len(consumer.decisions("case")) == 3, "their lines")
    assert not consumer.decisions("dead")


def test_order_that_is_not_there_yet_is_waited_for(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    pay(shop, ingress, "alipay", "O-late")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM inbox WHERE status = 'deferred'") == [(1,)], "the payment to wait")
    shop.ledger.run("INSERT INTO shop_order (no, amount) VALUES ('O-late', 8888)")
    wait_for(lambda: order_of(shop, "O-late")[0] == "PAID", "the payment", within=60)


def test_cases_cost_no_budget_and_leave_everything_ready(shop: Pipeline, ingress: Program) -> None:
    consumer = shop.consumer(role="both")
    for _ in range(2 * BUDGET):
        pay(shop, ingress, "alipay", new_order(shop, amount=1))
    wait_for(lambda: len(cases(shop)) == 2 * BUDGET, "all to be cases")
    consumer.expect_metric(2 * BUDGET, "sluice_consumer_cases_open", **{"class": "amount_mismatch"})
    wait_for(lambda: consumer.metric("sluice_consumer_cases_oldest_seconds", **{"class": "amount_mismatch"}) > 0, "the age of the oldest")
    consumer.ready()
    paid = new_order(shop)
    pay(shop, ingress, "alipay", paid)
    wait_for(lambda: order_of(shop, paid)[0] == "PAID", "the effect to go on")
    consumer.expect_metric(2 * BUDGET + 1, "webhook_lag_seconds_count")  # a case is as good as applied for alerts of lag
    consumer.expect_metric(2 * BUDGET, "sluice_consumer_lanes", state="quarantined")
    consumer.expect_metric(2 * BUDGET, "sluice_consumer_lanes_held_by_cases")
    _, text = consumer.get("/metrics")
    assert "sluice_consumer_dlq_open{" not in text and "sluice_consumer_dlq_budget{" not in text, text
    assert 'sluice_consumer_dead_letters_total{class="park"} 0' in text, "nothing failed"


def test_person_ends_a_case_or_lets_it_run_again(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    wrong, mended = new_order(shop, amount=1), new_order(shop, amount=2)
    for order in (wrong, mended):
        pay(shop, ingress, "alipay", order)
    wait_for(lambda: len(cases(shop)) == 2, "both cases")
    ends = {case["id"]: wrong if wrong in case["error_text"] else mended for case in cases(shop)}
    shop.ledger.run(f"UPDATE shop_order SET amount = 8888 WHERE no = '{mended}'")
    for entry, order in ends.items():
        action = "skip" if order == wrong else "retry"
        result = shop.ctl("dlq", action, str(entry), "--operator", "kim", "--reason", "refunded by hand", "--apply")
        assert result.returncode == 0, result.stdout + result.stderr
    wait_for(lambda: order_of(shop, mended)[0] == "PAID", "the one that was mended")
    wait_for(lambda: not cases(shop), "both cases to be closed")
    assert order_of(shop, wrong)[0] == "PENDING"
    assert {case["closed_as"] for case in cases(shop, "--all")} == {"retried", "skipped"}


def paid_order(shop: Pipeline, ingress: Program) -> str:
    order = new_order(shop)
    pay(shop, ingress, "alipay", order)
    wait_for(lambda: order_of(shop, order)[0] == "PAID", "the first payment")
    return order


def order_with_cases(shop: Pipeline, ingress: Program, *others: str) -> str:
    """A paid order, and a WeChat payment of it that is told twice: the first event is a case, and the second and `others` wait behind it."""
    order = paid_order(shop, ingress)
    for other in ("", "", *others):
        pay(shop, ingress, "wechat-pay", order, "/resource/plain/transaction_id=second", other or "/resource/plain/amount/total=8888")
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM lane_event WHERE status = 'parked'") == [(1 + len(others),)], "those behind to wait")
    expect_case(shop, "paid_twice")
    return order


def end_all(shop: Pipeline, *options: str, action: str = "skip", which: tuple[str, ...] = ("--class", "paid_twice", "--effect", "pay-order"),
            code: int = 0) -> dict:
    result = shop.ctl("dlq", action, *which, "--operator", "kim", "--json", *options)
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


def test_what_comes_up_behind_a_case_is_told(shop: Pipeline, ingress: Program) -> None:
    shop.consumer(role="both")
    order_with_cases(shop, ingress)
    assert end_all(shop)["waiting_behind"] == 1
    told = end_all(shop, "--resolved", "refunded", "--apply")
    assert (told["carried_out"], told["dead_again"]) == (1, 0)
    assert [(each["kind"], each["error_class"], each["count"]) for each in told["opened_behind"]] == [("case", "paid_twice", 1)]
    assert len(cases(shop)) == 1


def test_cases_of_an_object_end_with_those_behind_them(shop: Pipeline, ingress: Program) -> None:
    """Another amount is another case: nobody has looked at it."""
    shop.consumer(role="both")
    order = order_with_cases(shop, ingress, "/resource/plain/amount/total=9999")
    [first] = cases(shop)
    ended = end_all(shop, "--with-behind", "--resolved", "refunded", "--reason", "by hand", "--apply", which=(str(first["id"]),))
    assert (ended["ending"], ended["total"], ended["carried_out"]) == ("answered", 2, 2)
    assert [(each["error_class"], each["count"]) for each in ended["opened_behind"]] == [("amount_mismatch", 1)]
    [left] = cases(shop)
    assert left["error_class"] == "amount_mismatch"
    assert shop.ledger.query("SELECT DISTINCT reason, HEX(run) FROM operator_action") == [
        (b"resolved: refunded; by hand", ended["run"].replace("-", "").upper())]
    assert order_of(shop, order) == ("PAID", "alipay", 1)


def test_case_that_comes_again_is_not_retried_for_ever(shop: Pipeline, ingress: Program) -> None:
    """The first is let through, the one for another order comes up behind it as a case, and so again when it is retried."""
    shop.consumer(role="both")
    first, other = paid_order(shop, ingress), paid_order(shop, ingress)
    for order in (first, other):
        pay(shop, ingress, "wechat-pay", order, "/resource/plain/transaction_id=second", "/resource/plain/amount/total=8888")
    wait_for(lambda: shop.ledger.query("SELECT status FROM lane_event ORDER BY position") == [("dead",), ("parked",)], "a case and one behind it")
    shop.ledger.run(f"UPDATE shop_order SET status = 'PENDING' WHERE no = '{first}'")
    retried = end_all(shop, "--with-behind", "--reason", "look again", "--apply", action="retry", code=1)
    assert (retried["ending"], retried["carried_out"], retried["dead_again"], retried["opened_behind"]) == ("answered", 2, 1, [])


def test_what_is_tried_slowly_behind_a_case_is_waited_for(shop: Pipeline, ingress: Program) -> None:
    """And what comes meanwhile is for a person to look at, though it becomes a case like the others."""
    shop.consumer(role="both")
    order = order_with_cases(shop, ingress)
    with shop.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SELECT * FROM shop_order WHERE no = %s FOR UPDATE", (order,))
        ending = shop.start_ctl("dlq", "skip", "--kind", "case", "--with-behind", "--operator", "kim", "--resolved", "refunded", "--json", "--apply")
        wait_for(lambda: shop.ledger.query("SELECT status, attempts FROM lane_event") == [("retry", 0)], "the next to be put off")
        pay(shop, ingress, "wechat-pay", order, "/resource/plain/transaction_id=second", "/resource/plain/amount/total=8888")
        wait_for(lambda: len(shop.ledger.query("SELECT status FROM lane_event")) == 2, "the newcomer")
        session.rollback()
    said, complaints = ending.communicate(timeout=60)
    assert ending.returncode == 0 and json.loads(said)["carried_out"] == 2, said + complaints
    assert [each["count"] for each in json.loads(said)["opened_behind"]] == [1]
    assert len(cases(shop)) == 1


def test_what_a_rule_tells_people_is_not_told_to_everybody(shop: Pipeline, ingress: Program) -> None:
    """/readyz is open to whoever reaches its port. A plain park is a failure, and its effect is out of budget here."""
    shop.config["consumer"]["dead_letter_budget"]["events"] = 1
    shop.config["effects"] = [{**PAY, "decide": {"select": "SELECT 'park', CONCAT('order ', no, ' owes ', amount) FROM shop_order WHERE no = :reference"}}]
    consumer = shop.consumer(start=False).start()
    orders = [new_order(shop) for _ in range(2)]
    for order in orders:
        pay(shop, ingress, "alipay", order)
    consumer.expect_not_ready("effects", "pay-order")
    _, text = consumer.get("/readyz")
    assert "the reason quotes an event" in text and not any(order in text for order in orders), text
    wait_for(lambda: consumer.decisions("dead"), "the first to die")
    assert "owes 8888" in consumer.decisions("dead")[0]["reason"]


OTHERWISE = {"park": "not_payable", "reason": "order :reference: :transaction pays :amount :currency"}
SET = {**{key: PAY[key] for key in ("name", "when")}, "set": {
    **PAY["set"], "when": {"status": ["PENDING"], "amount": [":amount"]}, "otherwise": OTHERWISE, "missing": "park:no_order"}}
SQL = {**{key: PAY[key] for key in ("name", "when")}, "sql": [
    {"run": "UPDATE shop_order SET status = 'PAID' WHERE no = :reference AND status = 'PENDING' AND amount = :amount",
     "rows": {1: "done", 0: OTHERWISE}}]}
ADD = {**{key: PAY[key] for key in ("name", "when")}, "add": {
    "table": "shop_order", "key": {"no": ":reference"}, "column": "amount", "by": "-8888", "floor": 0, "below": OTHERWISE, "missing": "park"}}
INSERT = {**{key: PAY[key] for key in ("name", "when")}, "insert": {
    "table": "shop_order", "row": {"no": ":reference", "amount": ":amount"}, "duplicate": OTHERWISE}}


@pytest.mark.parametrize("effect", [SET, SQL, ADD, INSERT], ids=["set", "sql", "add", "insert"])
def test_every_kind_of_effect_can_leave_a_case(shop: Pipeline, ingress: Program, effect: dict) -> None:
    """A batch, which decides in memory, says the same as one event alone."""
    shop.config["effects"] = [effect]
    orders = [new_order(shop, amount=5) for _ in range(4)]
    for order in orders[:3]:
        pay(shop, ingress, "alipay", order)
    consumer = shop.consumer(role="both")
    pay(shop, ingress, "alipay", orders[3])
    wait_for(lambda: len(cases(shop)) == 4, "all to be cases")
    for order in orders:
        assert any(f"effect pay-order: order {order}: " in case["error_text"] and "pays 8888 CNY" in case["error_text"]
                   for case in cases(shop))
        assert order_of(shop, order)[0] == "PENDING"
    consumer.ready()


def test_a_shop_that_is_told_everything_on_two_channels_at_once(shop: Pipeline, ingress: Program) -> None:
    """20 orders, each paid by Alipay and by WeChat Pay, each payment told four times: 160 callbacks, eight at a time."""
    consumer = shop.consumer(role="both")
    orders = [new_order(shop) for _ in range(20)]
    payments = [(source, order) for order in orders for source in ("alipay", "wechat-pay")]
    Random(3).shuffle(payments)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda paid: pay(shop, ingress, *paid, options=("--duplicates", "300")), payments))
    wait_for(lambda: len(cases(shop)) == 20, "a case for each order")
    expect_settled(shop, 20)
    assert shop.ledger.query("SELECT COUNT(*), COUNT(DISTINCT no) FROM shop_payment") == [(20, 20)]
    for order in orders:
        assert order_of(shop, order)[0] == "PAID"
        [case] = [case for case in cases(shop) if f"order {order} is PAID over 8888 CNY, paid were 8888 CNY" in case["error_text"]]
        assert case["error_class"] == "paid_twice"
    consumer.ready()


def test_set_based_case_of_a_missing_row_says_what_happened(shop: Pipeline, ingress: Program) -> None:
    shop.config["effects"] = [SET]
    shop.consumer()
    pay(shop, ingress, "alipay", "O-none")
    expect_case(shop, "no_order", "effect pay-order: set shop_order: no row has this key")


@pytest.mark.parametrize("says, words", [("NULL", "decide says NULL, which is no outcome"), ("'paid'", "'paid' is not an outcome"),
                                         ("'park:data'", "'data' is not a class of cases"), ("1", "'' is not an outcome")],
                         ids=["null", "no-outcome", "class-of-failures", "number"])
def test_decide_that_says_no_outcome_is_a_failure_of_the_effect(shop: Pipeline, ingress: Program, says: str, words: str) -> None:
    shop.config["effects"] = [{**PAY, "decide": {"select": f"SELECT {says} FROM shop_order WHERE no = :reference"}}]
    shop.consumer()
    pay(shop, ingress, "alipay", order := new_order(shop))
    wait_for(lambda: shop.ledger.query("SELECT kind, error_class FROM dead_letter") == [("dead", b"park")], "the dead letter")
    [[text]] = shop.ledger.query("SELECT error_text FROM dead_letter")
    assert words in text.decode(), text
    assert order_of(shop, order)[0] == "PENDING"
