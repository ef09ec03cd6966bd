"""One example from nothing to its verdict."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from deploy.demo import report
from deploy.demo.steps import NAMES as STEPS
from deploy.demo.steps import Steps, say
from deploy.examples.charging import play as charging
from deploy.examples.installation import ExampleInstallation
from deploy.examples.marketplace import play as marketplace
from deploy.examples.orders import play as orders
from deploy.examples.polling import play as polling
from deploy.examples.subscriptions import play as subscriptions
from deploy.stack.process import ServerFailed
from deploy.stack.stack import Stack

PLAYS = {"orders": orders, "subscriptions": subscriptions, "marketplace": marketplace, "polling": polling, "charging": charging}
NAMES = tuple(PLAYS)


def run(arguments: Namespace, folder: Path, binaries: Path, build: Callable[[], object]) -> int:
    """0 only if every check holds. `build` makes what is in `binaries`. `arguments`: example, once, json, seed, count.
    Failure: ServerFailed."""
    began, name = time.monotonic(), arguments.example
    play = PLAYS[name]
    say(f"{name}: {play.STORY}")
    steps = Steps([*STEPS[:3], *play.STEPS, STEPS[-1]])
    with ExitStack() as running:
        with steps.step(STEPS[0]):
            build()
        with steps.step(STEPS[1]):
            stack = running.enter_context(Stack(folder))
        partner = running.enter_context(closing(play.Play.partner(stack)))
        installation = play.Play.installed(name, folder / "sluice", binaries, stack, partner.url)
        running.callback(installation.stop)
        with steps.step(STEPS[2]):
            installation.prepare()
            installation.start()
        played = play.Play(installation, partner, arguments.count or play.COUNT, arguments.seed)
        for what in play.STEPS:
            with steps.step(what):
                play.STEPS[what](played)
        with steps.step(STEPS[-1]):
            results = played.compare()
        say(f"\n{report.checks(results)}\n\n{steps.report()} (seed {arguments.seed}, {time.monotonic() - began:.0f} s in all)")
        ok = all(check.ok for check in results)
        if arguments.json:
            checks = [{"what": check.what, "ok": check.ok, "detail": check.detail} for check in results]
            arguments.json.write_text(json.dumps({"example": name, "seed": arguments.seed, "ok": ok, "checks": checks}, indent=2) + "\n")
        if not arguments.once:
            stay(installation)
    return 0 if ok else 1


def stay(installation: ExampleInstallation) -> None:
    say(f"\neverything stays up until Ctrl-C\n{installation.address}")
    for name, port in installation.operations.items():
        say(f"{name:9} http://127.0.0.1:{port}/metrics  log {installation.folder}/{name}.log")
    say("\n".join(installation.stack.addresses()))
    say(f"look at it: ./run exec bash -c 'cd {installation.folder} && PATH={installation.binaries}:$PATH {installation.look}'")
    try:
        while installation.still_running():
            time.sleep(0.25)
    except KeyboardInterrupt:
        return
    raise ServerFailed(f"a program ended by itself; its log is in {installation.folder}")
