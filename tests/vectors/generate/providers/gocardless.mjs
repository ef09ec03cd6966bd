// GoCardless: hex of any case over the body; one delivery carries a list of events.
import { InvalidSignatureError, verifySignature } from "gocardless-nodejs/webhooks";
import { keys, npm, object } from "../frame.mjs";
import { accepted, hexOf, singleHeaderCases } from "../single_header.mjs";

const gocardless = {
    recipe: "gocardless", made_with: [npm("gocardless-nodejs")], maker: "by hand", refusals: [InvalidSignatureError],
    header: "Webhook-Signature", prefix: "", text: "hex-any-case",
    secrets: { k1: "endpoint-secret-1", k2: "endpoint-secret-2", wrong: "endpoint-secret-3" },
    others: [["Origin", "https://api.gocardless.com"]],
    names: { id: "id", type: "action", object: "payment", time: "created_at" }, around: "events",
    parts: { id: '"EV00BD05S5VM2T"', resource: '"payments"', type: '"confirmed"', object: '"PM00008Q30R2BR"', time: '"2026-11-21T10:46:38.045Z"' },
    base: { id: "EV00BD05S5VM2T", type: "payments.confirmed", object: "PM00008Q30R2BR", time: "2026-11-21T10:46:38.045Z" },
    event(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["id", parts.id], ["created_at", parts.time], ["resource_type", parts.resource], ["action", parts.type],
            ["links", object([["payment", parts.object]])]]);
    },
    document(changes = {}) {
        return object([["events", `[${this.event(changes)}]`], ["meta", '{"webhook_id":"WB00001"}']], changes.more);
    },
    sign: async (secret, body) => hexOf(secret, body),
    ask(request, key) {
        verifySignature(request.text, key.value, request.header("Webhook-Signature"));
        return true;
    },
    cases: () => cases(gocardless),
};
gocardless.source = { recipe: "gocardless", keys: keys(["k1", gocardless.secrets.k1]) };

const batch = (events) => `{"events":[${events.join(",")}],"meta":{"webhook_id":"WB00002"}}`;
const written = ({ id, resource, action, links, time = "2026-11-21T10:46:30Z" }) =>
    JSON.stringify({ id, created_at: time, resource_type: resource, action, links });
const expected = ({ id, resource, action, object: about, time = "2026-11-21T10:46:30Z" }) => ({ id, type: `${resource}.${action}`, object: about, time });

const kinds = [
    { id: "EV1", resource: "payments", action: "paid_out", links: { parent_event: "EV0", payment: "PM1", payout: "PO1" }, object: "PM1" },
    { id: "EV2", resource: "payouts", action: "paid", links: { payout: "PO1" }, object: "PO1" },
    { id: "EV3", resource: "mandates", action: "active", links: { mandate: "MD1" }, object: "MD1" },
    { id: "EV4", resource: "billing_requests", action: "fulfilled", links: { billing_request: "BRQ1", customer: "CU1" }, object: "BRQ1" },
    { id: "EV5", resource: "instalment_schedules", action: "created", links: { instalment_schedule: "IS1" }, object: "IS1" },
    { id: "EV6", resource: "refunds", action: "created", links: { refund: "RF1", payment: "PM1" }, object: "RF1" },
];

async function* batches(p) {
    const of = (name, events, list) => accepted(p, name, batch(events), { events: list });
    yield of("six events of six kinds", kinds.map(written), kinds.map(expected));
    yield of("an empty list", [], []);
    const many = Array.from({ length: 25 }, (_, place) => ({ ...kinds[1], id: `EV${place}` }));
    yield of("25 events", many.map(written), many.map(expected));
    yield of("one event twice in a list", [written(kinds[0]), written(kinds[0])], [expected(kinds[0]), expected(kinds[0])]);
    const unknown = { id: "EV7", resource: "exports", action: "started", links: { export: "EX1" }, object: "EX1" };
    yield of("a kind of event that nobody knows", [written(unknown)], [expected(unknown)]);
    const without = { ...kinds[2], links: { creditor: "CR1" }, object: "" };
    yield of("an event that links to something else only", [written(without)], [expected(without)]);
    yield accepted(p, "no resource type", p.document({ resource: undefined }), { events: [] });
    yield accepted(p, "the list is null", '{"events":null}', { events: [] });
    yield accepted(p, "the list is an object", '{"events":{"id":"EV1"}}', { events: [] });
    yield accepted(p, "events that are numbers", '{"events":[1,2]}', { events: [] });
}

async function* cases(p) {
    yield* batches(p);
    yield* singleHeaderCases(p);
}

export default gocardless;
