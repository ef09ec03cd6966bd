"""python3 -m deploy.demo: see ./run demo --help."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from deploy.demo import ledger, life, report, topic, traffic, verdict
from deploy.demo.installation import Installation
from deploy.demo.steps import COMPILE, NAMES, Steps, compile_release, say
from deploy.demo.traffic import Attempt, Traffic
from deploy.examples import run as examples
from deploy.stack.process import ServerFailed
from deploy.stack.stack import Stack

TREE = Path(os.environ.get("SLUICE_TREE", ".")).absolute()
BUILT = os.environ.get("SLUICE_BIN")  # programs that are there already
BINARIES = Path(BUILT) if BUILT else TREE / "build" / "release" / "bin"
APPLIED_WITHIN = 180.0  # seconds
LOOK_EVERY = 0.25  # seconds


def wait_applied(installation: Installation, wanted: int) -> None:
    """Until so many inbox rows are settled. What is left when the time is over shows in the verdict."""
    began, shown = time.monotonic(), ""
    while (passed := time.monotonic() - began) < APPLIED_WITHIN:
        statuses = ledger.statuses(installation.stack.mysql)
        line = f"  {sum(statuses[name] for name in verdict.SETTLED)} of {wanted} events applied  {dict(statuses)}"
        if line != shown:
            say(f"{line}  {passed:.1f} s")
            shown = line
        if sum(statuses[name] for name in verdict.SETTLED) >= wanted:
            return
        time.sleep(LOOK_EVERY)
    say(f"  not everything was applied within {APPLIED_WITHIN:.0f} s")


def send_and_settle(installation: Installation, seed: int) -> Traffic:
    """The last customer's wallet is opened only halfway: until then that customer's payments wait for it."""
    *early, late = traffic.customers()
    ledger.open_wallets(installation.stack.mysql, early)

    def open_late_wallet() -> None:
        ledger.open_wallets(installation.stack.mysql, [late])
        say(f"  halfway: opened the wallet of {late}, whose payments came before it and waited")

    say(f"sending {traffic.EVENTS} events with duplicates, forgeries, stale ones and disorder (seed {seed}) …")
    sent = traffic.send(installation, seed, open_late_wallet)
    say(f"  {len(sent.attempts)} deliveries in {sent.seconds:.1f} s, answered in {sent.latency_ms['p50']} ms (half of them), "
        f"{sent.latency_ms['p99']} ms (99 of 100)")
    wait_applied(installation, len(sent.accepted_ids))
    return sent


def lives(installation: Installation, sent: Traffic) -> list[tuple[Attempt, dict]]:
    """An ordinary payment, and the first that had to wait for its wallet."""
    late = traffic.customers()[-1]
    payments = [one for one in sent.attempts if one.accepted and one.type == "payment_intent.succeeded"]
    payments.sort(key=lambda one: one.sent_at)
    chosen = [next(one for one in payments if (one.customer == late) == waits) for waits in (False, True)]
    return [(one, life.known_to_ctl(installation, one.id)) for one in chosen]


def show(installation: Installation, sent: Traffic, began: float) -> dict:
    """Prints everything, returns the figures."""
    records, ends = topic.read_all(installation.stack.kafka.bootstrap)
    books = ledger.look(installation.stack.mysql)
    results = verdict.judge(sent, records, books, traffic.customers())
    told = lives(installation, sent) if all(check.ok for check in results) else []
    for part in (report.answers(sent), report.pipeline(sent, records, ends, books),
                 report.wallets(records, books, traffic.customers()), *(life.story(*one) for one in told),
                 report.checks(results)):
        say(f"\n{part}")
    figures = report.figures(sent, records, books, results)
    return {**figures, "lives": [known for _, known in told], "seconds": round(time.monotonic() - began, 1)}


def stay(installation: Installation) -> None:
    say(f"\neverything stays up until Ctrl-C\nwebhooks  {installation.url}")
    for tier, port in installation.operations.items():
        say(f"{tier:9} http://127.0.0.1:{port}/metrics  log {installation.folder}/{tier}.log")
    say("\n".join(installation.stack.addresses()))
    say(f"more of it: ./run exec build/release/bin/sluicectl send --config {installation.config} "
        f"--source stripe-eu --count 100")
    try:
        while installation.still_running():
            time.sleep(LOOK_EVERY)
    except KeyboardInterrupt:
        return
    raise ServerFailed(f"a program ended by itself; its log is in {installation.folder}")


def demonstrate(folder: Path, once: bool, figures_file: Path | None, seed: int) -> int:
    began = time.monotonic()
    steps = Steps()
    _, start_servers, start_sluice, send, compare = NAMES
    with steps.step(COMPILE):
        BUILT or compile_release(TREE)
    with ExitStack() as running:
        with steps.step(start_servers):
            stack = running.enter_context(Stack(folder))
        installation = Installation(folder / "sluice", BINARIES, stack)
        try:
            with steps.step(start_sluice):
                installation.prepare()
                installation.start()
            with steps.step(send):
                sent = send_and_settle(installation, seed)
            with steps.step(compare):
                figures = show(installation, sent, began)
            say(f"\n{steps.report()}")
            figures["seconds_by_step"] = steps.seconds
            if figures_file:
                figures_file.write_text(json.dumps({"seed": seed, **figures}, indent=2) + "\n")
            if not once:
                stay(installation)
        finally:
            installation.stop()
    return 0 if figures["ok"] else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run demo")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 31))
    parser.add_argument("--example", choices=examples.NAMES)
    parser.add_argument("--count", type=int)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    folder = TREE / "build" / "demo" / str(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    try:
        if arguments.example:
            code = examples.run(arguments, folder, BINARIES, lambda: BUILT or compile_release(TREE))
        else:
            code = demonstrate(folder, arguments.once, arguments.json, arguments.seed)
    except KeyboardInterrupt:
        code = 130
    except ServerFailed as failure:
        print(failure, file=sys.stderr)
        code = 1
    if code == 0:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        say(f"logs and data are kept in {folder}")
    return code


if __name__ == "__main__":
    sys.exit(main())
