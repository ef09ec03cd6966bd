// Adyen for Platforms: base64 over the body, with a key that is written in hex.
import { createHash } from "node:crypto";
import adyen from "@adyen/api-library";
import { hmac, keys, npm, object } from "../frame.mjs";
import { accepted, json, refused, signed, singleHeaderCases } from "../single_header.mjs";

const maker = npm("@adyen/api-library");
const validator = new adyen.hmacValidator();
const hex = (digits) => digits.repeat(64 / digits.length);

const platform = {
    recipe: "adyen-platform", made_with: [maker], maker, keyIsHex: true,
    header: "HmacSignature", prefix: "", text: "base64",
    secrets: { k1: hex("44782DEF547AAA06"), k2: hex("0123456789ABCDEF"), wrong: hex("FEDCBA9876543210") },
    others: [["Protocol", "HmacSHA256"]],
    names: { type: "type" },
    parts: { type: '"balancePlatform.transfer.updated"', object: '"48TYZO5ZVURJ2FCW"', time: '"2026-11-21T11:46:38+01:00"' },
    base: { id: "", type: "balancePlatform.transfer.updated", object: "48TYZO5ZVURJ2FCW", time: "2026-11-21T10:46:38Z" },
    // There is no id: the same bytes are the same event.
    idOf: (body) => createHash("sha256").update(body).digest("hex"),
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const data = object([["balancePlatform", '"YOUR_BALANCE_PLATFORM"'], ["id", parts.object], ["status", '"booked"']]);
        return object([["data", data], ["environment", '"test"'], ["timestamp", parts.time], ["type", parts.type]], parts.more);
    },
    sign: async (secret, body) => typeof body === "string" ? validator.calculateHmac(body, secret) : hmac(Buffer.from(secret, "hex"), body).toString("base64"),
    ask: (request, key) => validator.validateHMACSignature(key.value, request.header("HmacSignature"), request.text),
    cases: () => cases(platform),
};
platform.source = { recipe: "adyen-platform", keys: keys(["k1", platform.secrets.k1]) };

async function* keyTexts(p) {
    const body = p.document();
    yield refused(p, "the key's hex text used as the key", "signature_mismatch", hmac(p.secrets.k1, body).toString("base64"), { maker: "by hand" });
    yield accepted(p, "a key written in lower case", body, { source: { ...p.source, keys: keys(["k1", p.secrets.k1.toLowerCase()]) } });
}

async function* facts(p) {
    const event = (changes) => ({ events: [{ ...p.base, ...changes }] });
    yield accepted(p, "another moment is another event", p.document({ time: '"2026-11-21T11:46:39+01:00"' }),
        event({ time: "2026-11-21T10:46:39Z" }));
    yield accepted(p, "another object is another event", p.document({ object: '"EVJN42272224"' }), event({ object: "EVJN42272224" }));
    yield accepted(p, "no object", p.document({ object: undefined }), event({ object: "" }));
    yield accepted(p, "no timestamp", p.document({ time: undefined }), event({ time: "" }));
    yield accepted(p, "the object stands twice", p.document({ object: '"a","id":"b"' }), { events: [] });
    yield accepted(p, "a timestamp that cannot be read", p.document({ time: '"noon"' }), { events: [{ ...p.base, id: p.idOf(p.document({ time: '"noon"' })), time: "" }] });
}

async function* protocols(p) {
    const body = p.document();
    const right = await signed(p, body);
    for (const [name, ...others] of [["no Protocol header"], ["a Protocol that names another algorithm", ["Protocol", "HmacSHA512"]]])
        yield accepted(p, name, body, { headers: [json, [p.header, right], ...others] });
    const inside = object([["additionalData", object([["hmacSignature", `"${right}"`]])]]);
    yield refused(p, "the signature inside the body, as in standard notifications", "missing_header", undefined, { body: inside });
}

async function* cases(p) {
    yield* keyTexts(p);
    yield* facts(p);
    yield* protocols(p);
    yield* singleHeaderCases(p);
}

export default platform;
