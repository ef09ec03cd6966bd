"""An example installed as a reader would: its own files, with the addresses of servers on this machine."""

from __future__ import annotations

import subprocess
from concurrent.futures import Future
from copy import deepcopy
from functools import cached_property
from pathlib import Path

import yaml
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from deploy.demo.installation import Installation
from deploy.stack.process import Process, ServerFailed
from deploy.stack.stack import Stack

HERE = Path(__file__).parent
# Whoever is killed is replaced within seconds.
QUICKLY_GONE = {"session.timeout.ms": 6000, "heartbeat.interval.ms": 500}


class ExampleInstallation(Installation):
    """One program for each role that the example needs. `partner`: the URL of whoever takes its messages, or lists its events.
    Failure: ServerFailed."""

    roles = {"ingress": ("sluice-ingress",), "consumer": ("sluice-consumer",), "retry": ("sluice-consumer", "--role", "retry")}
    look = "sluicectl outbox list --config sluice.yaml"  # what is worth a look at the end

    def __init__(self, example: str, folder: Path, binaries: Path, stack: Stack, partner: str) -> None:
        self.example = HERE / example
        self.tables = self.example / "tables.sql"
        self._example = yaml.safe_load((self.example / "sluice.yaml").read_text())
        self.commands = dict(self.roles)
        if "destinations" in self._example:
            self.commands["relay"] = ("sluice-consumer", "--role", "relay")
        super().__init__(folder, binaries, stack)
        self._partner = partner

    @property
    def address(self) -> str:
        return f"webhooks  http://127.0.0.1:{self.ingress_port}/v1/webhooks/…"

    def prepare(self) -> None:
        super().prepare()
        if "effects" in self._example:
            self.ctl("migrate", "--effects", "--apply")
        self.make_topics([one["kafka"]["topic"] for one in self.settings().get("destinations", {}).values() if "kafka" in one])

    def settings(self) -> dict:
        """The example's file; nothing but addresses and timing is changed."""
        settings, sql = deepcopy(self._example), self.stack.mysql
        settings["listen"] = {"address": f"127.0.0.1:{self.ingress_port}", "drain_delay": "100ms"}
        settings["operations"] = {name: f"127.0.0.1:{port}" for name, port in self.operations.items()}
        settings["kafka"] |= {"brokers": [self.stack.kafka.bootstrap], "min_replication": 1, "min_insync": 1, "options": QUICKLY_GONE}
        if "redis" in settings:
            settings["redis"]["urls"] = [self.stack.redis.url]
        settings["mysql"] |= {"host": "127.0.0.1", "port": sql.port, "database": sql.database, "user": sql.user}
        for one in settings.get("destinations", {}).values():
            if "http" in one:
                one["http"]["url"] = self._partner
        for source in settings.get("sources", []):
            if "poll" in source:
                source["poll"] |= {"url": self._partner, "allow": ["127.0.0.0/8"], "timeout": "1s"}
        return settings

    def job(self, name: str, program: str, *arguments: str) -> Process:
        """A program that ends by itself; whoever calls waits for it."""
        return Process([str(self.binaries / program), "--config", str(self.config), *arguments], self.folder / f"{name}.log",
                       self.folder / f"{name}.pid", cwd=self.folder)

    @cached_property
    def principals(self) -> dict[str, str]:
        """The account that each source is of."""
        return {source["name"]: source["principal"] for source in self.settings()["sources"]}

    def secret(self, name: str) -> str:
        return (self.folder / "secrets" / name).read_text().strip()

    def make_topics(self, names: list[str]) -> None:
        if names:
            admin = AdminClient({"bootstrap.servers": self.stack.kafka.bootstrap})
            for made in admin.create_topics([NewTopic(name, 3, 1) for name in names]).values():
                _wait_for(made)

    def _write_secrets(self) -> None:
        """By the example's own script, whose password of the database is the servers' own too."""
        self.folder.mkdir(parents=True)
        made = subprocess.run(["bash", str(self.example / "test-keys.sh")], cwd=self.folder, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise ServerFailed(f"test-keys.sh failed: {made.stderr}")

    def _filled_in(self) -> str:
        return yaml.safe_dump(self.settings(), sort_keys=False)


def _wait_for(made: Future[None]) -> None:
    """A request that is sent again, since its connection broke, finds the topic that it made itself."""
    try:
        made.result(30)
    except KafkaException as refused:
        if refused.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
            raise
