"""The signed requests of the tests (tests/vectors, tests/support/stripe_vectors) as inputs of the target `engine`."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.targets import TREE

VECTORS = TREE / "tests" / "vectors"
STRIPE = TREE / "tests" / "support" / "stripe_vectors" / "vectors.json"


def write(folder: Path) -> Path:
    """One file for each request; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, request in requests():
        (folder / name).write_bytes(request)
    return folder


def requests() -> Iterator[tuple[str, bytes]]:
    for file in sorted(VECTORS.glob("*.json")):
        content = json.loads(file.read_text())
        sources: list[dict] = [content["source"]]
        for number, vector in enumerate(content["vectors"]):
            source = vector.get("source", content["source"])
            if source not in sources:
                sources.append(source)
            body = vector["body"].encode() if "body" in vector else base64.b64decode(vector["body_base64"])
            yield f"{file.stem}-{number:03}", text_of(vector["now"], sources.index(source), vector["target"], vector["headers"], body)
    for number, vector in enumerate(json.loads(STRIPE.read_text())):
        headers = [("Stripe-Signature", vector["header"])]
        yield f"stripe-{number:03}", text_of(vector["timestamp"], 0, "/v1/webhooks/stripe", headers, vector["payload"].encode())


def text_of(now: int, variant: int, target: str, headers: list, body: bytes) -> bytes:
    """As tests/fuzz/engine/engine_fuzz.cpp reads it."""
    head = "".join(f"{name}: {value}\n" for name, value in headers)
    return f"{now} {variant} {target}\n{head}\n".encode() + body
