"""Whether comparisons with secrets take the same time however they come out."""

from __future__ import annotations

import json
import secrets
import subprocess

from tests.bench.building import tool
from tests.bench.cells import Untrue
from tests.bench.ingress_rounds import Say

CALLS = 1_000_000
BAR = 4.5
TIMEOUT = 600.0  # seconds


def run(calls: int, say: Say) -> dict:
    """Raises `Untrue` when a comparison that stops early on purpose is not seen: then nothing else is known either."""
    seed = secrets.randbelow(1 << 31)
    say(f"  seed {seed}")
    done = subprocess.run([str(tool("constant_time")), "--calls", str(calls), "--seed", str(seed)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, timeout=TIMEOUT)
    if done.returncode != 0:
        raise Untrue(f"constant_time: {done.stderr.strip()}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if unseen := [one["comparison"] for one in found if one["stops_early"] and abs(one["worst"]) < BAR]:
        raise Untrue(f"constant_time does not see what was planted: {', '.join(unseen)}")
    return {"seed": seed, "calls": calls, "bar": BAR, "rows": found}


def rows(result: dict) -> tuple[list[str], list[list[str]]]:
    def verdict(one: dict) -> list[str]:
        if one["stops_early"]:
            return ["", "seen"]
        return [f"{result['bar']:g}", "met" if abs(one["worst"]) < result["bar"] else "MISSED"]
    return ["comparison", "kinds", "cycles", "t", "largest t", "bar", ""], [
        [one["comparison"], one["kinds"], f"{one['cycles']:,.0f}", f"{one['t']:+.2f}", f"{one['worst']:+.2f}", *verdict(one)]
        for one in result["rows"]]


def note(result: dict) -> str:
    return (f"Welch's t of the cycles of {result['calls']:,} calls each, the kind of input drawn anew for every call (seed {result['seed']}); the largest "
            "is over all of them and over those below each of 100 percentiles. What is planted stops at the first byte that differs.")
