"""What was measured, kept from one run to the next, part by part."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from pathlib import Path

from tests.bench.building import TREE


class Results:
    """A JSON file: each part replaces what was there of it and says when and at which commit it was measured."""

    def __init__(self, file: Path) -> None:
        self.measured = stamp()  # before: the tree may go on while an hour is measured
        self.file = file
        self.parts: dict[str, dict] = json.loads(file.read_text()) if file.exists() else {}
        self.missing: dict[str, str] = {}

    def add(self, part: str, figures: dict) -> None:
        self.parts[part] = {"measured": self.measured, **figures}
        for what in [what for what in self.parts.get("not_run", {}) if what.startswith(part)]:
            del self.parts["not_run"][what]

    def not_run(self, what: str, why: str) -> None:
        """Said at the end and kept with the figures."""
        self.missing[what] = why
        self.parts.setdefault("not_run", {})[what] = why

    def write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.parts, indent=1, ensure_ascii=False) + "\n")


def stamp() -> dict:
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=TREE, capture_output=True, text=True, check=False)
    return {"commit": commit.stdout.strip() or "unknown", "utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1), "machine": platform.machine()}
