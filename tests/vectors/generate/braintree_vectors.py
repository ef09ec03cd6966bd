"""Braintree: HMAC-SHA1 over the base64 text of a form field, under pairs of public key and digest."""

from __future__ import annotations

import base64
import hashlib
import hmac

from rsa_frame import FORM, Recipe, Request, event, form

PUBLIC, PRIVATE = "k7hq3n5zr8w2tb4c", "5f1d2c3b4a5968778695a4b3c2d1e0f1"
NEXT_PUBLIC, NEXT_PRIVATE = "m2vd9x6jt4s8gk3p", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
OTHER_PUBLIC, OTHER_PRIVATE = "zzotherkeyzzzzzz", "ffffffffffffffffffffffffffffffff"
KEY = {"id": PUBLIC, "value": PRIVATE}
NEXT = {"id": NEXT_PUBLIC, "value": NEXT_PRIVATE}
SOURCE = {"keys": [KEY], "with": {}}
ONE = "exactly one value of every pair and form name that takes part (section 4, rule 3); the package takes the first"
WINDOW = "the validity window of a key is the receiver's (section 4, rule 5)"
ASIDE = "an authentic message that cannot be read is put aside with an answer of success, not refused"
SUBSCRIPTION = "<subscription><id>{}</id>" + "".join(f'<{each} type="array"/>' for each in ("transactions", "add-ons", "discounts")) + "</subscription>"
TIME = "2026-11-21T10:46:31Z"
CHARGED = "subscription_charged_successfully"


def notification(kind: str | None = CHARGED, subject: str = SUBSCRIPTION.format("sub-1"), time: str = TIME) -> str:
    named = "" if kind is None else f"<kind>{kind}</kind>"
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<notification>\n  <timestamp type="datetime">{time}</timestamp>\n  {named}\n'
            f"  <subject>{subject}</subject>\n</notification>\n")


def payload(xml: str | None = None) -> str:
    """Base64 in lines of 60 letters, each with its line feed."""
    letters = base64.b64encode((notification() if xml is None else xml).encode()).decode()
    return "".join(letters[place:place + 60] + "\n" for place in range(0, len(letters), 60))


def digest(text: str, private: str = PRIVATE) -> str:
    return hmac.new(hashlib.sha1(private.encode()).digest(), text.encode(), hashlib.sha1).hexdigest()


def pair(text: str, public: str = PUBLIC, private: str = PRIVATE) -> str:
    return f"{public}|{digest(text, private)}"


def sent(text: str | None, *pairs: str) -> Request:
    given = {"bt_signature": "&".join(pairs) if pairs else None, "bt_payload": text}
    return Request([FORM], form([(name, value) for name, value in given.items() if value is not None]))


def signed(xml: str | None = None) -> Request:
    text = payload(xml)
    return sent(text, pair(text))


def told(text: str, kind: str = CHARGED, thing: str = "sub-1", time: str = TIME) -> list[dict]:
    return [event(hashlib.sha256(text.removesuffix("\n").encode()).hexdigest(), kind, thing, time)]


def kinds(to: Recipe) -> None:
    to.accepted("subscription charged", signed(), told(payload()), PUBLIC)
    sale = "<transaction><id>tx-1</id></transaction>"
    for name, kind, subject, thing in (
        ("dispute of a sale: the object is the sale", "dispute_opened", f"<dispute><id>dis-1</id>{sale}</dispute>", "tx-1"),
        ("refund that failed: the object is the sale", "refund_failed",
         "<transaction><id>ref-1</id><refunded-transaction-id>tx-1</refunded-transaction-id></transaction>", "tx-1")):
        xml = notification(kind, subject)
        to.accepted(name, signed(xml), told(payload(xml), kind, thing), PUBLIC)
    for kind, subject, thing in (("transaction_settled", "<transaction><id>tx-1</id><amount>100.00</amount></transaction>", "tx-1"),
                                 ("dispute_opened", "<dispute><amount>1.00</amount><id>dis-1</id></dispute>", "dis-1"),
                                 ("check", '<check type="boolean">true</check>', "")):
        xml = notification(kind, subject)
        to.accepted(kind, signed(xml), told(payload(xml), kind, thing), PUBLIC)
    unknown = notification("invented_later", SUBSCRIPTION.format("sub-1"))
    to.accepted("a kind that nobody knows", signed(unknown), told(payload(unknown), "invented_later"), PUBLIC)
    escaped = notification(subject=SUBSCRIPTION.format("a&amp;b&#233;"))
    to.accepted("entities of XML inside the id", signed(escaped), told(payload(escaped), thing="a&bé"), PUBLIC)
    swapped = Request([FORM], b"&".join(signed().body.split(b"&")[::-1]))
    to.accepted("payload in front of the signature", swapped, told(payload()), PUBLIC)
    more = Request([FORM], b"x=1&x=2&" + signed().body)
    to.accepted("fields that take no part", more, told(payload()), PUBLIC)


