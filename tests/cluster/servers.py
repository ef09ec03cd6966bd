"""Kafka, MySQL and Redis of this machine, where pods reach them: on loopback for the tests, and on one address for the cluster."""

from __future__ import annotations

import shutil
from pathlib import Path

from deploy.stack import Kafka, MySQL, Redis, SqlServer, start_all, stop_all
from deploy.stack.mariadb import MariaDB
from deploy.stack.server import free_port

# Consumers that a node has taken away are out of their group within seconds.
QUICK_GROUPS = {"group.min.session.timeout.ms": "500", "unstable.api.versions.enable": "false"}


LOGINS = {"sasl.enabled.mechanisms": "SCRAM-SHA-512",
          "listener.name.pods.scram-sha-512.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required;",
          "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer", "super.users": "User:ANONYMOUS"}


class Servers:
    """Started at construction; `address` is the one that pods reach. Each may be stopped and started by a test.

    Kafka lets pods in with an account and what its ACLs allow, and us without one to everything.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.kafka_for_pods = f"{address}:{free_port()}"
        self.kafka = self._kafka()
        self.redis = Redis(folder / "redis", options={"bind": f"127.0.0.1 {address}", "protected-mode": "no"})
        database = MySQL if MySQL.available() else MariaDB
        self.database: SqlServer = database(folder / "sql", options={"bind_address": f"127.0.0.1,{address}", "max_connections": "400"})
        start_all([self.kafka, self.redis, self.database])

    def _kafka(self) -> Kafka:
        """Clients are sent back to where they came from: one listener for us, one for pods."""
        port, controller = free_port(), free_port()
        own, pods = f"PLAINTEXT://127.0.0.1:{port}", f"PODS://{self.kafka_for_pods}"
        return Kafka(self.folder / "kafka", port, controller_port=controller, overrides={
            **QUICK_GROUPS, "listeners": f"{own},{pods},CONTROLLER://127.0.0.1:{controller}", "advertised.listeners": f"{own},{pods}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,PODS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT", **LOGINS})

    def stop(self) -> None:
        stop_all([self.database, self.redis, self.kafka], within=5)
        shutil.rmtree(self.folder, ignore_errors=True)
