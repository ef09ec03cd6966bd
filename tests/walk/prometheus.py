"""Prometheus with the chart's rules, quicker, over the pods that there are."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from deploy.stack.server import Server
from tests.walk.faster import FACTOR, faster

RULES = Path(__file__).resolve().parents[2] / "helm/sluice/alerts"
SCRAPED_EVERY_MS = 30_000 // FACTOR
FORGOTTEN_AFTER_MS = 300_000 // FACTOR  # how long a sample counts as the present


class Prometheus(Server):
    name = "Prometheus"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._targets = self.folder / "targets.json"
        self.folder.mkdir(parents=True)
        self.scrape({})

    def scrape(self, pods: Mapping[str, int]) -> None:
        """From now on these, by name and port."""
        told = [{"targets": [f"127.0.0.1:{port}"], "labels": {"namespace": "payments", "pod": name}} for name, port in pods.items()]
        fresh = self._targets.with_suffix(".new")
        fresh.write_text(json.dumps(told))
        fresh.rename(self._targets)

    def ask(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://{self.address}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]

    def alerts(self) -> list[dict[str, Any]]:
        """Pending and firing ones."""
        return self.ask("alerts")["alerts"]

    def _prepare(self) -> None:
        every = f"{SCRAPED_EVERY_MS}ms"
        for file in RULES.glob("*.yaml"):
            (self.folder / f"rules-{file.name}").write_text(yaml.dump(faster(yaml.safe_load(file.read_text()))))
        config = {"global": {"scrape_interval": every, "scrape_timeout": every, "evaluation_interval": every},
                  "rule_files": [str(self.folder / "rules-*.yaml")],
                  "scrape_configs": [{"job_name": "sluice",
                                      "file_sd_configs": [{"files": [str(self._targets)], "refresh_interval": "1s"}]}]}
        (self.folder / "prometheus.yaml").write_text(yaml.dump(config))

    def _command(self) -> list[str]:
        return ["prometheus", f"--config.file={self.folder}/prometheus.yaml", f"--storage.tsdb.path={self.data_dir}",
                f"--web.listen-address={self.address}", f"--query.lookback-delta={FORGOTTEN_AFTER_MS}ms", "--log.level=warn"]

    def _answers(self) -> bool:
        with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=2) as answer:
            return answer.status == 200
