"""A Kafka with two doors: tests come in without a login, programs with one."""

from __future__ import annotations

from deploy.stack import Kafka
from deploy.stack.server import free_port
from tests.support.servers import Servers


class LoginKafka:
    """`server` is for tests, which come without a name; `address` is for the programs, by `mechanism`. `jaas` says who is let in."""

    def __init__(self, servers: Servers, mechanism: str, jaas: str, **more: str) -> None:
        port, controller, clients = free_port(), free_port(), free_port()
        self.address = f"127.0.0.1:{clients}"
        self.server = Kafka(servers.folder / f"login-{port}", port, controller_port=controller)
        self.login = f"listener.name.sasl_plaintext.{mechanism.lower()}.sasl.jaas.config"
        ours = f"PLAINTEXT://{self.server.address},SASL_PLAINTEXT://{self.address}"
        self.server.overrides = {
            **servers.kafka.overrides, "listeners": f"{ours},CONTROLLER://127.0.0.1:{controller}", "advertised.listeners": ours,
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
            "sasl.enabled.mechanisms": mechanism, self.login: jaas, **more}
        servers.own(self.server)
