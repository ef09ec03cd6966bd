"""Rules in C++ (docs/handlers.md): `give_vouchers` gives each paid order its codes, exactly once, whatever happens meanwhile."""

from __future__ import annotations

import json
import re
import signal
import textwrap
from pathlib import Path

import pytest
import yaml

from tests.support.events import Event, fresh_id, snapshot
from tests.support.lock_waits import sessions_that_wait_for_a_lock
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put, put_again
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

TREE = Path(__file__).resolve().parents[2]
PAGE = (TREE / "docs" / "handlers.md").read_text()
BLOCKS = {language: [textwrap.dedent(text) for text in re.findall(rf"^ *```{language}\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)]
          for language in ("sql", "yaml", "cpp", "")}
AMOUNT = 8800


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    """As the page says."""
    pipeline.ledger.run(*BLOCKS["sql"][0].split(";\n")[:-1])
    pipeline.config["sources"][0]["with"] = {"reference_key": "order_id"}
    pipeline.config["effects"] = yaml.safe_load(BLOCKS["yaml"][0])["effects"]
    pipeline.config["kafka"]["options"] = QUICKLY_GONE
    return pipeline


def codes(shop: Pipeline, product: str, count: int) -> None:
    shop.ledger.run(*(f"INSERT INTO voucher (code, product) VALUES ('{product}-{number:03}', '{product}')" for number in range(count)))


def order(shop: Pipeline, product: str, quantity: int, number: str = "") -> str:
    number = number or fresh_id("O")
    shop.ledger.run(f"INSERT INTO voucher_order (order_no, product, quantity, amount, currency) VALUES ('{number}', '{product}', {quantity}, {AMOUNT}, 'EUR')")
    return number


def paid(number: str, amount: int = AMOUNT, by: str = "") -> Event:
    """Each time by a payment of its own: another object, maybe another worker's."""
    return snapshot("payment_intent.succeeded", {"id": by or fresh_id("pi"), "object": "payment_intent", "amount": amount, "amount_received": amount,
                                                 "currency": "eur", "metadata": {"order_id": number}})


def codes_of(shop: Pipeline, number: str) -> list[str]:
    return [text(code) for (code,) in shop.ledger.query("SELECT code FROM voucher WHERE order_no = %s ORDER BY code", number)]


def text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def status_of(shop: Pipeline, number: str) -> str:
    [[status]] = shop.ledger.query("SELECT status FROM voucher_order WHERE order_no = %s", number)
    return text(status)


def entry(shop: Pipeline, event: Event) -> tuple[str, ...]:
    [row] = wait_for(lambda: shop.ledger.query("SELECT kind, error_class, error_text FROM dead_letter WHERE event_id = %s", event.id), "the entry")
    return tuple(map(text, row))


def test_lowest_free_codes_are_given_once_however_often_the_order_is_paid(shop: Pipeline) -> None:
    codes(shop, "gold", 5)
    first, second = order(shop, "gold", 2), order(shop, "gold", 2)
    event, again, other = paid(first, by="pi_first"), paid(first, by="pi_first"), paid(second)
    consumer = shop.consumer()
    put(shop, event)
    shop.ledger.expect_status(event, "done")
    put_again(shop, event, times=3)
    put(shop, again, other)
    for one in (again, other):
        shop.ledger.expect_status(one, "done")
    consumer.expect_duplicates(3)
    assert codes_of(shop, first) == ["gold-000", "gold-001"] and codes_of(shop, second) == ["gold-002", "gold-003"]
    assert status_of(shop, first) == "GIVEN"


def test_what_a_person_has_to_decide_is_a_case_and_takes_no_code(shop: Pipeline) -> None:
    codes(shop, "gold", 2)
    large, cheap = paid(order(shop, "gold", 3)), paid(order(shop, "gold", 1), amount=1)
    shop.consumer()
    put(shop, large, cheap)
    assert entry(shop, large) == ("case", "sold_out", "effect voucher-codes: the order wants 3 codes of gold, free are 2")
    assert entry(shop, cheap) == ("case", "amount_mismatch", f"effect voucher-codes: the order costs {AMOUNT} EUR, paid were 1 EUR")
    assert shop.ledger.query("SELECT COUNT(*) FROM voucher WHERE order_no IS NOT NULL") == [(0,)]


def test_second_payment_of_an_order_is_a_case(shop: Pipeline) -> None:
    codes(shop, "gold", 2)
    number = order(shop, "gold", 1)
    first, second = paid(number, by="pi_first"), paid(number, by="PI_FIRST")
    shop.consumer()
    put(shop, first)
    shop.ledger.expect_status(first, "done")
    put(shop, second)
    assert entry(shop, second) == ("case", "paid_twice", "effect voucher-codes: the order was paid by pi_first, and PI_FIRST pays it again")
    assert codes_of(shop, number) == ["gold-000"]


def test_payment_waits_for_its_order(shop: Pipeline) -> None:
    codes(shop, "gold", 1)
    late = fresh_id("O")
    event = paid(late)
    shop.consumer(role="both")
    put(shop, event)
    shop.ledger.expect_status(event, "deferred")
    order(shop, "gold", 1, late)
    shop.ledger.expect_status(event, "done")
    assert codes_of(shop, late) == ["gold-000"]


@pytest.mark.parametrize("statement", [1, 3, 5])
def test_killed_at_a_statement_of_the_handler(shop: Pipeline, statement: int) -> None:
    """Of five: two SELECTs, two codes, the order."""
    codes(shop, "gold", 4)
    number = order(shop, "gold", 2)
    event = paid(number)
    put(shop, event)
    victim = shop.consumer(start=False).start(f"consumer.in_handler=kill@{statement}")
    assert victim.wait_end() == -signal.SIGKILL, victim.story()
    assert codes_of(shop, number) == [] and status_of(shop, number) == "PENDING" and shop.ledger.status(event) is None
    shop.consumer()
    shop.ledger.expect_status(event, "done")
    assert codes_of(shop, number) == ["gold-000", "gold-001"]


def test_many_at_once_share_the_codes_without_one_too_many(shop: Pipeline) -> None:
    """Two processes take the payments, which have workers of their own."""
    orders = {order(shop, "gold", quantity): quantity for quantity in (1, 2, 3) for _ in range(8)}
    codes(shop, "gold", sum(orders.values()))
    events = [paid(number) for number in orders]
    for _ in range(2):
        shop.consumer(role="both")
    put(shop, *events)
    for event in events:
        shop.ledger.expect_status(event, "done")
    assert {number: len(codes_of(shop, number)) for number in orders} == orders
    assert shop.ledger.query("SELECT COUNT(*) FROM dead_letter") == [(0,)]


def test_payments_of_one_order_at_once_give_its_codes_once(shop: Pipeline) -> None:
    """All come up to the codes, or to the order that the first one has, before anybody gets any. The others are cases."""
    codes(shop, "gold", 12)
    number = order(shop, "gold", 2)
    events = [paid(number) for _ in range(6)]
    shop.consumer(role="both")
    with shop.ledger.session() as session, session.cursor() as cursor:
        session.begin()
        cursor.execute("SELECT code FROM voucher WHERE product = 'gold' AND order_no IS NULL ORDER BY code LIMIT 1 FOR UPDATE")
        put(shop, *events)
        wait_for(lambda: len(sessions_that_wait_for_a_lock(shop.ledger)) >= 2, "two of them at once")
        session.rollback()
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM dead_letter WHERE error_class = 'paid_twice'") == [(5,)], "the other five")
    assert codes_of(shop, number) == ["gold-000", "gold-001"]


def test_exception_is_a_dead_letter_and_the_process_goes_on(shop: Pipeline) -> None:
    codes(shop, "gold", 4)
    bad, good = order(shop, "gold", 2), order(shop, "gold", 2)
    events = [paid(bad), paid(good)]
    # At the second code, in the batch and then alone.
    consumer = shop.consumer("consumer.in_handler=error@4;consumer.in_handler=error@8")
    put(shop, events[0])
    assert entry(shop, events[0]) == ("dead", "park", "effect voucher-codes: handler give_vouchers threw: failpoint consumer.in_handler")
    assert codes_of(shop, bad) == []
    put(shop, events[1])
    shop.ledger.expect_status(events[1], "done")
    assert codes_of(shop, good) == ["gold-000", "gold-001"]
    assert consumer.stop() == 0


def test_handler_that_lacks_a_table_is_held(shop: Pipeline) -> None:
    codes(shop, "gold", 2)
    number = order(shop, "gold", 2)
    event = paid(number)
    consumer = shop.consumer(role="both")
    shop.ledger.run("ALTER TABLE voucher RENAME TO voucher_of_before")
    put(shop, event)
    consumer.expect_not_ready("held_effects", "voucher-codes", "voucher")
    shop.ledger.run("ALTER TABLE voucher_of_before RENAME TO voucher")
    shop.ledger.expect_status(event, "done")
    assert codes_of(shop, number) == ["gold-000", "gold-001"]
    assert shop.ledger.query("SELECT COUNT(*) FROM dead_letter") == [(0,)]


def trial(shop: Pipeline, number: str, code: int) -> tuple[dict, str]:
    words = ["effects", "test", "--sample", "payment_intent.succeeded", "--set", f"/data/object/amount_received={AMOUNT}",
             "--set", "/data/object/currency=eur", "--set", "/data/object/id=pi_seventeen", "--set", f"/data/object/metadata/order_id={number}"]
    result, people = shop.ctl(*words, "--json"), shop.ctl(*words)
    assert result.returncode == people.returncode == code, result.stdout + result.stderr
    [only] = json.loads(result.stdout)["trials"]
    return only, people.stdout


def test_trial_shows_what_it_would_do_and_leaves_nothing(shop: Pipeline) -> None:
    codes(shop, "gold", 2)
    number, large = order(shop, "gold", 2, "O-seventeen"), order(shop, "gold", 3, "O-large")
    told, people = trial(shop, number, 0)
    [effect] = told["effects"]
    assert told["verdict"]["kind"] == "applied" and effect["let"] == {"reference": number, "transaction": "pi_seventeen", "amount": AMOUNT, "currency": "EUR"}, told
    assert [(statement["bound"], statement["rows"]) for statement in effect["statements"]] == [
        ([number], 1), (["gold", 2], 2), ([number, "gold-000"], 1), ([number, "gold-001"], 1), (["pi_seventeen", number], 1)]
    assert "UPDATE voucher SET order_no = ? WHERE code = ?" in people and '["O-seventeen","gold-000"]' in people, people
    assert codes_of(shop, number) == [] and status_of(shop, number) == "PENDING"
    told, people = trial(shop, large, 1)
    assert told["verdict"]["kind"] == "case" and told["effects"][0]["outcome"] == "park:sold_out", told
    assert textwrap.dedent(BLOCKS[""][0].partition("…\n")[2]) in people, people
    shop.ledger.run("ALTER TABLE voucher RENAME TO voucher_of_before")
    assert trial(shop, number, 1)[0]["verdict"]["kind"] == "held"


def test_explain_and_doctor_treat_it_as_any_effect(shop: Pipeline) -> None:
    said = shop.ctl("effects", "explain", "payment_intent.succeeded", "--server")
    assert said.returncode == 0 and "one event at a time: its handler" in said.stdout and "none is held" in said.stdout, said.stdout + said.stderr
    shop.ledger.run("ALTER TABLE voucher DROP COLUMN order_no")
    said = shop.ctl("doctor", "--only", "mysql")
    assert said.returncode == 1 and "effect 'voucher-codes': the database refuses" in said.stdout, said.stdout


def test_page_shows_the_code_as_it_is() -> None:
    """But for how far it is indented."""
    source = textwrap.dedent((TREE / "consumer" / "handlers" / "give_vouchers.cpp").read_text())
    found = [line.strip() for line in source.splitlines()]
    for block in BLOCKS["cpp"]:
        lines = [line.strip() for line in block.splitlines()]
        assert any(found[at:at + len(lines)] == lines for at in range(len(found))), block
