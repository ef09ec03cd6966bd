"""Requests that schemathesis makes of command/openapi.yaml: each answer is one that the file has, and none is a failure of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from deploy.stack.server import free_port
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import TREE

PACKAGES = Path(os.environ.get("SLUICE_PYTHON", "/nowhere"))
SEED = os.environ.get("SLUICE_CONTRACT_SEED", "1")  # the same requests each time; another number by hand looks further
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"
ORDER = {"customer": "cus_1", "price": 30}

CHARGE = {
    "wait": "10s",
    "parameters": {"customer": {"at": "/customer", "longest": 64}, "price": {"at": "/price", "type": "integer", "least": 1, "most": 100000}},
    "effect": {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}, "missing": {"park": "unknown_customer"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                "unknown_customer": {"status": 404, "body": {"error": "unknown_customer"}}}}

pytestmark = pytest.mark.skipif(not PACKAGES.exists(), reason="there is no schemathesis on this machine")


def narrowed(folder: Path) -> Path:
    """The contract for the commands of this test: most names that it allows are none of theirs, and each command has statuses of its own."""
    contract = yaml.safe_load((TREE / "command/openapi.yaml").read_text())
    contract["components"]["parameters"]["name"]["schema"] = {"enum": ["by-header", "by-body", "limited", "unknown"]}
    post = contract["paths"]["/v1/commands/{name}"]["post"]
    order = {"type": "object", "required": ["customer", "price"],
             "properties": {"customer": {"enum": ["cus_1", "cus_2"]}, "price": {"type": "integer", "minimum": 1, "maximum": 200}}}
    post["requestBody"]["content"]["application/json"]["schema"] = {"anyOf": [order, {}]}
    del post["responses"]["default"]
    file = folder / "openapi.yaml"
    file.write_text(yaml.safe_dump(contract))
    return file


@pytest.fixture
def caller(pipeline: Pipeline) -> Caller:
    caller = Caller(free_port())
    pipeline.make_database()
    pipeline.ledger.open_wallet("cus_1")
    pipeline.ledger.run("UPDATE wallet SET balance = 1000 WHERE customer = 'cus_1'")
    pipeline.secrets["TEST_CALLER_KEY"] = caller.secret
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}", "drain_delay": "100ms"}}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [{"name": "by-header", **CHARGE}, {"name": "by-body", "key": ["/customer", "/price"], **CHARGE},
                                   {"name": "limited", "limit": {"by": ["/customer"], "rate": "1/h"}, **CHARGE}]
    pipeline._program("sluice-command", pipeline._with_ports(), "", True)
    return caller


def judged(folder: Path, caller: Caller, *, seconds: int, **environment: str) -> None:
    """Its own words are the message where anything is wrong."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(narrowed(folder)), "--url", f"http://127.0.0.1:{caller.port}",
               "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "60", "--max-time", str(seconds), "--no-shrink",
               "--seed", SEED, "--suppress-health-check", "all", "--request-timeout", "20", "--warnings", "off"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": f"{PACKAGES}:{TREE}", "SCHEMATHESIS_HOOKS": "tests.support.contract_hooks",
                               "NO_COLOR": "1", **environment})
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_answer_is_one_of_the_contract(pipeline: Pipeline, caller: Caller) -> None:
    judged(pipeline.folder, caller, seconds=45)
    [program] = pipeline.programs
    assert program.metric("sluice_command_refused_total", reason="not_authenticated") == 0, "all that it sent was signed"
    assert caller.send("by-header", ORDER, key="after all that").status in (200, 409), "and the server is well"


def test_whoever_does_not_sign_is_told_so_and_no_more(pipeline: Pipeline, caller: Caller) -> None:
    judged(pipeline.folder, caller, seconds=5, CONTRACT_UNSIGNED="1")
    assert pipeline.ledger.query("SELECT balance FROM wallet WHERE customer = 'cus_1'") == [(1000,)]
