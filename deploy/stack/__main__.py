"""python3 -m deploy.stack up|down|status: a stack for work by hand, held by a process in the background."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from deploy.stack.process import ServerFailed, birth
from deploy.stack.stack import Stack

FOLDER = Path(os.environ.get("SLUICE_TREE", ".")).absolute() / "build" / "stack"
STATE = FOLDER / "state.json"
PORTS = FOLDER / "ports.json"
HOLDER_LOG = FOLDER / "holder.log"
UP_WITHIN, DOWN_WITHIN = 120.0, 60.0  # seconds


def running() -> dict | None:
    """The recorded state, when the very process that wrote it still lives."""
    state = json.loads(STATE.read_text()) if STATE.exists() else {}
    return state if state and birth(state["pid"]) == state["birth"] else None


def up(fresh: bool) -> int:
    if state := running():
        print("running already:", *state["addresses"], sep="\n")
        return 0
    STATE.unlink(missing_ok=True)
    if fresh:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with HOLDER_LOG.open("w") as log:
        holder = subprocess.Popen([sys.executable, "-m", "deploy.stack", "hold"], stdin=subprocess.DEVNULL, stdout=log,
                                  stderr=log, start_new_session=True)
    return await_holder(holder)


def await_holder(holder: subprocess.Popen) -> int:
    deadline = time.monotonic() + UP_WITHIN
    while not (state := running()):
        if holder.poll() is not None or time.monotonic() > deadline:
            print(HOLDER_LOG.read_text()[-4000:], file=sys.stderr)
            holder.terminate()
            return 1
        time.sleep(0.05)
    print(*state["addresses"], sep="\n")
    print("./run stack down ends it; the data stays in build/stack until ./run stack up --fresh")
    return 0


def hold() -> int:
    """Owns the servers until SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    stack = Stack(FOLDER, free_ones(json.loads(PORTS.read_text()) if PORTS.exists() else {}))
    try:
        with stack:
            record(stack)
            signal.pause()
    finally:
        STATE.unlink(missing_ok=True)
    return 0


def record(stack: Stack) -> None:
    PORTS.write_text(json.dumps({name: server.port for name, server in stack.servers.items()}))
    pids = {name: server.pid for name, server in stack.servers.items()}
    state = {"pid": os.getpid(), "birth": birth(os.getpid()), "servers": pids, "addresses": stack.addresses()}
    written = STATE.with_suffix(".writing")
    written.write_text(json.dumps(state, indent=2) + "\n")
    written.rename(STATE)


def free_ones(ports: dict[str, int]) -> dict[str, int]:
    """The ports of the last time, as far as nobody has taken them since: what was written by hand stays right."""
    return {name: port for name, port in ports.items() if _is_free(port)}


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


def down() -> int:
    state = running()
    if not state:
        print("nothing runs")
        return 0
    os.kill(state["pid"], signal.SIGTERM)
    deadline = time.monotonic() + DOWN_WITHIN
    while birth(state["pid"]) == state["birth"]:
        if time.monotonic() > deadline:
            os.kill(state["pid"], signal.SIGKILL)  # and the kernel ends its servers
        time.sleep(0.05)
    print("stopped")
    return 0


def status() -> int:
    """Exit 0 when it runs, 3 when not."""
    state = running()
    if not state:
        print("nothing runs")
        return 3
    print(*state["addresses"], sep="\n")
    for name, pid in state["servers"].items():
        print(f"{name}: pid {pid}, {'running' if birth(pid) else 'ENDED'}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run stack")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("up").add_argument("--fresh", action="store_true")
    for name in ("down", "status", "hold"):
        commands.add_parser(name)
    arguments = parser.parse_args()
    try:
        if arguments.command == "up":
            return up(arguments.fresh)
        return {"down": down, "status": status, "hold": hold}[arguments.command]()
    except ServerFailed as failure:
        print(failure, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
