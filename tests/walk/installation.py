"""What the chart installs, as processes: deployments of pods, a Service in front of the ingress, revisions to roll back to."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.effects import WANTS_A_ROW
from tests.support.pipeline import Pipeline
from tests.support.program import Program

REPLICAS = {"ingress": 2, "consumer": 2, "retry": 1}
FIRST_KEY = "2026-10"


@dataclass(frozen=True)
class Pod:
    name: str
    component: str
    program: Program

    @property
    def ready(self) -> bool:
        try:
            return self.program.get("/readyz")[0] == 200
        except OSError:
            return False


@dataclass(frozen=True)
class Revision:
    number: int
    description: str
    config: dict


class Installation:
    """`pods` are those that run. A roll starts new ones before it ends the old, as the chart's deployments do."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.pods: list[Pod] = []
        self.changed: Callable[[dict[str, int]], None] = lambda _: None  # told the pods' names and ports of operations
        self._numbers = itertools.count(1)
        pipeline.config["effects"].append(copy.deepcopy(WANTS_A_ROW))
        pipeline.config["sources"][0]["keys"] = [{"id": FIRST_KEY, "value": {"file": self.secret_file(FIRST_KEY, pipeline.secret)}}]
        self.revisions: list[Revision] = []

    def secret_file(self, name: str, secret: str) -> str:
        """As a mounted Secret."""
        file = self.pipeline.folder / f"secret-{name}"
        file.write_text(secret)
        self.pipeline.secrets[f"file {file}"] = secret
        return str(file)

    # releases

    def upgrade(self, description: str, change: Callable[[dict], None] = lambda _: None) -> None:
        """`change` is done to the configuration."""
        change(self.pipeline.config)
        self.revisions.append(Revision(len(self.revisions) + 1, description, copy.deepcopy(self.pipeline.config)))
        self._roll()

    def rollback(self) -> None:
        """To the one before."""
        before = self.revisions[-2]
        self.pipeline.config = copy.deepcopy(before.config)
        self.upgrade(f"Rollback to {before.number}")

    def _roll(self) -> None:
        old, fresh = self.pods, [self._pod(component) for component, count in REPLICAS.items() for _ in range(count)]
        for pod in fresh:
            pod.program.start()
        for pod in fresh:
            pod.program.ready(60)
        self.pods = fresh
        self._tell()
        for pod in old:
            pod.program.ask_to_stop()
        for pod in old:
            assert pod.program.wait_end() == 0, pod.program.story()

    def _pod(self, component: str) -> Pod:
        made = {"ingress": self.pipeline.ingress, "consumer": self.pipeline.consumer, "retry": self.pipeline.retry_role}[component]
        return Pod(f"sluice-{component}-{next(self._numbers)}", component, made(start=False))

    def _tell(self) -> None:
        self.changed({pod.name: pod.program.operations_port for pod in self.pods})

    def edit_sources(self, change: Callable[[list[dict]], None]) -> None:
        """The configuration in the ConfigMap: pods of the ingress see its new content in their mounts."""
        change(self.pipeline.config["sources"])
        for pod in self.of("ingress"):
            pod.program.config["sources"] = copy.deepcopy(self.pipeline.config["sources"])
            pod.program.write_config()

    # looking

    def of(self, component: str) -> list[Pod]:
        return [pod for pod in self.pods if pod.component == component]

    def pod(self, name: str) -> Pod:
        [found] = [pod for pod in self.pods if pod.name == name]
        return found

    def endpoints(self) -> list[int]:
        """Where the Service sends requests: pods that are ready."""
        return [pod.program.port for pod in self.of("ingress") if pod.ready]

    def close(self) -> None:
        self.pipeline.end_programs()
