"""sluice-command with a command whose accounts may be hot: they go through Kafka (docs/hot-accounts.md)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path

from deploy.stack.server import free_port
from tests.support.caller import Caller, Told
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

CHARGE = {
    "name": "charge-click", "wait": "10s", "keep": "72h",
    "parameters": {"customer": {"at": "/customer", "type": "text", "longest": 64},
                   "price": {"at": "/price", "type": "integer", "least": 1, "most": 2_000_000_000}},
    "effect": {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}, "missing": {"park": "unknown_customer"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                "unknown_customer": {"status": 404, "body": {"error": "unknown_customer"}}}}


@dataclass
class HotCommands:
    pipeline: Pipeline
    caller: Caller = field(default_factory=lambda: Caller(free_port()))
    list_name: str = "hot.txt"
    _keys: int = 0

    def __post_init__(self) -> None:
        pipeline = self.pipeline
        pipeline.make_database()
        pipeline.log.create(self.topic, partitions=3)
        pipeline.secrets["TEST_CALLER_KEY"] = self.caller.secret
        pipeline.config["kafka"]["options"] = QUICKLY_GONE
        pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{self.caller.port}", "drain_delay": "100ms"}, "topic": self.topic,
                                      "group": f"{pipeline.name}-booking"}
        pipeline.config["callers"] = [{"name": self.caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                       "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
        self.list()
        self.hot = {"account": ":customer", "list": str(self.file)}
        pipeline.config["commands"] = [{**copy.deepcopy(CHARGE), "hot": self.hot}]

    def beside(self) -> HotCommands:
        """The same for another server, with an address and a list of its own."""
        other = copy.copy(self)
        other.caller, other.list_name = Caller(free_port()), "beside.txt"
        other.list()
        return other

    @property
    def topic(self) -> str:
        return f"{self.pipeline.name}.commands"

    @property
    def file(self) -> Path:
        return self.pipeline.folder / self.list_name

    def list(self, *accounts: str) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text("\n".join(accounts))
        fresh.rename(self.file)

    def start(self, role: str = "both", failpoints: str = "", *, ready: bool = True) -> Program:
        config = self.pipeline._with_ports()
        config["command"]["listen"]["address"] = f"127.0.0.1:{self.caller.port}"
        for command in config["commands"]:
            if "hot" in command:
                command["hot"]["list"] = str(self.file)
        program = self.pipeline._program("sluice-command", config, "", False, ("--role", role))
        program.start(failpoints)
        return program.ready() if ready else program

    def open(self, account: str, balance: int) -> None:
        self.pipeline.ledger.open_wallet(account, balance=balance)

    def balance(self, account: str) -> int:
        return self.pipeline.ledger.query("SELECT balance FROM wallet WHERE customer = %s", account)[0][0]

    def rows(self) -> int:
        return self.pipeline.ledger.query("SELECT COUNT(*) FROM command_key")[0][0]

    def charge(self, account: str, price: int = 1, *, key: str | None = None, command: str = "charge-click") -> Told:
        self._keys += 1
        return self.caller.send(command, {"customer": account, "price": price}, key=key or f"own-{self._keys}")

    def state(self, key: str) -> str:
        return self.caller.look_up("charge-click", key)["state"]

    def response_of(self, key: str) -> dict:
        """The first response, as soon as it is stored."""
        def stored() -> dict | None:
            return self.caller.look_up("charge-click", key).get("response")
        return wait_for(stored, f"{key} to be booked")
