"""The record of all runs: one line each in record.tsv, and what they add up to."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("record.tsv")
KINDS = ("failpoint_crashes", "program_kills", "database_kills", "database_restores", "broker_kills", "redis_kills", "freezes",
         "wire_faults", "other_faults")
COLUMNS = ("seed", "commit", "seconds", "events", *KINDS, "verdict", "plan")


def cycles(counts: Counter[str], crashes: Counter[str]) -> dict[str, int]:
    """Counts of a story by the kinds that the record has."""
    def total(*words: str) -> int:
        return sum(number for name, number in counts.items() if any(word in name for word in words))
    named = {
        "failpoint_crashes": crashes.total(), "program_kills": counts["kill -9 by time"],
        "database_kills": counts["database kills"], "database_restores": counts["database restored"],
        "broker_kills": counts["broker kills"], "redis_kills": counts["redis kills"],
        "freezes": total("frozen", "pauses"), "wire_faults": total("wire-")}
    other = total("flushed", "full", "fail-overs", "read-only", "locked", "sessions killed", "filled", "stepped", "redefined", "slowed", "statements killed",
                  "stalling", "logs cut", "rolled out", "list's")
    return {**named, "other_faults": other}


def commit() -> str:
    """The tree's, with a mark when something of it is not committed."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=TREE, capture_output=True, text=True, check=False).stdout.strip()
    changed = [line for line in git("status", "--porcelain").splitlines() if not line.endswith(RECORD.name)]
    return git("rev-parse", "--short=10", "HEAD") + ("+" if changed else "")


def append(file: Path, row: dict[str, object]) -> None:
    if not file.exists():
        file.write_text("\t".join(COLUMNS) + "\n")
    with file.open("a") as handle:
        handle.write("\t".join(str(row[name]) for name in COLUMNS) + "\n")


def totals(file: Path) -> dict[str, int]:
    """Cycles by kind over the runs that ended equal: where nothing was compared, nothing was shown."""
    every = [line.split("\t") for line in file.read_text().splitlines()[1:]] if file.exists() else []
    lines = [line for line in every if line[COLUMNS.index("verdict")] == "equal"]
    sums = {kind: sum(int(line[COLUMNS.index(kind)]) for line in lines) for kind in KINDS}
    return {"runs": len(lines), **sums}
