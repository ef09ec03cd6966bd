"""UnionPay 5.1.0: RSA over the hex of a SHA-256 of sorted fields, by the certificate that is one of the fields."""

from __future__ import annotations

import hashlib

from rsa_frame import FORM, Fields, Recipe, Request, event, form, pem, pss_signature, put, signature, wrong_texts

MERCHANT = "777290058110048"
SOURCE = {"keys": [], "with": {"trust": {"text": pem("union_root") + pem("union_intermediate")}, "mer_id": MERCHANT,
                               "subject": "中国银联股份有限公司"}}
ORDER, TIME = "order70501", "20261121184620"


def wire(name: str) -> str:
    """A certificate as it travels: with CRLF, and none behind the last line."""
    return pem(f"union_{name}").strip().replace("\n", "\r\n")


PAYMENT: Fields = [
    ("bizType", "000201"), ("currencyCode", "156"), ("encoding", "UTF-8"), ("merId", MERCHANT), ("orderId", ORDER),
    ("queryId", "812611211846201234567"), ("respCode", "00"), ("respMsg", "成功[0000000]"), ("signMethod", "01"), ("traceTime", "1121184620"),
    ("txnAmt", "8800"), ("txnSubType", "01"), ("txnTime", TIME), ("txnType", "01"), ("version", "5.1.0"), ("signPubKeyCert", wire("leaf"))]
PAID = event("812611211846201234567.01.00", "01.01", "812611211846201234567")


def digest(fields: Fields, encoding: str = "utf-8") -> bytes:
    text = "&".join(f"{name}={value}" for name, value in sorted(fields)).encode(encoding)
    return hashlib.sha256(text).hexdigest().encode()


def signed(fields: Fields = PAYMENT, key: str = "signer", encoding: str = "utf-8", **later: str | None) -> Request:
    """The form with its signature, changed afterwards."""
    return with_text(fields, signature(digest(fields, encoding), key), encoding, **later)


def with_text(fields: Fields, text: str | None, encoding: str = "utf-8", **later: str | None) -> Request:
    return Request([FORM], form(put(put(fields, signature=text), **later), encoding))


def by(name: str, key: str = "signer") -> Request:
    """Signed rightly, with the certificate of that name."""
    return signed(put(PAYMENT, signPubKeyCert=wire(name)), key)


def kinds(to: Recipe) -> None:
    to.accepted("payment", signed(), [PAID])
    refund = put(PAYMENT, txnType="04", txnSubType="00", queryId="812611211850001234568", orderId="refund70501", origQryId=PAID["object"])
    given_back = event("812611211850001234568.04.00", "04.00", PAID["object"])
    to.accepted("refund: the object is the payment it belongs to", signed(refund), [given_back])
    other = "812611211847001234999"
    to.accepted("refund of another payment", signed(put(refund, origQryId=other)), [{**given_back, "object": other}])
    by_order = put(refund, origQryId=None, origOrderId=ORDER, origTxnTime=TIME)
    to.accepted("refund that names its payment by order and time only", signed(by_order), [{**given_back, "object": "812611211850001234568"}])
    to.accepted("fields in another order", signed(PAYMENT[::-1]), [PAID])
    to.accepted("without an order", signed(put(PAYMENT, orderId=None)), [PAID])
    to.accepted("without queryId", signed(put(PAYMENT, queryId=None)), [])
    to.accepted("certificate renewed, same subject", by("renewed", "next"), [PAID])
    to.accepted("plus, ampersand and equals sign inside a value", signed(put(PAYMENT, reqReserved="a+b&c=d %")), [PAID])
    gbk = put(PAYMENT, encoding="GBK")
    to.accepted("encoding GBK", signed(gbk, encoding="gbk"), [PAID])
    to.refused("signed as UTF-8, sent as GBK", with_text(gbk, signature(digest(gbk)), "gbk"), "signature_mismatch")


def line_ends(to: Recipe) -> None:
    lf = wire("leaf").replace("\r\n", "\n")
    to.refused("CRLF of the certificate turned into LF on the way", signed(signPubKeyCert=lf), "signature_mismatch")
    to.accepted("certificate with LF, signed so", signed(put(PAYMENT, signPubKeyCert=lf)), [PAID])
    to.refused("signed without the certificate's field", with_text(PAYMENT, signature(digest(put(PAYMENT, signPubKeyCert=None)))), "signature_mismatch")


