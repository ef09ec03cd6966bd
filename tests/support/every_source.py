"""One source of each built-in recipe, named like its recipe, and what signs for it: from the signed requests in tests/vectors."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import yaml

from tests.support.pipeline import Pipeline

TREE = Path(__file__).resolve().parents[2]
KEYS = TREE / "tests" / "vectors" / "generate" / "keys"
FILES = {file.stem: file for file in sorted((TREE / "common" / "webhook" / "recipes").glob("*.yaml"))}
# Whose source has public keys, or gets the key with the message: the private half, as options of `sluicectl send`.
STRIPE = {"keys": [{"id": "k1", "value": "whsec_of_this_test"}]}  # whose signed requests are in tests/support/stripe_vectors
SIGNED_WITH_OUR_KEY = ("alipay", "paypal", "unionpay", "wechat-pay")


def recipe(name: str) -> dict:
    return yaml.safe_load(FILES[name].read_text())["recipes"][0]


def signing_options(name: str) -> list[str]:
    if name not in SIGNED_WITH_OUR_KEY:
        return []
    certificate = ["--certificate", str(KEYS / "union_leaf.pem")] if name == "unionpay" else []
    return ["--signing-key", str(KEYS / "signer.key.pem"), *certificate]


def add_every_source(pipeline: Pipeline) -> None:
    """In place of the sources that are there; each with a principal of its own, so that no two share what is known."""
    pipeline.config["sources"] = [_source(pipeline, name) for name in FILES]


def _source(pipeline: Pipeline, name: str) -> dict:
    source = copy.deepcopy(STRIPE) if name == "stripe" else json.loads((TREE / "tests" / "vectors" / f"{name}.json").read_text())["source"]
    source = {field: value for field, value in source.items() if field != "order_by"}  # the recipe's own is to be tried
    source |= {"name": name, "recipe": name, "principal": f"{name}-account", "keys": source.get("keys", [])}
    for number, key in enumerate(source["keys"]):
        variable = f"TEST_{name.upper().replace('-', '_')}_{number}"
        pipeline.secrets[variable] = key["value"]
        key["value"] = {"env": variable}
    for setting, value in source.get("with", {}).items():
        if isinstance(value, dict):
            source["with"][setting] = _written(pipeline.folder / f"{name}-{setting}", value, source["with"])
    return source


def _written(place: Path, value: dict, settings: dict) -> dict | str:
    """A file, or PayPal's folder of certificates: under the address that the samples name."""
    if "text" in value:
        place.write_text(value["text"])
        return {"file": str(place)}
    address = f"https://{settings['cert_hosts'][0]}/v1/notifications/certs/CERT-sample"
    place.mkdir()
    chain = (KEYS / "paypal_leaf.pem").read_text() + (KEYS / "paypal_intermediate.pem").read_text()
    (place / f"{hashlib.sha256(address.encode()).hexdigest()}.pem").write_text(chain)
    return str(place)
