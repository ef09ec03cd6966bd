"""The two clients as programs that take one question a line: what is asked for, of which service; the answer says what became of it."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TREE = Path(__file__).resolve().parents[2]
HARNESS = Path(__file__).parent / "harness"
KEY = b"0123456789abcdef0123456789abcdef"
CALLER = {"caller": "ads", "secret": "whsec_" + base64.b64encode(KEY).decode()}
LIMITS = {"connect": 1000, "attempt": 30_000, "deadline": 20_000, "longest_response": 64 << 10}  # milliseconds, bytes


def cpp(folder: Path) -> list[str]:
    """Half a minute of headers, or nothing when ccache knows it."""
    program, thing = folder / "client", folder / "client.o"
    built("ccache", "g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{TREE}", f"-I{TREE}/clients/cpp", "-c", HARNESS / "main.cpp", "-o", thing)
    built("g++", thing, "-o", program, "-lssl", "-lcrypto")
    return [str(program)]


def built(*command: str | Path) -> None:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def python(_: Path) -> list[str]:
    return [sys.executable, str(HARNESS / "run.py")]


CLIENTS: dict[str, Callable[[Path], list[str]]] = {"C++": cpp, "Python": python}


@dataclass
class Client:
    """The same from one question to the next, as long as the service is."""

    process: subprocess.Popen[str]
    keeps_connection: bool

    @classmethod
    def start(cls, name: str, folder: Path) -> Client:
        command = CLIENTS[name](folder)
        return cls(subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True),
                   keeps_connection=name == "C++")

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()

    def ask(self, question: Mapping[str, Any], port: int, limits: Mapping[str, int] | None = None, *, real_time: bool = False,
            authority: str = "") -> dict[str, Any]:
        """`authority`: a file of certificates; with it the client speaks TLS to localhost."""
        service = {"host": "localhost" if authority else "127.0.0.1", "port": port, "real_time": real_time, "authority": authority, **CALLER, **LIMITS, **(limits or {})}
        self.process.stdin.write(json.dumps({**question, "service": service}) + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        assert said, f"the client ended: {self.process.wait()}"
        return json.loads(said)
