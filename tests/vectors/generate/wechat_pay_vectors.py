"""WeChat Pay API v3: timestamp, nonce and body by the key that a serial names; the resource inside is encrypted."""

from __future__ import annotations

import base64
import json
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from rsa_frame import NOW, Recipe, Request, event, pem, pss_signature, public_pem, signature, wrong_texts

SERIAL = "51E9FD12484F3F51EDF4479B670934CA4280495B"
NEXT_SERIAL = "5126C62753DCD3EB40BEC99310FAF90AC7E819DA"
PUBLIC_ID = "PUB_KEY_ID_0116771000012026112100331300002000"
SECRET = "0123456789abcdefGHIJKLMNOPQRSTUV"
CERTIFICATE = {"id": SERIAL, "value": pem("wechat_platform")}
PUBLIC = {"id": PUBLIC_ID, "value": public_pem("next")}
SOURCE = {"keys": [CERTIFICATE, PUBLIC], "with": {"api_v3_key": {"text": SECRET}}, "tolerance": "300s"}
NONCE, RESOURCE_NONCE = "kH4sV2pQxw8nRt6LbYcZ0aJd3mGfEu1T", "fdasfjihihih"
TYPE = ("Wechatpay-Signature-Type", "WECHATPAY2-SHA256-RSA2048")

PAYMENT = {"transaction_id": "4200001234202611210000000001", "out_trade_no": "order-70501", "trade_state": "SUCCESS",
           "success_time": "2026-11-21T18:46:31+08:00"}
REFUND = {"refund_id": "50000000382026112100000000001", "out_refund_no": "refund-1", "transaction_id": PAYMENT["transaction_id"],
          "out_trade_no": "order-70501", "refund_status": "SUCCESS", "success_time": "2026-11-21T18:46:35+08:00"}
PAID = event("EV-2026112118463200001", "TRANSACTION.SUCCESS", PAYMENT["transaction_id"], "2026-11-21T10:46:32Z")
NO_AGE = "|now - timestamp| must stay below 300 s (section 3: official Go refuses 300 and more); this package looks at no clock"
STRICT = "exactly one value of every header that takes part, digits only in a timestamp (section 4, rules 3 and 4)"
LAX = "base64 has one writing (section 4, rule 1); Node decodes leniently"
WINDOW = "the validity window of a key is the receiver's (section 4, rule 5)"


def sealed(plain: dict | bytes, associated: str | None = "transaction", secret: str = SECRET, nonce: str = RESOURCE_NONCE) -> dict:
    text = plain if isinstance(plain, bytes) else json.dumps(plain, separators=(",", ":")).encode()
    closed = AESGCM(secret.encode()).encrypt(nonce.encode(), text, (associated or "").encode())
    given = {} if associated is None else {"associated_data": associated}
    return {"algorithm": "AEAD_AES_256_GCM", "ciphertext": base64.b64encode(closed).decode(), **given, "nonce": nonce}


def body(resource: object = None, **changes: object) -> bytes:
    whole = {"id": PAID["id"], "create_time": "2026-11-21T18:46:32+08:00", "event_type": PAID["type"], "resource_type": "encrypt-resource",
             "resource": sealed(PAYMENT) if resource is None else resource, **changes}
    return json.dumps({name: value for name, value in whole.items() if value is not None}, ensure_ascii=False, separators=(",", ":")).encode()


def text_of(content: bytes, timestamp: object = NOW, nonce: str = NONCE) -> bytes:
    return f"{timestamp}\n{nonce}\n".encode() + content + b"\n"


def headers(given: str, timestamp: object = NOW, serial: str = SERIAL, nonce: str = NONCE) -> list[tuple[str, str]]:
    return [("Content-Type", "application/json"), ("Wechatpay-Nonce", nonce), ("Wechatpay-Serial", serial), ("Wechatpay-Signature", given),
            TYPE, ("Wechatpay-Timestamp", str(timestamp))]


def signed(content: bytes, key: str = "signer", serial: str = SERIAL, timestamp: object = NOW, sent: bytes | None = None) -> Request:
    """A request with its signature, the body changed afterwards if `sent` is given."""
    given = signature(text_of(content, timestamp), key)
    return Request(headers(given, timestamp, serial), content if sent is None else sent)


def without(request: Request, name: str) -> Request:
    return Request([header for header in request.headers if header[0] != name], request.body)


def twice(request: Request, name: str) -> Request:
    again = next(header for header in request.headers if header[0] == name)
    return Request([*request.headers, again], request.body)


