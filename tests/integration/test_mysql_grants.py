"""SECURITY.md lists the rights of each role on MySQL and MariaDB: under these and no others all of it works, and each of them is needed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator

import pymysql
import pytest

from tests.support.effects import parks_without_a_wallet
from tests.support.erasure import APPLY, Person, erase, places_of
from tests.support.events import fresh_id, payment, snapshot
from tests.support.guarded_database import GuardedDatabase, by_table, granted
from tests.support.lanes import expect_lane
from tests.support.old_rows import AGED, leave_idle_lane, leave_old_rows
from tests.support.on_call import SIGNED, OnCall
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.revisions import revision
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

OF_EFFECTS = ("SELECT, UPDATE ON wallet", "INSERT ON wallet_entry", "INSERT ON email_request")
GIVES_WAY = {**parks_without_a_wallet(), "name": "gives-way", "when": {"source": "stripe-eu", "type": "charge.updated"},
             "after_dead": "skip_superseded"}
NOBODYS = ["DROP TABLE lane", "TRUNCATE TABLE dead_letter", "CREATE TABLE mine (a INT)", "ALTER TABLE lane ADD COLUMN a INT",
           "RENAME TABLE inbox TO outbox", "DROP DATABASE payments", "SELECT * FROM wallet", "SELECT * FROM mysql.user",
           "SET GLOBAL max_connections = 1"]
REFUSED = {
    "sluice-consumer": ["INSERT INTO operator_action (id) VALUES ('1')", "DELETE FROM lane", "INSERT INTO erasure (host) VALUES ('h')"],
    "sluice-retry": ["DROP TABLE inbox", "ALTER TABLE inbox DROP PARTITION p_newest", "DELETE FROM inbox", "DELETE FROM dead_letter",
                     "DELETE FROM operator_action", "UPDATE operator_action SET reason = ''"],
    "sluicectl": ["UPDATE inbox SET status = 'done'", "DELETE FROM dead_letter", "INSERT INTO sluice_meta (name) VALUES ('effects')",
                  "DELETE FROM source_keys", "UPDATE lane SET unfinished = 0"],
    "sluice-eraser": ["DELETE FROM inbox", "DELETE FROM dead_letter", "DELETE FROM operator_action", "DELETE FROM erasure"],
    "sluice-effects": ["SELECT * FROM inbox", "DELETE FROM sluice_meta"],
    "sluice-keys": ["SELECT * FROM inbox", "DELETE FROM sluice_meta", "UPDATE lane SET unfinished = 0"],
    "sluice-migrate": ["DROP TABLE inbox", "SELECT * FROM event_payload", "INSERT INTO inbox (source) VALUES ('s')"]}


@pytest.fixture
def guarded(database) -> Iterator[GuardedDatabase]:
    """Named before `new_pipeline`: its users stay until the programs have ended."""
    guarded = GuardedDatabase(database)
    yield guarded
    guarded.close()


@pytest.fixture
def site(guarded: GuardedDatabase, new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    pipeline = guarded.guard(new_pipeline(partitions=1)).prepare()
    pipeline.config["consumer"] = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
    pipeline.config["effects"].append(parks_without_a_wallet())
    return pipeline


def expect_all_needed(guarded: GuardedDatabase, role: str) -> None:
    used, given = guarded.used_by(role), granted(role)
    assert used == given, f"{role} lacks {by_table(used - given)} and never used {by_table(given - used)}"


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
    guarded.let_in(role, *OF_EFFECTS)
    guarded.as_user(role)
    program = start()
    guarded.as_everybody()
    return program


def expect_no_refusal(*programs: Program) -> None:
    """Also none that the program lives with."""
    refusals = [line for program in programs for line in program.out.read_text().splitlines() if "denied" in line]
    assert not refusals, refusals


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
    expect_no_refusal(consumer)
    expect_all_needed(guarded, "sluice-consumer")


def test_retry_role_and_who_tells_it(guarded: GuardedDatabase, site: Pipeline) -> None:
    leave_idle_lane(site)
    site.log.append(site.quarantine, b"nobody's")
    site.log.commit(f"{site.group}.retry", site.quarantine, {0: 50})  # what was read of it so far is lost
    retry = start_as(guarded, "sluice-retry", site.retry_role)
    site.consumer()
    guarded.let_in("sluicectl")
    guarded.as_user("sluicectl")
    on_call = OnCall(site)
    on_call.waits_for_its_wallet()
    event = on_call.is_retried_twice()
    on_call.comes_with_another_content(event, let_in=False)
    on_call.is_skipped()
    on_call.is_edited()
    on_call.had_no_effect()
    on_call.comes_with_another_content(event, let_in=True)
    on_call.look(event)
    wait_for(lambda: retry.metric("sluice_consumer_lanes_purged_total") == 1, "the idle lane to go")
    expect_no_refusal(retry)
    expect_all_needed(guarded, "sluice-retry")
    expect_all_needed(guarded, "sluicectl")


def test_effects_and_keys_of_another_file(guarded: GuardedDatabase, site: Pipeline) -> None:
    revision(site, 5)
    site.consumer().stop()
    revision(site, 4, pays=10)
    site.config["sources"][0]["order_by"] = ["/data/object/customer"]
    for role, command in [("sluice-effects", ["effects"]), ("sluice-keys", ["keys", "accept"])]:
        guarded.let_in(role)
        guarded.as_user(role)
        done = site.ctl(*command, *SIGNED)
        assert done.returncode == 0, done.stdout + done.stderr
        expect_all_needed(guarded, role)
    guarded.as_everybody()
    site.consumer()  # ready: both are in force


def test_erasure(guarded: GuardedDatabase, site: Pipeline) -> None:
    guarded.as_everybody()
    site.consumer(role="both")
    anna = Person(site)
    anna.live()
    guarded.let_in("sluice-eraser")
    guarded.as_user("sluice-eraser")
    assert erase(site, "--object", anna.key, *APPLY)["finished"]
    assert places_of(site, anna.name) == Counter()
    expect_all_needed(guarded, "sluice-eraser")


def test_doctor_prepares_the_effects_statements_with_its_own_account(guarded: GuardedDatabase, site: Pipeline) -> None:
    for role, fails in [("sluicectl", {"mysql.effects"}), ("sluice-consumer", set())]:
        guarded.let_in(role, *(OF_EFFECTS if role == "sluice-consumer" else ()))
        guarded.as_user(role)
        assert unhealthy(site).keys() == fails, role


def unhealthy(site: Pipeline) -> dict[str, str]:
    """What fails, and why."""
    found = json.loads(site.ctl("doctor", "--only", "mysql", "--json").stdout)["findings"]
    return {line["check"]: line["sentence"] for line in found if line["level"] == "fail"}


def test_what_each_role_may_not(guarded: GuardedDatabase, site: Pipeline) -> None:
    for role, statements in REFUSED.items():
        guarded.let_in(role)
        with guarded.session_of(role) as session, session.cursor() as cursor:
            for statement in [*NOBODYS, *statements]:
                with pytest.raises(pymysql.MySQLError, match="denied"):
                    cursor.execute(statement)
