"""Alipay's asynchronous notifications: sorted fields of a form, SHA256withRSA."""

from __future__ import annotations

import base64

from rsa_frame import (FORM, Fields, Recipe, Request, bare, event, form, pem, pss_signature, public_pem, put, signature, wrong_texts)

APP, SELLER = "2021004100000001", "2088101100000001"
BOUND = {"app_id": APP, "seller_id": SELLER}
NOTIFY = {"keys": [{"id": "k1", "value": public_pem("signer")}], "with": {**BOUND, "kind": "notify"}}
GATEWAY = {"keys": NOTIFY["keys"], "with": {"app_id": APP, "kind": "gateway"}}
DROPPED = {"notify": ("sign", "sign_type"), "gateway": ("sign",)}

TRADE: Fields = [
    ("charset", "UTF-8"), ("gmt_payment", "2026-11-21 18:46:31"), ("notify_time", "2026-11-21 18:46:33"), ("subject", "Tea"),
    ("buyer_id", "2088102100000007"), ("notify_id", "2026112101222184633000001444"),
    ("notify_type", "trade_status_sync"), ("out_trade_no", "order-70501"), ("total_amount", "88.00"), ("trade_status", "TRADE_SUCCESS"),
    ("trade_no", "2026112122001400001420000001"), ("app_id", APP), ("seller_id", SELLER), ("sign_type", "RSA2")]
PAID = event("2026112101222184633000001444", "trade_status_sync.TRADE_SUCCESS", "2026112122001400001420000001", "2026-11-21T10:46:31Z")

GRANT: Fields = [
    ("notify_id", "2026112100262111212076400000001"), ("notify_type", "open_app_auth_notify"), ("notify_time", "2026-11-21 18:46:33"),
    ("app_id", APP), ("charset", "UTF-8"), ("version", "1.0"), ("sign_type", "RSA2"),
    ("biz_content", '{"detail":{"user_id":"2088102100000007"}}')]
MESSAGE: Fields = [
    ("notify_id", "2026112100262111212076400000002"), ("utc_timestamp", "1795257998500"), ("msg_method", "alipay.open.auth.appauth.cancelled"),
    ("app_id", APP), ("charset", "UTF-8"), ("version", "1.1"), ("sign_type", "RSA2"), ("biz_content", '{"auth_app_id":"2021004100000009"}')]
MESSAGED = event("2026112100262111212076400000002", "alipay.open.auth.appauth.cancelled", "", "2026-11-21T10:46:38.500Z")
GRANTED = event("2026112100262111212076400000001", "open_app_auth_notify")

SKIPS_BLANK = "blank values are left out, as the Java package does (section 3); Node keeps them"
BYTES = "the signed text is the bytes as decoded, GBK with charset=GBK (section 3); URLSearchParams knows UTF-8 only"
PINNED = "the algorithm is pinned, sign_type in the message is not obeyed (section 3)"
ROUTE = "whether sign_type is signed is decided per route (section 3); Node tries both"
COMPARED = "after the signature app_id and seller_id are compared (section 3)"
LAX = "base64 has one writing (section 4, rule 1); Node decodes leniently"


def joined(fields: Fields, kind: str = "notify", encoding: str = "utf-8", keep_blank: bool = False) -> bytes:
    taken = [(name, value) for name, value in fields if name not in DROPPED[kind] and (keep_blank or value.strip())]
    return "&".join(f"{name}={value}" for name, value in sorted(taken)).encode(encoding)


def signed(fields: Fields, kind: str = "notify", key: str = "signer", encoding: str = "utf-8", **later: str | None) -> Request:
    """The form with its signature, changed afterwards."""
    return with_sign(fields, signature(joined(fields, kind, encoding), key), encoding, **later)


def with_sign(fields: Fields, text: str | None, encoding: str = "utf-8", **later: str | None) -> Request:
    return Request([FORM], form(put(put(fields, sign=text), **later), encoding))


def with_keys(*keys: dict, kind: str = "notify") -> dict:
    return {"keys": list(keys), "with": {**BOUND, "kind": kind}}


def kinds(to: Recipe) -> None:
    to.accepted("trade paid", signed(TRADE), [PAID], "k1")
    to.accepted("wait for the buyer, without a time of payment", signed(put(TRADE, trade_status="WAIT_BUYER_PAY", gmt_payment=None)),
                [{**PAID, "type": "trade_status_sync.WAIT_BUYER_PAY", "time": ""}], "k1")
    refund = put(TRADE, refund_fee="8.00", gmt_refund="2026-11-21 18:46:39.301", out_biz_no="refund-1")
    to.accepted("partial refund arrives as TRADE_SUCCESS", signed(refund), [{**PAID, "time": "2026-11-21T10:46:39.301Z"}], "k1")
    to.accepted("without a trade number the object is the order", signed(put(TRADE, trade_no=None)), [{**PAID, "object": "order-70501"}], "k1")
    to.accepted("message to the gateway keeps sign_type", signed(GRANT, "gateway"), [GRANTED], "k1", source=GATEWAY)
    to.accepted("message to the gateway says its kind by msg_method", signed(MESSAGE, "gateway"), [MESSAGED], "k1", source=GATEWAY)
    to.accepted("without notify_id", signed(put(TRADE, notify_id=None)), [], "k1")
    to.accepted("without sign_type", signed(put(TRADE, sign_type=None)), [PAID], "k1")
    to.accepted("fields in another order", signed(TRADE[::-1]), [PAID], "k1")


