"""What the accounts of SECURITY.md may not do on MySQL and MariaDB, and what they do with the rights that everybody has."""

from __future__ import annotations

import json

import pymysql
import pytest

from tests.support.guarded_database import OF_EFFECTS, GuardedDatabase, guarded, site  # noqa: F401
from tests.support.pipeline import Pipeline

pytestmark = pytest.mark.databases("mysql", "mariadb")

NOBODYS = ["DROP TABLE lane", "TRUNCATE TABLE dead_letter", "CREATE TABLE mine (a INT)", "ALTER TABLE lane ADD COLUMN a INT",
           "RENAME TABLE inbox TO outbox", "DROP DATABASE payments", "SELECT * FROM wallet", "SELECT * FROM mysql.user",
           "SET GLOBAL max_connections = 1"]
REFUSED = {
    "sluice-consumer": ["INSERT INTO operator_action (id) VALUES ('1')", "DELETE FROM lane", "INSERT INTO erasure (host) VALUES ('h')"],
    "sluice-retry": ["DROP TABLE inbox", "ALTER TABLE inbox DROP PARTITION p_newest", "DELETE FROM inbox", "DELETE FROM dead_letter",
                     "DELETE FROM operator_action", "UPDATE operator_action SET reason = ''"],
    "sluicectl": ["UPDATE inbox SET status = 'done'", "DELETE FROM dead_letter", "INSERT INTO sluice_meta (name) VALUES ('effects')",
                  "DELETE FROM source_keys", "UPDATE lane SET unfinished = 0", "UPDATE poll_walk SET gap_from = NULL",
                  "UPDATE command_key SET status = 200"],
    "sluice-poller": ["UPDATE inbox SET status = 'done'", "SELECT * FROM event_payload", "DELETE FROM poll_walk"],
    "sluice-eraser": ["DELETE FROM inbox", "DELETE FROM dead_letter", "DELETE FROM operator_action", "DELETE FROM erasure"],
    "sluice-settle": ["DELETE FROM command_key", "INSERT INTO command_key (key_digest) VALUES ('k')", "SELECT * FROM inbox",
                      "INSERT INTO outbox (slot) VALUES (1)"],
    "sluice-effects": ["SELECT * FROM inbox", "DELETE FROM sluice_meta"],
    "sluice-keys": ["SELECT * FROM inbox", "DELETE FROM sluice_meta", "UPDATE lane SET unfinished = 0"],
    "sluice-migrate": ["DROP TABLE inbox", "SELECT * FROM event_payload", "INSERT INTO inbox (source) VALUES ('s')"]}


def test_doctor_does_not_judge_effects_by_its_own_rights(guarded: GuardedDatabase, site: Pipeline) -> None:
    """But by those of the account that consumers have: what that may not is never applied."""
    for role, rights, level in [("sluicectl", (), "warn"), ("sluice-consumer", (), "fail"), ("sluice-retry", OF_EFFECTS, "ok")]:
        guarded.let_in(role, *rights)
        guarded.as_user(role)
        found = levels(site)
        assert found.pop("mysql.effects") == level and "fail" not in found.values(), role


def test_effects_are_tried_with_the_rights_of_sluicectl_and_those_of_effects(guarded: GuardedDatabase, site: Pipeline) -> None:
    """And no others; without the latter the verdict would be about the account and not about the event."""
    guarded.let_in("sluicectl")
    guarded.as_user("sluicectl")
    refused = site.ctl("effects", "test", "--sample", "payment_intent.succeeded")
    assert refused.returncode == 1 and "this account may not do what the effect does" in refused.stderr, refused.stderr
    guarded.grant("sluicectl", *OF_EFFECTS, "INSERT ON outbox")
    told = site.ctl("effects", "test", "--sample", "payment_intent.succeeded")
    assert "It would wait (deferred)" in told.stdout and "statement 1, on wallet, matched 0 rows" in told.stdout, told.stdout + told.stderr


def levels(site: Pipeline) -> dict[str, str]:
    found = json.loads(site.ctl("doctor", "--only", "mysql", "--json").stdout)["findings"]
    return {line["check"]: line["level"] for line in found}


def test_account_ends_its_own_sessions_and_no_others(guarded: GuardedDatabase, site: Pipeline) -> None:
    """As the consumer does with a statement that takes too long."""
    guarded.let_in("sluice-consumer")
    with guarded.session_of("sluice-consumer") as session, session.cursor() as cursor:
        own, others = guarded.session_of("sluice-consumer"), site.ledger.session()
        cursor.execute(f"KILL QUERY {own.thread_id()}")
        with pytest.raises(pymysql.MySQLError, match="not owner"):
            cursor.execute(f"KILL {others.thread_id()}")
        for each in (own, others):
            each.close()


def test_what_each_role_may_not(guarded: GuardedDatabase, site: Pipeline) -> None:
    for role, statements in REFUSED.items():
        guarded.let_in(role)
        with guarded.session_of(role) as session, session.cursor() as cursor:
            for statement in [*NOBODYS, *statements]:
                with pytest.raises(pymysql.MySQLError, match="denied"):
                    cursor.execute(statement)
