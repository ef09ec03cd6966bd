"""Everything of one run that is not a fault: servers, the wires to them, topics, database, our programs."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from deploy.stack import Kafka, Redis, Server, SqlServer, start_all
from deploy.stack.kafka import new_cluster_id
from tests.chaos import shop
from tests.chaos.effects import SLOW_TABLES, TABLES, all_effects
from tests.chaos.listing import POLL, WATCHED, ChaosList
from tests.chaos.plan import Plan
from tests.chaos.proxy import FaultProxy
from tests.chaos.workload import Workload
from tests.support import failpoints
from tests.support.kafka_log import LogRecord
from tests.support.pipeline import POLLED, Pipeline
from tests.support.preloaded import build_library
from tests.support.program import Program
from tests.support.receiver import Answer, Received, Receiver, answers, answers_late, answers_twice, closes, hangs, never_ends
from tests.support.servers import BROKER, end, new_database
from tests.support.shifted_clock import SOURCE as SHIFTED_CLOCK
from tests.support.shifted_clock import ClockFile

PORTS = (12_000, 30_000)  # below those that connections get by themselves: a killed server must find its own again
DISK_MB = {"kafka": 600, "database": 900}
ANSWER_WITHIN = "2s"
LATE_PATH = "/v1/webhooks/late"
SOON_BACK = {"broker.session.timeout.ms": "1000", "broker.heartbeat.interval.ms": "200"}
START_WITHIN = 300.0      # seconds, on a machine that does much else


@dataclass(frozen=True)
class Bootstrap:
    bootstrap: str


class Site:
    """Made and owned by the main thread; what restarts its servers must be threads that live as long as the run."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self._ports = free_ports(Random())
        self.has_small_disks = os.geteuid() == 0
        self.restored = False  # the database lost transactions and had to read records again
        self.revision, self._late_names = 1, 0
        self.before_cut: list[LogRecord] = []  # the main topic before an unclean election
        self.nodes = self._make_nodes()
        self.redis, self.standby = (Redis(folder / f"redis-{name}", next(self._ports)) for name in "ab")
        self.database = self._make_database()
        start_all(self.servers, START_WITHIN)
        self.receiver = self._make_receiver()
        self.listing = ChaosList(next(self._ports), plan) if plan.pollers else None
        self.proxy = FaultProxy(folder / "proxy.err")
        self.wires = self._make_wires()
        self.pipeline = self._make_pipeline()
        self._clock_library = build_library(SHIFTED_CLOCK)
        self.receiver_is_well = False  # until it heals with all else
        self.clocks: dict[str, ClockFile] = {}
        self.programs = self._make_programs()

    @property
    def servers(self) -> list[Server]:
        return [*self.nodes, self.redis, self.standby, self.database]

    @property
    def ingresses(self) -> list[Program]:
        return [program for program in self.programs.values() if program.name == "sluice-ingress"]

    def close(self) -> None:
        for program in self.programs.values():
            program.end_by_force()
        self.receiver.close()
        if self.listing:
            self.listing.close()
        self.pipeline.log.close()
        self.proxy.close()
        for server in self.servers:
            end(server)
            self._keep_log(server)

    # servers

    def _make_nodes(self) -> list[Kafka]:
        numbers = range(1, self.plan.nodes + 1)
        voters = {number: next(self._ports) for number in numbers}
        self._doors = {number: next(self._ports) for number in numbers}  # the proxy's, and the broker's behind it
        self._inner = {number: next(self._ports) for number in numbers}
        cluster = new_cluster_id()
        return [self._node(number, voters, cluster) for number in numbers]

    def _node(self, number: int, voters: dict[int, int], cluster: str) -> Kafka:
        """Two listeners: one for us, who look at the truth, and one for our programs, who are told the proxy's address."""
        port = next(self._ports)
        overrides = {
            **BROKER, **(SOON_BACK if self.plan.nodes == 1 else {"broker.session.timeout.ms": "4000"}),
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CHAOS:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "listeners": f"PLAINTEXT://127.0.0.1:{port},CHAOS://127.0.0.1:{self._inner[number]},"
                         f"CONTROLLER://127.0.0.1:{voters[number]}",
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port},CHAOS://127.0.0.1:{self._doors[number]}"}
        return Kafka(self.small_disk(f"kafka-{number}", "kafka"), port, overrides=overrides, node_id=number,
                     controller_port=voters[number], voters=voters, cluster_id=cluster)

    def _make_database(self) -> SqlServer:
        database = new_database(self.plan.database, self.small_disk("database", "database"))
        database.port = next(self._ports)
        return database

    def small_disk(self, name: str, kind: str) -> Path:
        """A folder on a disk of its own that can be filled; an ordinary one where we may not mount."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        if self.has_small_disks:
            mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB[kind]}m", "tmpfs", str(folder)]
            self.has_small_disks = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        return folder

    def _keep_log(self, server: Server) -> None:
        with contextlib.suppress(OSError):
            shutil.copy(server.log, self.folder / f"{server.folder.name}.log")

    # wires

    def _make_wires(self) -> dict[str, int]:
        """Ports by wire."""
        targets = {"redis": (self.redis.port, "redis"), "database": (self.database.port, "mysql")}
        targets |= {f"kafka-{number}": (self._inner[number], "kafka") for number in self._inner}
        targets |= {"list": (self.listing.port, "http")} if self.listing else {}
        ports: dict[str, int] = {}
        for name, (target, protocol) in targets.items():
            number = int(name.rpartition("-")[2]) if name.startswith("kafka") else 0
            ports[name] = self._doors[number] if number else next(self._ports)
            self.proxy.add(name, port=ports[name], target=target, protocol=protocol, seed=self.plan.seed)
        return ports

    def wires_of(self, lane: str) -> list[str]:
        """`lane` is wire-redis, wire-database, wire-kafka or wire-list."""
        return [name for name in self.wires if name.startswith(lane.removeprefix("wire-"))]

    # the list

    def walked_to(self) -> str | None:
        """The event of the checkpoint."""
        found = self.pipeline.ledger.query("SELECT at_id FROM poll_walk WHERE source = %s", POLLED)
        return found[0][0].decode() if found and found[0][0] else None

    # those who get messages

    @property
    def told_topic(self) -> str:
        return f"{self.plan.seed:x}.told"

    def messages(self, where: str) -> int:
        [(count,)] = self.pipeline.ledger.query(f"SELECT COUNT(*) FROM outbox WHERE {where}")
        return count

    def _make_receiver(self) -> Receiver:
        """One in five tries fails, in one of its ways; what it does is of the message and the try, not of the moment."""
        receiver = Receiver()
        ways: list[Answer] = [closes, never_ends, answers_twice, answers(307, Location=receiver.url), answers(500), answers(404),
                              answers(429, Retry_After="1"), answers_late, hangs]

        def answer(received: Received, tries: int) -> Answer:
            dice = Random(f"{self.plan.seed}/{received.key}/{tries}")
            if self.receiver_is_well or dice.random() >= 0.2:
                return 204
            return 422 if dice.random() < 0.5 else dice.choice(ways)

        receiver.answer = answer
        return receiver

    # our programs

    def _make_pipeline(self) -> Pipeline:
        plan, direct = self.plan, Bootstrap(",".join(node.address for node in self.nodes))
        pipeline = Pipeline(self.folder, direct, self.redis, self.database, partitions=plan.partitions)
        pipeline.wake_partitions = 2
        self._create_topics(pipeline)
        pipeline.create_database()
        config = pipeline.config
        config["kafka"] |= {"brokers": [f"127.0.0.1:{port}" for name, port in self.wires.items() if name.startswith("kafka")],
                            "min_replication": 2 if plan.cuts_log else plan.nodes,
                            "min_insync": 2 if plan.nodes == 3 and not plan.cuts_log else 1,
                            "options": {}}
        config["redis"] = {"urls": [f"redis://127.0.0.1:{self.wires['redis']}/0"], "lease": plan.lease}
        config["sources"][0]["answer_within"] = ANSWER_WITHIN
        config |= self._of_revision(config["sources"][0])
        config["callbacks"] = {"record": "all"}
        pipeline.log.create(pipeline.callbacks, partitions=plan.partitions, replication=plan.nodes)
        config["destinations"] = {shop.TOLD: {"kafka": {"topic": self.told_topic}},
                                  shop.BEGUN: {"http": {"url": self.receiver.url, "allow": ["127.0.0.0/8"], "timeout": "1s", "concurrency": 4}}}
        pipeline.log.create(self.told_topic, partitions=plan.partitions, replication=plan.nodes)
        config["consumer"] = {"batch": plan.batch, "workers": plan.workers, "dead_letter_budget": {"events": 0}}
        if self.listing:
            pipeline.polls(self.listing, **POLL, url=f"http://127.0.0.1:{self.wires['list']}")
        pipeline.migrate()
        config["mysql"]["port"] = self.wires["database"]
        return pipeline

    # roll-outs: each program takes its part with its next life

    def roll_out(self, *, names_late_source: bool = False) -> None:
        """Other effects. The late source comes with its first name, and then gets others."""
        self.revision += 1
        self._late_names += names_late_source
        for program in self.programs.values():
            program.config = {**program.config, **self._of_revision(self.pipeline.config["sources"][0])}

    def _of_revision(self, source: dict) -> dict:
        """What a roll-out changes in a configuration."""
        if not self.plan.rolls_out:
            return {"effects": all_effects()}
        late = {**source, "name": f"late-{self._late_names}", "principal": "acct_late", "path": LATE_PATH}
        sources = [source, late] if self._late_names else [source]
        return {"effects_revision": self.revision, "sources": sources,
                "effects": all_effects(self.revision, [each["name"] for each in sources])}

    def _create_topics(self, pipeline: Pipeline) -> None:
        """Where a log shall lose its end, that of webhooks lies on two of the nodes: the third keeps the controllers a majority."""
        if not self.plan.cuts_log:
            return pipeline.create_topics(replication=self.plan.nodes)
        others = [pipeline.quarantine, pipeline.dlq]
        pipeline.log.place(pipeline.topic, [[2, 3] if number % 2 else [3, 2] for number in range(pipeline.partitions)])
        pipeline.log.create(*others, partitions=pipeline.partitions, replication=self.plan.nodes)
        pipeline.log.create(*pipeline.wake_topics, partitions=pipeline.wake_partitions, replication=self.plan.nodes)

    def _make_programs(self) -> dict[str, Program]:
        pipeline = self.pipeline
        tables = TABLES + [f"INSERT INTO wallet VALUES ('cus_{self.plan.seed:x}_{number}', 0)"
                           for number in range(self.plan.customers)]
        from tests.support.ledger import BUSINESS_TABLES
        workload = Workload(self.plan, created=0)
        pipeline.ledger.run(*BUSINESS_TABLES, *tables, *shop.rows(workload.customers, workload.subscriptions))
        if self.plan.has_slow_effects:
            pipeline.ledger.run(*SLOW_TABLES)
        if self.listing:
            pipeline.ledger.run(*WATCHED)
        made = {f"ingress-{number}": pipeline.ingress(start=False) for number in range(1, self.plan.ingresses + 1)}
        session = self.plan.session_ms
        pipeline.config["kafka"]["options"] |= {"session.timeout.ms": session, "heartbeat.interval.ms": session // 5}
        made |= {f"consumer-{number}": pipeline.consumer(start=False, role="both") for number in range(1, self.plan.consumers + 1)}
        made |= {f"poller-{number}": pipeline.poller(start=False) for number in range(1, self.plan.pollers + 1)}
        if self.plan.spills:
            for number in range(1, self.plan.ingresses + 1):
                self._give_journal(made[f"ingress-{number}"])
        for label, program in made.items():
            for section in ("listen", "operations"):
                program.config[section]["address"] = f"127.0.0.1:{next(self._ports)}"
            self.clocks[label] = ClockFile(self.folder / f"{label}.clock")
            program.environment = {**program.environment, **self.clocks[label].environment(self._clock_library)}
        return made

    def _give_journal(self, ingress: Program) -> None:
        folder = self.folder / f"{ingress.label}.spill"
        folder.mkdir()
        ingress.config["spill"] = {"path": str(folder), "max": "64MiB"}
        ingress.failpoints_always = failpoints.SPILL_ANYWHERE


def free_ports(dice: Random) -> Iterator[int]:
    """Loopback ports that nobody listens on now, each once."""
    return filter(_is_free, dice.sample(range(*PORTS), PORTS[1] - PORTS[0]))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
