"""One test's whole path: topics, database, configuration, and the processes of both programs."""

from __future__ import annotations

import copy
import itertools
import secrets
import subprocess
from collections.abc import Mapping
from pathlib import Path

from deploy.stack import Kafka, Redis, SqlServer
from deploy.stack.server import free_port
from tests.support.effects import EFFECTS
from tests.support.event_list import EventList
from tests.support.events import CANARY, Event
from tests.support.kafka_log import KafkaLog
from tests.support.ledger import BUSINESS_TABLES, Ledger
from tests.support.program import Program, binary
from tests.support.provider import Delivery, Provider
from tests.support.wait import LONG_ENOUGH, wait_for

SOURCE = "stripe-eu"
POLLED = "stripe-eu-list"
PRINCIPAL = "acct_main"
PATH = f"/v1/webhooks/{SOURCE}"
ORDER_BY = ["/data/object/payment_intent", "/data/object/id", "/related_object/id"]
RETRY_TIERS = ("5s", "30s", "2m", "10m", "1h")
CONSUMER_OPTIONS = {"session.timeout.ms": 3000, "heartbeat.interval.ms": 300}
HURRY = 25  # the retry tier of 5 s takes 200 ms (consumer/lane/rules/retry_delays.hpp)
QUICKLY_GONE = {"session.timeout.ms": 1000, "heartbeat.interval.ms": 200}  # for consumers that are killed


