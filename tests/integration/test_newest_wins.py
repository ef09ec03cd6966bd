"""Kind upsert: rows end at the newest state of their object, whatever the order of its events."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
import yaml

from tests.support.dead_letter import dead_letter_of
from tests.support.events import Event, fresh_id, snapshot
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

TREE = Path(__file__).parents[2]
# Products one by one: their effects ask before they write.
OBJECTS = ["customer", "product"]
TABLES = [f"CREATE TABLE newest_{kind} (id VARBINARY(64) PRIMARY KEY, email VARCHAR(60) NULL, changed_at DATETIME(6) NOT NULL,"
                " state_rank BIGINT NOT NULL, by_event VARBINARY(64) NOT NULL, deleted_at DATETIME(6) NULL)" for kind in OBJECTS]
HOSTILE = "'; DROP TABLE newest_customer; -- :id \\"


def effect(kind: str, type_: str, email: str | None, tombstone: object) -> dict:
    let = {"id": "/data/object/id", "email": {"pointer": "/data/object/email", "optional": True},
           "state_rank": {"event": "event_type", "map": {f"{kind}.created": "0"}, "default": "1", "as": "int64"}}
    if email is None:
        del let["email"]
    return {"name": f"{kind}-{type_}", "when": {"type": [f"{kind}.created", f"{kind}.updated"] if type_ == "kept" else f"{kind}.deleted"}, "let": let,
            "upsert": {"table": f"newest_{kind}", "key": {"id": ":id"}, "row": {"email": email}, "tombstone": tombstone,
                       "newer": [{"changed_at": ":occurred_at"}, {"state_rank": ":state_rank"}, {"by_event": ":event_id"}]},
            **({"decide": {"select": "SELECT 'done'"}} if kind == "product" else {})}


EFFECTS = [effect(kind, *rest) for kind in OBJECTS for rest in [("kept", ":email", "deleted_at"), ("deleted", None, {"deleted_at": ":occurred_at"})]]


@pytest.fixture
def mirror(pipeline: Pipeline) -> Pipeline:
    """Its consumer keeps both kinds of objects."""
    pipeline.ledger.run(*TABLES)
    pipeline.config["effects"] += EFFECTS
    return pipeline


def life_of(kind: str, *, seed: int) -> list[Event]:
    """An object's events as they happened: several in a second, and perhaps a deletion among them."""
    chance, identity = random.Random(seed), fresh_id(kind[:3])
    seconds, events = 1_790_000_000, []
    for number in range(6):
        seconds += chance.choice([0, 0, 1])
        happened = "created" if number == 0 else "deleted" if chance.random() < 0.1 else "updated"
        events.append(snapshot(f"{kind}.{happened}", {"id": identity, "object": kind, "email": chance.choice(["a@shop.test", "b@shop.test", HOSTILE, None])},
                               created=seconds))
    return events


def row_of(pipeline: Pipeline, events: list[Event]) -> tuple:
    kind = events[0].type.split(".", maxsplit=1)[0]
    rows = pipeline.ledger.query(f"SELECT email, changed_at, state_rank, deleted_at, by_event FROM newest_{kind} WHERE id = %s", events[0].object.encode())
    (*row, by_event), = rows
    return *row, [event.id for event in events].index(by_event.decode())


def test_any_order_and_any_duplicates_end_in_the_row_of_the_ordered_delivery(mirror: Pipeline) -> None:
    """Delivered before the consumer starts, so that it reads them in batches."""
    provider, chance, lives = mirror.provider(mirror.ingress()), random.Random(7), []
    for seed in range(8):
        for kind in OBJECTS:
            ordered, shuffled = life_of(kind, seed=seed), life_of(kind, seed=seed)
            for event in ordered:
                provider.deliver(event).expect(200)
            deliveries = shuffled + chance.choices(shuffled, k=3)
            chance.shuffle(deliveries)
            for event in deliveries:
                provider.deliver(event).expect(200)
            lives.append((ordered, shuffled))
    consumer = mirror.consumer()
    mirror.expect_caught_up()
    for kind in OBJECTS:
        wait_for(lambda kind=kind: consumer.metric("sluice_consumer_effect_stale_total", effect=f"{kind}-kept") > 10, f"stale events of {kind}s")
    for ordered, shuffled in lives:
        assert row_of(mirror, shuffled) == row_of(mirror, ordered), ordered[0].type
    statuses = mirror.ledger.statuses()
    assert {statuses[event.id] for pair in lives for life in pair for event in life} <= {"done", "ignored"}
    assert {row_of(mirror, shuffled)[0] for _, shuffled in lives} >= {HOSTILE, None}


