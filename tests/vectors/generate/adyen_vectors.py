"""Adyen standard notifications: eight values of each item, joined by colons."""

from __future__ import annotations

import base64
import copy
import hashlib
import hmac
import json

from rsa_frame import Recipe, Request, event, wrong_texts

FIRST = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
SECOND = "0B5C1E7F00A94D6E8C7D13F2A4B6958877665544332211FFEEDDCCBBAA998800"
STRANGER = "11" * 32
ACCOUNT = "TestMerchant"
SOURCE = {"keys": [{"id": "k1", "value": FIRST}], "with": {"merchant_account": ACCOUNT, "environment": "test"}}
JSON = ("Content-Type", "application/json")


def with_keys(*keys: dict) -> dict:
    return {"keys": list(keys), "with": SOURCE["with"]}


def item(**changes: object) -> dict:
    whole = {"additionalData": {"cardSummary": "7777"}, "amount": {"currency": "EUR", "value": 1130},
             "eventCode": "AUTHORISATION", "eventDate": "2026-11-21T11:33:18+01:00", "merchantAccountCode": ACCOUNT,
             "merchantReference": "order-1", "operations": ["CANCEL", "CAPTURE", "REFUND"], "originalReference": "",
             "paymentMethod": "visa", "pspReference": "7914073381342284", "reason": "1234:7777:12/2030", "success": "true"}
    whole.update(changes)
    return {name: value for name, value in whole.items() if value is not None}


def signed_text(of: dict) -> str:
    amount = of["amount"]
    return ":".join(str(value) for value in (of["pspReference"], of.get("originalReference", ""), of["merchantAccountCode"],
                    of["merchantReference"], amount["value"], amount["currency"], of["eventCode"], of["success"]))


def hmac_of(text: str, key: bytes) -> str:
    return base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()


def sealed(of: dict, key: str = FIRST, text: str | None = None, **later: object) -> dict:
    """The item with its signature, changed afterwards."""
    done = copy.deepcopy(of)
    done["additionalData"]["hmacSignature"] = hmac_of(text or signed_text(of), bytes.fromhex(key))
    done.update(later)
    return done


def with_text(of: dict, text: object) -> dict:
    done = copy.deepcopy(of)
    done["additionalData"]["hmacSignature"] = text
    return done


def batch(*items: dict, live: object = "false") -> Request:
    return Request([JSON], json.dumps({"live": live, "notificationItems": [{"NotificationRequestItem": each} for each in items]}).encode())


def raw(body: str | bytes) -> Request:
    return Request([JSON], body if isinstance(body, bytes) else body.encode())


AUTHORISED = event("7914073381342284.AUTHORISATION.true", "AUTHORISATION", "7914073381342284")
REFUND = {"eventCode": "REFUND", "pspReference": "8815473381342290", "originalReference": "7914073381342284"}
REFUNDED = event("8815473381342290.REFUND.true", "REFUND", "7914073381342284")


def kinds(to: Recipe) -> None:
    to.accepted("authorisation", batch(sealed(item())), [AUTHORISED], "k1")
    to.accepted("refund: the object is the payment it belongs to", batch(sealed(item(**REFUND))), [REFUNDED], "k1")
    to.accepted("refused payment", batch(sealed(item(success="false"))),
                [event("7914073381342284.AUTHORISATION.false", "AUTHORISATION", "7914073381342284")], "k1")
    report = item(eventCode="REPORT_AVAILABLE", amount={"currency": "EUR", "value": 0}, merchantReference="", pspReference="settlement_1.csv")
    to.accepted("report, with an empty merchant reference", batch(sealed(report)),
                [event("settlement_1.csv.REPORT_AVAILABLE.true", "REPORT_AVAILABLE", "settlement_1.csv")], "k1")
    to.accepted("two items in one delivery", batch(sealed(item()), sealed(item(**REFUND))), [AUTHORISED, REFUNDED], "k1")
    for name, otherwise in (("merchantReference", ""), ("merchantReference", None), ("originalReference", None)):
        lacking = item()
        lacking.pop(name) if otherwise == "" else lacking.update({name: None})
        to.accepted(f"{name} {'absent' if otherwise == '' else 'null'} is empty", batch(sealed(lacking, text=signed_text(item(**{name: ""})))), [AUTHORISED], "k1")
    to.accepted("originalReference absent is empty", batch(sealed(item(originalReference=None), text=signed_text(item()))), [AUTHORISED], "k1")
    to.accepted("colons inside the merchant reference", batch(sealed(item(merchantReference="a:b:c"))), [AUTHORISED], "k1")
    to.accepted("letters beyond ASCII, escaped on the wire", batch(sealed(item(merchantReference="Zürich 😀 支付"))), [AUTHORISED], "k1")
    plain = json.dumps({"live": "false", "notificationItems": [{"NotificationRequestItem": sealed(item(merchantReference="Zürich 😀"))}]},
                       ensure_ascii=False, indent=2)
    to.accepted("letters beyond ASCII as they are, and line ends", raw(plain.replace("\n", "\r\n")), [AUTHORISED], "k1")
    to.accepted("backslash in a reference is not escaped in the signed text", batch(sealed(item(merchantReference="a\\b"))), [AUTHORISED], "k1")


