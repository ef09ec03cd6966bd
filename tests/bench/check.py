"""One verdict of the engine against what somebody would write by hand for that one scheme."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path

from tests.bench import callgrind, tables
from tests.bench.building import tool
from tests.bench.cells import Untrue
from tests.bench.ingress_rounds import Say

HMAC_BAR, RSA_BAR = 1.15, 1.1
BARS = {"stripe": HMAC_BAR, "github": HMAC_BAR, "standard-webhooks": HMAC_BAR, "wechat-pay": RSA_BAR, "paypal": RSA_BAR}
GOES = 40  # of each side in a round, in turn
CALLS = {HMAC_BAR: 2000, RSA_BAR: 50}  # under callgrind
TIMEOUT = 300.0  # seconds
NOTE = """`verify()` on one thread, processor time, in turn with the other side. HMAC recipes over 2 KB and eight headers stand beside
the floor's check of Stripe's signature, which is handed the one header; RSA beside `EVP_DigestVerify` under a key that is ready.
Instructions are those outside libraries."""


def run(folder: Path, rounds: int, say: Say) -> dict:
    samples: dict[str, list[dict]] = {name: [] for name in BARS}
    for number in range(rounds):
        found = one_round()
        for name, figures in found.items():
            samples[name].append(figures)
        say(f"  {number + 1}/{rounds}  " + "  ".join(f"{name} {figures['ratio']:.3f}" for name, figures in found.items()))
    say("  instructions, under callgrind")
    return {"rounds": rounds, "rows": [row(name, samples[name]) | instructions(folder, name) for name in BARS]}


def one_round() -> dict[str, dict]:
    goes: dict[str, list[dict]] = {}
    for line in output("--goes", str(GOES)).splitlines():
        go = json.loads(line)
        goes.setdefault(go["pair"], []).append(go)
    return {name: summary(pair) for name, pair in goes.items()}


def summary(goes: list[dict]) -> dict:
    """By go, then the middle: a neighbour's work meets both sides of a go."""
    return {"engine_ns": statistics.median(go["engine_ns"] for go in goes), "bare_ns": statistics.median(go["bare_ns"] for go in goes),
            "ratio": statistics.median(go["engine_ns"] / go["bare_ns"] for go in goes)}


def row(name: str, samples: list[dict]) -> dict:
    ratios = [figures["ratio"] for figures in samples]
    return {"recipe": name, "bar": BARS[name], "ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios),
            **{key: statistics.median(figures[key] for figures in samples) for key in ("engine_ns", "bare_ns")}}


def instructions(folder: Path, name: str) -> dict:
    """Of one call, outside libraries: what twice as many calls take more."""
    calls = CALLS[BARS[name]]
    def counted(side: str) -> float:
        once, twice = (profiled(folder, name, side, times * calls) for times in (1, 2))
        return (twice - once) / calls
    return {"engine_instructions": counted("engine"), "bare_instructions": counted("bare")}


def profiled(folder: Path, name: str, side: str, calls: int) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"check-{name}-{side}-{calls}.callgrind"
    output("--only", name, "--side", side, "--calls", str(calls), around=[
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", "--dump-line=no", "--quiet"])
    return callgrind.read(file, whole=True).by_object()[tool("check").name]


def output(*options: str, around: list[str] | None = None) -> str:
    done = subprocess.run([*(around or []), str(tool("check")), *options], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=TIMEOUT)
    if done.returncode != 0:
        raise Untrue(f"check: {done.stderr.strip()}")
    return done.stdout


def rows(result: dict) -> tuple[list[str], list[list[str]]]:
    return ["one verdict", "engine, ns", "by hand, ns", "ratio", "bar", "", "instructions", "by hand"], [
        [one["recipe"], f"{one['engine_ns']:,.0f}", f"{one['bare_ns']:,.0f}", f"{one['ratio']:.3f} ({one['ratio_low']:.3f}–{one['ratio_high']:.3f})",
         f"{one['bar']:g}", tables.met(one, one["bar"]), f"{one['engine_instructions']:,.0f}", f"{one['bare_instructions']:,.0f}"]
        for one in result["rows"]]