def test_the_example_of_the_page_does_what_it_says(pipeline: Pipeline) -> None:
    section = re.search(r"### Newest wins\n(.*?)\n### ", (TREE / "docs/configuration.md").read_text(), re.DOTALL)
    effects, = re.findall(r"```yaml\n(.*?)```", section[1], re.DOTALL)
    table, = re.findall(r"```sql\n(.*?)```", section[1], re.DOTALL)
    pipeline.ledger.run(table)
    pipeline.config["effects"] += yaml.safe_load(effects.replace("source: stripe,", f"source: {SOURCE},"))["effects"]
    provider, identity = pipeline.provider(pipeline.ingress()), fresh_id("cus")
    pipeline.consumer()

    def tell(happened: str, email: str, created: int) -> tuple:
        provider.deliver(snapshot(f"customer.{happened}", {"id": identity, "object": "customer", "email": email}, created=created)).expect(200)
        pipeline.expect_caught_up()
        row, = pipeline.ledger.query("SELECT email, deleted_at IS NOT NULL FROM customers WHERE id = %s", identity.encode())
        return row

    assert tell("updated", "new@shop.test", 1_790_000_005) == ("new@shop.test", 0)
    assert tell("created", "old@shop.test", 1_790_000_005) == ("new@shop.test", 0)
    assert tell("deleted", "new@shop.test", 1_790_000_004) == (None, 1)
    assert tell("updated", "late@shop.test", 1_790_000_009) == (None, 1)


def test_a_late_creation_brings_nothing_back(mirror: Pipeline) -> None:
    provider, consumer = mirror.provider(mirror.ingress()), mirror.consumer()
    for kind in OBJECTS:
        identity = fresh_id(kind[:3])
        deletion = snapshot(f"{kind}.deleted", {"id": identity, "object": kind}, created=1_790_000_000)
        creation = snapshot(f"{kind}.created", {"id": identity, "object": kind, "email": "a@shop.test"}, created=1_790_000_009)
        provider.deliver(deletion).expect(200)
        mirror.ledger.expect_status(deletion, "done")
        provider.deliver(creation).expect(200)
        mirror.expect_caught_up()
        assert row_of(mirror, [deletion, creation])[0] is None
    consumer.expect_metric(1, "sluice_consumer_effect_stale_total", effect="customer-kept")


def test_a_version_that_the_table_refuses_is_a_dead_letter_although_a_newer_one_came(mirror: Pipeline) -> None:
    """Both in one batch: the second would hide what the first one is."""
    provider, identity = mirror.provider(mirror.ingress()), fresh_id("cus")
    refused = snapshot("customer.created", {"id": identity, "object": "customer", "email": "x" * 61}, created=1_790_000_000)
    newer = snapshot("customer.updated", {"id": identity, "object": "customer", "email": "a@shop.test"}, created=1_790_000_009)
    for event in (refused, newer):
        provider.deliver(event).expect(200)
    mirror.consumer()
    assert dead_letter_of(mirror, refused).text("sluice-error-class") == "data"
    assert mirror.ledger.query("SELECT id FROM newest_customer WHERE id = %s", identity.encode()) == []


def test_a_trial_says_why_an_event_is_stale(mirror: Pipeline) -> None:
    mirror.ledger.run("INSERT INTO newest_customer VALUES ('cus_tried', NULL, '2099-01-01', 0, 'evt_later', NULL)")
    words = ["--sample", "customer.updated", "--set", "/data/object/id=cus_tried", "--json"]
    (trial,) = json.loads(mirror.ctl("effects", "test", *words).stdout)["trials"]
    (effect,) = trial["effects"]
    assert trial["verdict"]["kind"] == "ignored", trial
    assert (effect["outcome"], effect["reason"]) == ("ignore", "upsert newest_customer: the row is newer than the event")
