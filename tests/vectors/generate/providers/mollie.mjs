// Mollie, next generation: lower hex behind sha256=, over the body. Classic calls carry no signature and are refused here.
import { InvalidSignatureException, SignatureValidator } from "mollie-api-typescript";
import { hmac, keys, npm, object } from "../frame.mjs";
import { accepted, json, refused, signed, singleHeaderCases } from "../single_header.mjs";

const maker = npm("mollie-api-typescript");

const mollie = {
    recipe: "mollie", made_with: [maker], maker, refusals: [InvalidSignatureException],
    header: "X-Mollie-Signature", prefix: "sha256=", prefixMayLack: true, text: "hex",
    secrets: { k1: "signing-secret-one", k2: "signing-secret-two", wrong: "signing-secret-three" },
    others: [],
    names: { id: "id", type: "type", object: "entityId", time: "createdAt" },
    parts: { id: '"event_GvJ8WHrp5isUdRub9CJyH"', type: '"payment-link.paid"', object: '"pl_qng5gbbv8NAZ5gpM5ZYgx"', time: '"2026-11-21T10:46:38.2Z"' },
    base: { id: "event_GvJ8WHrp5isUdRub9CJyH", type: "payment-link.paid", object: "pl_qng5gbbv8NAZ5gpM5ZYgx", time: "2026-11-21T10:46:38.2Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["resource", '"event"'], ["id", parts.id], ["type", parts.type], ["entityId", parts.object], ["createdAt", parts.time]], parts.more);
    },
    sign: async (secret, body) => typeof body === "string" ? SignatureValidator.createSignature(body, secret) : hmac(secret, body).toString("hex"),
    ask: (request, key) => SignatureValidator.validate(request.text, key.value, request.all("X-Mollie-Signature")),
    cases: () => cases(mollie),
};
mollie.source = { recipe: "mollie", keys: keys(["k1", mollie.secrets.k1]) };

async function* classic(p) {
    const form = ["Content-Type", "application/x-www-form-urlencoded"];
    const body = "id=tr_d0b0E3EA3v";
    yield { name: "a classic call, without a signature", body, headers: [form], check: "missing_header" };
    yield accepted(p, "a classic body with a signature: authentic, but no JSON", body, { headers: [form, [p.header, await signed(p, body)]], events: [] });
}

async function* several(p) {
    const body = p.document();
    const right = await signed(p, body);
    const wrong = await signed(p, body, p.secrets.wrong);
    const why = "exactly one value for each header that takes part (section 4 rule 3)";
    yield refused(p, "two headers, a wrong one first and an unsigned one between", "repeated_header", "",
        { headers: [json, [p.header, wrong], ["X-Other", "1"], [p.header, right]], why });
    yield refused(p, "two values in one header", "signature_encoding", `${right}, ${wrong}`);
}

async function* orders(p) {
    const changes = { type: '"refund.refunded"', object: '"re_4qqhO89gsT"' };
    const full = p.document({ ...changes, more: '"_embedded":{"entity":{"id":"re_4qqhO89gsT","paymentId":"tr_5B8cwPMGnU6qLbRvo7qEZo"}}' });
    yield accepted(p, "a refund is ordered with its payment", full, { events: [{ ...p.base, type: "refund.refunded", object: "tr_5B8cwPMGnU6qLbRvo7qEZo" }] });
    yield accepted(p, "which a simple payload does not name", p.document(changes), { events: [{ ...p.base, type: "refund.refunded", object: "re_4qqhO89gsT" }] });
}

async function* cases(p) {
    yield* classic(p);
    yield* several(p);
    yield* orders(p);
    yield* singleHeaderCases(p);
}

export default mollie;
