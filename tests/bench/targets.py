"""What is measured: sluice-ingress, the floor in two forms, the Go services. Each is a process with a topic of its own."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from deploy.stack import Kafka, Redis
from deploy.stack.ask import ask
from deploy.stack.process import Process, ServerFailed
from deploy.stack.server import free_port
from tests.bench.building import PEERS, ours, tool
from tests.support.kafka_log import KafkaLog
from tests.support.wait import wait_for

OURS = "sluice"
STRONGEST = "go-strongest"
FLOORS = ("floor-plain", "floor-gathering")
NAMES = (OURS, *FLOORS, *PEERS)
SECRET = f"whsec_{secrets.token_hex(24)}"
PATH = "/v1/webhooks/stripe-eu"
READY_WITHIN = 30.0  # seconds


@dataclass
class Target:
    """One server under test, ready when `start` returns. Owner: whoever calls `start`; `stop` ends it."""

    name: str
    partitions: int
    folder: Path
    threads: int = 1  # of ours; the floor has one, Go has what it takes
    source: dict = field(default_factory=dict)  # of ours, more of its source
    more_sources: list[dict] = field(default_factory=list)  # of ours
    recipes: list[dict] = field(default_factory=list)  # of ours
    listen: dict = field(default_factory=dict)  # of ours, more of that section
    sections: dict = field(default_factory=dict)  # of ours, in place of those by the same name
    programs: str = ""  # of ours, the folder; empty: the release
    variant: str = ""  # tells targets of one name apart
    port: int = field(default_factory=free_port)
    operations: int = field(default_factory=free_port)
    process: Process | None = None

    @property
    def topic(self) -> str:
        return f"bench.{self.name}{self.variant}.p{self.partitions}"

    @property
    def label(self) -> str:
        return f"{self.name}{self.variant}-p{self.partitions}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self, kafka: Kafka, redis: Redis, around: Sequence[str] = (), env: dict[str, str] | None = None) -> Target:
        """`around` is a command that runs the program, valgrind for example. The topics are there already."""
        self.folder.mkdir(parents=True, exist_ok=True)
        command = self._ours(kafka, redis) if self.name == OURS else self._other(kafka, redis)
        self.process = Process([*around, *command], self.folder / f"{self.label}.log", self.folder / f"{self.label}.pid",
                               cwd=self.folder, env={"BENCH_SECRET": SECRET, **(env or {})})
        wait_for(self._is_ready, f"{self.label} to be ready", READY_WITHIN)
        return self

    def stop(self) -> None:
        if self.process is not None:
            self.process.stop(within=10)

    @property
    def config_file(self) -> Path:
        return self.folder / f"{self.label}.yaml"

    def make_topics(self, log: KafkaLog) -> None:
        log.create(self.topic, partitions=self.partitions)
        if self.name == OURS:
            log.create(f"{self.topic}.quarantine", partitions=1)
            log.create(f"{self.topic}.callbacks", partitions=1)
        log.ends(self.topic)  # waits until its leaders know it

    def metrics(self) -> str:
        """Of ours: the text of /metrics."""
        return ask(self.operations, "/metrics")[1]

    def _is_ready(self) -> bool:
        assert self.process is not None
        if not self.process.running:
            raise ServerFailed(f"{self.label} ended by itself:\n{self.process.end_of_log()}")
        if self.name == OURS:
            return ask(self.operations, "/readyz")[0] == 200
        with socket.create_connection(("127.0.0.1", self.port), timeout=5):
            return True

    def configure(self, kafka: Kafka, redis: Redis) -> None:
        """Writes the configuration of ours; while it runs, it takes the sources from there soon."""
        config = {
            "listen": {"address": f"127.0.0.1:{self.port}", "threads": self.threads, "drain_delay": "100ms", **self.listen},
            "operations": {"address": f"127.0.0.1:{self.operations}"},
            "kafka": {"brokers": [kafka.bootstrap], "topic": self.topic, "group": "bench", "min_replication": 1, "min_insync": 1},
            # On a machine that is full, 20 ms pass before Redis gets to run, and duplicates would be measured as publishes.
            "redis": {"urls": [redis.url], "answer_within": "500ms"},
            "sources": [{"name": "stripe-eu", "recipe": "stripe", "principal": "acct_main",
                         "keys": [{"id": "bench", "value": {"env": "BENCH_SECRET"}}],
                         "order_by": ["/data/object/payment_intent", "/data/object/id"], **self.source}, *self.more_sources],
            **({"recipes": self.recipes} if self.recipes else {}), **self.sections}
        fresh = self.config_file.with_suffix(".new")
        fresh.write_text(yaml.safe_dump(config, sort_keys=False))
        fresh.rename(self.config_file)  # never half a file

    def _ours(self, kafka: Kafka, redis: Redis) -> list[str]:
        self.configure(kafka, redis)
        program = Path(self.programs) / "sluice-ingress" if self.programs else ours("sluice-ingress")
        return [str(program), "--config", str(self.config_file)]

    def _other(self, kafka: Kafka, redis: Redis) -> list[str]:
        program = tool(PEERS.get(self.name, "floor"))
        form = ["--gathering"] if self.name == "floor-gathering" else []
        return [str(program), "--port", str(self.port), "--redis", str(redis.port), "--kafka", kafka.bootstrap,
                "--topic", self.topic, "--secret", SECRET, *form]