def unsigned_parts(to: Recipe) -> None:
    changed = sealed(item(), reason="changed", paymentMethod="mc", operations=[], unknown={"x": 1})
    changed["additionalData"]["cardSummary"] = "0000"
    to.accepted("unsigned fields changed: nothing can tell", batch(changed, live="true"), [AUTHORISED], "k1")
    to.accepted("eventDate changed: nothing can tell", batch(sealed(item(), eventDate="2030-01-01T00:00:00.25-02:00")),
                [AUTHORISED], "k1")
    to.accepted("without eventDate, which nobody reads", batch(sealed(item(eventDate=None))), [AUTHORISED], "k1")


def changed_parts(to: Recipe) -> None:
    for name, value in {"pspReference": "7914073381342285", "originalReference": "x", "merchantReference": "order-2",
                        "amount": {"currency": "EUR", "value": 1131}, "eventCode": "CANCELLATION", "success": "false"}.items():
        to.refused(f"{name} changed", batch(sealed(item(), **{name: value})), "signature_mismatch")
    to.refused("currency changed", batch(sealed(item(), amount={"currency": "USD", "value": 1130})), "signature_mismatch")
    bad = sealed(item(**REFUND), amount={"currency": "EUR", "value": 1})
    to.refused("second of two items is bad: all are refused", batch(sealed(item()), bad), "signature_mismatch")
    to.refused("second of two items has no signature", batch(sealed(item()), item(**REFUND)), "no_signature")
    to.refused("signature of the other item", batch(with_text(item(**REFUND), hmac_of(signed_text(item()), bytes.fromhex(FIRST)))),
               "signature_mismatch")


def keys(to: Recipe) -> None:
    old, new = {"id": "old", "value": FIRST}, {"id": "new", "value": SECOND}
    to.refused("signed with somebody else's key", batch(sealed(item(), STRANGER)), "signature_mismatch")
    text_key = hmac_of(signed_text(item()), FIRST.encode())
    to.refused("key taken as text, not as hex", batch(with_text(item(), text_key)), "signature_mismatch")
    to.accepted("key in lower-case hex", batch(sealed(item())), [AUTHORISED], "k1", source=with_keys({"id": "k1", "value": FIRST.lower()}))
    to.accepted("rotation: an event made earlier keeps the old key", batch(sealed(item())), [AUTHORISED], "old", source=with_keys(new, old))
    to.accepted("rotation: the new key", batch(sealed(item(), SECOND)), [AUTHORISED], "new", source=with_keys(old, new))
    to.accepted("rotation: one delivery, two keys; the first item's key is named",
                batch(sealed(item(), SECOND), sealed(item(**REFUND))), [AUTHORISED, REFUNDED], "new", source=with_keys(old, new))
    window = "the validity window of a key is the receiver's (section 4, rule 5)"
    ended = {**old, "not_after": "2026-11-21T10:46:39Z"}
    to.refused("the only key ended a second ago", batch(sealed(item())), "no_live_key", source=with_keys(ended), why=window)
    to.refused("old key ended, the new one did not sign", batch(sealed(item())), "signature_mismatch", source=with_keys(ended, new), why=window)
    to.refused("the key begins in a second", batch(sealed(item())), "no_live_key", why=window,
               source=with_keys({**old, "not_before": "2026-11-21T10:46:41Z"}))
    to.accepted("last second of a key", batch(sealed(item())), [AUTHORISED], "old", source=with_keys({**old, "not_after": "2026-11-21T10:46:40Z"}))
    to.accepted("first second of a key", batch(sealed(item())), [AUTHORISED], "old", source=with_keys({**old, "not_before": "2026-11-21T10:46:40Z"}))


