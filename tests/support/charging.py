"""sluice-command of a test: what it executes, and who may ask for it."""

from __future__ import annotations

from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program

CHARGE = {
    "name": "charge-click", "wait": "10s", "keep": "72h",
    "parameters": {"customer": {"at": "/customer", "type": "text", "longest": 64}, "price": {"at": "/price", "type": "integer", "least": 1, "most": 100000}},
    "effect": {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}, "missing": {"park": "unknown_customer"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                "unknown_customer": {"status": 404, "body": {"error": "unknown_customer"}}}}


def configured(pipeline: Pipeline, caller: Caller, commands: list[dict], **settings: int) -> None:
    pipeline.secrets["TEST_CALLER_KEY"] = caller.secret
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}", "drain_delay": "100ms"}, **settings}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
    pipeline.config["commands"] = commands


def executing(pipeline: Pipeline, caller: Caller, *commands: dict, **settings: int) -> Program:
    """A new sluice-command that is ready when this returns, on the port of `caller`."""
    pipeline.make_database()
    configured(pipeline, caller, [*commands], **settings)
    return pipeline.program("sluice-command")
