"""What the judges of PyPI packages share: vectors on standard input, one verdict each on standard output."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import sys
from collections.abc import Callable


def bytes_of(vector: dict) -> bytes:
    return base64.b64decode(vector["body_base64"]) if "body_base64" in vector else vector["body"].encode()


def headers_of(vector: dict) -> dict[str, str]:
    """As frameworks hand headers over: repeated ones joined."""
    joined: dict[str, str] = {}
    for name, value in vector["headers"]:
        joined[name.lower()] = f"{joined[name.lower()]}, {value}" if name.lower() in joined else value
    return joined


def said(ask: Callable[[dict, dict], object], vector: dict, source: dict) -> str:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return "accepts" if ask(vector, vector.get("source", source)) else "refuses"
    except Exception:  # whatever a package lets out is what its caller sees
        return "throws"


def judge(ask: Callable[[dict, dict], object]) -> None:
    asked = json.load(sys.stdin)
    print(json.dumps([said(ask, vector, asked["source"]) for vector in asked["vectors"]]))
