"""python3 -m tests.fuzz.runner: every target for some seconds in turn, and a table. Exit 1 on a finding."""

from __future__ import annotations

import argparse
import base64
import random
import signal
import subprocess
import sys
from pathlib import Path

from tests.fuzz import session
from tests.fuzz.targets import TARGETS, TREE, Target


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run fuzz", allow_abbrev=False)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--target", choices=TARGETS, action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--replay", type=Path, default=None)
    chosen = parser.parse_args()
    if min(chosen.seconds, chosen.jobs) < 1 or chosen.seed < 0:
        parser.error("--seconds and --jobs are at least 1, --seed is at least 0")
    return chosen


def shown(path: Path) -> str:
    return str(path.relative_to(TREE)) if path.is_relative_to(TREE) else str(path)


def replay(file: Path, named: list[str]) -> int:
    """The target is the folder that the file lies in, unless --target names it."""
    parts = [part for part in file.resolve().parts if part in TARGETS]
    if not file.is_file() or not (named or parts):
        print(f"{file}: no such file, or no folder in its path says the target: --target NAME")
        return 2
    target = TARGETS[named[0] if named else parts[-1]]
    code = subprocess.run([str(target.program), *target.limits(), str(file)], check=False).returncode
    print(f"{shown(file)}: {target.name} " + ("keeps its promises" if code == 0 else f"ends with {code}"), flush=True)
    return 0 if code == 0 else 1


def show(target: Target, finding: Path) -> None:
    """Whole, since a machine of CI is gone before anybody can look at its disk."""
    print(f"        FOUND {shown(finding)}\n{session.reason_of(target)}\n"
          f"        replay: ./run fuzz --replay {shown(finding)}\n"
          f"        elsewhere: base64 -d <<<'{base64.b64encode(finding.read_bytes()).decode()}' >found"
          f" && ./run fuzz --target {target.name} --replay found", flush=True)


def run(target: Target, place: str, plan: session.Plan) -> session.Result:
    print(f"[{place}] {target.name} for {plan.seconds} s, seed {plan.seed} …", flush=True)
    result = session.fuzz(target, plan, lambda words: print(f"        {target.name:10}{words}", flush=True))
    for finding in result.findings:
        show(target, finding)
    if result.trouble:
        print(session.reason_of(target), flush=True)
    return result


def table(results: list[session.Result]) -> str:
    lines = [f"{'target':10} {'executions':>11} {'per second':>10} {'coverage':>13} {'new units':>9} {'MiB':>5} {'findings':>8}"]
    for one in results:
        growth = f"{one.coverage_before} -> {one.coverage}"
        lines.append(f"{one.target:10} {one.executions:11,} {one.executions / max(one.seconds, 1):10,.0f} {growth:>13} "
                     f"{one.new_units:9,} {one.peak:5} {len(one.findings):8}  {one.trouble}".rstrip())
    lines += [f"{one.target}, by request and recipe: " + ", ".join(f"{count:,} {what}" for what, count in one.engine.items())
              for one in results if one.engine]
    return "\n".join(lines)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = arguments()
    if chosen.replay:
        return replay(chosen.replay, chosen.target)
    seed = chosen.seed or random.SystemRandom().randrange(1, 1 << 31)
    plan = session.Plan(chosen.seconds, chosen.jobs, seed, chosen.fresh)
    targets = [TARGETS[name] for name in dict.fromkeys(chosen.target or TARGETS)]
    results = [run(target, f"{number}/{len(targets)}", plan) for number, target in enumerate(targets, 1)]
    print(f"\n{table(results)}")
    bad = [one.target for one in results if not one.ok]
    print(f"FINDINGS: {', '.join(bad)}" if bad else "no findings", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
