"""How the receivers of docs/receivers are built and asked, each by its language's own tools.

A harness reads messages, one a line: now, the body in base64, the secrets with | between, and each header as name=value, all with
tabs between. It prints the status and how often the work was done.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
SHOWN = TREE / "docs/receivers"
HARNESS = Path(__file__).parent / "harness"
JAVAC = "jdk.compiler/com.sun.tools.javac.Main"  # a part of the runtime, also where there is no program javac


class NotHere(Exception):
    """The machine lacks a tool; says which."""


def tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise NotHere(f"not run: no {name}")
    return found


def built(folder: Path, *command: str | Path, **environment: str) -> None:
    result = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False,
                            env={**os.environ, **environment})
    assert result.returncode == 0, result.stdout + result.stderr


def cpp(folder: Path) -> list[str]:
    program = folder / "receiver"
    built(folder, tool("g++"), "-std=c++23", "-Wall", "-Wextra", "-Werror", f"-I{TREE}", HARNESS / "main.cpp", "-o", program, "-lcrypto")
    return [str(program)]


def python(_: Path) -> list[str]:
    return [sys.executable, str(HARNESS / "run.py")]


def go(folder: Path) -> list[str]:
    (folder / "receiver").mkdir()
    shutil.copy(SHOWN / "receiver.go", folder / "receiver")
    shutil.copy(HARNESS / "main.go", folder)
    (folder / "go.mod").write_text("module receivers\n\ngo 1.21\n")
    built(folder, tool("go"), "build", "-o", "program", ".", GOTOOLCHAIN="local", GOFLAGS="-mod=mod", GOCACHE=str(TREE / "build/receivers/go"))
    return [str(folder / "program")]


def java(folder: Path) -> list[str]:
    program = tool("java")
    if subprocess.run([program, "-m", JAVAC, "-version"], capture_output=True, check=False).returncode:
        raise NotHere("not run: no jdk.compiler")
    built(folder, program, "-m", JAVAC, "-d", folder, SHOWN / "Receiver.java", HARNESS / "Main.java")
    return [program, "-cp", str(folder), "Main"]


def node(_: Path) -> list[str]:
    return [tool("node"), str(HARNESS / "run.mjs")]


@dataclass(frozen=True)
class Language:
    file: str   # in docs/receivers
    fence: str  # on the page
    make: Callable[[Path], list[str]]
    is_always_there: bool = False


LANGUAGES = {
    "C++": Language("receiver.cpp", "cpp", cpp, is_always_there=True),
    "Python": Language("receiver.py", "python", python, is_always_there=True),
    "Go": Language("receiver.go", "go", go),
    "Java": Language("Receiver.java", "java", java),
    "Node": Language("receiver.mjs", "js", node)}


READERS = {"python": "payment_event.py", "cpp": "payment_event.cpp"}  # of a PaymentEvent, by their fence


def message_line(now: int, case: Mapping) -> str:
    fields = (f"{name}={value}" for name, value in case["headers"].items())
    return "\t".join((str(now), base64.b64encode(case["body"].encode()).decode(), "|".join(case["secrets"]), *fields))


def answers(command: list[str], lines: Iterable[str]) -> list[str]:
    result = subprocess.run(command, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()