def line_feeds(to: Recipe) -> None:
    text = payload()
    bare = text.rstrip("\n")
    to.accepted("signed with the last LF, sent without", sent(bare, pair(text)), told(bare), PUBLIC)
    to.accepted("signed without the last LF, sent without", sent(bare, pair(bare)), told(bare), PUBLIC)
    to.refused("signed without the last LF, sent with it", sent(text, pair(bare)), "signature_mismatch")
    to.refused("signed with two LF, sent without", sent(bare, pair(text + "\n")), "signature_mismatch")
    flat = text.replace("\n", "")
    to.accepted("all in one line", sent(flat, pair(flat)), told(flat), PUBLIC)
    to.refused("line feeds taken out on the way", sent(flat, pair(text)), "signature_mismatch")
    to.refused("line feeds turned into CRLF", sent(text.replace("\n", "\r\n"), pair(text)), "body_grammar")
    to.refused("CRLF, signed as it is", sent(text.replace("\n", "\r\n"), pair(text.replace("\n", "\r\n"))), "body_grammar")


def alphabet(to: Recipe) -> None:
    text = payload()
    for what, odd in {"a space": " ", "url-safe letter": "_", "null byte": "\0", "letter beyond ASCII": "é", "a percent sign": "%"}.items():
        to.refused(f"illegal in the payload: {what}", sent(odd + text, pair(odd + text)), "body_grammar")
    plus = payload(notification(subject=SUBSCRIPTION.format("sub-1").replace("</id>", "</id><name>ûï¾~~~</name>")))
    assert "+" in plus
    to.accepted("plus in the payload, escaped", sent(plus, pair(plus)), told(plus), PUBLIC)
    to.refused("plus in the payload, not escaped, so a space", Request([FORM], sent(plus, pair(plus)).body.replace(b"%2B", b"+")), "body_grammar")
    to.refused("escape that is none", Request([FORM], sent(text, pair(text)).body + b"&x=%zz"), "body_grammar",
               why="a body that cannot be taken apart is refused; URLSearchParams keeps what it cannot decode")


def pairs(to: Recipe) -> None:
    text = payload()
    other = pair(text, OTHER_PUBLIC, OTHER_PRIVATE)
    to.accepted("pairs of others in front and behind", sent(text, other, pair(text), f"y|{'0' * 40}"), told(text), PUBLIC)
    to.refused("only the pair of another public key", sent(text, other), "unknown_key")
    to.refused("public key in capitals", sent(text, pair(text, PUBLIC.upper())), "unknown_key")
    to.refused("our digest under another public key", sent(text, pair(text, OTHER_PUBLIC)), "unknown_key")
    to.refused("our public key, digest of another", sent(text, pair(text, PUBLIC, OTHER_PRIVATE)), "signature_mismatch")
    to.refused("our pair twice, the first one right", sent(text, pair(text), f"{PUBLIC}|{'0' * 40}"), "repeated_field", why=ONE)
    to.refused("our pair twice, the second one right", sent(text, f"{PUBLIC}|{'0' * 40}", pair(text)), "repeated_field")
    to.accepted("a piece without a bar is no pair", sent(text, "rubbish", pair(text)), told(text), PUBLIC)
    to.refused("three parts in our pair", sent(text, pair(text) + "|x"), "signature_encoding",
               why="what follows the bar must be 40 hex digits, all of it (section 4, rule 1)")
    to.refused("no pair at all", sent(text, "rubbish"), "no_signature")
    to.refused("signature is empty", sent(text, ""), "no_signature")
    to.refused("no bt_signature", sent(text), "no_signature")
    to.refused("no bt_payload", sent(None, pair(text)), "missing_field")
    to.refused("payload is empty", sent("", pair("")), "missing_field")
    body = sent(text, pair(text)).body
    to.refused("bt_payload twice", Request([FORM], body + b"&bt_payload=AAAA"), "repeated_field")
    to.refused("bt_payload twice, the last one signed", Request([FORM], b"bt_payload=AAAA&" + body), "repeated_field", why=ONE.replace("first", "last"))
    to.refused("bt_signature twice", Request([FORM], b"bt_signature=x%7Cy&" + body), "repeated_field", why=ONE.replace("first", "last"))


