"""python3 -m tests.chaos: see ./run chaos --help."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import sys
import time
from pathlib import Path

from tests.chaos import record
from tests.chaos.commands.plan import CommandPlan
from tests.chaos.commands.plan import make_plan as make_command_plan
from tests.chaos.commands.run import OVERTAKEN_CALLS, CommandRun
from tests.chaos.histories import session as histories
from tests.chaos.plan import Plan, make_plan
from tests.chaos.run import Run, clean_up, report
from tests.chaos.storm import make_storm
from tests.support import failpoints
from tests.support.program import binary

TREE = Path(__file__).resolve().parents[2]
LONG = 60.0  # seconds of faults in all, from which on every failpoint must have been hit, and a call of commands overtaken


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run chaos", allow_abbrev=False)
    parser.add_argument("--seed", type=int, help="repeat this plan; a fresh one without it")
    parser.add_argument("--storm", action="store_true", help="crashes at failpoints and kills of servers, hundreds a minute, and nothing else")
    parser.add_argument("--lanes", action="store_true", help="random histories of objects in trouble, many short ones on servers that they share")
    parser.add_argument("--seconds", type=float, help="of faults, 40, of a storm 300, of lanes 7; starting and healing come on top")
    parser.add_argument("--runs", type=int, default=1, help="so many seeds, one after the other: fresh ones, or from --seed on")
    parser.add_argument("--within", type=float, help="seconds: no run begins later than that")
    parser.add_argument("--database", choices=("mysql", "mariadb"))
    parser.add_argument("--go-on", action="store_true", help="with --lanes: the next seed after one that differs")
    parser.add_argument("--abreast", type=int, default=4, help="with --lanes: so many histories at a time")
    parser.add_argument("--rollouts", action="store_true", help="new configurations while events flow: other effects, a source that comes")
    parser.add_argument("--poller", action="store_true", help="a provider's list of events beside the webhooks, and two pollers that read it")
    parser.add_argument("--commands", action="store_true", help="callers of commands that give up and call again, in place of webhooks")
    parser.add_argument("--nodes", type=int, choices=(1, 3), help="of Kafka")
    parser.add_argument("--plan", action="store_true", help="only print the plan")
    parser.add_argument("--keep", action="store_true", help="keep logs and data of good runs too")
    parser.add_argument("--record", type=Path, default=record.RECORD, help="where to append the outcome")
    options = parser.parse_args()
    if sum((options.storm, options.lanes, options.commands, options.rollouts or options.poller)) > 1 or (options.rollouts and options.poller):
        parser.error("--storm, --lanes, --commands, --rollouts and --poller are plans of several kinds")
    if (options.storm or options.lanes or options.commands) and options.nodes == 3:
        parser.error("a storm, lanes and commands have one node of Kafka")
    options.seconds = options.seconds or (300.0 if options.storm else 7.0 if options.lanes else 40.0)
    return options


def command_points() -> dict[str, list[str]]:
    """By role: who books takes the steps of a batch, and no other takes the last. No fault lasts for a minute."""
    shared, of_line = failpoints.in_source("command/execute"), ["command.after_booking"]
    return {"serve": sorted(set(failpoints.in_source("command")) - {*of_line, failpoints.OF_A_MINUTE}), "book": [*shared, *of_line]}


def points(*, poller: bool) -> dict[str, list[str]]:
    """Those that the workload leads to. No event of it waits for time, and no list forgets one: such steps have tests of their own."""
    met = {point for steps in ("main role", "leaving", "message", "refused message") for point in failpoints.WAITING[steps]}
    never = set(failpoints.of_waiting_events()) - met | {failpoints.OF_A_GAP}
    folders = {"ingress": ("common", "ingress"), "consumer": ("common", "consumer")} | ({"poller": ("poller", failpoints.OUTLET)} if poller else {})
    return {tier: [point for point in failpoints.in_source(*rooms) if point not in never] for tier, rooms in folders.items()}


def seeds(options: argparse.Namespace) -> list[int]:
    first = options.seed
    return [secrets.randbits(31) if first is None else first + number for number in range(options.runs)]


def plan_of(seed: int, options: argparse.Namespace) -> Plan | CommandPlan:
    if options.commands:
        return make_command_plan(seed, options.seconds, command_points(), database=options.database)
    if options.storm:
        return make_storm(seed, options.seconds, points(poller=False), database=options.database)
    return make_plan(seed, options.seconds, points(poller=options.poller), database=options.database, nodes=options.nodes,
                     rollouts=options.rollouts, poller=options.poller)


def run_one(plan: Plan | CommandPlan, options: argparse.Namespace, hit: set[str]) -> bool:
    folder = TREE / "build" / "chaos" / f"{plan.seed}-{os.getpid()}"
    print(plan, flush=True)
    result = (CommandRun if isinstance(plan, CommandPlan) else Run)(plan, folder).carry_out()
    hit |= result.hit | {what for what, times in result.story.counts.items() if times}
    report(result, folder)
    if plan.kind == "storm" and (never := sorted(plan.crash_points - set(result.story.crashes))):
        print("no crash at:", ", ".join(never))
    record.append(options.record, {
        "seed": plan.seed, "commit": record.commit(), "seconds": f"{plan.seconds:g}", "events": result.events,
        **record.cycles(result.story.counts, result.story.crashes), "verdict": result.verdict, "plan": plan.kind})
    print(f"verdict: {result.verdict.upper()}; seed {plan.seed}, repeat with: ./run chaos{f' --{plan.kind}' * (plan.kind != 'mixed')}{' --rollouts' * plan.rolls_out} --seed {plan.seed} "
          f"--seconds {plan.seconds:g}" + (f"; everything in {folder}" if result.differences else ""), flush=True)
    if not result.differences and not options.keep:
        clean_up(folder)
    return not result.differences


def all_hit(hit: set[str], seconds: float, options: argparse.Namespace) -> bool:
    """And of commands: a session in which the service refused no call by its fence has not tested fences."""
    wanted = {**command_points(), "service": [OVERTAKEN_CALLS]} if options.commands else points(poller=options.poller)
    never = sorted({point for tier in wanted.values() for point in tier} - hit)
    if never and seconds >= LONG:
        print(f"never met in {seconds:g} s of faults: {', '.join(never)}")
    return not never or seconds < LONG


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    if not options.plan and not binary("sluice-ingress").exists():
        print(f"{binary('sluice-ingress')} is missing: ./run build dev", file=sys.stderr)
        return 2
    if options.lanes:
        return histories.main(seeds(options), options)
    began, seconds, hit, good = time.monotonic(), 0.0, set(), True
    for seed in seeds(options):
        plan = plan_of(seed, options)
        if options.plan:
            print(plan)
            continue
        if options.within and time.monotonic() - began > options.within:
            break
        good = run_one(plan, options, hit)
        seconds += plan.seconds
        if not good:
            break
    if options.plan:
        return 0
    good = all_hit(hit, seconds, options) and good
    print("the record:", record.totals(options.record))
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
