"""Asks paypalrestsdk, with our root in place of those it ships, the folder in place of the network, and the vector's clock."""

from __future__ import annotations

import datetime
import hashlib
import re
from unittest.mock import patch

from OpenSSL import crypto
from paypalrestsdk import WebhookEvent

from rsa_judge import bytes_of, headers_of, judge


def blocks(text: str) -> list[crypto.X509]:
    found = re.findall("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", text, re.DOTALL)
    return [crypto.load_certificate(crypto.FILETYPE_PEM, block.encode()) for block in found]


class Page:
    """What a fetch would have brought."""

    def __init__(self, files: dict[str, str], url: str) -> None:
        self.text = files[hashlib.sha256(url.encode()).hexdigest() + ".pem"]


def store(settings: dict, url: str, now: datetime.datetime) -> crypto.X509Store:
    """The package ships root and intermediate; what lies behind the leaf stands for the latter, if it is a CA's."""
    made = crypto.X509Store()
    for each in blocks(settings["trust"]["text"]):
        made.add_cert(each)
    for each in blocks(Page(settings["cert_cache"]["files"], url).text)[1:]:
        if "CA:TRUE" in str(each.get_extension(0)):
            made.add_cert(each)
    made.set_time(now)
    return made


def ask(vector: dict, source: dict) -> bool:
    headers = headers_of(vector)
    given = [headers[f"paypal-{name}"] for name in ("transmission-id", "transmission-time", "cert-url", "transmission-sig", "auth-algo")]
    identity, time, url, signature, algorithm = given
    settings, now = source["with"], datetime.datetime.fromtimestamp(vector["now"], datetime.timezone.utc)
    ended = lambda each: datetime.datetime.strptime(each.get_notAfter().decode(), "%Y%m%d%H%M%S%z") < now  # noqa: E731
    with (patch("paypalrestsdk.notifications.requests.get", lambda address: Page(settings["cert_cache"]["files"], address)),
          patch.object(WebhookEvent, "_get_certificate_store", lambda: store(settings, url, now)),
          patch.object(crypto.X509, "has_expired", ended)):
        return WebhookEvent.verify(identity, time, settings["webhook_id"], bytes_of(vector).decode(), url, signature, algorithm)


judge(ask)
