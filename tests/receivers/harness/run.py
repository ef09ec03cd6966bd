"""Answers each message of stdin as docs/receivers/receiver.py does: `STATUS WORKED` a line. See tests/receivers/languages.py."""

from __future__ import annotations

import base64
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/receivers"))
sys.dont_write_bytecode = True

from receiver import receive  # noqa: E402

db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE received_message (id VARCHAR(64) PRIMARY KEY)")
for line in sys.stdin:
    now, body, secrets, *fields = line.rstrip("\n").split("\t")
    done: list[bytes] = []

    def work(_: sqlite3.Connection, told: bytes, done: list[bytes] = done) -> None:
        if b"fails" in told:
            raise RuntimeError("as the test asks")
        done.append(told)
    try:
        status = receive(dict(field.split("=", 1) for field in fields), base64.b64decode(body), secrets.split("|"), int(now), db, work)
    except RuntimeError:
        status = 500
    print(status, len(done), flush=True)
