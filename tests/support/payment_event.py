"""`PaymentEvent` as another program reads it: by the compiler's own decoder and proto/payment_event.proto."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]


def decoded(value: bytes) -> dict[str, str]:
    """Each field by its path, as in "payment.amount", as the text format writes it, without quotes."""
    done = subprocess.run(["protoc", f"-I{TREE}", "--decode=sluice.v1.PaymentEvent", "proto/payment_event.proto"], input=value,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    fields: dict[str, str] = {}
    path: list[str] = []
    for line in done.stdout.decode().splitlines():
        if opened := re.fullmatch(r" *(\w+) \{", line):
            path.append(opened[1])
        elif line.strip() == "}":
            path.pop()
        else:
            name, _, text = line.strip().partition(": ")
            fields[".".join([*path, name])] = text.strip('"')
    return fields