class Pipeline:
    """Owns everything of one test but the servers; `close()` ends it and looks for what must never be said.

    The configuration is a dictionary that a test may change before it starts a program; every program gets a copy with
    ports of its own.
    """

    def __init__(self, folder: Path, kafka: Kafka, redis: Redis, database: SqlServer, *, partitions: int = 3) -> None:
        self.folder = folder
        self.kafka, self.redis, self.database = kafka, redis, database
        self.name = f"t{secrets.token_hex(4)}"
        self.topic = f"{self.name}.webhooks.v1"
        self.group = f"{self.name}-group"
        self.partitions = partitions
        self.wake_partitions = 1  # of retry and command topics; more only where several are to share them
        self.secret = f"whsec_{secrets.token_hex(24)}"
        self.secrets = {"TEST_STRIPE_SECRET": self.secret, "TEST_SQL_PASSWORD": database.password}
        self.log = KafkaLog(kafka.bootstrap)
        self._ledger = Ledger(database, self.name)
        self._database_due = False
        self._ctl_calls = itertools.count(1)
        self.programs: list[Program] = []
        self.providers: list[Provider] = []
        self.config = self._standard_config()

    @property
    def quarantine(self) -> str:
        return f"{self.topic}.quarantine"

    @property
    def dlq(self) -> str:
        return f"{self.topic}.{self.group}.dlq"

    @property
    def commands(self) -> str:
        return f"{self.topic}.{self.group}.cmd"

    def retry(self, tier: str) -> str:
        assert tier in RETRY_TIERS, tier
        return f"{self.topic}.{self.group}.retry.{tier}"

    @property
    def wake_topics(self) -> list[str]:
        return [self.commands, *map(self.retry, RETRY_TIERS)]

    def _standard_config(self) -> dict:
        return {
            "listen": {"address": "", "threads": 2, "drain_delay": "100ms"},
            "operations": {"address": ""},
            "kafka": {"brokers": [self.kafka.bootstrap], "topic": self.topic, "group": self.group,
                      "min_replication": 1, "min_insync": 1},
            # The 20 ms of production are over when the machine stalls, and then every event is published again.
            "redis": {"urls": [self.redis.url], "answer_within": "500ms"},
            "mysql": {"host": "127.0.0.1", "port": self.database.port, "database": self.name,
                      "user": self.database.user, "password": {"env": "TEST_SQL_PASSWORD"}},
            "sources": [{"name": SOURCE, "recipe": "stripe", "principal": PRINCIPAL, "path": PATH,
                         "keys": [{"id": "current", "value": {"env": "TEST_STRIPE_SECRET"}}],
                         "tolerance": "300s", "order_by": list(ORDER_BY)}],
            "effects": copy.deepcopy(EFFECTS)}

    # setting up

    def prepare(self) -> Pipeline:
        """Topics now; a migrated database with empty business tables as soon as something asks for it."""
        self.create_topics()
        return self.promise_database()

    def promise_database(self) -> Pipeline:
        self._database_due = True
        return self

    @property
    def ledger(self) -> Ledger:
        self.make_database()
        return self._ledger

    def make_database(self) -> None:
        """What was promised, once."""
        if self._database_due:
            self._database_due = False
            self.create_database()
            self.migrate()
            self._ledger.run(*BUSINESS_TABLES)

    def create_topics(self, replication: int = 1) -> None:
        self.log.create(self.topic, self.quarantine, self.dlq, partitions=self.partitions, replication=replication)
        self.log.create(*self.wake_topics, partitions=self.wake_partitions, replication=replication)

    def record_callbacks(self) -> None:
        """Programs that are started from now on do."""
        self.config["callbacks"] = {"record": "all"}
        self.log.create(self.callbacks, partitions=2)

    def create_database(self) -> None:
        with self.database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {self.name}")
            cursor.execute(f"GRANT ALL ON {self.name}.* TO '{self.database.user}'@'%'")

    def migrate(self) -> None:
        self.ctl("migrate", "--apply").check_returncode()

    def ctl(self, *arguments: str, stdin: str | None = None,
            environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """sluicectl with this test's configuration (SLUICE_CONFIG); its output is in the result.

        It makes no database: `make_database()` is for those who want one.
        """
        return self.ctl_within(60, *arguments, stdin=stdin, environment=environment)

    def ctl_within(self, seconds: float, *arguments: str, stdin: str | None = None,
                   environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(binary("sluicectl")), *arguments], input=stdin, text=True, capture_output=True,
                              timeout=seconds, check=False, env={**self._ctl_environment(), **(environment or {})})

    def start_ctl(self, *arguments: str, environment: Mapping[str, str] | None = None,
                  stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        """The same, and whoever calls it waits for its end."""
        return subprocess.Popen([str(binary("sluicectl")), *arguments], text=True, stdin=stdin,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**self._ctl_environment(), **(environment or {})})

    def _ctl_environment(self) -> dict[str, str]:
        label = f"ctl-{next(self._ctl_calls)}"
        Program("sluicectl", self._with_ports(), self.folder, label=label, environment={}).write_config()
        return {**self.secrets, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SLUICE_CONFIG": str(self.folder / f"{label}.yaml")}

    # programs

    def ingress(self, failpoints: str = "", *, start: bool = True, **listen: object) -> Program:
        """A new ingress that is ready when this returns; `listen` goes into that section."""
        config = self._with_ports()
        config["listen"].update(listen)
        return self._program("sluice-ingress", config, failpoints, start)

    def consumer(self, failpoints: str = "", *, start: bool = True, role: str = "main") -> Program:
        """A new consumer that is ready when this returns. Its retry role lives HURRY times as fast."""
        self.make_database()
        config = self._with_ports()
        config["kafka"]["options"] = {**CONSUMER_OPTIONS, **config["kafka"].get("options", {})}
        arguments = () if role == "main" else ("--role", role)
        return self._program("sluice-consumer", config, failpoints, start, arguments)

    def retry_role(self, failpoints: str = "", *, start: bool = True) -> Program:
        """A new consumer of the retry topics that is ready when this returns."""
        return self.consumer(failpoints, start=start, role="retry")

    def polls(self, listing: EventList, **poll: object) -> None:
        """From now on the configuration has a source that reads this list, of the same account as the webhooks."""
        self.secrets["TEST_STRIPE_API_KEY"] = listing.key
        self.config["sources"].append({
            "name": POLLED, "recipe": "stripe", "principal": PRINCIPAL, "order_by": list(ORDER_BY),
            "poll": {"key": {"env": "TEST_STRIPE_API_KEY"}, "url": listing.url, "allow": ["127.0.0.1"], **poll}})

    def poller(self, failpoints: str = "", *, start: bool = True) -> Program:
        """A new poller that is ready when this returns."""
        self.make_database()
        return self._program("sluice-poller", self._with_ports(), failpoints, start)

    def program(self, name: str, failpoints: str = "") -> Program:
        """A new process of a program that takes no arguments, ready when this returns."""
        return self._program(name, self._with_ports(), failpoints, True)

    def poll_once(self, failpoints: str = "", *, ends_with: int = 0, environment: Mapping[str, str] | None = None) -> Program:
        """A poller that ends when it has read all that is there."""
        self.make_database()
        program = self._program("sluice-poller", self._with_ports(), failpoints, False, ("--once",))
        program.environment |= environment or {}
        program.start(failpoints)
        code = program.wait_end()
        assert code == ends_with, f"{program.label} ended with {code}\n{program.story()}"
        return program

    def reconcile(self, *arguments: str, failpoints: str = "") -> subprocess.CompletedProcess[str]:
        """sluice-poller compares the list of the polled source with the inbox."""
        self.make_database()
        source = () if "--source" in arguments else ("--source", POLLED)
        return subprocess.run([str(binary("sluice-poller")), "reconcile", *source, *arguments], text=True, capture_output=True, timeout=60,
                              check=False, env={**self._ctl_environment(), "SLUICE_HURRY": str(HURRY), "SLUICE_FAILPOINTS": failpoints})

    def _program(self, name: str, config: dict, failpoints: str, start: bool,
                 arguments: tuple[str, ...] = ()) -> Program:
        number = sum(program.name == name for program in self.programs) + 1
        program = Program(name, config, self.folder, label=f"{name.removeprefix('sluice-')}-{number}",
                          environment={"SLUICE_HURRY": str(HURRY), **self.secrets}, arguments=arguments)
        self.programs.append(program)
        if start:
            program.start(failpoints).ready()
        return program

    def _with_ports(self) -> dict:
        config = copy.deepcopy(self.config)
        for section in ("listen", "operations"):
            config[section]["address"] = config[section]["address"] or f"127.0.0.1:{free_port()}"
        return config

    # the provider's side

    def provider(self, ingress: Program, *, secret: str | None = None, path: str = PATH) -> Provider:
        provider = Provider(ingress.port, secret or self.secret, path)
        self.providers.append(provider)
        return provider

    @property
    def accepted(self) -> list[Event]:
        """Over all providers: the events that were answered 2xx."""
        return [event for provider in self.providers for event in provider.accepted]

    # expecting

    def expect_published(self, event: Event, times: int | None = 1) -> None:
        """The log holds `event` so many times; None: at least once."""
        found = [record for record in self.log.read(self.topic) if record.text("ce_id") == event.id]
        assert found if times is None else len(found) == times, f"{event.id} is {len(found)} times in the log"

    def published(self) -> list[str]:
        """The ids of the topic's records, sorted."""
        return sorted(record.text("ce_id") or "" for record in self.log.read(self.topic))

    def expect_log_holds(self, events: list[Event]) -> None:
        held = {record.text("ce_id") for record in self.log.read(self.topic)}
        lost = [event.id for event in events if event.id not in held]
        assert not lost, f"answered 2xx but not in Kafka: {lost}"

    def expect_nothing_published(self) -> None:
        counts = {topic: self.log.count(topic) for topic in (self.topic, self.quarantine)}
        assert not any(counts.values()), counts

    @property
    def callbacks(self) -> str:
        return f"{self.topic}.callbacks"

    def expect_recorded(self, within: float = LONG_ENOUGH) -> None:
        """All that lies in the two logs of callbacks has its rows."""
        for topic in (self.topic, self.callbacks):
            self.expect_caught_up(within, topic, f"{self.group}.callbacks")

    def expect_caught_up(self, within: float = LONG_ENOUGH, topic: str = "", group: str = "") -> None:
        """The group's committed offsets are the ends of the log."""
        def caught_up() -> bool:
            ends, committed = self.log.ends(topic or self.topic), self.log.committed(group or self.group, topic or self.topic)
            behind = {number: (committed[number], end) for number, end in ends.items()
                      if end > 0 and committed[number] != end}
            assert not behind, f"committed and end by partition: {behind}"
            return True
        wait_for(caught_up, "the group to be caught up", within, every=0.2)

    def expect_exactly_once(self, deliveries: list[Delivery] | None = None, within: float = LONG_ENOUGH) -> None:
        """Every event answered 2xx is in Kafka and applied once, and nothing else is."""
        events = self.accepted if deliveries is None else [entry.event for entry in deliveries if entry.accepted]
        self.expect_log_holds(events)
        self.ledger.expect_applied_exactly_once(events, within)

    # the end

    def close(self) -> None:
        try:
            self.end_programs()
        finally:
            self.log.close()

    def end_programs(self) -> None:
        """Stops what runs, by SIGTERM inside the grace period, then checks the outputs of every program."""
        try:
            fallen = [program.story() for program in self.programs if program.fell and program.expect_clean_end]
            assert not fallen, "\n".join(["ended by itself, unseen by the test:", *fallen])
            ending = [program for program in self.programs if program.running and program.expect_clean_end]
            for program in ending:
                program.resume()
                program.ask_to_stop()
            for program in ending:
                code = program.wait_end()
                assert code == 0, f"{program.label} ended with {code}\n{program.story()}"
            self._expect_nothing_secret()
        finally:
            for program in self.programs:
                program.end_by_force()

    def _expect_nothing_secret(self) -> None:
        forbidden = {value: name for name, value in self.secrets.items() if len(value) > 8}
        forbidden |= {hexed: "a signature" for provider in self.providers for hexed in provider.signatures}
        forbidden[CANARY] = "a part of a body"
        for program in self.programs:
            program.log_lines()  # every line is JSON
            said = program.out.read_text() + program.errors() if program.out.exists() else ""
            told = [what for text, what in forbidden.items() if text in said]
            assert not told, f"{program.label} said {told[0]} in its output: {program.out}"
