"""What a payment provider sends, good and bad, and what it is answered."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deploy.demo.installation import SOURCE, Installation

EVENTS, CUSTOMERS = 2000, 20
SEND_WITHIN = 300.0  # seconds
LOOK_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class Attempt:
    """One delivery. `kind` is fresh, duplicate, forged or stale; status 0: no answer. Times are RFC 3339."""

    id: str
    type: str
    customer: str
    kind: str
    status: int
    sent_at: str
    answered_at: str

    @property
    def genuine(self) -> bool:
        return self.kind in ("fresh", "duplicate")

    @property
    def accepted(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True)
class Traffic:
    attempts: list[Attempt]
    seconds: float
    latency_ms: dict[str, float]

    @property
    def accepted_ids(self) -> set[str]:
        return {attempt.id for attempt in self.attempts if attempt.accepted}


def customers() -> list[str]:
    """The customers that the sample events are about, known ahead so that they can have wallets."""
    return [f"cus_sample{number:08}" for number in range(1, CUSTOMERS + 1)]


def send(installation: Installation, seed: int, halfway: Callable[[], None]) -> Traffic:
    """Calls `halfway` while the second half of it is being sent."""
    journal = installation.folder / "sent.jsonl"
    with ThreadPoolExecutor(1) as beside:
        sending = beside.submit(_sluicectl_send, installation, seed, journal)
        while not sending.done() and len(_lines(journal)) < EVENTS // 2:
            time.sleep(LOOK_EVERY)
        halfway()
        summary = json.loads(sending.result())
    return Traffic(_attempts(journal), summary["seconds"], summary["latency_ms"])


def _sluicectl_send(installation: Installation, seed: int, journal: Path) -> str:
    """Exit code 1 tells of answers that should not be: those are for the verdict to find, not for us to hide."""
    return installation.ctl(
        "send", "--source", SOURCE, "--url", installation.url, "--count", str(EVENTS), "--customers", str(CUSTOMERS),
        "--duplicates", "10", "--forgeries", "3", "--stale", "2", "--disorder", "--concurrency", "16", "--retry",
        "--seed", str(seed), "--events", str(journal), "--quiet", "--json", within=SEND_WITHIN, codes=(0, 1))


def _attempts(journal: Path) -> list[Attempt]:
    names = Attempt.__dataclass_fields__
    return [Attempt(**{name: line[name] for name in names}) for line in map(json.loads, _lines(journal))]


def _lines(journal: Path) -> list[str]:
    return journal.read_text().splitlines() if journal.exists() else []
