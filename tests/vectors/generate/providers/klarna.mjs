// Klarna: hex over the body, with the key that a header names. There is no SDK, so all is by hand.
import { instant, keys, now, object } from "../frame.mjs";
import { accepted, hexOf, json, refused, signed, singleHeaderCases } from "../single_header.mjs";

const named = (uuid) => `krn:partner:global:notification:signing-key:${uuid}`;
const first = named("49bcd37b-79a7-4e6e-b067-2903b45fef42");
const second = named("120e5b7e-dee8-43ca-9858-dca726e639b5");
const about = (id) => ["Klarna-Signing-Key-Id", id];

const klarna = {
    recipe: "klarna", made_with: [], maker: "by hand", rotates: false, key: first, brief: true,
    header: "Klarna-Signature", prefix: "", text: "hex-any-case",
    secrets: { k1: "klarna-signing-key-1", k2: "klarna-signing-key-2", wrong: "klarna-signing-key-3" },
    others: [about(first)],
    names: { id: "event_id", type: "event_type", object: "payment_request_id", time: "occurred_at" }, around: "payload",
    parts: { id: '"d9f9b1a0-51a3-44b5-ba58-4be0ee5a0eb9"', type: '"payment.request.state-change.submitted"', object: '"krn:payment:eu1:request:552603c0"', time: '"2026-11-21T10:46:38.119Z"' },
    base: { id: "d9f9b1a0-51a3-44b5-ba58-4be0ee5a0eb9", type: "payment.request.state-change.submitted", object: "krn:payment:eu1:request:552603c0", time: "2026-11-21T10:46:38.119Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const metadata = object([["event_type", parts.type], ["event_id", parts.id], ["event_version", '"v2"'], ["occurred_at", parts.time]]);
        return object([["metadata", metadata], ["payload", object([["payment_request_id", parts.object], ["state", '"SUBMITTED"']])]], parts.more);
    },
    sign: async (secret, body) => hexOf(secret, body),
    cases: () => cases(klarna),
};
const { k1, k2, wrong } = klarna.secrets;
klarna.source = { recipe: "klarna", keys: keys([first, k1], [second, k2]), order_by: ["/payload/payment_request_id"] };

async function* keyIds(p) {
    const body = p.document();
    const by = async (id, secret) => ({ headers: [json, [p.header, await signed(p, body, secret)], ...(id === undefined ? [] : [about(id)])] });
    const no = async (name, check, id, secret, more) => refused(p, name, check, "", { ...(await by(id, secret)), ...more });
    yield accepted(p, "the second key, by its id", body, { ...(await by(second, k2)), key: second });
    yield no("the second key under the first one's id", "signature_mismatch", first, k2);
    yield no("the first key under the second one's id", "signature_mismatch", second, k1);
    yield no("a key id nobody knows, signed with the first key", "unknown_key", named("00000000-0000-0000-0000-000000000000"), k1);
    yield no("a key id nobody knows, signed with another secret", "unknown_key", named("00000000-0000-0000-0000-000000000000"), wrong);
    yield no("the key's id in upper case", "unknown_key", first.toUpperCase(), k1);
    yield no("the key's id cut short", "unknown_key", first.slice(0, -1), k1);
    yield no("the key's id with a letter more", "unknown_key", `${first}0`, k1);
    yield no("an empty key id", "missing_header", "", k1);
    yield no("no key id", "missing_header", undefined, k1);
    yield no("two key ids in one header", "unknown_key", `${first}, ${second}`, k1);
    const twice = async (...ids) => ({ headers: [json, [p.header, await signed(p, body)], ...ids.map(about)] });
    yield refused(p, "the key id twice, the same", "repeated_header", "", await twice(first, first));
    yield refused(p, "the key id twice, both known", "repeated_header", "", await twice(first, second));
}

// An account may have fifty.
async function* manyKeys(p) {
    const more = Array.from({ length: 48 }, (_, number) => [named(`00000000-0000-0000-0000-${String(number).padStart(12, "0")}`), `klarna-more-${number}`]);
    yield accepted(p, "the first of fifty keys", p.document(), { source: { ...p.source, keys: keys([first, k1], [second, k2], ...more) } });
}

async function* validity(p) {
    const body = p.document();
    const held = (one, two) => ({ source: { ...p.source, keys: keys([first, k1, one], [second, k2, two]) } });
    const right = await signed(p, body);
    yield accepted(p, "the named key in its last second", body, held({ not_after: instant(now) }));
    yield refused(p, "the named key a second after its time, the other one live", "no_live_key", right, held({ not_after: instant(now - 1) }));
    yield refused(p, "the named key a second before its time, the other one live", "no_live_key", right, held({ not_before: instant(now + 1) }));
    yield accepted(p, "the named key in its first second", body, held({ not_before: instant(now) }));
    yield accepted(p, "the other key a second after its time", body, held({}, { not_after: instant(now - 1) }));
}

async function* cases(p) {
    yield* keyIds(p);
    yield* validity(p);
    yield* manyKeys(p);
    yield* singleHeaderCases(p);
}

export default klarna;
