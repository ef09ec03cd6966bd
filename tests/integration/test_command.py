"""sluice-command as a program: what a caller sees over HTTP, and what is in the database then."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from deploy.stack.server import free_port
from tests.support.caller import Caller
from tests.support.charging import CHARGE, executing
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

ASKED_ANEW = 0.2  # InnoDB shows what it showed before to whoever asks again within 0.1 s
LOCKED = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE 'SELECT%%'"


@pytest.fixture
def caller() -> Caller:
    return Caller(free_port())


@pytest.fixture
def program(pipeline: Pipeline, caller: Caller) -> Program:
    return executing(pipeline, caller, CHARGE)


def balance_of(pipeline: Pipeline, customer: str) -> int:
    return pipeline.ledger.query("SELECT balance FROM wallet WHERE customer = %s", customer)[0][0]


def test_asked_twice_it_is_executed_once(pipeline: Pipeline, program: Program, caller: Caller) -> None:
    pipeline.ledger.open_wallet("cus_1")
    pipeline.ledger.run("UPDATE wallet SET balance = 100 WHERE customer = 'cus_1'")
    order = {"customer": "cus_1", "price": 30}
    assert caller.look_up("charge-click", "k1") == {"state": "absent"}
    first, again = (caller.send("charge-click", order, key="k1") for _ in range(2))
    assert (first.status, first.json, first.is_replayed) == (200, {"charged": 30}, False)
    assert (again.status, again.body, again.is_replayed) == (200, first.body, True)
    assert first.is_response and again.is_response and not caller.send("charge-click", order).is_response
    assert balance_of(pipeline, "cus_1") == 70
    assert caller.look_up("charge-click", "k1")["state"] == "done"
    assert caller.send("charge-click", {**order, "price": 31}, key="k1").status == 422
    assert caller.send("charge-click", {**order, "price": 90}, key="k2").status == 409
    assert caller.send("charge-click", {**order, "price": 90}, key="k2").is_replayed
    assert caller.send("charge-click", order).status == 400
    assert Caller(caller.port, key=b"x" * 32).send("charge-click", order, key="k3").status == 401
    assert balance_of(pipeline, "cus_1") == 70


def test_a_row_that_is_locked_holds_no_other_account(pipeline: Pipeline, caller: Caller) -> None:
    """Each of its commands that waits for the row keeps a worker; there is one more."""
    executing(pipeline, caller, {**CHARGE, "name": "charge-patiently", "wait": "20s"}, {**CHARGE, "wait": "3s"}, workers=5)
    for customer in ("locked", "free"):
        pipeline.ledger.open_wallet(customer, balance=100)
    with pipeline.ledger.session() as blocker, blocker.cursor() as cursor, ThreadPoolExecutor(4) as pool:
        cursor.execute("SELECT * FROM wallet WHERE customer = 'locked' FOR UPDATE")
        waiting = []
        for number in range(1, 5):
            waiting.append(pool.submit(caller.send, "charge-patiently", {"customer": "locked", "price": 1}, key=f"k{number}"))
            wait_for(lambda: pipeline.ledger.query(LOCKED) == [(number,)], f"{number} to wait for the row", every=ASKED_ANEW)  # noqa: B023
        assert caller.send("charge-click", {"customer": "free", "price": 1}, key="k9").status == 200
        blocker.rollback()
        assert [told.result().status for told in waiting] == [200] * 4
