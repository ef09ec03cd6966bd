// Square: base64, over the registered URL and the body with nothing between them.
import { WebhooksHelper } from "square";
import { hmac, keys, npm, object } from "../frame.mjs";
import { accepted, refused, signed, singleHeaderCases } from "../single_header.mjs";

const url = "https://pay.example.com/v1/webhooks/square";
const urlOf = (request) => request.source?.with.url ?? url;

const square = {
    recipe: "square", made_with: [npm("square")], maker: "by hand",
    header: "x-square-hmacsha256-signature", prefix: "", text: "base64",
    secrets: { k1: "asdf1234-signature-key", k2: "second-signature-key-77", wrong: "another-signature-key" },
    others: [["square-environment", "Production"]],
    names: { id: "event_id", type: "type", object: "id", time: "created_at" }, around: "data",
    parts: { id: '"13b867cf-db3d-4b1c-90b6-2f32a9d78124"', type: '"payment.updated"', object: '"hYy9pRFVxpDsO1FB05SunFWUe9JZY"', time: '"2026-11-21T10:46:38.123Z"' },
    base: { id: "13b867cf-db3d-4b1c-90b6-2f32a9d78124", type: "payment.updated", object: "hYy9pRFVxpDsO1FB05SunFWUe9JZY", time: "2026-11-21T10:46:38.123Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const data = object([["type", '"payment"'], ["id", parts.object]]);
        return object([["merchant_id", '"6SSW7HV8K2ST5"'], ["type", parts.type], ["event_id", parts.id], ["created_at", parts.time], ["data", data]], parts.more);
    },
    sign: async (secret, body, at = url) => hmac(secret, at, body).toString("base64"),
    ask: (request, key) => WebhooksHelper.verifySignature({ requestBody: request.text, signatureHeader: request.header(square.header) ?? "",
        signatureKey: key.value, notificationUrl: urlOf(request) }),
    cases: () => cases(square),
};
square.source = { recipe: "square", keys: keys(["k1", square.secrets.k1]), with: { url } };

async function* urls(p) {
    const body = p.document();
    const registered = "https://hooks.example.com/square?shop=7";
    const source = { ...p.source, with: { url: registered } };
    const other = await p.sign(p.secrets.k1, body, registered);
    yield refused(p, "signed for another URL", "signature_mismatch", other);
    yield refused(p, "signed for the URL with a slash behind", "signature_mismatch", await p.sign(p.secrets.k1, body, `${url}/`));
    yield refused(p, "signed for the body alone", "signature_mismatch", await p.sign(p.secrets.k1, body, ""));
    yield { ...(await accepted(p, "a source that is registered at another URL", body)), source,
        headers: [["Content-Type", "application/json"], [p.header, other], ...p.others] };
    yield refused(p, "another URL in the configuration", "signature_mismatch", await signed(p, body), { source });
    yield accepted(p, "names of hosts that the registered URL does not have", body,
        { headers: [["X-Forwarded-Host", "internal.local"], ["X-Forwarded-Proto", "http"], ["Content-Type", "application/json"], [p.header, await signed(p, body)]] });
    yield { ...(await accepted(p, "the first letters of the body moved into the URL: authentic, but no JSON", body.slice(9), { events: [] })),
        headers: [[p.header, await signed(p, body)]], source: { ...p.source, with: { url: url + body.slice(0, 9) } } };
}

async function* others(p) {
    const body = p.document();
    const right = await signed(p, body);
    yield accepted(p, "the old SHA-1 header beside the right one", body,
        { headers: [["x-square-signature", "W3mGyHHzYQfZfJBIYXQ+vS9Ct+Y="], [p.header, right]] });
    yield refused(p, "the old SHA-1 header alone", "missing_header", "", { headers: [["x-square-signature", "W3mGyHHzYQfZfJBIYXQ+vS9Ct+Y="]] });
    yield accepted(p, "a retry with its headers, which nothing signs", body,
        { headers: [[p.header, right], ["square-retry-number", "2"], ["square-retry-reason", "http_timeout"]] });
}

async function* orders(p) {
    const about = (type, id, held) => p.document({ type: `"${type}"`, object: `"${id}","object":{${held}}` });
    const refund = about("refund.updated", "rf1", '"refund":{"id":"rf1","payment_id":"hYy9pRFVxpDsO1FB05SunFWUe9JZY"}');
    yield accepted(p, "a refund is ordered with its payment", refund, { events: [{ ...p.base, type: "refund.updated" }] });
    const dispute = about("dispute.created", "dp1", '"dispute":{"id":"dp1","disputed_payment":{"payment_id":"hYy9pRFVxpDsO1FB05SunFWUe9JZY"}}');
    yield accepted(p, "and so is a dispute", dispute, { events: [{ ...p.base, type: "dispute.created" }] });
}

async function* cases(p) {
    yield* urls(p);
    yield* others(p);
    yield* orders(p);
    yield* singleHeaderCases(p);
}

export default square;
