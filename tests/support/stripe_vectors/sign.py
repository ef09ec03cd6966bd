"""Signs each body of bodies.json with the PyPI package `stripe`, and asks it to verify what came out."""

import json
import sys
from importlib.metadata import version
from unittest.mock import patch

import stripe

given = json.load(open(sys.argv[1], encoding="utf-8"))
secret, rolled, timestamp = given["secret"], given["rolled"], given["timestamp"]


def header(payload: str, key: str = secret) -> str:
    return stripe.WebhookSignature.generate_signature_header(payload, key, timestamp=timestamp)


def accepts(payload: str, signature: str, age: int) -> bool:
    try:
        with patch("time.time", return_value=timestamp + age):
            return stripe.WebhookSignature.verify_header(payload, signature, secret, 300)
    except stripe.SignatureVerificationError:
        return False


def vector(name: str, payload: str, signature: str) -> dict:
    return {"name": name, "maker": f"PyPI stripe {version('stripe')}", "secret": secret, "rolled": rolled,
            "timestamp": timestamp, "payload": payload, "header": signature,
            "accepted_when_fresh": accepts(payload, signature, 0), "accepted_at_300": accepts(payload, signature, 300),
            "accepted_at_301": accepts(payload, signature, 301)}


body = given["bodies"]["snapshot"]
vectors = [vector(name, payload, header(payload)) for name, payload in given["bodies"].items()]
vectors.append(vector("made with another secret", body, header(body, rolled)))
vectors.append(vector("body with a line end added", body + "\n", header(body)))
print(json.dumps(vectors))
