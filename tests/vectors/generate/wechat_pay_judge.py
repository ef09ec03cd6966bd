"""Asks the PyPI package wechatpayv3 with the keys of the source in place of those it would fetch; it decrypts as well."""

from __future__ import annotations

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from cryptography.x509 import load_pem_x509_certificate
from wechatpayv3.core import Core

from rsa_judge import bytes_of, headers_of, judge


def core(source: dict) -> Core:
    made = Core.__new__(Core)
    certificates = [key for key in source["keys"] if "CERTIFICATE" in key["value"]]
    public = next((key for key in source["keys"] if key not in certificates), {"id": None})
    made._logger, made._apiv3_key, made._public_key_id = None, source["with"]["api_v3_key"]["text"], public["id"]
    made._public_key = load_pem_public_key(public["value"].encode()) if public["id"] else None
    made._certificates = [load_pem_x509_certificate(key["value"].encode()) for key in certificates]
    made._update_certificates = lambda: None
    return made


judge(lambda vector, source: core(source).callback(headers_of(vector), bytes_of(vector)))
