"""Servers, the service and our processes of one run."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random

from deploy.stack import Kafka, Redis, Server, start_all
from tests.chaos.commands.plan import LEASE, WITHIN, CommandPlan
from tests.chaos.commands.service import OVERTAKEN, ChaosService
from tests.chaos.commands.told import CALLS, CHARGE, IN_REDIS
from tests.chaos.proxy import FaultProxy
from tests.chaos.site import START_WITHIN, free_ports
from tests.support.caller import Caller
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.servers import BROKER, end, new_database

# docs/commands.md: a record in Redis needs each write on disk before it is answered. A standby follows without a delay.
EACH_WRITE = {"appendonly": "yes", "appendfsync": "always", "repl-diskless-sync-delay": "0"}
START = 1500  # the balance of each account: some run out of money
TABLES = ["CREATE TABLE account (name VARBINARY(64) PRIMARY KEY, balance BIGINT NOT NULL)",
          # No unique key, on purpose: a command that was executed twice would show as a second row.
          "CREATE TABLE charged (seq BIGINT AUTO_INCREMENT PRIMARY KEY, name VARBINARY(64), caller_key VARBINARY(64), price BIGINT)"]


class CommandSite:
    """Made and owned by the main thread. Has the names that faults of other plans know servers by."""

    def __init__(self, plan: CommandPlan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self._ports = free_ports(Random())
        self.nodes = [Kafka(folder / "kafka-1", next(self._ports), overrides=BROKER)]
        self.redis, self.standby = (Redis(folder / f"redis-{name}", next(self._ports), options=EACH_WRITE) for name in "ab")
        self.database = new_database(plan.database, folder / "database")
        self.database.port = next(self._ports)
        start_all(self.servers, START_WITHIN)
        self.proxy = FaultProxy(folder / "proxy.err")
        self.service = ChaosService(plan.seed, plan.forgotten)
        self.hot_list = folder / "hot.txt"
        self.list_hot([])
        self.pipeline = self._make_pipeline()
        self.programs = self._make_programs()

    @property
    def servers(self) -> list[Server]:
        return [*self.nodes, self.redis, self.standby, self.database]

    @property
    def small(self) -> list[str]:
        return [f"small-{number}" for number in range(self.plan.small)]

    @property
    def hot(self) -> list[str]:
        return [f"hot-{number}" for number in range(self.plan.hot)]

    @property
    def ports(self) -> list[int]:
        return [int(program.config["command"]["listen"]["address"].rpartition(":")[2]) for label, program in self.programs.items()
                if label.startswith("serve")]

    def list_hot(self, accounts: list[str]) -> None:
        fresh = self.hot_list.with_suffix(".new")
        fresh.write_text("\n".join(accounts))
        fresh.rename(self.hot_list)

    def close(self) -> None:
        for program in self.programs.values():
            program.end_by_force()
        self.service.close()
        self.pipeline.log.close()
        self.proxy.close()
        for server in self.servers:
            end(server)

    def _make_pipeline(self) -> Pipeline:
        pipeline = Pipeline(self.folder, self.nodes[0], self.redis, self.database)
        pipeline.create_database()
        pipeline.migrate()
        pipeline.ledger.run(*TABLES, *(f"INSERT INTO account VALUES ('{name}', {START})" for name in (*self.small, *self.hot)))
        wire = next(self._ports)  # a fail-over leads to the other Redis
        self.proxy.add("redis", port=wire, target=self.redis.port, protocol="redis", seed=self.plan.seed)
        pipeline.config["redis"]["urls"] = [f"redis://127.0.0.1:{wire}/0"]
        topic, caller = f"{pipeline.name}.commands", Caller(0)
        pipeline.log.create(topic, partitions=self.plan.partitions)
        pipeline.secrets["TEST_CALLER_KEY"] = caller.secret
        pipeline.config["kafka"]["options"] = QUICKLY_GONE
        pipeline.config["command"] = {"topic": topic, "group": f"{pipeline.name}-booking", "workers": self.plan.workers}
        pipeline.config["callers"] = [{"name": caller.name, "principal": "shop", "recipe": "standard-webhooks",
                                       "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
        pipeline.config["commands"] = [self._charge(), *map(self._refund, CALLS)]
        return pipeline

    def _charge(self) -> dict:
        steps = {"add": {"table": "account", "key": {"name": ":name"}, "column": "balance", "by": "-:price", "floor": 0,
                         "below": {"park": "insufficient_balance"}, "missing": {"park": "unknown_account"}},
                 "insert": {"table": "charged", "row": {"name": ":name", "caller_key": ":key", "price": ":price"}}}
        return {
            "name": CHARGE, "wait": "1s", "keep": "72h",
            "hot": {"account": ":name", "list": str(self.hot_list), "answer": {"status": 200, "body": {"accepted": ":price"}}},
            "parameters": {"name": {"at": "/name"}, "key": {"at": "/key"},
                           "price": {"at": "/price", "type": "integer", "least": 1, "most": 100000}},
            "effect": dict(reversed(steps.items())) if self.plan.ledger_first else steps,
            "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                        "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                        "unknown_account": {"status": 404, "body": {"error": "unknown_account"}}}}

    def _refund(self, name: str) -> dict:
        url = self.service.url
        return {"name": name, "wait": "1s", "keep": "72h",
                "call": {"url": url, "allow": ["127.0.0.1"], "secrets": [{"value": {"env": "TEST_CALLER_KEY"}}],
                         # A key that is forgotten begins again at fence 1: that must not be refused for good.
                         "not_executed": [429, OVERTAKEN] if name == self.plan.forgotten else [429],
                         "record": "redis" if name == IN_REDIS else "mysql", "within": f"{WITHIN}s", "lease": f"{LEASE}s",
                         "query": {"url": url + "/:key", "found": [200], "absent": [404]}}}

    def _make_programs(self) -> dict[str, Program]:
        return {label: self._program(label) for label in self.plan.lives}

    def _program(self, label: str) -> Program:
        config = copy.deepcopy(self.pipeline.config)
        config["operations"]["address"] = f"127.0.0.1:{next(self._ports)}"
        config["command"]["listen"] = {"address": f"127.0.0.1:{next(self._ports)}", "drain_delay": "100ms"}
        program = self.pipeline._program("sluice-command", config, "", False, ("--role", label.partition("-")[0]))
        program.environment.pop("SLUICE_HURRY")  # a minute in which it is tried again is a minute
        return program
