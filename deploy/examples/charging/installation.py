"""sluice-command twice: one serves, one books. Both read the same file but for the address of their operations."""

from __future__ import annotations

from pathlib import Path

import yaml

from deploy.examples.installation import ExampleInstallation
from deploy.stack.process import Process
from deploy.stack.server import free_port
from deploy.stack.stack import Stack

HOT_FROM = "5/s"  # on a machine that does much else, all of it is slow


class ChargingInstallation(ExampleInstallation):
    roles = {"serve": ("sluice-command", "--role", "serve"), "book": ("sluice-command", "--role", "book")}
    look = "sluicectl command list --limit 5 --config sluice.yaml"

    def __init__(self, example: str, folder: Path, binaries: Path, stack: Stack, partner: str) -> None:
        self.port = free_port()
        super().__init__(example, folder, binaries, stack, partner)

    @property
    def address(self) -> str:
        return f"commands  http://127.0.0.1:{self.port}/v1/commands/…"

    def prepare(self) -> None:
        super().prepare()
        self.make_topics([self.settings()["command"]["topic"]])

    def settings(self, role: str = "serve") -> dict:
        settings = super().settings()
        settings["command"]["listen"] = {"address": f"127.0.0.1:{self.port}", "drain_delay": "100ms"}
        settings["commands"][0]["hot"]["above"] = HOT_FROM
        settings["operations"] = {"command": f"127.0.0.1:{self.operations[role]}"}
        return settings

    def _start(self, name: str) -> None:
        config = self.folder / f"{name}.yaml"
        config.write_text(yaml.safe_dump(self.settings(name), sort_keys=False))
        program, *arguments = self.commands[name]
        self._programs[name] = Process([str(self.binaries / program), "--config", str(config), *arguments],
                                       self.folder / f"{name}.log", self.folder / f"{name}.pid", cwd=self.folder)
