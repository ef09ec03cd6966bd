"""Kind mirror: tables that sluice makes and widens, each row the newest state of an object."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from tests.support.events import Event, fresh_id, snapshot
from tests.support.pipeline import PATH, SOURCE, Pipeline

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

OBJECTS = ["charge", "customer", "invoice", "payment_intent", "price", "product", "subscription"]
HOSTILE = "'; DROP TABLE stripe_customer; -- :id ? \\"


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    """All ready effects, whose tables are made; no program runs yet."""
    pipeline.make_database()
    ready = pipeline.ctl("effects", "ready", "stripe", "--source", SOURCE)
    own, *pipeline.config["effects"] = yaml.safe_load("effects:\n  - {name: own}\n" + ready.stdout)["effects"]
    assert own == {"name": "own"}, "what is ready can be appended to a list that is indented by two spaces"
    migrated(pipeline, "--apply")
    return pipeline


def migrated(pipeline: Pipeline, *words: str, status: int = 0) -> dict:
    """The plan, or with --apply what was done."""
    result = pipeline.ctl("migrate", "--effects", "--json", *words)
    assert result.returncode == status, result.stderr + result.stdout
    return json.loads(result.stdout)


def customer(happened: str, identity: str, created: int, **fields: object) -> Event:
    return snapshot(f"customer.{happened}", {"id": identity, "object": "customer", "livemode": False, **fields}, created=created)


def rows(pipeline: Pipeline, columns: str, table: str = "stripe_customer") -> list[tuple]:
    return pipeline.ledger.query(f"SELECT {columns} FROM {table} ORDER BY id")


def last_of(row: tuple, events: list[Event]) -> tuple:
    """The row, and which of the object's events it shows: their ids are in the order in which they happened."""
    return *row[:-1], [event.id for event in events].index(row[-1].decode())


def test_tables_are_shown_first_and_made_when_told(pipeline: Pipeline) -> None:
    pipeline.make_database()
    pipeline.config["effects"] = yaml.safe_load(pipeline.ctl("effects", "ready", "stripe", "--source", SOURCE).stdout)
    dry = migrated(pipeline)
    assert [(one["table"], one["state"]) for one in dry["tables"]] == [(f"stripe_{kind}", "missing") for kind in OBJECTS]
    assert "Nothing was changed" in pipeline.ctl("migrate", "--effects").stdout
    assert pipeline.ledger.query("SHOW TABLES LIKE 'stripe%%'") == []
    assert {one["state"] for one in migrated(pipeline, "--apply")["tables"]} == {"ready"}
    assert {one["state"] for one in migrated(pipeline)["tables"]} == {"ready"}


def test_every_sample_of_the_ready_effects_becomes_a_row(shop: Pipeline) -> None:
    ingress = shop.ingress()
    shop.consumer()
    types = [path.stem for path in Path("ctl/samples/stripe").glob("*.json") if not path.stem.startswith("v1.")]
    words = [word for type_ in types for word in ("--type", type_)]
    sent = shop.ctl("send", "--source", SOURCE, "--url", f"http://127.0.0.1:{ingress.port}{PATH}", "--count", "150", "--seed", "3", *words)
    assert sent.returncode == 0, sent.stderr
    shop.expect_caught_up()
    assert set(shop.ledger.statuses().values()) <= {"done", "ignored"}
    for kind in OBJECTS:
        assert rows(shop, "data", f"stripe_{kind}"), kind
    deleted, alive = ([row for row in rows(shop, "deleted_at") if (row[0] is None) is is_alive] for is_alive in (False, True))
    assert deleted and alive
    assert {row[0] for row in rows(shop, "status", "stripe_subscription")} <= {"incomplete", "active", "canceled"}
    assert ("paid", "usd", 0) in rows(shop, "status, currency, amount_remaining", "stripe_invoice")


def test_any_order_ends_in_the_same_row(shop: Pipeline) -> None:
    """Half of them deleted; the time of Stripe is in seconds, so that several are equally new."""
    provider, chance, lives = shop.provider(shop.ingress()), random.Random(5), []
    for number in range(12):
        lives.append([])
        for _ in range(2):
            identity, seconds, events = fresh_id("cus"), 1_790_000_000, []
            dice = random.Random(number)
            for step in range(5):
                seconds += dice.choice([0, 1])
                happened = "created" if step == 0 else "deleted" if step == 3 and number % 2 else "updated"
                events.append(customer(happened, identity, seconds, email=dice.choice(["a@shop.test", HOSTILE, None]), balance=step))
            lives[-1].append((identity, events))
    deliveries = [event for (_, ordered), _ in lives for event in ordered]
    for event in deliveries:
        provider.deliver(event).expect(200)
    deliveries = [event for _, (_, shuffled) in lives for event in shuffled]
    deliveries += chance.choices(deliveries, k=20)
    chance.shuffle(deliveries)
    for event in deliveries:
        provider.deliver(event).expect(200)
    shop.consumer()
    shop.expect_caught_up()
    found = {row[0]: row[1:] for row in rows(shop, "id, email, balance, changed_at, deleted_at IS NOT NULL, by_event")}
    for number, ((ordered, of_ordered), (shuffled, of_shuffled)) in enumerate(lives):
        assert last_of(found[shuffled], of_shuffled) == last_of(found[ordered], of_ordered)
        assert found[shuffled][3] == number % 2
    assert HOSTILE in {row[0] for row in found.values()}


