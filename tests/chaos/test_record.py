"""Runs add up, and every count of a story has its column."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.chaos import record


def test_cycles_by_kind() -> None:
    counts = Counter({"kill -9 by time": 3, "redis kills": 5, "consumer frozen": 1, "database pauses": 2, "wire-kafka cut": 4,
                      "redis flushed": 1, "ingress lives": 50, "SIGTERM": 9})
    found = record.cycles(counts, Counter({"ingress.after_claim": 6, "consumer.after_commit": 1}))
    assert found == {"failpoint_crashes": 7, "program_kills": 3, "database_kills": 0, "database_restores": 0, "broker_kills": 0,
                     "redis_kills": 5, "freezes": 3, "wire_faults": 4, "other_faults": 1}


def test_runs_add_up(tmp_path: Path) -> None:
    file = tmp_path / "record.tsv"
    row = {name: 2 for name in record.COLUMNS} | {"verdict": "equal", "commit": "abc", "plan": "storm"}
    record.append(file, row)
    record.append(file, row)
    assert record.totals(file) == {"runs": 2, **dict.fromkeys(record.KINDS, 4)}
    assert file.read_text().splitlines()[0].split("\t") == list(record.COLUMNS)


def test_only_runs_that_ended_equal_count(tmp_path: Path) -> None:
    file = tmp_path / "record.tsv"
    for verdict in ("equal", "unfinished", "different"):
        record.append(file, {name: 2 for name in record.COLUMNS} | {"verdict": verdict, "plan": "mixed"})
    assert record.totals(file) == {"runs": 1, **dict.fromkeys(record.KINDS, 2)}
