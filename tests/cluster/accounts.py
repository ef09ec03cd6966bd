"""An account for each role on Kafka, MySQL and Redis, with the rights of SECURITY.md and no others."""

from __future__ import annotations

import re
import secrets
import shlex
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.cluster.kube import Kube
from tests.cluster.ledger import Ledger
from tests.cluster.servers import Servers
from tests.support import guarded_database, guarded_redis, kafka_scram
from tests.support.guarded_kafka import rights
from tests.support.kafka_wire import allow
from tests.support.wait import wait_for

KAFKA = ("sluice-ingress", "sluice-consumer", "sluice-retry", "sluice-relay", "sluice-poller", "sluice-command", "sluice-booker", "sluicectl", "sluice-topics",
         "keda")
MYSQL = ("sluice-migrate", "sluice-consumer", "sluice-retry", "sluice-relay", "sluice-poller", "sluice-command", "sluice-settle", "sluicectl",
         "sluice-effects")
REDIS = ("sluice-ingress", "sluice-poller", "sluice-command", "sluice-settle", "sluice-doctor")
ROLES_OF = {"kafka": KAFKA, "mysql": MYSQL, "redis": REDIS}
OF_EFFECTS = ("INSERT ON booking", "INSERT ON sluice_selftest")


@dataclass(frozen=True)
class Account:
    name: str
    passwords: dict[str, str]  # by server


def references(role: str, server: str, user: str = "user") -> dict:
    """The part of a configuration that says who logs in: the Secret of the role."""
    return {user: {"file": f"/run/secrets/{role}/user"}, "password": {"file": f"/run/secrets/{role}/{server}-password"}}


def kafka(role: str) -> dict:
    return {"kafka": {"sasl": {"mechanism": "SCRAM-SHA-512", **references(role, "kafka")}}}


def mysql(role: str) -> dict:
    return {"mysql": references(role, "mysql")}


def redis(role: str) -> dict:
    return {"redis": references(role, "redis", "username")}


def values() -> dict:
    """Who is not named here comes as on-call's tool does."""
    return {
        "config": {**kafka("sluicectl"), **mysql("sluicectl"), **redis("sluice-doctor")},
        "ingress": {"config": {**kafka("sluice-ingress"), **redis("sluice-ingress")}},
        "consumer": {"config": {**kafka("sluice-consumer"), **mysql("sluice-consumer")}, "autoscaling": {"authentication": {
            "secretName": "keda", "keys": {"username": "user", "password": "kafka-password"}}}},
        "retry": {"config": {**kafka("sluice-retry"), **mysql("sluice-retry")}}, "relay": {"config": {**kafka("sluice-relay"), **mysql("sluice-relay")}},
        "poller": {"config": {**kafka("sluice-poller"), **mysql("sluice-poller"), **redis("sluice-poller")}},
        "command": {"config": {**kafka("sluice-command"), **mysql("sluice-command"), **redis("sluice-command")}},
        "booker": {"config": {**kafka("sluice-booker"), **mysql("sluice-command")}}, "topics": {"config": kafka("sluice-topics")},
        "ctl": {"commands": {"config": {**mysql("sluice-settle"), **redis("sluice-settle")}}},
        "migrate": {"config": mysql("sluice-migrate")}, "effects": {"config": mysql("sluice-effects")}}


def new_account(role: str, token: str) -> Account:
    return Account(f"{role}-{token}", {server: secrets.token_hex(12) for server, roles in ROLES_OF.items() if role in roles})