def writings(to: Recipe) -> None:
    to.accepted("space is a plus, a plus is escaped", signed(put(TRADE, subject="Tea + milk, 100%")), [PAID], "k1")
    spaced = signed(put(TRADE, subject="Tea with milk"))
    to.accepted("space as %20", Request([FORM], spaced.body.replace(b"Tea+with+milk", b"Tea%20with%20milk")), [PAID], "k1")
    to.accepted("escapes in small letters", Request([FORM], signed(TRADE).body.replace(b"%3A", b"%3a")), [PAID], "k1")
    to.accepted("letters escaped that need no escape", Request([FORM], signed(TRADE).body.replace(b"subject=Tea", b"s%75bject=%54ea")), [PAID], "k1")
    to.accepted("escape of an escape is decoded once", signed(put(TRADE, subject="100%25 %2B")), [PAID], "k1")
    to.accepted("ampersand and equals sign inside a value", signed(put(TRADE, subject="a&b=c")), [PAID], "k1")
    to.accepted("line end inside a value", signed(put(TRADE, subject="a\r\nb")), [PAID], "k1")
    to.accepted("Chinese, UTF-8", signed(put(TRADE, subject="支付测试")), [PAID], "k1")
    gbk = put(TRADE, charset="GBK", subject="支付测试")
    to.accepted("Chinese, GBK", signed(gbk, encoding="gbk"), [PAID], "k1", why=BYTES)
    escaped = signed(gbk, encoding="gbk").body
    bare_bytes = escaped.replace(b"%D6%A7%B8%B6%B2%E2%CA%D4", "支付测试".encode("gbk"))
    to.accepted("Chinese, GBK, bytes not escaped", Request([FORM], bare_bytes), [PAID], "k1", why=BYTES)
    to.refused("signed as UTF-8, sent as GBK", with_sign(gbk, signature(joined(gbk)), "gbk"), "signature_mismatch")
    names = put(TRADE, **{"subject-2": "x", "Subject": "y", "subject2": "z"})
    to.accepted("names sorted by their bytes, not as k=v lines", signed(names), [PAID], "k1")
    lines = b"&".join(sorted(f"{name}={value}".encode() for name, value in names if name not in DROPPED["notify"]))
    to.refused("names sorted as k=v lines", with_sign(names, signature(lines)), "signature_mismatch")
    percent = put(TRADE, subject="%zz")
    loose = signed(percent).body
    to.refused("escape that is none", Request([FORM], loose.replace(b"%25zz", b"%zz")), "body_grammar",
               why="a body that cannot be taken apart is refused; URLSearchParams keeps what it cannot decode")
    to.refused("escape cut off at the end", Request([FORM], signed(put(TRADE, z="%4")).body.replace(b"z=%254", b"z=%4")), "body_grammar",
               why="a body that cannot be taken apart is refused; URLSearchParams keeps what it cannot decode")


def blanks(to: Recipe) -> None:
    empty = put(TRADE, body="", passback_params="")
    to.accepted("empty values are left out of the signed text", signed(empty), [PAID], "k1", why=SKIPS_BLANK)
    to.accepted("values of spaces are blank", signed(put(TRADE, body="  ")), [PAID], "k1", why=SKIPS_BLANK)
    to.refused("empty values signed", with_sign(empty, signature(joined(empty, keep_blank=True))), "signature_mismatch", why=SKIPS_BLANK)
    to.accepted("an empty field added by somebody: nothing can tell", signed(TRADE, body=""), [PAID], "k1", why=SKIPS_BLANK)
    to.refused("app_id absent", signed(put(TRADE, app_id=None)), "missing_field", why=COMPARED)


