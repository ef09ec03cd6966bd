"""SECURITY.md lists the rights of each role on MySQL and MariaDB: under these and no others all of it works, and each of them is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from deploy.stack.server import free_port
from tests.support.caller import Caller
from tests.support.charging import CHARGE, executing
from tests.support.crowd import at_once
from tests.support.effects import parks_without_a_wallet
from tests.support.erasure import APPLY, erase
from tests.support.event_list import EventList
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.executing import Service, does_it_and_says
from tests.support.guarded_database import OF_EFFECTS, GuardedDatabase, by_table, granted, guarded, site  # noqa: F401
from tests.support.lanes import expect_lane, key_of
from tests.support.old_rows import AGED, leave_idle_lane, leave_old_rows
from tests.support.on_call import SIGNED, OnCall, ends_by_hand
from tests.support.pipeline import POLLED, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.revisions import revision
from tests.support.wait import expect_soon, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

GIVES_WAY = {**parks_without_a_wallet(), "name": "gives-way", "when": {"source": "stripe-eu", "type": "charge.updated"},
             "after_dead": "skip_superseded"}

A_WALK = (f"source = '{POLLED}', provider = 'stripe', principal = 'acct_main', at_id = 'evt_1', at_created = '2026-11-28', "
          "complete_until = '2026-11-28', types_digest = REPEAT('0', 32), fence = 1, leased_until = '2026-11-28'")


@pytest.fixture
def listing() -> Iterator[EventList]:
    it = EventList()
    yield it
    it.close()


@pytest.fixture
def service() -> Iterator[Service]:
    it = Service()
    yield it
    it.close()


def expect_all_needed(guarded: GuardedDatabase, role: str) -> None:
    """Some of it programs do by and by."""
    def check() -> None:
        used, given = guarded.used_by(role), granted(role)
        assert used == given, f"{role} lacks {by_table(used - given)} and never used {by_table(given - used)}"
    expect_soon(check, within=60)


def test_migrations(guarded: GuardedDatabase, new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = guarded.guard(new_pipeline())
    pipeline.create_database()
    guarded.let_in("sluice-migrate")
    guarded.as_user("sluice-migrate")
    for said in ("migrations applied", "up to date"):
        done = pipeline.ctl("migrate", "--apply")
        assert done.returncode == 0 and said in done.stdout and "denied" not in done.stderr, done.stdout + done.stderr
    expect_all_needed(guarded, "sluice-migrate")


def start_as(guarded: GuardedDatabase, role: str, start: Callable[[], Program]) -> Program:
    guarded.let_in(role, *(OF_EFFECTS if role in ("sluice-consumer", "sluice-retry", "sluice-command") else ()))
    guarded.as_user(role)
    program = start()
    guarded.as_everybody()
    return program


def test_main_role(guarded: GuardedDatabase, site: Pipeline) -> None:
    customer, late = fresh_id("cus"), fresh_id("cus")
    site.ledger.open_wallet(customer)
    site.config["effects"].append(GIVES_WAY)
    leave_old_rows(site)
    site.log.commit(site.group, site.topic, {0: 50})  # the log that was read so far is lost
    first, waits, passes = payment(customer, 7), payment(late, 1, intent="pi_1"), payment(customer, 2, intent="pi_1")
    put(site, first, waits)
    consumer = start_as(guarded, "sluice-consumer", site.consumer)
    expect_lane(site, waits, "deferred")
    overtaken = [snapshot("charge.updated", {"id": "ch_1", "customer": late}) for _ in range(2)]
    put(site, passes, *overtaken)
    site.ledger.expect_applied(first, passes)
    site.ledger.expect_status(overtaken[0], "skipped")
    round_ = wait_for(lambda: consumer.decisions("housekeeping"), "a round of housekeeping")[0]
    assert all(round_[what] for what in AGED), round_
    wait_for(lambda: consumer.decisions("log_truncated"), "the loss to be seen")
    expect_all_needed(guarded, "sluice-consumer")


def test_retry_role_and_who_tells_it(guarded: GuardedDatabase, site: Pipeline) -> None:
    leave_idle_lane(site)
    site.log.append(site.quarantine, b"nobody's")
    site.log.commit(f"{site.group}.retry", site.quarantine, {0: 50})  # what was read of it so far is lost
    retry = start_as(guarded, "sluice-retry", site.retry_role)
    site.consumer()
    takes_nothing(site)
    site.consumer(role="relay")
    guarded.let_in("sluicectl")
    guarded.as_user("sluicectl")
    on_call = OnCall(site)
    event = on_call.dies()
    at_once([lambda: on_call.retries_twice(event), on_call.skips, on_call.ends_messages, on_call.edits, on_call.reruns, on_call.waits])
    on_call.lets_in_as_well(event)
    on_call.look(event)
    goes_on_and_on(site)
    wait_for(lambda: retry.metric("sluice_consumer_lanes_purged_total") == 1, "the idle lane to go")
    expect_all_needed(guarded, "sluice-retry")
    expect_all_needed(guarded, "sluicectl")
    expect_to_erase(guarded, site, key_of(event))


def expect_to_erase(guarded: GuardedDatabase, site: Pipeline, key: str) -> None:
    held = "SELECT COUNT(*) FROM dead_letter WHERE object_key = %s AND body IS NOT NULL"
    assert site.ledger.query(held, key) != [(0,)]
    guarded.let_in("sluice-eraser")
    guarded.as_user("sluice-eraser")
    assert erase(site, "--object", key, *APPLY)["finished"]
    assert site.ledger.query(held, key) == [(0,)]
    expect_all_needed(guarded, "sluice-eraser")


def goes_on_and_on(site: Pipeline) -> None:
    """More callbacks of one object than are usual, and then still more."""
    def callbacks() -> list[Event]:
        return [snapshot("charge.updated", {"id": "ch_busy", "customer": fresh_id("cus")}) for _ in range(7)]
    for expected in (7, 14):
        put(site, *callbacks())
        wait_for(lambda expected=expected: site.ledger.query("SELECT MAX(callbacks) FROM anomaly") == [(expected,)], "the anomaly")


def takes_nothing(site: Pipeline) -> None:
    site.log.configure(f"{site.name}.told", **{"max.message.bytes": "1"})


def test_relay_role(guarded: GuardedDatabase, site: Pipeline) -> None:
    site.consumer()
    first, second = payment(fresh_id("cus"), 7), payment(fresh_id("cus"), 7)
    for event in (first, second):
        site.ledger.open_wallet(event.customer)
    put(site, first)
    site.ledger.expect_applied(first)
    site.consumer(role="relay").stop()
    wait_for(lambda: site.ledger.query("SELECT state FROM outbox") in ([("sent",)], [("waiting",)]), "the first message")
    site.ledger.run("UPDATE outbox SET state = 'sent', slot = NULL, finished_at = NOW() - INTERVAL 100 DAY")
    relay = start_as(guarded, "sluice-relay", lambda: site.consumer(role="relay"))
    relay.expect_metric(1, "sluice_relay_messages_purged_total")
    put(site, second)
    relay.expect_metric(1, "sluice_relay_messages_total", destination="told", result="sent")
    takes_nothing(site)
    third = payment(fresh_id("cus"), 7)
    site.ledger.open_wallet(third.customer)
    put(site, third)
    relay.expect_metric(1, "sluice_relay_messages_total", destination="told", result="refused")
    expect_all_needed(guarded, "sluice-relay")
    # While a topic is asked, its session says nothing, and holds a slot's lock by being there: 10 s and what others have.
    assert any("wait_timeout = 40" in statement for statement in guarded.said_by("sluice-relay"))


def test_poller_role(guarded: GuardedDatabase, site: Pipeline, listing: EventList) -> None:
    site.polls(listing, since="1d")
    known = payment(fresh_id("cus"), 7)
    listing.add(known, ago=1200)
    start_as(guarded, "sluice-poller", site.poller)
    expect_soon(lambda: site.expect_published(known))
    site.ledger.run("INSERT INTO reconciliation SET id = 'old', source = '', provider = '', principal = '', kind = 'once', applies = 0,"
                    " began_at = '2026-01-01'")
    guarded.as_user("sluice-poller")
    compared = site.reconcile("--from", "3d", *SIGNED, "--before-first")
    assert compared.returncode == 1, compared.stdout + compared.stderr
    (site.folder / "ids.txt").write_text("evt_unknown")
    assert site.reconcile("--file", str(site.folder / "ids.txt")).returncode == 1
    expect_all_needed(guarded, "sluice-poller")


def test_commands(guarded: GuardedDatabase, site: Pipeline) -> None:
    caller, tells = Caller(free_port()), {**CHARGE, "name": "tell", "effect": {"send": {"to": "told", "key": ":customer", "body": {"price": ":price"}}}}
    site.ledger.open_wallet("cus_1")
    start_as(guarded, "sluice-command", lambda: executing(site, caller, CHARGE, {**tells, "answers": {"done": {"body": {"told": ":price"}}}}))
    order = {"customer": "cus_1", "price": 1}
    assert [caller.send(command, order, key="k").status for command in ("charge-click", "charge-click", "tell")] == [409, 409, 200]
    assert caller.look_up("tell", "k")["state"] == "done"
    expired = "command_key SET keep_until = UTC_TIMESTAMP(6) - INTERVAL 1 DAY WHERE command = "
    site.ledger.run(f"UPDATE {expired} 'charge-click'")
    assert caller.send("charge-click", order, key="k").status == 409
    site.ledger.run(f"UPDATE {expired} 'tell'")
    wait_for(lambda: caller.look_up("tell", "k")["state"] == "absent" and not site.ledger.query("SELECT 1 FROM command_key WHERE command = 'tell'"),
             "the expired key to go")
    expect_all_needed(guarded, "sluice-command")


def test_who_ends_a_call_by_hand(guarded: GuardedDatabase, site: Pipeline, service: Service) -> None:
    caller, key = Caller(free_port()), ("k1", "--caller", "ads-team")
    call = {"url": service.url, "secrets": [{"value": {"env": "TEST_CALLER_KEY"}}], "allow": ["127.0.0.1"]}
    executing(site, caller, {"name": "refund", "wait": "20s", "call": call})
    service.way = does_it_and_says(500)
    assert caller.send("refund", {"refund": 5}, key="k1").status == 502, "without a query nobody knows"
    guarded.let_in("sluice-settle")
    guarded.as_user("sluice-settle")
    looked = [site.ctl("command", *words) for words in (["list", "--state", "failed"], ["show", "refund", *key])]
    mistaken = ends_by_hand(site, "k1", "--caller", "ads")
    assert "nothing is kept under this key" in mistaken.stderr, mistaken.stdout + mistaken.stderr
    for done in (*looked, ends_by_hand(site, *key)):
        assert done.returncode == 0 and "denied" not in done.stderr, done.stdout + done.stderr
    assert caller.send("refund", {"refund": 5}, key="k1").json == {"seen": True}
    expect_all_needed(guarded, "sluice-settle")


def test_effects_and_keys_of_another_file(guarded: GuardedDatabase, site: Pipeline) -> None:
    revision(site, 5)
    site.consumer().stop()
    revision(site, 4, pays=10)
    site.config["sources"][0]["order_by"] = ["/data/object/customer"]
    site.ledger.run(f"INSERT INTO poll_walk SET {A_WALK}")
    for role, commands in [("sluice-effects", [["effects"]]), ("sluice-keys", [["keys", "accept"], ["poll", "forget-place", POLLED]])]:
        guarded.let_in(role)
        guarded.as_user(role)
        for command in commands:
            done = site.ctl(*command, *SIGNED)
            assert done.returncode == 0, done.stdout + done.stderr
        expect_all_needed(guarded, role)
    guarded.as_everybody()
    site.consumer()  # ready: both are in force