class Accounts:
    """Of one release. The Secrets hold those that were shown last; those of before are let in until `end_others()`."""

    def __init__(self, kube: Kube, servers: Servers, ledger: Ledger, topic: str, group: str) -> None:
        self.kube, self.servers, self.ledger, self.topic, self.group = kube, servers, ledger, topic, group
        self.now: dict[str, Account] = {}
        self._before: list[dict[str, Account]] = []
        self._of_effects = {role: list(OF_EFFECTS) for role in ("sluice-consumer", "sluice-retry")}

    def also(self, role: str, right: str) -> None:
        """What this release's effects need beyond the others': it is granted once there are tables."""
        self._of_effects.setdefault(role, []).append(right)

    def renew(self) -> None:
        """Others for all roles, which the servers know at once and pods once the Secrets are brought."""
        self._before += [self.now] if self.now else []
        token = secrets.token_hex(3)
        self.now = {role: new_account(role, token) for role in {*KAFKA, *MYSQL, *REDIS}}
        self._let_in_to_kafka()
        self._let_in_to_redis()
        for role in MYSQL:
            self._run(f"CREATE USER '{self.now[role].name}'@'%' IDENTIFIED BY '{self.now[role].passwords['mysql']}'")
        self.grant("sluice-migrate")
        for role, account in self.now.items():
            self.kube.secret(role, user=account.name, **{f"{server}-password": password for server, password in account.passwords.items()})

    def grant_once_there_are_tables(self, within: float) -> None:
        """As a database administrator does while `helm install` waits."""
        wait_for(lambda: self.ledger.run("SHOW TABLES LIKE 'command_key'") and self.ledger.run("SHOW TABLES LIKE 'sluice_selftest'"),
                 "the migrations", within, every=0.5)
        for role in MYSQL[1:]:
            self.grant(role)
        for role, theirs in self._of_effects.items():
            for right in theirs:
                self._run(f"GRANT {right.replace(' ON ', f' ON {self.ledger.database}.')} TO '{self.now[role].name}'@'%'")

    def grant(self, role: str) -> None:
        """The lines of SECURITY.md, for this database and this user."""
        lines = [line for line in guarded_database.written() if f"'{role}'" in line]
        assert lines, f"SECURITY.md grants nothing to {role}"
        for line in lines:
            self._run(re.sub(r" ON payments\.(\w+) TO '[\w-]+'", rf" ON {self.ledger.database}.\1 TO '{self.now[role].name}'", line).rstrip(";"))

    def sessions(self, accounts: dict[str, Account]) -> list[int]:
        names = ", ".join(f"'{accounts[role].name}'" for role in MYSQL)
        return [number for (number,) in self.ledger.run(f"SELECT id FROM information_schema.processlist WHERE user IN ({names})")]

    def end_others(self) -> None:
        """Those that were shown before are refused from now on, and what they have open on MySQL and Redis ends."""
        for accounts in self._before:
            for role in KAFKA:
                kafka_scram.shut_out(self.servers.kafka.port, accounts[role].name)
            for role in MYSQL:
                self._run(f"DROP USER IF EXISTS '{accounts[role].name}'@'%'")
            for session in self.sessions(accounts):
                self.servers.database.end_session(session)
            self._ask_redis(*(f"ACL DELUSER {accounts[role].name}" for role in REDIS))
        self._before.clear()

    def drop(self) -> None:
        self._before += [self.now] if self.now else []
        self.end_others()

    def _let_in_to_kafka(self) -> None:
        port = self.servers.kafka.port
        for role in KAFKA:
            kafka_scram.let_in(port, self.now[role].name, self.now[role].passwords["kafka"])
        allow(port, [replace(right, principal=f"User:{self.now[right.principal.removeprefix('User:')].name}")
                     for right in rights(self.topic, self.group)])

    def _let_in_to_redis(self) -> None:
        named: Callable[[str], str] = lambda line: line.split()[2]
        lines = {named(line): line for line in guarded_redis.written()}
        self._ask_redis(*(lines[role].replace(role, account.name).replace("PASSWORD", account.passwords["redis"])
                          for role, account in self.now.items() if role in REDIS))

    def _ask_redis(self, *lines: str) -> None:
        with socket.create_connection(("127.0.0.1", self.servers.redis.port), timeout=5) as connection:
            answers = connection.makefile("rb")
            for line in lines:
                words = shlex.split(line)
                connection.sendall(f"*{len(words)}\r\n".encode() + b"".join(b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words))
                answer = answers.readline()
                assert answer.startswith((b"+", b":")), f"{line}: {answer!r}"

    def _run(self, statement: str) -> None:
        with self.ledger.server.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