def digests(to: Recipe) -> None:
    text = payload()
    def with_digest(given: str) -> Request:
        return sent(text, f"{PUBLIC}|{given}")
    raw = hashlib.sha1(PRIVATE.encode())
    to.refused("key is the private key itself", with_digest(hmac.new(PRIVATE.encode(), text.encode(), "sha1").hexdigest()), "signature_mismatch")
    to.refused("key is the hex of its SHA-1", with_digest(hmac.new(raw.hexdigest().encode(), text.encode(), "sha1").hexdigest()), "signature_mismatch")
    to.refused("key is its SHA-256", with_digest(hmac.new(hashlib.sha256(PRIVATE.encode()).digest(), text.encode(), "sha1").hexdigest()), "signature_mismatch")
    to.refused("HMAC-SHA256", with_digest(hmac.new(raw.digest(), text.encode(), "sha256").hexdigest()), "signature_encoding")
    to.refused("signed over the XML", with_digest(digest(notification())), "signature_mismatch")
    to.refused("capital hex", with_digest(digest(text).upper()), "signature_encoding")
    to.refused("base64 in place of hex", with_digest(base64.b64encode(bytes.fromhex(digest(text))).decode()), "signature_encoding")
    to.refused("39 digits", with_digest(digest(text)[:-1]), "signature_encoding")
    to.refused("digest is empty", with_digest(""), "signature_encoding")
    to.refused("payload changed by one letter", sent(text.replace("PD9", "PD8", 1), pair(text)), "signature_mismatch")
    to.refused("payload with a line behind it", sent(text + "AAAA\n", pair(text)), "signature_mismatch")


def keys(to: Recipe) -> None:
    text = payload()
    both = {**SOURCE, "keys": [KEY, NEXT]}
    next_pair = pair(text, NEXT_PUBLIC, NEXT_PRIVATE)
    to.accepted("two key pairs configured, signed under the second", sent(text, next_pair), told(text), NEXT_PUBLIC, source=both)
    ended = {**SOURCE, "keys": [{**KEY, "not_after": "2026-11-21T10:46:39Z"}, NEXT]}
    to.accepted("rotation: both pairs in the message, the old key ended", sent(text, pair(text), next_pair), told(text), NEXT_PUBLIC, source=ended)
    to.refused("rotation: only the pair of the key that ended", sent(text, pair(text)), "no_live_key", source=ended, why=WINDOW)
    to.refused("private key of the other public key", sent(text, pair(text, PUBLIC, NEXT_PRIVATE)), "signature_mismatch", source=both)


def unreadable(to: Recipe) -> None:
    """Authentic: quarantine."""
    to.accepted("no kind", signed(notification(None)), [], PUBLIC)
    to.accepted("XML cut off", signed(notification()[:-20]), [], PUBLIC, why=ASIDE)
    to.accepted("no XML", signed("hello"), [], PUBLIC, why=ASIDE)
    doctype = notification(subject=SUBSCRIPTION.format("&x;")).replace("<notification>", '<!DOCTYPE n [<!ENTITY x "sub-1">]><notification>', 1)
    to.accepted("XML with a document type", signed(doctype), [], PUBLIC, why=ASIDE)
    to.accepted("kind twice", signed(notification().replace("</kind>", "</kind><kind>check</kind>")), [], PUBLIC)
    text = "QUJD=QUJ\n"
    to.accepted("legal letters that are no base64", sent(text, pair(text)), [], PUBLIC, why=ASIDE)


def recipe() -> Recipe:
    made = Recipe("braintree", ["Python hmac", "npm braintree 3.40.0"], SOURCE, ["node", "braintree_judge.mjs"])
    for part in (kinds, line_feeds, alphabet, pairs, digests, keys, unreadable):
        part(made)
    return made