def test_a_column_that_is_added_to_the_file_is_added_to_the_table(shop: Pipeline) -> None:
    provider, identity = shop.provider(shop.ingress()), fresh_id("cus")
    consumer = shop.consumer()
    provider.deliver(customer("created", identity, 1_790_000_000, email="a@shop.test")).expect(200)
    shop.expect_caught_up()
    consumer.stop()
    mirror = next(effect for effect in shop.config["effects"] if effect["name"] == "stripe-customer")["mirror"]
    mirror["columns"]["tax_exempt"] = {"pointer": "/data/object/tax_exempt", "type": "VARCHAR(32)"}
    consumer = shop.consumer(start=False).start()
    consumer.expect_not_ready("held_effects", "stripe-customer", "tax_exempt")
    (plan,) = [one for one in migrated(shop)["tables"] if one["state"] != "ready"]
    assert (plan["table"], plan["columns"]) == ("stripe_customer", ["tax_exempt"])
    migrated(shop, "--apply")
    consumer.ready()
    provider.deliver(customer("updated", identity, 1_790_000_001, email="b@shop.test", tax_exempt="none")).expect(200)
    shop.expect_caught_up()
    assert rows(shop, "email, tax_exempt") == [("b@shop.test", "none")]


def test_what_sluice_does_not_change_of_a_table_is_said(shop: Pipeline) -> None:
    shop.ledger.run("ALTER TABLE stripe_customer MODIFY email VARCHAR(100) NULL", "ALTER TABLE stripe_price DROP COLUMN changed_at")
    said = {one["table"]: one["differs"] for one in migrated(shop, status=1)["tables"] if one["state"] == "differs"}
    assert said["stripe_customer"] == ["email is varchar(100), and the file says VARCHAR(512): change it yourself if that is meant"]
    assert said["stripe_price"] == ["it has no column changed_at, which rows that are there would lack: mirror into a table of its own"]


def test_two_at_once_make_each_table_once(pipeline: Pipeline) -> None:
    pipeline.make_database()
    pipeline.config["effects"] = yaml.safe_load(pipeline.ctl("effects", "ready", "stripe", "--source", SOURCE).stdout)
    with ThreadPoolExecutor() as pool:
        for done in pool.map(lambda _: migrated(pipeline, "--apply"), range(4)):
            assert {one["state"] for one in done["tables"]} == {"ready"}


def test_refunds_of_one_second_end_with_the_whole_sum(shop: Pipeline) -> None:
    """Whichever id is greater, and whichever comes first."""
    provider, units = shop.provider(shop.ingress()), [fresh_id("ch") for _ in range(6)]
    for unit in units:
        refunds = [snapshot("charge.refunded", {"id": unit, "object": "charge", "amount_refunded": total}, created=1_790_000_000) for total in (500, 1000)]
        for event in refunds if units.index(unit) % 2 else reversed(refunds):
            provider.deliver(event).expect(200)
    shop.consumer()
    shop.expect_caught_up()
    assert rows(shop, "amount_refunded", "stripe_charge") == [(1000,)] * len(units)


def test_a_whole_body_of_any_size_is_kept(pipeline: Pipeline) -> None:
    pipeline.make_database()
    pipeline.config["effects"] = [{"name": "keep", "when": {"source": SOURCE, "type": "thing.made"}, "mirror": {
        "table": "thing", "key": {"id": "/data/object/id"}, "columns": {"body": {"pointer": "", "as": "json"}}, "newer": {"by_event": ":event_id"}}}]
    migrated(pipeline, "--apply")
    provider = pipeline.provider(pipeline.ingress())
    events = [snapshot("thing.made", {"id": fresh_id("thing"), "text": text}) for text in ("x" * 300_000, HOSTILE, "\U0001f4b6")]
    for event in events:
        provider.deliver(event).expect(200)
    pipeline.consumer()
    for event in events:
        pipeline.ledger.expect_status(event, "done")
    assert [json.loads(body) for (body,) in rows(pipeline, "body", "thing")] == [json.loads(event.body) for event in events]
