// Razorpay: lower hex over the body; the event's id stands in a header that nothing signs.
import { createHash } from "node:crypto";
import Razorpay from "razorpay";
import { keys, npm, object } from "../frame.mjs";
import { accepted, hexOf, json, signed, singleHeaderCases } from "../single_header.mjs";

const about = (id) => ["x-razorpay-event-id", id];

const razorpay = {
    recipe: "razorpay", made_with: [npm("razorpay")], maker: "by hand", unixTime: true,
    header: "X-Razorpay-Signature", prefix: "", text: "hex",
    secrets: { k1: "merchant's own secret", k2: "the next one", wrong: "a guess" },
    others: [about("Qx7m1dTq0PZ9aK")],
    names: { type: "event", object: "id", time: "created_at" }, around: "payload",
    parts: { type: '"payment.captured"', object: '"pay_DESlfW9H8K9uqM"', time: "1795257998" },
    base: { id: "", type: "payment.captured", object: "pay_DESlfW9H8K9uqM", time: "2026-11-21T10:46:38Z" },
    // Nobody signs the id: the same bytes are the same event.
    idOf: (body) => createHash("sha256").update(body).digest("hex"),
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const entity = object([["id", parts.object], ["entity", '"payment"'], ["amount", "5000"], ["currency", '"INR"']]);
        return object([["entity", '"event"'], ["event", parts.type], ["contains", '["payment"]'],
            ["payload", `{"payment":{"entity":${entity}}}`], ["created_at", parts.time]], parts.more);
    },
    sign: async (secret, body) => hexOf(secret, body),
    ask: (request, key) => Razorpay.validateWebhookSignature(request.text, request.header("X-Razorpay-Signature"), key.value),
    cases: () => cases(razorpay),
};
razorpay.source = { recipe: "razorpay", keys: keys(["k1", razorpay.secrets.k1]) };

const entity = (kind, id) => `"${kind}":{"entity":{"id":"${id}"}}`;
const about_ = (event, payload) => `{"event":"${event}","payload":{${payload}},"created_at":1795257998}`;
razorpay.bodies = [["order.paid", "order", "order_DESlLckIVRkHWj"], ["refund.processed", "refund", "rfnd_FS8SHDwSFi4wnJ"],
    ["payout.processed", "payout", "pout_00000000000001"], ["settlement.processed", "settlement", "setl_DHJY91YsKAS7ek"]].map(([event, kind, id]) =>
    ({ name: `an event of a ${kind}`, body: about_(event, entity(kind, id)), events: [{ ...razorpay.base, type: event, object: id }] }));

async function* unsigned(p) {
    const body = p.document();
    const right = await signed(p, body);
    const with_ = (...others) => ({ headers: [json, [p.header, right], ...others] });
    yield accepted(p, "the event's id changed, which nobody reads", body, with_(about("another")));
    yield accepted(p, "no event id, which nobody reads", body, with_());
    yield accepted(p, "the event's id twice, which nobody reads", body, with_(about("a"), about("b")));
    const both = about_("refund.processed", `${entity("payment", "pay_1")},${entity("refund", "rfnd_1")}`);
    yield { ...(await accepted(p, "a refund that the source orders with its payment", both, { events: [{ ...p.base, type: "refund.processed", object: "pay_1" }] })),
        source: { ...p.source, order_by: ["/payload/payment/entity/id", "/payload/refund/entity/id"] } };
    yield accepted(p, "created in the first second of 1970", p.document({ time: "0" }), { events: [{ ...p.base, time: "1970-01-01T00:00:00Z" }] });
    yield accepted(p, "created before 1970", p.document({ time: "-1" }), { events: [] });
    yield accepted(p, "created at a fraction of a second", p.document({ time: "1795257998.5" }), { events: [] });
}

async function* cases(p) {
    yield* unsigned(p);
    yield* singleHeaderCases(p);
}

export default razorpay;
