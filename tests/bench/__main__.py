"""python3 -m tests.bench: see ./run bench --help."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from deploy.stack.process import ServerFailed
from tests.bench import page
from tests.bench.building import FOLDER, PEERS, BuildFailed, build_ours, build_peers, build_tools
from tests.bench.cells import Length, Untrue
from tests.bench.memory import HOUR
from tests.bench.parts import LONG, PARTS, Order
from tests.bench.results import Results
from tests.bench.targets import NAMES



def say(text: str) -> None:
    print(text, flush=True)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench", add_help=False)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--targets", type=lambda text: text.split(","), default=list(NAMES))
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--json", metavar="FILE", type=Path, default=FOLDER / "results.json")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - {*PARTS, "none"}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}: {', '.join(PARTS)}")
    chosen.parts = [] if chosen.parts == ["none"] else chosen.parts or [part for part in PARTS if part not in LONG]
    chosen.memory_seconds = chosen.seconds or (60.0 if chosen.quick else HOUR)
    chosen.rounds = min(chosen.rounds or (1 if chosen.quick else 5), 50)
    chosen.seconds = min(chosen.seconds or (0.7 if chosen.quick else 3.0), 60.0)
    if unknown := set(chosen.targets) - set(NAMES):
        parser.error(f"there is no target {', '.join(sorted(unknown))}: {', '.join(NAMES)}")
    return chosen


def build(wanted: list[str], results: Results) -> list[str]:
    """The targets that could be built."""
    say("building …")
    build_ours()
    build_tools()
    missing = build_peers() if set(wanted) & set(PEERS) else None
    if missing:
        results.not_run("peers", missing)
        wanted = [name for name in wanted if name not in PEERS]
    return wanted


def main() -> int:
    chosen = options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    results = Results(chosen.json)
    try:
        names = build(chosen.targets, results) if chosen.parts else []
        length = Length(warm_up=chosen.seconds / 3, seconds=chosen.seconds)
        order = Order(names, chosen.rounds, length, chosen.quick, say, chosen.memory_seconds)
        for part in chosen.parts:
            PARTS[part](order, results)
            results.write()
        if chosen.docs:
            say("wrote " + ", ".join(str(file) for file in page.write(results.parts)))
    except KeyboardInterrupt:
        return 130
    except (BuildFailed, ServerFailed, Untrue, AssertionError) as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    for what, why in results.missing.items():
        print(f"NOT RUN: {what}: {why}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
