"""Both clients of docs/clients.md with a real sluice-command that is killed: each command is executed once, and each call ends in its response."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.stack.server import free_port
from tests.clients.asking import CALLER, CLIENTS, Client
from tests.support.ledger import Ledger
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)  # the first one compiles
PATIENT = {"attempt": 5_000, "deadline": 120_000}  # milliseconds
CHARGE = {
    "name": "charge", "wait": "5s", "keep": "72h",
    "parameters": {"customer": {"at": "/customer", "type": "text", "longest": 64}, "price": {"at": "/price", "type": "integer", "least": 1, "most": 1000}},
    "effect": {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}, "missing": {"park": "unknown_customer"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                "unknown_customer": {"status": 404, "body": {"error": "unknown_customer"}}}}


@pytest.fixture(scope="module", params=CLIENTS)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    started = Client.start(request.param, tmp_path_factory.mktemp("client"))
    yield started
    started.end()


@pytest.fixture
def program(pipeline: Pipeline) -> Program:
    """It is not started."""
    pipeline.make_database()
    pipeline.secrets["TEST_CALLER_KEY"] = CALLER["secret"]
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{free_port()}", "drain_delay": "100ms"}}
    pipeline.config["callers"] = [{"name": CALLER["caller"], "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [CHARGE]
    return pipeline._program("sluice-command", pipeline._with_ports(), "", False)


@pytest.fixture
def ledger(pipeline: Pipeline, program: Program) -> Ledger:
    ledger = pipeline.ledger
    ledger.open_wallet("cus_1")
    ledger.run("UPDATE wallet SET balance = 1000 WHERE customer = 'cus_1'")
    return ledger


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def charge(client: Client, program: Program, key: str, price: int = 30) -> dict:
    question = {"do": "execute", "command": "charge", "key": key, "body": json.dumps({"customer": "cus_1", "price": price})}
    return client.ask(question, port_of(program), PATIENT, real_time=True)


def port_of(program: Program) -> int:
    return int(program.config["command"]["listen"]["address"].rsplit(":", 1)[1])


def balance(ledger: Ledger) -> int:
    return ledger.query("SELECT balance FROM wallet WHERE customer = 'cus_1'")[0][0]


@pytest.mark.parametrize("failpoint,is_replayed", [("command.before_commit", False), ("command.after_commit", True)])
def test_a_crash_beside_commit_charges_once(client: Client, program: Program, ledger: Ledger, aside: ThreadPoolExecutor, failpoint: str,
                                            is_replayed: bool) -> None:
    program.start(f"{failpoint}=kill").ready()
    call = aside.submit(charge, client, program, "k1")
    program.wait_end()
    program.start().ready()
    became = call.result()
    assert (became["outcome"], became["response"]["body"], became["replayed"]) == ("done", '{"charged":30}', is_replayed)
    assert balance(ledger) == 970
    looked = client.ask({"do": "look_up", "command": "charge", "key": "k1"}, port_of(program), PATIENT, real_time=True)
    assert (looked["outcome"], looked["response"]) == ("done", became["response"])


def test_kills_charge_each_command_once(client: Client, program: Program, ledger: Ledger, aside: ThreadPoolExecutor) -> None:
    """Every third command is one that was sent before."""
    calls: list[Future[dict]] = [aside.submit(charge, client, program, f"k{number - number % 3 // 2}", 1) for number in range(150)]
    for share in range(5):
        program.start().ready()
        due = calls[29 * (share + 1)]
        wait_for(due.done, "some commands to be done")
        program.kill()
    program.start().ready()
    assert {call.result()["outcome"] for call in calls} == {"done"}
    assert {call.result()["response"]["body"] for call in calls} == {'{"charged":1}'}
    assert balance(ledger) == 900


def test_what_the_service_says_is_what_the_caller_gets(client: Client, program: Program, ledger: Ledger) -> None:
    program.start().ready()
    first, again = (charge(client, program, "k1", 800) for _ in range(2))
    assert (first["response"], first["replayed"], again["replayed"]) == (again["response"], False, True)
    too_little = charge(client, program, "k2", 800)
    assert (too_little["outcome"], too_little["response"]) == ("done", {"status": 409, "content_type": "application/json",
                                                                        "body": '{"error":"insufficient_balance"}'})
    assert charge(client, program, "k1", 1) == {"outcome": "refused", "problem": "key_reused", "paused": 0}
    assert charge(client, program, "k3", 5000) == {"outcome": "refused", "problem": "refused", "paused": 0}
    assert balance(ledger) == 200


def test_the_lines_for_curl_are_taken(program: Program, ledger: Ledger) -> None:
    """As docs/clients.md shows them, for a command of that name."""
    program.config["commands"] = [{**CHARGE, "name": "charge-click"}]
    program.start().ready()
    for _ in range(2):
        said = lines_for_curl(program)
    assert said.startswith("HTTP/1.1 200 OK") and "Idempotency-Replayed: true" in said and said.endswith('{"charged":30}')
    assert balance(ledger) == 970


def lines_for_curl(program: Program) -> str:
    script = Path(__file__).resolve().parents[2] / "docs/clients/charge.sh"
    asked = subprocess.run(["sh", script, f"http://127.0.0.1:{port_of(program)}", "k1", '{"customer":"cus_1","price":30}'], capture_output=True, text=True,
                           env={**os.environ, "SECRET": CALLER["secret"]}, check=True)
    return asked.stdout