def accounts(to: Recipe) -> None:
    bound = "colons are not escaped, so merchantAccountCode must be the configured one (section 3)"
    to.refused("another account of the same company, same key", batch(sealed(item(merchantAccountCode="OtherMerchant"))), "not_bound", why=bound)
    honest = item(merchantReference="a:b")
    to.refused("reference slides into the account", batch(sealed(honest, merchantAccountCode="TestMerchant:a", merchantReference="b")),
               "not_bound", why=bound)
    to.refused("account in other letters", batch(sealed(item(merchantAccountCode="testmerchant"))), "not_bound", why=bound)
    to.refused("bound in the first item, not in the second", batch(sealed(item()), sealed(item(merchantAccountCode="Other", **REFUND))),
               "not_bound", why=bound)
    twin = item(merchantReference="TestMerchant:x")
    to.refused("reference that repeats the account slides into originalReference",
               batch(sealed(twin, originalReference=":TestMerchant", merchantReference="x")), "body_grammar",
               why="with a colon in originalReference the signed text has two readings (section 3: neighbours can slide)")


def texts(to: Recipe) -> None:
    genuine = sealed(item(merchantReference="order-7"))["additionalData"]["hmacSignature"]
    lax = "the text of a digest is one fixed writing of 32 bytes (section 4, rule 1); Buffer.from is lenient"
    assert "+" in genuine and "/" in genuine, genuine
    writings = {**wrong_texts(genuine), "with a line break": genuine[:20] + "\n" + genuine[20:], "with a space in front": " " + genuine}
    for what, text in writings.items():
        to.refused(f"base64 {what}", batch(with_text(item(merchantReference="order-7"), text)), "signature_encoding", why=lax)
    digest = base64.b64decode(genuine)
    to.refused("hex in place of base64", batch(with_text(item(merchantReference="order-7"), digest.hex())), "signature_encoding")
    to.refused("half of the digest", batch(with_text(item(merchantReference="order-7"), base64.b64encode(digest[:16]).decode())), "signature_encoding")
    to.refused("signature is a number", batch(with_text(item(), 5)), "body_grammar")
    to.refused("signature is empty", batch(with_text(item(), "")), "no_signature")
    to.refused("no signature", batch(item()), "no_signature")
    to.refused("no additionalData", batch(item(additionalData=None)), "no_signature")


def shapes(to: Recipe) -> None:
    whole = "a value that takes part must be there, once, in its own form (section 4, rules 3 and 4)"
    to.refused("empty list", batch(), "no_signature")
    to.refused("no list", raw('{"live":"false"}'), "missing_field")
    to.refused("list is an object", raw('{"notificationItems":{}}'), "body_grammar")
    to.refused("item without its wrapper", raw(json.dumps({"notificationItems": [sealed(item())]})), "body_grammar")
    to.refused("no JSON", raw("live=false&eventCode=AUTHORISATION"), "body_grammar")
    to.refused("no valid UTF-8", raw(b'{"notificationItems":[{"NotificationRequestItem":"\xff"}]}'), "body_grammar")
    text = batch(sealed(item())).body.decode()
    to.refused("pspReference twice, the last one signed", raw(text.replace('"pspReference"', '"pspReference": "1", "pspReference"')),
               "repeated_field", why=whole)
    to.refused("value with a fraction", raw(text.replace("1130", "1130.0")), "body_grammar", why=whole)
    to.refused("value with an exponent", raw(text.replace("1130", "113e1")), "body_grammar", why=whole)
    to.refused("value as text", raw(text.replace("1130", '"1130"')), "body_grammar", why=whole)
    emptied = item(eventCode="")
    emptied = sealed(emptied)
    del emptied["eventCode"]
    to.refused("eventCode absent, signed as empty", batch(emptied), "missing_field", why=whole)
    lone = sealed(item(merchantReference="\ufffd"))
    lone["merchantReference"] = "\ud800"
    to.refused("half of a surrogate pair, signed as U+FFFD", batch(lone), "body_grammar", why=whole)
    slid = item(merchantReference="A", amount={"currency": "EUR", "value": 1}, success="true:1130:EUR:AUTHORISATION:true")
    to.refused("what stands behind the reference could be a part of it", batch(sealed(slid)), "body_grammar", why=whole)


def recipe() -> Recipe:
    made = Recipe("adyen", ["Python hmac", "npm @adyen/api-library 32.1.0"], SOURCE, ["node", "adyen_judge.mjs"])
    for part in (kinds, unsigned_parts, changed_parts, keys, accounts, texts, shapes):
        part(made)
    return made
