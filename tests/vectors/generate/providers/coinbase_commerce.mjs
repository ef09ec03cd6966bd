// Coinbase Commerce: lower hex over the body; the event stands under /event.
import { createRequire } from "node:module";
import { hmac, keys, npm, object } from "../frame.mjs";
import { accepted, singleHeaderCases } from "../single_header.mjs";

const require = createRequire(`${process.cwd()}/`);
const { Webhook } = require("coinbase-commerce-node");
const SignatureVerificationError = require("coinbase-commerce-node/lib/Errors/SignatureVerificationError");
const maker = npm("coinbase-commerce-node");

const coinbase = {
    recipe: "coinbase-commerce", made_with: [maker], maker, refusals: [SignatureVerificationError],
    header: "X-CC-Webhook-Signature", prefix: "", text: "hex",
    secrets: { k1: "shared-secret-1", k2: "shared-secret-2", wrong: "shared-secret-3" },
    others: [],
    names: { id: "id", type: "type", object: "id", time: "created_at" }, around: "event",
    parts: { id: '"24934862-d980-46cb-9402-43c81b0cdba6"', type: '"charge:confirmed"', object: '"f0d4e7a1-2b3c"', time: '"2026-11-21T10:46:38Z"' },
    base: { id: "24934862-d980-46cb-9402-43c81b0cdba6", type: "charge:confirmed", object: "f0d4e7a1-2b3c", time: "2026-11-21T10:46:38Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const event = object([["id", parts.id], ["type", parts.type], ["created_at", parts.time],
            ["data", object([["id", parts.object], ["code", parts.code]])]]);
        return object([["attempt_number", "1"], ["event", event]], parts.more);
    },
    sign: async (secret, body) => typeof body === "string" ? Webhook.computeSignature(body, secret) : hmac(secret, body).toString("hex"),
    ask: (request, key) => Webhook.verifySigHeader(request.text, request.header("X-CC-Webhook-Signature"), key.value),
    cases: () => cases(coinbase),
};
coinbase.source = { recipe: "coinbase-commerce", keys: keys(["k1", coinbase.secrets.k1]) };

async function* objects(p) {
    yield accepted(p, "a charge with an id and a code", p.document({ code: '"66BEOV2A"' }));
    yield accepted(p, "a charge with a code only", p.document({ object: undefined, code: '"66BEOV2A"' }), { events: [{ ...p.base, object: "66BEOV2A" }] });
    yield accepted(p, "the delivery's own id is not the event's", p.document({ more: '"id":"4e9f2ef1-1111"' }));
    yield accepted(p, "an id beside the event only", p.document({ id: undefined, more: '"id":"4e9f2ef1-1111"' }), { events: [] });
}

async function* cases(p) {
    yield* objects(p);
    yield* singleHeaderCases(p);
}

export default coinbase;