def replaced(request: Request, name: str, value: str) -> Request:
    return Request([(given, value if given == name else old) for given, old in request.headers], request.body)


def kinds(to: Recipe) -> None:
    to.accepted("payment, by the platform certificate", signed(body()), [PAID], SERIAL)
    to.accepted("payment, by the WeChat Pay public key", signed(body(), "next", PUBLIC_ID), [PAID], PUBLIC_ID)
    refund = body(sealed(REFUND, "refund"), event_type="REFUND.SUCCESS", id="EV-2026112118463600002")
    to.accepted("refund: the object is the payment it belongs to", signed(refund),
                [{**PAID, "id": "EV-2026112118463600002", "type": "REFUND.SUCCESS"}], SERIAL)
    order = {name: value for name, value in PAYMENT.items() if name != "transaction_id"}
    to.accepted("without a transaction the object is the order", signed(body(sealed(order))), [{**PAID, "object": "order-70501"}], SERIAL)
    overseas = {**order, "id": PAYMENT["transaction_id"]}
    to.accepted("from overseas the transaction's number is id", signed(body(sealed(overseas))), [PAID], SERIAL)
    combined = {"combine_out_trade_no": "combined-1", "sub_orders": [PAYMENT]}
    to.accepted("combined order: the object is its first payment", signed(body(sealed(combined))), [PAID], SERIAL)
    to.accepted("associated_data empty", signed(body(sealed(PAYMENT, ""))), [PAID], SERIAL)
    to.accepted("associated_data absent", signed(body(sealed(PAYMENT, None))), [PAID], SERIAL)
    spaced = json.dumps({**json.loads(body()), "summary": "支付成功"}, indent=2).replace("/", "\\/").encode() + b"\r\n"
    to.accepted("body with spaces, escapes and a line end behind it", signed(spaced), [PAID], SERIAL)
    to.accepted("without the header that names the algorithm", without(signed(body()), TYPE[0]), [PAID], SERIAL)


def unreadable(to: Recipe) -> None:
    """Authentic, so nobody's retry would make them better: quarantine."""
    genuine = sealed(PAYMENT)
    closed = base64.b64decode(genuine["ciphertext"])
    coded = {"tag flipped": closed[:-1] + bytes([closed[-1] ^ 1]),
             "tag cut off": closed[:-16], "shorter than a tag": closed[:15]}
    for what, cut in coded.items():
        to.accepted(f"undecryptable: {what}", signed(body({**genuine, "ciphertext": base64.b64encode(cut).decode()})), [], SERIAL)
    wrong = {"another associated_data": {**genuine, "associated_data": "refund"},
             "another algorithm named": {**genuine, "algorithm": "AEAD_SM4_128_GCM"},
             "ciphertext is no base64": {**genuine, "ciphertext": "*" + genuine["ciphertext"]}, "made with another APIv3 key": sealed(PAYMENT, secret=SECRET[::-1]),
             "nonce of 16 bytes": sealed(PAYMENT, nonce="fdasfjihihihabcd"), "plain text is no JSON": sealed(b"{"), "no ciphertext": {"algorithm": "AEAD_AES_256_GCM"}}
    for what, resource in wrong.items():
        to.accepted(f"undecryptable: {what}", signed(body(resource)), [], SERIAL)
    to.accepted("no resource", signed(body(resource_type=None, resource=None)[:-1].split(b',"resource"')[0] + b"}"), [], SERIAL)
    to.accepted("without id", signed(body(id=None)), [], SERIAL)
    to.accepted("no JSON", signed(b"id=1"), [], SERIAL)


def changed(to: Recipe) -> None:
    content = body()
    to.refused("a byte of the body changed", signed(content, sent=content.replace(b"EV-2026", b"EV-2027")), "signature_mismatch")
    to.refused("body printed again", signed(content, sent=json.dumps(json.loads(content)).encode()), "signature_mismatch")
    to.refused("a line end more", signed(content, sent=content + b"\n"), "signature_mismatch")
    to.refused("another nonce", replaced(signed(content), "Wechatpay-Nonce", NONCE[::-1]), "signature_mismatch")
    to.refused("another timestamp", replaced(signed(content), "Wechatpay-Timestamp", str(NOW - 1)), "signature_mismatch")
    to.refused("SHA-1", Request(headers(signature(text_of(content), sha1=True)), content), "signature_mismatch")
    to.refused("PSS in place of PKCS #1 v1.5", Request(headers(pss_signature(text_of(content))), content), "signature_mismatch")