def changed(to: Recipe) -> None:
    for name, value in {"total_amount": "0.01", "out_trade_no": "order-70502", "trade_status": "TRADE_FINISHED", "app_id": "2021004100000002"}.items():
        to.refused(f"{name} changed", signed(TRADE, **{name: value}), "signature_mismatch")
    to.refused("a field added", signed(TRADE, extra="1"), "signature_mismatch")
    merged = signed(TRADE, buyer_id="2088102100000007&charset=UTF-8", charset=None)
    to.accepted("two neighbours joined into one value: authentic, but with two readings", merged, [], "k1")
    body = signed(TRADE).body
    once = "exactly one value of every name (section 3: refuse repeated names)"
    to.refused("name twice, the last value signed", Request([FORM], b"total_amount=0.01&" + body), "repeated_field", why=once)
    to.refused("name twice, once escaped", Request([FORM], b"s%75bject=Milk&" + body), "repeated_field", why=once)
    to.refused("sign twice", Request([FORM], b"sign=AAAA&" + body), "repeated_field", why=once)


def routes(to: Recipe) -> None:
    to.refused("notify: sign_type signed", signed(TRADE, "gateway"), "signature_mismatch", why=ROUTE)
    to.refused("gateway: sign_type not signed", signed(GRANT, "notify"), "signature_mismatch", why=ROUTE, source=GATEWAY)
    to.refused("app_id of another", signed(put(TRADE, app_id="2021004100000002")), "not_bound", why=COMPARED)
    to.refused("seller_id of another", signed(put(TRADE, seller_id="2088101100000002")), "not_bound", why=COMPARED)
    to.accepted("seller_id absent, which the signature says", signed(put(TRADE, seller_id=None)), [PAID], "k1")
    to.refused("gateway: app_id of another", signed(put(GRANT, app_id="2021004100000002"), "gateway"), "not_bound", why=COMPARED, source=GATEWAY)


def algorithms(to: Recipe) -> None:
    old = put(TRADE, sign_type="RSA")
    to.refused("sign_type=RSA with its SHA-1", with_sign(old, signature(joined(old), sha1=True)), "not_bound", why=PINNED)
    to.refused("sign_type=RSA over a signature of RSA2", signed(TRADE, sign_type="RSA"), "not_bound")
    to.refused("sign_type=RSA2 with SHA-1", with_sign(TRADE, signature(joined(TRADE), sha1=True)), "signature_mismatch")
    to.refused("sign_type=rsa2", signed(TRADE, sign_type="rsa2"), "not_bound")
    to.refused("PSS in place of PKCS #1 v1.5", with_sign(TRADE, pss_signature(joined(TRADE))), "signature_mismatch")
    to.refused("signed over the text as escaped", with_sign(put(TRADE, subject="a b"), signature(joined(put(TRADE, subject="a+b")))), "signature_mismatch")


def texts(to: Recipe) -> None:
    genuine = signature(joined(TRADE))
    for what, text in {**wrong_texts(genuine), "with line breaks": genuine[:76] + "\n" + genuine[76:]}.items():
        to.refused(f"base64 {what}", with_sign(TRADE, text), "signature_encoding", why=LAX)
    body = with_sign(TRADE, genuine).body
    assert b"%2B" in body
    to.refused("plus of the base64 not escaped, so a space", Request([FORM], body.replace(b"%2B", b"+")), "signature_encoding")
    to.refused("a byte too short", with_sign(TRADE, base64.b64encode(base64.b64decode(genuine)[:-1]).decode()), "signature_encoding")
    to.refused("sign is empty", with_sign(TRADE, ""), "no_signature")
    to.refused("no sign", with_sign(TRADE, None), "no_signature")
    to.refused("no fields", Request([FORM], b""), "no_signature")


def keys(to: Recipe) -> None:
    old, new = {"id": "old", "value": bare(public_pem("signer"))}, {"id": "new", "value": bare(public_pem("next"))}
    to.accepted("key as the console's bare base64", signed(TRADE), [PAID], "old", source=with_keys(old))
    to.accepted("key as a certificate", signed(TRADE), [PAID], "k1", source=with_keys({"id": "k1", "value": pem("alipay_certificate")}))
    to.refused("somebody else's key", signed(TRADE, key="stranger"), "signature_mismatch")
    to.accepted("rotation: the old key", signed(TRADE), [PAID], "old", source=with_keys(new, old))
    to.accepted("rotation: the new key", signed(TRADE, key="next"), [PAID], "new", source=with_keys(old, new))
    window = "the validity window of a key is the receiver's (section 4, rule 5)"
    ended = {**old, "not_after": "2026-11-21T10:46:39Z"}
    to.refused("the only key ended a second ago", signed(TRADE), "no_live_key", source=with_keys(ended), why=window)
    to.refused("old key ended, the new one did not sign", signed(TRADE), "signature_mismatch", source=with_keys(ended, new), why=window)


def recipe() -> Recipe:
    made = Recipe("alipay", ["PyPI cryptography 50.0.2", "npm alipay-sdk 4.14.0"], NOTIFY, ["node", "alipay_judge.mjs"])
    for part in (kinds, writings, blanks, changed, routes, algorithms, texts, keys):
        part(made)
    return made
