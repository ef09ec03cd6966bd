// Checkout.com: hex of any case over the body. Its SDK has no check, so all is by hand.
import { keys, object } from "../frame.mjs";
import { accepted, hexOf, json, signed, singleHeaderCases } from "../single_header.mjs";

const checkout = {
    recipe: "checkout", made_with: [], maker: "by hand",
    header: "Cko-Signature", prefix: "", text: "hex-any-case",
    secrets: { k1: "workflow-signature-key-1", k2: "workflow-signature-key-2", wrong: "workflow-signature-key-3" },
    others: [],
    names: { id: "id", type: "type", object: "id", time: "created_on" }, around: "data",
    parts: { id: '"evt_az5sblvku4ge3dwpztvyizgcau"', type: '"payment_approved"', object: '"pay_mbabizu24mvu3mela5njyhpit4"', time: '"2026-11-21T10:46:38Z"' },
    base: { id: "evt_az5sblvku4ge3dwpztvyizgcau", type: "payment_approved", object: "pay_mbabizu24mvu3mela5njyhpit4", time: "2026-11-21T10:46:38Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const data = object([["id", parts.object], ["action_id", '"act_bi2znnmxhkge"'], ["amount", "6500"], ["currency", '"GBP"']]);
        return object([["id", parts.id], ["type", parts.type], ["created_on", parts.time], ["data", data]], parts.more);
    },
    sign: async (secret, body) => hexOf(secret, body),
    cases: () => cases(checkout),
};
checkout.source = { recipe: "checkout", keys: keys(["k1", checkout.secrets.k1]) };
checkout.bodies = [{ name: "an authentication that failed, with a member without its value: authentic, but no JSON",
    body: '{"id":"evt_1","type":"authentication_failed","data":{"id":"sid_1","reason":}}', events: [] }];

async function* others(p) {
    const body = p.document();
    const right = await signed(p, body);
    yield accepted(p, "an Authorization beside, which the source does not ask for", body, { headers: [json, ["Authorization", "my-key"], [p.header, right]] });
    const dispute = p.document({ type: '"dispute_received"', object: '"dsp_1","payment_id":"pay_mbabizu24mvu3mela5njyhpit4"' });
    yield accepted(p, "a dispute is ordered with its payment", dispute, { events: [{ ...p.base, type: "dispute_received" }] });
    const no_object = '{"id":"evt_2","type":"payment_approved","data":{"action_id":"act_1"},"created_on":"2026-11-21T10:46:38Z"}';
    yield accepted(p, "an event with an action and no payment", no_object, { events: [{ ...p.base, id: "evt_2", object: "" }] });
}

async function* cases(p) {
    yield* others(p);
    yield* singleHeaderCases(p);
}

export default checkout;
