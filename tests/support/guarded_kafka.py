"""A Kafka that denies what no ACL allows, under the ACLs of SECURITY.md."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path

from confluent_kafka import Producer

from tests.support.kafka_log import QUIET
from tests.support.kafka_wire import Acl, allow
from tests.support.login_kafka import LoginKafka
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers

SECURITY = Path(__file__).resolve().parents[2] / "SECURITY.md"
TOPIC, GROUP = "payments.webhooks.v1", "sluice"  # the names that it writes
ROLES = ("sluice-ingress", "sluice-consumer", "sluice-retry", "sluice-relay", "sluice-poller", "sluice-command", "sluice-booker", "sluicectl",
         "sluice-topics")
TOLD = "order-events"  # of a destination
HOT = "sluice.commands"  # of hot accounts
PASSWORD = "of-a-test"
OTHER_USER = "of-a-vault"  # may do everything, once it is let in
SASL = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.password": PASSWORD}


class GuardedKafka(LoginKafka):
    """Tests may do everything, programs what an ACL allows."""

    def __init__(self, servers: Servers) -> None:
        super().__init__(servers, "PLAIN", _users(dict.fromkeys(ROLES, PASSWORD)), **{
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": f"User:ANONYMOUS;User:{OTHER_USER}"})

    def allow(self, topic: str, group: str, *, without: str = "") -> None:
        """What SECURITY.md says, for these names in place of the default ones; nothing on resources of that kind."""
        allow(self.server.port, [right for right in rights(topic, group) if right.resource != without])

    def as_user(self, pipeline: Pipeline, role: str) -> None:
        """Programs that are started from now on come as this one."""
        pipeline.secrets["TEST_KAFKA_PASSWORD"] = PASSWORD
        pipeline.config["kafka"].update(brokers=[self.address], sasl={
            "mechanism": "PLAIN", "user": role, "password": {"env": "TEST_KAFKA_PASSWORD"}})

    def let_in(self, passwords: Mapping[str, str]) -> None:
        """Only these users from now on; every connection ends."""
        self.server.stop()
        self.server.overrides = {**self.server.overrides, self.login: _users(passwords)}
        self.server.start()
        self.server.wait_ready()

    def refusal_of_write(self, role: str, topic: str) -> str | None:
        refusals: list[str] = []
        producer = Producer({"bootstrap.servers": self.address, **SASL, "sasl.username": role, **QUIET})
        producer.produce(topic, value=b"x", on_delivery=lambda error, _: refusals.append(error.name()) if error else None)
        assert producer.flush(30) == 0
        return refusals[0] if refusals else None


def _users(passwords: Mapping[str, str]) -> str:
    users = " ".join(f'user_{name}="{password}"' for name, password in passwords.items())
    return f"org.apache.kafka.common.security.plain.PlainLoginModule required {users};"


def _lines() -> list[argparse.Namespace]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--allow-principal")
    for name in ("--operation", "--topic", "--group"):
        parser.add_argument(name, action="append", default=[])
    parser.add_argument("--resource-pattern-type", choices=["literal", "prefixed"], default="literal")
    return [parser.parse_args(shlex.split(line)[1:]) for line in SECURITY.read_text().splitlines() if line.startswith("kafka-acls ")]


def rights(topic: str, group: str) -> list[Acl]:
    found = []
    for line in _lines():
        resources = [("topic", name.replace(f".{GROUP}.", f".{group}.").replace(TOPIC, topic)) for name in line.topic]
        resources += [("group", group + name.removeprefix(GROUP)) for name in line.group]
        found += [Acl(kind, name, line.resource_pattern_type, line.allow_principal, operation)
                  for kind, name in resources for operation in line.operation]
    return found
