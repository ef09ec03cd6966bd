"""The programs that docs/receivers.md shows for a PaymentEvent read messages that the compiler's own encoder wrote."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from languages import HARNESS, SHOWN, TREE, built, tool

TYPE = "sluice.v1.PaymentEvent"
PAYMENT = 'event_id: "evt_1" livemode: true payment { kind: "paid" reference: "O-1" amount: 8888 currency: "CNY" }'
CASES = [(TYPE, PAYMENT, "O-1 8888 CNY"),
         (TYPE, PAYMENT.replace("8888", "0"), "O-1 0 CNY"),
         (TYPE, PAYMENT.replace("amount: 8888", ""), "the provider does not say what was paid"),
         (TYPE, PAYMENT.replace("livemode: true", ""), "nothing"),
         (TYPE, 'event_id: "evt_1" livemode: true', "nothing"),
         (TYPE, None, "no PaymentEvent"),
         ("another", PAYMENT, "no PaymentEvent")]


def encoded(text: str | None) -> bytes:
    if text is None:
        return b"\xff"
    return subprocess.run([tool("protoc"), f"-I{TREE}/proto", f"--encode={TYPE}", "payment_event.proto"], input=text.encode(),
                          capture_output=True, check=True).stdout


def generate(folder: Path, language: str) -> None:
    built(folder, tool("protoc"), f"-I{TREE}/proto", f"--{language}_out={folder}", "payment_event.proto")


def expect_read(*command: str | Path, paths: tuple[str | Path, ...] = ()) -> None:
    for message_type, text, says in CASES:
        done = subprocess.run([*map(str, command), message_type, *map(str, paths)], input=encoded(text), capture_output=True, check=False)
        assert done.stdout.decode().strip() == says, (text, done.stderr.decode())


def test_cpp_reads_a_payment_event(tmp_path: Path) -> None:
    generate(tmp_path, "cpp")
    built(tmp_path, tool("g++"), "-std=c++23", "-Wall", "-Wextra", "-Werror", f"-I{TREE}", "-isystem", tmp_path, HARNESS / "payment_event.cpp",
          tmp_path / "payment_event.pb.cc", "-o", "program", "-lprotobuf")
    expect_read(tmp_path / "program")


@pytest.mark.skipif(importlib.util.find_spec("google") is None, reason="not run: no google.protobuf")
def test_python_reads_a_payment_event(tmp_path: Path) -> None:
    generate(tmp_path, "python")
    expect_read(sys.executable, HARNESS / "payment_event.py", paths=(tmp_path, SHOWN))
