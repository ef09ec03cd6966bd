"""PayPal: four values joined by bars, the body as its CRC-32, by a certificate that a header points at."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib

from rsa_frame import Recipe, Request, event, pem, pss_signature, signature, wrong_texts

HOOK, HOST = "4JH86294D6297924G", "api.sandbox.paypal.com"
FOLDER = f"https://{HOST}/v1/notifications/certs/CERT-"
URL = FOLDER + "360caa42-fca2a594-1d93a270"
TIME, TRANSMISSION = "2026-11-21T10:46:32Z", "b2384410-c79c-11f1-9a3f-4f5e6d7c8b9a"
SENT = {"PAYPAL-TRANSMISSION-ID": TRANSMISSION, "PAYPAL-TRANSMISSION-TIME": TIME, "PAYPAL-CERT-URL": URL, "PAYPAL-AUTH-ALGO": "SHA256withRSA"}

# The last part of a certificate's URL, the certificate's file, and who stands behind it in the folder.
CHAINS = {"intermediate-first": ("paypal_intermediate", "paypal_leaf"), "alone": ("paypal_leaf",), "old-chain": ("paypal_leaf", "paypal_old_intermediate"),
          "below-leaf": ("paypal_below_leaf", "paypal_direct")}
SINGLE = ("renewed", "no_dot", "longer", "two_names", "in_organisation", "expired", "early", "other_chain", "sha1", "self_signed")
# All of these lie in the folder, so that nothing but the rule on addresses keeps them out.
ADDRESSES = {
    "http": f"http://{HOST}/CERT-1", "our host in front of another": f"https://{HOST}.example/CERT-1", "our host behind letters": f"https://x{HOST}/CERT-1",
    "our host as user": f"https://{HOST}@certs.example/CERT-1", "our host as query": f"https://certs.example/?https://{HOST}/CERT-1",
    "a port": f"https://{HOST}:8443/CERT-1", "our host behind a backslash": f"https://certs.example\\@{HOST}/CERT-1",
    "another host of the same domain": "https://www.paypal.com/CERT-1"}
LIVE = "https://api.paypal.com/v1/notifications/certs/CERT-1"


def filed(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest() + ".pem"


def cache() -> dict[str, str]:
    found = {filed(URL): pem("paypal_leaf") + pem("paypal_intermediate"), filed(LIVE): pem("paypal_direct")}
    found |= {filed(FOLDER + name): "".join(map(pem, names)) for name, names in CHAINS.items()}
    found |= {filed(FOLDER + name): pem(f"paypal_{name}") for name in SINGLE}
    return found | {filed(url): pem("paypal_direct") for url in ADDRESSES.values()}


SOURCE = {"keys": [], "with": {"webhook_id": HOOK, "cert_hosts": [HOST, "api.paypal.com"], "cert_cache": {"files": cache()},
                               "trust": {"text": pem("paypal_root")}, "subject_suffix": ".paypal.com"}}
CAPTURED = event("WH-7Y7254563A4550640-11V2185806837105M", "PAYMENT.CAPTURE.COMPLETED", "42311647XV020574X", "2026-11-21T10:46:31Z")
CERTIFICATE = "the certificate's name must be one that ends in .paypal.com, one name only (section 3)"
LAX = "base64 has one writing (section 4, rule 1); Python's b64decode drops what it does not know"
ADDRESS = "https and an exact host from a list, before anything is looked up (section 3); the package fetches whatever the header says"
ONCE = "exactly one value of every header that takes part (section 4, rule 3)"


def body(**changes: object) -> bytes:
    whole = {"id": CAPTURED["id"], "create_time": CAPTURED["time"], "event_type": CAPTURED["type"],
             "resource": {"id": CAPTURED["object"], "update_time": "2026-11-21T10:46:30Z"}, **changes}
    return json.dumps({name: value for name, value in whole.items() if value is not None}, ensure_ascii=False, separators=(",", ":")).encode()


def text_of(content: bytes, hook: str = HOOK, crc: str | None = None, sent: dict[str, str] = SENT) -> bytes:
    checksum = str(zlib.crc32(content)) if crc is None else crc
    return "|".join((sent["PAYPAL-TRANSMISSION-ID"], sent["PAYPAL-TRANSMISSION-TIME"], hook, checksum)).encode()


def request(content: bytes, given: str, **changes: str | None) -> Request:
    headers = {**SENT, "PAYPAL-TRANSMISSION-SIG": given, **{f"PAYPAL-{name}".replace("_", "-"): value for name, value in changes.items()}}
    return Request([("Content-Type", "application/json"), *((name, value) for name, value in headers.items() if value is not None)], content)


def signed(content: bytes, key: str = "signer", sent: bytes | None = None, **changes: str | None) -> Request:
    """A request with its signature, headers and body changed afterwards."""
    return request(content if sent is None else sent, signature(text_of(content), key), **changes)


def crafted(content: bytes, wanted: int, free: int) -> bytes:
    """The content with letters of 32 places behind `free` chosen so that its CRC-32 is `wanted`: a bit each, by elimination."""
    places = [free + index for index in range(64)]
    base = zlib.crc32(content) ^ wanted
    rows = [(zlib.crc32(flipped(content, place)) ^ zlib.crc32(content), 1 << index) for index, place in enumerate(places)]
    chosen = solve(rows, base)
    for index, place in enumerate(places):
        content = flipped(content, place) if chosen >> index & 1 else content
    assert zlib.crc32(content) == wanted
    return content


def flipped(content: bytes, place: int) -> bytes:
    """`a` and `c` differ in one bit only."""
    return content[:place] + bytes([content[place] ^ 2]) + content[place + 1:]


def solve(rows: list[tuple[int, int]], wanted: int) -> int:
    basis: dict[int, tuple[int, int]] = {}
    for value, used in rows:
        value, used = reduced(value, used, basis)
        if value:
            basis[value.bit_length()] = (value, used)
    rest, used = reduced(wanted, 0, basis)
    assert rest == 0
    return used


def reduced(value: int, used: int, basis: dict[int, tuple[int, int]]) -> tuple[int, int]:
    while value and value.bit_length() in basis:
        other, more = basis[value.bit_length()]
        value, used = value ^ other, used ^ more
    return value, used


def with_crc(wanted: int, **changes: object) -> bytes:
    content = body(summary="a" * 64, **changes)
    return crafted(content, wanted, content.index(b"a" * 64))


def kinds(to: Recipe) -> None:
    to.accepted("capture completed", signed(body()), [CAPTURED])
    to.accepted("a kind that nobody knows, on the second host", signed(body(event_type="INVENTED.LATER"), CERT_URL=LIVE),
                [{**CAPTURED, "type": "INVENTED.LATER"}])
    to.accepted("certificate renewed", signed(body(), "next", CERT_URL=FOLDER + "renewed"), [CAPTURED])
    to.accepted("resource without id", signed(body(resource={"status": "x"})), [{**CAPTURED, "object": ""}])
    simulator = {**SOURCE, "with": {"webhook_id": "WEBHOOK_ID", "cert_hosts": [HOST], "subject_suffix": ".paypal.com", "trust": SOURCE["with"]["trust"],
                                    "cert_cache": {"files": {filed(FOLDER + "renewed"): pem("paypal_renewed")}}}}
    to.accepted("simulator, whose webhook id is the word itself", request(body(), signature(text_of(body(), "WEBHOOK_ID"), "next"),
                CERT_URL=FOLDER + "renewed"), [CAPTURED], source=simulator)
    late = {**SENT, "PAYPAL-TRANSMISSION-TIME": "2024-01-01T00:00:00Z"}
    to.accepted("sent two years ago: no limit is published", request(body(), signature(text_of(body(), sent=late)),
                TRANSMISSION_TIME=late["PAYPAL-TRANSMISSION-TIME"]), [CAPTURED])
    to.accepted("body with letters beyond ASCII and a line end", signed(body(summary="Zürich 支付") + b"\n"), [CAPTURED])
    to.accepted("no JSON: authentic, put aside", signed(b"id=1"), [])
    to.accepted("without id: authentic, put aside", signed(body(id=None)), [])
    to.accepted("no valid UTF-8: authentic, put aside", signed(body(summary="x").replace(b'"x"', b'"\xff"')), [],
                why="the CRC-32 is of raw bytes (section 4, rule 1); the package takes text only")


def checksums(to: Recipe) -> None:
    to.accepted("CRC-32 with its highest bit", signed(with_crc(0xFFFFFFF0)), [CAPTURED])
    small = with_crc(4711)
    to.accepted("CRC-32 of four digits", signed(small), [CAPTURED])
    to.accepted("CRC-32 that is zero", signed(with_crc(0)), [CAPTURED])
    to.refused("CRC-32 with leading zeros", request(small, signature(text_of(small, crc="0000004711"))), "signature_mismatch")
    high = with_crc(0xFFFFFFF0)
    to.refused("CRC-32 with a sign", request(high, signature(text_of(high, crc="-16"))), "signature_mismatch")
    twin = with_crc(4711, event_type="PAYMENT.CAPTURE.REFUNDED")
    to.accepted("another body of the same CRC-32: nothing can tell", signed(small, sent=twin), [{**CAPTURED, "type": "PAYMENT.CAPTURE.REFUNDED"}])
    to.refused("a byte of the body changed", signed(body(), sent=body().replace(b"COMPLETED", b"COMPLETEd", 1)), "signature_mismatch")
    to.refused("body printed again", signed(body(), sent=json.dumps(json.loads(body())).encode()), "signature_mismatch")


def changed(to: Recipe) -> None:
    to.refused("another transmission id", signed(body(), TRANSMISSION_ID=TRANSMISSION[::-1]), "signature_mismatch")
    to.refused("another transmission time", signed(body(), TRANSMISSION_TIME="2026-11-21T10:46:33Z"), "signature_mismatch")
    to.refused("webhook id of another", request(body(), signature(text_of(body(), "8PT597110X687430L"))), "signature_mismatch")
    to.refused("somebody else's key", signed(body(), "stranger"), "signature_mismatch")
    to.refused("certificate renewed, the old key signed", signed(body(), CERT_URL=FOLDER + "renewed"), "signature_mismatch")
    to.refused("SHA1withRSA named and used", request(body(), signature(text_of(body()), sha1=True), AUTH_ALGO="SHA1withRSA"), "header_grammar",
               why="SHA256withRSA is pinned (section 3)")
    to.refused("SHA1withRSA named, SHA-256 used", signed(body(), AUTH_ALGO="SHA1withRSA"), "header_grammar")
    to.refused("SHA256withRSA named, SHA-1 used", request(body(), signature(text_of(body()), sha1=True)), "signature_mismatch")
    to.refused("PSS in place of PKCS #1 v1.5", request(body(), pss_signature(text_of(body()))), "signature_mismatch")


def addresses(to: Recipe) -> None:
    for what, url in ADDRESSES.items():
        to.refused(f"certificate's address: {what}", signed(body(), CERT_URL=url), "certificate", why=ADDRESS)
    to.refused("certificate's address: not in the folder", signed(body(), CERT_URL=FOLDER + "unknown"), "certificate")
    to.refused("certificate's address: a query behind it", signed(body(), CERT_URL=URL + "?x=1"), "certificate")
    to.refused("certificate's address is no address", signed(body(), CERT_URL="CERT-1"), "certificate")


def certificates(to: Recipe) -> None:
    by = {"below-leaf": "stranger", "renewed": "next"}
    laxer = {"two_names": CERTIFICATE, "sha1": "SHA-1 is for UnionPay's store only (section 3); this store has the ordinary level"}
    stories = {"no_dot": "name without the dot", "longer": "name that goes on behind paypal.com", "two_names": "two common names, the first one right",
               "in_organisation": "right name in another part of the subject", "expired": "expired", "early": "not yet valid",
               "other_chain": "root of the same name, another key", "sha1": "signed with SHA-1", "self_signed": "signed by itself",
               "below-leaf": "issued by a certificate that is no CA", "alone": "intermediate not in the folder",
               "old-chain": "intermediate expired", "intermediate-first": "intermediate in front of the leaf"}
    for name, story in stories.items():
        why = {"why": laxer[name]} if name in laxer else {}
        to.refused(f"certificate: {story}", signed(body(), by.get(name, "signer"), CERT_URL=FOLDER + name), "certificate", **why)


def texts(to: Recipe) -> None:
    genuine = signature(text_of(body()))
    for what, text in {**wrong_texts(genuine), "with a space inside": genuine[:76] + " " + genuine[76:]}.items():
        lax = {} if what in ("without padding", "url-safe letters") else {"why": LAX}
        to.refused(f"base64 {what}", request(body(), text), "signature_encoding", **lax)
    to.refused("a byte too short", request(body(), base64.b64encode(base64.b64decode(genuine)[:-1]).decode()), "signature_encoding")
    to.refused("signature is empty", request(body(), ""), "no_signature")


def wanted(to: Recipe) -> None:
    for name in (*SENT, "PAYPAL-TRANSMISSION-SIG"):
        headers = signed(body()).headers
        lax = {"why": ONCE + "; b64decode stops at the first padding"} if name.endswith("SIG") else {}
        to.refused(f"no {name}", Request([header for header in headers if header[0] != name], body()), "missing_header")
        if name.endswith(("TIME", "ALGO")):
            continue
        again = next(header for header in headers if header[0] == name)
        to.refused(f"{name} twice", Request([*headers, again], body()), "repeated_header", **lax)


def recipe() -> Recipe:
    made = Recipe("paypal", ["PyPI cryptography 50.0.2", "PyPI paypalrestsdk 1.13.3 with pyOpenSSL 23.2.0"], SOURCE,
                  [os.environ["ASKING_PYTHON"], "-W", "ignore", "paypal_judge.py"])
    for part in (kinds, checksums, changed, addresses, certificates, texts, wanted):
        part(made)
    return made