def clocks(to: Recipe) -> None:
    for age in (299, -299):
        to.accepted(f"{abs(age)} s {'old' if age > 0 else 'ahead'}", signed(body(), timestamp=NOW - age), [PAID], SERIAL)
    for age in (300, -300):
        to.refused(f"{abs(age)} s {'old' if age > 0 else 'ahead'}", signed(body(), timestamp=NOW - age), "too_old" if age > 0 else "too_new", why=NO_AGE)
    to.refused("timestamp in milliseconds", signed(body(), timestamp=NOW * 1000), "timestamp_grammar", why=STRICT)
    for what, text in {"with a fraction": f"{NOW}.0", "as a date": "2026-11-21T10:46:40Z"}.items():
        to.refused(f"timestamp {what}", signed(body(), timestamp=text), "timestamp_grammar", why=STRICT)


def serials(to: Recipe) -> None:
    to.refused("unknown serial, signed with a key that is configured", signed(body(), serial="7" * 40), "unknown_key")
    to.refused("serial in small letters", signed(body(), serial=SERIAL.lower()), "unknown_key")
    to.refused("serial of one, signed with the other", signed(body(), "next"), "signature_mismatch")
    to.refused("somebody else's key under our serial", signed(body(), "stranger"), "signature_mismatch")
    renewed = {"id": NEXT_SERIAL, "value": pem("wechat_platform_next")}
    both = {**SOURCE, "keys": [CERTIFICATE, renewed]}
    to.accepted("rotation: the old certificate", signed(body()), [PAID], SERIAL, source=both)
    to.accepted("rotation: the new certificate", signed(body(), "next", renewed["id"]), [PAID], renewed["id"], source=both)
    ended = {**SOURCE, "keys": [{**CERTIFICATE, "not_after": "2026-11-21T10:46:39Z"}, PUBLIC]}
    to.refused("the key of this serial ended a second ago", signed(body()), "no_live_key", source=ended, why=WINDOW)


def texts(to: Recipe) -> None:
    content = body()
    genuine = signature(text_of(content))
    probe = "WECHATPAY/SIGNTEST/" + genuine[19:]
    to.refused("probe", Request(headers(probe), content), "probe")
    to.refused("probe, short", Request(headers("WECHATPAY/SIGNTEST/" + genuine[:64]), content), "probe")
    to.refused("no probe, one letter differs", Request(headers("WECHATPAY/SIGNTESTS" + genuine[19:]), content), "signature_mismatch")
    for what, text in {**wrong_texts(genuine), "with a space inside": genuine[:76] + " " + genuine[76:]}.items():
        to.refused(f"base64 {what}", Request(headers(text), content), "signature_encoding", why=LAX)
    to.refused("a byte too short", Request(headers(base64.b64encode(base64.b64decode(genuine)[:-1]).decode()), content), "signature_encoding")
    to.refused("signature is empty", Request(headers(""), content), "no_signature")
    named = "a message that names another algorithm than the pinned one is refused (section 4, rule 2)"
    to.refused("another algorithm named", replaced(signed(content), TYPE[0], "WECHATPAY2-SM2-WITH-SM3"), "header_grammar", why=named)


def wanted(to: Recipe) -> None:
    request = signed(body())
    for name in ("Wechatpay-Nonce", "Wechatpay-Serial", "Wechatpay-Signature"):
        lenient = {"why": STRICT + "; Node stops at the first padding"} if name == "Wechatpay-Signature" else {}
        to.refused(f"no {name}", without(request, name), "missing_header")
        to.refused(f"{name} twice", twice(request, name), "repeated_header", **lenient)
    to.refused("no Wechatpay-Timestamp", without(request, "Wechatpay-Timestamp"), "missing_header")
    to.refused("Wechatpay-Timestamp twice", twice(request, "Wechatpay-Timestamp"), "repeated_header")


def recipe() -> Recipe:
    made = Recipe("wechat-pay", ["PyPI cryptography 50.0.2", "npm wechatpay-node-v3 2.2.1"], SOURCE, ["node", "wechat_pay_judge.mjs"],
                  {"npm wechatpay-axios-plugin 0.9.6": ["node", "wechat_pay_axios_judge.mjs"],
                   "PyPI wechatpayv3 2.0.4": [os.environ["ASKING_PYTHON"], "wechat_pay_judge.py"]})
    for part in (kinds, unreadable, changed, clocks, serials, texts, wanted):
        part(made)
    return made
