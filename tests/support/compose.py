"""deploy/compose.yaml, carried out without a container engine: our services in their images' roots, servers of the platform."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from deploy.stack.process import Process
from tests.support.image import Image

TREE = Path(__file__).resolve().parents[2]
FILE = TREE / "deploy/compose.yaml"
FINISHED, HEALTHY = "service_completed_successfully", "service_healthy"


def read() -> dict:
    return yaml.safe_load(FILE.read_text())


def ours(document: dict) -> dict[str, dict]:
    """The services that run an image of ours."""
    return {name: service for name, service in document["services"].items() if "build" in service}


def mounts(document: dict, service: dict) -> Iterator[tuple[Path, str]]:
    """File or folder of the host, and where the service sees it."""
    for line in service.get("volumes", ()):
        source, place, _ = line.split(":")
        yield (FILE.parent / source).resolve(), place
    for secret in service.get("secrets", ()):
        yield FILE.parent / document["secrets"][secret]["file"], f"/run/secrets/{secret}"


def in_order(document: dict) -> list[str]:
    """Services of ours, each after those that it waits for."""
    wanted, done = ours(document), []
    while len(done) < len(wanted):
        ready = [name for name, service in wanted.items() if name not in done
                 and all(other in done for other in service.get("depends_on", {}) if other in wanted)]
        assert ready, "they wait for each other"
        done.append(ready[0])
    return done


class Deployment:
    """`folder` holds what is mounted in place of the file's own: `configuration` (a file) and `secrets` (by name)."""

    def __init__(self, folder: Path, images: Mapping[str, Image], configuration: Path, secrets: Mapping[str, str]) -> None:
        self.document = read()
        self.folder, self.images = folder, images
        self._configuration, self._secrets = configuration, folder / "secrets"
        self._secrets.mkdir()
        for name, value in secrets.items():
            (self._secrets / name).write_text(value)
        self.running: dict[str, Process] = {}

    def command(self, name: str, *arguments: str, configuration: Path | None = None) -> tuple[list[str], dict[str, str]]:
        """How a service is started, and its environment. Only those secrets are there that the file gives it."""
        service = self.document["services"][name]
        image = self.images[service["build"]["target"]]
        own = self.folder / name
        for folder in ("etc", "secrets"):
            (own / folder).mkdir(parents=True, exist_ok=True)
        (own / "etc/sluice.yaml").write_text((configuration or self._configuration).read_text())
        for secret in service.get("secrets", ()):
            (own / "secrets" / secret).write_text((self._secrets / secret).read_text())
        binds = {own / "etc": "/etc/sluice", own / "secrets": "/run/secrets"}
        return image.command(*(arguments or service.get("command", ())), binds=binds), image.environment()

    def finish(self, name: str, *arguments: str, within: float = 60) -> subprocess.CompletedProcess[str]:
        command, environment = self.command(name, *arguments)
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=within, check=False)

    def start(self, name: str, configuration: Path) -> None:
        command, environment = self.command(name, configuration=configuration)
        pairs = [f"{key}={value}" for key, value in environment.items()]
        self.running[name] = Process(["/usr/bin/env", "-i", *pairs, *command], self.folder / f"{name}.log", self.folder / f"{name}.pid",
                                     cwd=self.folder)

    def stop(self) -> None:
        for process in self.running.values():
            process.stop(35)