def changed(to: Recipe) -> None:
    for name, value in {"txnAmt": "1", "orderId": "order70502", "respCode": "01"}.items():
        to.refused(f"{name} changed", signed(**{name: value}), "signature_mismatch")
    to.refused("a field added", signed(extra="1"), "signature_mismatch")
    body = signed().body
    to.refused("txnAmt twice", Request([FORM], b"txnAmt=1&" + body), "repeated_field")
    to.refused("certificate twice", Request([FORM], body + b"&signPubKeyCert=x"), "repeated_field")
    to.refused("escape that is none", Request([FORM], body + b"&x=%zz"), "body_grammar")


def certificates(to: Recipe) -> None:
    stories = {"merchant": "a merchant's of the same CA", "fourth": "the right name as fourth part", "longer": "a name that begins with the right one",
               "two_names": "two common names, the last one right",
               "in_unit": "the right name in another part of the subject"}
    for name, story in stories.items():
        to.refused(f"certificate: {story}", by(name, "stranger"), "certificate")
    chains = {"expired": "expired", "early": "not yet valid", "other_ca": "CA of the same name, another key", "self_signed": "signed by itself"}
    for name, story in chains.items():
        to.refused(f"certificate: {story}", by(name), "certificate")
    to.refused("certificate: right subject, issued by a merchant", by("below_merchant", "other"), "certificate")
    def holding(text: str, key: str = "signer") -> Request:
        return signed(put(PAYMENT, signPubKeyCert=text), key)
    both = wire("leaf") + "\r\n" + wire("merchant")
    to.refused("certificate: the right one and a merchant's, the right one signed", holding(both), "certificate")
    to.refused("certificate: the right one and a merchant's, the merchant signed", holding(both, "stranger"), "certificate")
    to.refused("certificate: none at all", holding("rubbish"), "certificate")
    to.refused("certificate: base64 without its marks", holding("".join(pem("union_leaf").split("\n")[1:-2])), "certificate")
    to.refused("certificate swapped for a merchant's on the way", signed(signPubKeyCert=wire("merchant")), "certificate")
    to.refused("certificate swapped for a renewed one on the way", signed(signPubKeyCert=wire("renewed")), "signature_mismatch")
    to.refused("no certificate", signed(put(PAYMENT, signPubKeyCert=None)), "missing_field")
    test_system = {"keys": [], "with": {**SOURCE["with"], "subject": "00040000:SIGN"}}
    to.refused("certificate of the live system, test system configured", signed(), "certificate", source=test_system)
    rootless = {"keys": [], "with": {**SOURCE["with"], "trust": {"text": pem("union_intermediate")}}}
    to.refused("only the intermediate is trusted", signed(), "certificate", source=rootless)


def pinned(to: Recipe) -> None:
    for name, value in (("version", "5.0.0"), ("signMethod", "11")):
        to.refused(f"{name} {value}, signed", signed(put(PAYMENT, **{name: value})), "not_bound")
    for name in ("signMethod", "merId"):
        to.refused(f"no {name}", signed(put(PAYMENT, **{name: None})), "missing_field")
    to.refused("merId of another", signed(put(PAYMENT, merId="777290058110049")), "not_bound")
    text = b"&".join(f"{name}={value}".encode() for name, value in sorted(PAYMENT))
    to.refused("signed over the fields, not over their digest", with_text(PAYMENT, signature(text)), "signature_mismatch")
    to.refused("signed over capital hex", with_text(PAYMENT, signature(digest(PAYMENT).upper())), "signature_mismatch")
    sha1 = hashlib.sha1(text).hexdigest().encode()
    to.refused("as 5.0.0 did: SHA-1 twice", with_text(PAYMENT, signature(sha1, sha1=True)), "signature_mismatch")
    to.refused("PSS in place of PKCS #1 v1.5", with_text(PAYMENT, pss_signature(digest(PAYMENT))), "signature_mismatch")


def texts(to: Recipe) -> None:
    genuine = signature(digest(PAYMENT))
    for what, text in wrong_texts(genuine).items():
        to.refused(f"base64 {what}", with_text(PAYMENT, text), "signature_encoding")
    fields, _, text = with_text(PAYMENT, genuine).body.partition(b"&signature=")
    assert b"%2B" in text
    to.refused("plus of the base64 not escaped, so a space", Request([FORM], fields + b"&signature=" + text.replace(b"%2B", b"+")), "signature_encoding")
    to.refused("signature is empty", with_text(PAYMENT, ""), "no_signature")
    to.refused("no signature", with_text(PAYMENT, None), "no_signature")


def recipe() -> Recipe:
    made = Recipe("unionpay", ["PyPI cryptography 50.0.2"], SOURCE, [])
    for part in (kinds, line_ends, changed, certificates, pinned, texts):
        part(made)
    return made
