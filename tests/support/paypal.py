"""PayPal as the vectors have it: certificates of a made-up CA, and requests that their keys signed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

VECTORS = Path(__file__).parents[1] / "vectors"
PATH = "/v1/webhooks/paypal"
_FILE = json.loads((VECTORS / "paypal.json").read_text())
GENUINE = next(vector for vector in _FILE["vectors"] if vector["name"] == "capture completed")
HOST, LIVE_HOST = _FILE["source"]["with"]["cert_hosts"]


def pem(name: str) -> str:
    """`leaf`, `intermediate`, `root`, `direct`, and the wrong ones: `expired`, `longer`, `other_chain`, …"""
    return (VECTORS / "generate/keys" / f"paypal_{name}.pem").read_text()


CHAIN = pem("leaf") + pem("intermediate")


def header(name: str) -> str:
    return next(value for key, value in GENUINE["headers"] if key.lower() == name.lower())


URL = header("PAYPAL-CERT-URL")


def file_for(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest() + ".pem"


def source(folder: Path) -> dict:
    """A source with an empty folder of certificates below `folder`."""
    (folder / "certs").mkdir()
    (folder / "root.pem").write_text(pem("root"))
    settings = {name: _FILE["source"]["with"][name] for name in ("webhook_id", "cert_hosts", "subject_suffix")}
    return {"name": "paypal", "recipe": "paypal", "principal": "paypal", "path": PATH, "keys": [],
            "with": {**settings, "cert_cache": str(folder / "certs"), "trust": {"file": str(folder / "root.pem")}}}
