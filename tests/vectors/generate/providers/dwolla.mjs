// Dwolla: lower hex over the body. None of its libraries checks a webhook, so nobody else was asked: the rules are those of
// developers.dwolla.com/docs/balance/webhooks/process-validate, whose example hashes the raw body and compares hexdigests.
import { keys, object } from "../frame.mjs";
import { accepted, hexOf, json, refused, signed, singleHeaderCases } from "../single_header.mjs";

const topic = ["X-Dwolla-Topic", "customer_transfer_completed"];
const link = (path) => `{"href":"https://api-sandbox.dwolla.com/${path}"}`;

const dwolla = {
    recipe: "dwolla", made_with: [], maker: "by hand", brief: true,
    header: "X-Request-Signature-SHA-256", prefix: "", text: "hex",
    secrets: { k1: "a secret of the application's own", k2: "the next one", wrong: "a guess" },
    others: [topic],
    names: { id: "id", type: "topic", object: "resourceId", time: "timestamp" },
    parts: { id: '"fe869b23-097b-4c95-9891-cb59c753a895"', type: '"customer_transfer_completed"', object: '"ac84655e-8d28-e911-8115-c4a646b43d5b"',
        time: '"2026-11-21T10:46:38.144Z"' },
    base: { id: "fe869b23-097b-4c95-9891-cb59c753a895", type: "customer_transfer_completed", object: "ac84655e-8d28-e911-8115-c4a646b43d5b",
        time: "2026-11-21T10:46:38.144Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const links = object([["self", link("events/fe869b23")], ["account", link("accounts/ad5f2162")], ["resource", link("transfers/ac84655e")]]);
        return object([["id", parts.id], ["resourceId", parts.object], ["topic", parts.type], ["timestamp", parts.time], ["_links", links],
            ["created", '"2026-11-21T10:46:38.150Z"']], parts.more);
    },
    sign: async (secret, body) => hexOf(secret, body),
    cases: () => cases(dwolla),
};
dwolla.source = { recipe: "dwolla", keys: keys(["k1", dwolla.secrets.k1]) };

async function* unsigned(p) {
    const body = p.document();
    const right = await signed(p, body);
    const with_ = (...others) => ({ headers: [json, [p.header, right], ...others] });
    yield accepted(p, "a transfer that was completed", body);
    yield accepted(p, "a topic in the header that the body does not say, which nothing signs", body, with_(["X-Dwolla-Topic", "account_suspended"]));
    yield accepted(p, "no topic in a header", body, with_());
    yield accepted(p, "an event of the account alone", p.document({ type: '"account_suspended"' }), { events: [{ ...p.base, type: "account_suspended" }] });
    yield accepted(p, "another id in what it links to", p.document({ more: '"resource":{"id":"other"}' }));
    yield refused(p, "the signature in the header that other providers have", "missing_header", "", { headers: [json, ["X-Signature", right], topic] });
    yield refused(p, "the signature behind sha256=", "signature_encoding", `sha256=${right}`);
}

async function* cases(p) {
    yield* unsigned(p);
    yield* singleHeaderCases(p);
}

export default dwolla;
