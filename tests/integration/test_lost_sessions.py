"""What was applied above the claims when a MySQL session is lost: no claim tells whether the next server has it, so it is read again."""

from __future__ import annotations

import pytest

from deploy.stack import SqlServer
from tests.support.effects import WANTS_A_ROW
from tests.support.events import fresh_id, paid_invoice, payment
from tests.support.older_copy import cut_session_that_waits_for_a_lock, cut_sessions, put_copy_back, take_copy
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.wait import stays, wait_for

DEMOTED = """CREATE TRIGGER demoted BEFORE INSERT ON wallet_entry FOR EACH ROW
             SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = 'read-only'"""
DEAD_LETTERS = "sluice_consumer_dead_letters_total"


@pytest.mark.databases("mysql", "mariadb")
def test_what_was_applied_above_the_claims_survives_a_fail_over(new_pipeline) -> None:
    """An event is under way when those behind it are applied: nothing is claimed yet, so no claim tells that they are lost."""
    pipeline: Pipeline = new_pipeline(partitions=1).prepare()
    pipeline.config["consumer"] = {"workers": 4}
    slow, customer = fresh_id("cus"), fresh_id("cus")
    pipeline.ledger.open_wallet(slow)
    pipeline.ledger.open_wallet(customer)
    take_copy(pipeline)
    pipeline.consumer("consumer.before_commit=delay:6000@1")
    put(pipeline, first := payment(slow, 1))
    wait_for(lambda: "consumer.before_commit" in pipeline.programs[-1].hit_failpoints(), "the first to be under way")
    put(pipeline, *(behind := [payment(customer, 1) for _ in range(20)]))
    wait_for(lambda: pipeline.ledger.statuses(), "some of those behind it to be applied")
    assert not pipeline.ledger.query("SELECT * FROM applied_offset"), "something is claimed already"
    cut_sessions(pipeline)
    put_copy_back(pipeline)
    pipeline.ledger.expect_applied(first, *behind)
    pipeline.expect_caught_up()


def test_session_that_is_given_up_on_a_server_that_lives_has_nothing_read_again(pipeline: Pipeline) -> None:
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    pipeline.ledger.run(DEMOTED)
    consumer = pipeline.consumer()
    put(pipeline, *(events := [payment(customer, 1) for _ in range(10)]))
    wait_for(lambda: consumer.decisions("database_trouble"), "a session to be given up")
    pipeline.ledger.run("DROP TRIGGER demoted")
    pipeline.ledger.expect_applied(*events)
    assert not consumer.decisions("read_again")


def test_server_that_goes_after_a_session_was_given_up_is_missed(new_pipeline) -> None:
    """Between two sessions nobody would notice; the one that was given up tells."""
    pipeline: Pipeline = new_pipeline(partitions=1).prepare()
    pipeline.config["consumer"] = {"workers": 1, "in_place": "60s"}
    pipeline.config["effects"].append(WANTS_A_ROW)
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    consumer = pipeline.consumer()
    put(pipeline, held := paid_invoice(late := fresh_id("cus")))
    wait_for(lambda: consumer.decisions("retried"), "the first failure")
    take_copy(pipeline)
    put(pipeline, *(lost := [payment(customer, 1) for _ in range(5)]))
    wait_for(lambda: len(pipeline.ledger.statuses()) == 5, "those behind it to be applied")
    pipeline.ledger.run(DEMOTED)
    put(pipeline, last := payment(customer, 1))
    wait_for(lambda: consumer.decisions("database_trouble"), "a session to be given up")
    stays(lambda: None, during=3)  # the waits between two sessions grow
    put_copy_back(pipeline)
    pipeline.ledger.run("DROP TRIGGER demoted")
    pipeline.ledger.open_wallet(late)
    pipeline.ledger.expect_applied(held, *lost, last)
    assert consumer.decisions("read_again")


@pytest.mark.databases("mysql", "mariadb")
def test_event_that_fails_comes_to_its_lane_while_sessions_are_lost(pipeline: Pipeline) -> None:
    """It is read again with each session, and has not failed for the first time then."""
    pipeline.config["consumer"] = {"workers": 1, "in_place": "6s"}
    pipeline.config["effects"].append(WANTS_A_ROW)
    consumer = pipeline.consumer()
    put(pipeline, fails := paid_invoice(fresh_id("cus")))
    wait_for(lambda: consumer.decisions("retried"), "the first failure")

    def is_in_its_lane() -> bool:
        cut_sessions(pipeline)
        return pipeline.ledger.status(fails) is not None
    wait_for(is_in_its_lane, "the event to be in its lane", every=2)
    assert consumer.decisions("read_again")


@pytest.mark.databases("mysql", "mariadb")
def test_sessions_on_another_server_than_the_newest_are_given_up(new_pipeline, servers: Servers, database: SqlServer) -> None:
    """One worker loses its session, and its next one is on another server. What the old server tells the other workers may be lost there."""
    own = servers.own_database(database.name.lower(), f"left-{database.name.lower()}")
    pipeline: Pipeline = new_pipeline(database=own).prepare()
    pipeline.config["consumer"] = {"workers": 4}
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    consumer = pipeline.consumer(role="both")
    put(pipeline, *(before := [payment(customer, 1) for _ in range(20)]))
    pipeline.ledger.expect_applied(*before)
    pipeline.expect_caught_up()
    pipeline.ledger.run("SET GLOBAL server_id = 4712")
    with pipeline.ledger.session() as holder, holder.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet FOR UPDATE")
        put(pipeline, waits := payment(customer, 1))
        cut_session_that_waits_for_a_lock(pipeline)
        holder.rollback()
    put(pipeline, *(after := [payment(customer, 1) for _ in range(20)]))
    pipeline.ledger.expect_applied(*before, waits, *after)
    everyone = 4 + 4 + 1  # workers of both roles, and that of the quarantine
    wait_for(lambda: len(consumer.decisions("database_back")) == everyone, "the other workers to have moved too")
    assert any("another session" in line["reason"] for line in consumer.decisions("database_trouble"))
    pipeline.end_programs()
    servers.drop(own)


@pytest.mark.databases("mysql", "mariadb")
def test_conflict_that_is_read_again_is_one_dead_letter(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline(partitions=1).prepare()
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    pipeline.config["consumer"] = {"workers": 1, "in_place": "60s"}
    pipeline.config["effects"].append(WANTS_A_ROW)
    consumer = pipeline.consumer("consumer.before_dlq_produce=error@1")
    put(pipeline, original := payment(customer, 1))
    pipeline.ledger.expect_applied(original)
    put(pipeline, held := paid_invoice(late := fresh_id("cus")), original.with_content(amount=2))
    wait_for(lambda: consumer.metric(DEAD_LETTERS, **{"class": "conflict"}) == 1, "the conflict's entry")
    cut_sessions(pipeline)
    wait_for(lambda: consumer.decisions("read_again"), "a new session")
    pipeline.ledger.open_wallet(late)
    pipeline.ledger.expect_applied(original, held)
    pipeline.expect_caught_up()
    consumer.expect_metric(1, DEAD_LETTERS, **{"class": "conflict"})
