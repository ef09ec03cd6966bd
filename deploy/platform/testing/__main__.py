"""python3 -m deploy.platform.testing: the stages of `./run test`. The last line is `N passed, N failed`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from deploy.platform.testing import runner, stages
from deploy.platform.testing.outcome import Outcome, Tally
from deploy.platform.testing.second_look import second_look
from deploy.platform.testing.stages import Stage

TREE = Path(os.environ["SLUICE_TREE"])
RESULTS = TREE / "build" / "test"


def chosen() -> list[Stage]:
    parser = argparse.ArgumentParser(prog="./run test", allow_abbrev=False)
    parser.add_argument("--unit", action="store_true")
    parser.add_argument("--sanitizers", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--chart", action="store_true")
    parser.add_argument("--integration", action="store_true")
    parser.add_argument("-k", metavar="EXPR", default="")
    arguments = parser.parse_args()
    if arguments.k and not arguments.integration:
        parser.error("-k belongs to --integration")
    wanted: list[Stage] = []
    if arguments.unit:
        wanted += stages.only_unit(TREE, RESULTS)
    if arguments.sanitizers:
        wanted += stages.under_sanitizers(TREE, RESULTS)
    if arguments.coverage:
        wanted += stages.with_coverage(TREE, RESULTS)
    if arguments.chart:
        wanted += stages.only_chart(TREE, RESULTS)
    if arguments.integration:
        wanted += stages.only_integration(TREE, RESULTS, arguments.k)
    return list({stage.name: stage for stage in wanted}.values()) or stages.everything(TREE, RESULTS)


def attempt(stage: Stage, before: dict[str, Outcome]) -> Outcome:
    missing = [name for name in stage.needs if name in before and not before[name].ok]
    if missing:
        return Outcome(stage.name, ok=False, ran=False, note=f"because of {', '.join(missing)}")
    if stage.absent:
        return Outcome(stage.name, ok=True, ran=False, note=stage.absent)
    if stage.subject and not any(stage.subject.glob("test_*.py")):
        return Outcome(stage.name, ok=True, ran=False, note=f"there is no test in {stage.subject.relative_to(TREE)}")
    outcome = carry_out(stage)
    return second_look(stage, outcome, carry_out)


def carry_out(stage: Stage) -> Outcome:
    log = RESULTS / f"{stage.name.replace(' ', '-')}.log"
    outcome = runner.run(stage, log, TREE)
    if stage.shown or not outcome.ok:
        print(f"--- the end of {log.relative_to(TREE)}\n{runner.end_of(log)}\n---", flush=True)
    return outcome


def run_all(wanted: list[Stage]) -> list[Outcome]:
    outcomes: dict[str, Outcome] = {}
    for number, stage in enumerate(wanted, 1):
        print(f"[{number}/{len(wanted)}] {stage.name} …", flush=True)
        outcomes[stage.name] = attempt(stage, outcomes)
        print(outcomes[stage.name], flush=True)
    return list(outcomes.values())


def conclude(outcomes: list[Outcome]) -> int:
    """The total alone decides nothing: a stage without tests can fail, and a run without tests has."""
    total = sum((outcome.tally for outcome in outcomes if outcome.tally), Tally())
    failed = [outcome.stage for outcome in outcomes if not outcome.ok]
    print("\nin all:", *outcomes, sep="\n")
    if total.skipped:
        print(f"{total.skipped} tests were SKIPPED")
    if failed:
        print(f"stages that failed: {', '.join(failed)}")
    elif total.executed == 0:
        print("no test was executed: that is a failure")
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if failed or total.executed == 0 or total.failed else 0


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    wanted = chosen()
    RESULTS.mkdir(parents=True, exist_ok=True)
    return conclude(run_all(wanted))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
