"""The database is read-only, as after a fail-over to the wrong place."""

from __future__ import annotations

from tests.support.wait import wait_for
from tests.walk.walk import Walk


def test_database_that_is_read_only(walk: Walk) -> None:
    walk.begin()
    administer(walk, "SET GLOBAL super_read_only = ON")
    try:
        _, page = walk.woken_by("SluiceLagLong")
        find_out_and_end(walk, page)
    finally:
        administer(walk, "SET GLOBAL super_read_only = OFF")
        administer(walk, "SET GLOBAL read_only = OFF")


def find_out_and_end(walk: Walk, page) -> None:
    page.section("Diagnosis")
    pods = [line.split()[0] for line in walk.types(page.command("get pods")).splitlines()[1:]]
    said = [walk.types(page.command("ready POD"), POD=pods[0]), *(walk.types("ready POD", POD=pod) for pod in pods[1:])]
    assert any("mysql: " in text and "read-only" in text for text in said), said
    assert "database_trouble" in walk.types(page.command("logs consumer"))
    elsewhere = page.told("`mysql: …`").follow("a dead database")

    elsewhere.told("**Find out**")
    assert "mysql.writable FAIL" in " ".join(walk.types(elsewhere.command("doctor")).split())
    elsewhere.told("**Decide.**").told("`the server is read-only`")
    administer(walk, *elsewhere.command("SET GLOBAL read_only").split(";"))

    elsewhere.told("**It is over**")
    after = elsewhere.command("doctor | tail")
    wait_for(lambda: ", 0 failed" in walk.types(after), "doctor to find nothing", 60, every=0.5)
    assert walk.types(elsewhere.command("dlq list")) == "No entries.\n"

    page.section("Verification")
    assert ", 0 failed" in walk.types(page.command("doctor"))
    walk.types(page.command("get pods"))
    page.told("falls to 0")
    wait_for(lambda: all(pod.program.metric("sluice_consumer_due_lag_seconds") < 1 for pod in walk.installation.of("consumer")), "no lag", 60)
    walk.over("SluiceLagLong")


def administer(walk: Walk, *statements: str) -> None:
    walk.pipeline.ledger.run(*(statement for statement in statements if statement.strip()))
