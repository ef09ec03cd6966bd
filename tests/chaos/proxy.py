"""The fault proxy: a process of its own, so that it never waits for the Python that drives it.

Run as `python3 -m tests.chaos.proxy`: commands are JSON lines on standard input, each answered by one line on standard output;
the end of the input ends it. `FaultProxy` is its handle.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path

from tests.chaos.wire import Wire

TREE = Path(__file__).resolve().parents[2]


class FaultProxy:
    """Owned by the thread that makes it, with which the process ends. Commands may come from any thread."""

    def __init__(self, log: Path) -> None:
        self._lock = threading.Lock()
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", sys.executable, "-m", "tests.chaos.proxy"], cwd=TREE, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True)

    def add(self, wire: str, *, port: int, target: int, protocol: str, seed: int) -> None:
        self._do("add", wire, port=port, target=target, protocol=protocol, seed=seed)

    def break_with(self, wire: str, **fault: object) -> None:
        self._do("break_with", wire, fault=fault)

    def heal(self, wire: str) -> None:
        self._do("heal", wire)

    def retarget(self, wire: str, target: int) -> None:
        self._do("retarget", wire, target=target)

    def counts(self, wire: str) -> dict[str, int]:
        return self._do("counts", wire)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()

    def _do(self, what: str, wire: str, **arguments: object) -> dict:
        with self._lock:
            self._process.stdin.write(json.dumps({"do": what, "wire": wire, **arguments}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the fault proxy ended with {self._process.wait()}")
        return json.loads(answer)


async def serve() -> None:
    wires: dict[str, Wire] = {}
    commands = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        answer = await carry_out(json.loads(line), wires)
        print(json.dumps(answer), flush=True)


async def carry_out(command: dict, wires: dict[str, Wire]) -> dict:
    name, what = command.pop("wire"), command.pop("do")
    if what == "add":
        wires[name] = Wire(**command)
        await wires[name].serve()
        return {}
    if what == "counts":
        return dict(wires[name].counts)
    getattr(wires[name], what)(**command)
    return {}


if __name__ == "__main__":
    asyncio.run(serve())
