// Xendit: no signature at all, a token that must be equal. There is nothing to verify in an SDK.
import { createHmac } from "node:crypto";
import { instant, keys, now, object } from "../frame.mjs";
import { bodies } from "../json_cases.mjs";

const tokens = { k1: "Xnd7GvQ2m0RrLk5tYb8ZpCw1HfJd4SaE", k2: "b3T9xWq6NcVz2KjH8MdPyRf5LgA7sU0e" };
const json = ["Content-Type", "application/json"];

const xendit = {
    recipe: "xendit", made_with: [], maker: "by hand",
    names: { type: "event", object: "id", time: "updated" }, around: "data", undated: true,
    parts: { type: '"ewallet.capture"', object: '"ewc_532as23lew2321"', time: '"2026-11-21T10:46:38.5364Z"' },
    base: { id: "63a2f1b0c0de", type: "ewallet.capture", object: "ewc_532as23lew2321", time: "2026-11-21T10:46:38.5364Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const data = object([["id", parts.object], ["status", '"SUCCEEDED"'], ["updated", parts.time]]);
        return object([["event", parts.type], ["business_id", '"5abe2389ewpejrt238"'], ["created", '"2026-11-21T10:46:38.123456789Z"'], ["data", data]], parts.more);
    },
    cases: () => cases(xendit),
};
xendit.source = { recipe: "xendit", keys: keys(["k1", tokens.k1]) };

const headers = (token, id = xendit.base.id) => [json, ...(token === undefined ? [] : [["x-callback-token", token]]), ...(id === undefined ? [] : [["webhook-id", id]])];
const ok = (name, more) => ({ name, body: xendit.document(), headers: headers(tokens.k1), events: [xendit.base], ...more });
const no = (name, check, token, more) => ({ name, body: xendit.document(), headers: headers(token), check, ...more });

function* tokenCases() {
    const token = tokens.k1;
    const mismatch = (name, value) => no(name, "signature_mismatch", value);
    yield mismatch("another token of the same length", tokens.k2);
    yield mismatch("the last letter another one", `${token.slice(0, -1)}x`);
    yield mismatch("the first letter another one", `x${token.slice(1)}`);
    yield mismatch("the last letter missing", token.slice(0, -1));
    yield mismatch("the first letter missing", token.slice(1));
    yield mismatch("the first letter alone", token[0]);
    yield mismatch("a letter more", `${token}x`);
    yield mismatch("the token twice in one value", token + token);
    yield mismatch("two tokens with a comma between them", `${token}, ${token}`);
    yield mismatch("the token in upper case", token.toUpperCase());
    yield mismatch("the token in quotes", `"${token}"`);
    yield mismatch("the token behind Bearer", `Bearer ${token}`);
    yield mismatch("the token in base64", Buffer.from(token).toString("base64"));
    yield mismatch("an HMAC with the token as its key", createHmac("sha256", token).update(xendit.document()).digest("hex"));
    yield no("an empty token", "no_signature", "");
    yield no("no token", "missing_header", undefined);
    yield no("a token of 9000 bytes", "header_too_long", "x".repeat(9000));
    yield no("the token twice, the same", "repeated_header", "", { headers: [...headers(token), ["x-callback-token", token]] });
    yield no("the token twice, the first one right", "repeated_header", "", { headers: [...headers(token), ["x-callback-token", "x"]] });
    yield no("the token in the query only", "missing_header", undefined, { target: `/v1/webhooks/xendit?x-callback-token=${token}` });
    yield ok("header names in upper case", { headers: headers(token).map(([name, value]) => [name.toUpperCase(), value]) });
}

function* keyCases() {
    const source = (...list) => ({ source: { ...xendit.source, keys: keys(...list) } });
    const both = source(["k1", tokens.k1], ["k2", tokens.k2]);
    yield ok("two tokens, the first one sent", both);
    yield ok("two tokens, the second one sent", { ...both, headers: headers(tokens.k2), key: "k2" });
    yield ok("a token in its last second", source(["k1", tokens.k1, { not_after: instant(now) }]));
    yield no("a token a second after its time", "no_live_key", tokens.k1, source(["k1", tokens.k1, { not_after: instant(now - 1) }]));
    yield no("a token a second before its time", "no_live_key", tokens.k1, source(["k1", tokens.k1, { not_before: instant(now + 1) }]));
    const turned = source(["k1", tokens.k1, { not_after: instant(now - 1) }], ["k2", tokens.k2]);
    yield no("after a rotation, the retired token", "signature_mismatch", tokens.k1, turned);
}

function* unsigned() {
    const token = tokens.k1;
    yield ok("the event's id changed, which nothing signs", { headers: headers(token, "another"), events: [{ ...xendit.base, id: "another" }] });
    yield ok("another body, which nothing signs", { body: xendit.document({ object: '"ewc_forged"' }), events: [{ ...xendit.base, object: "ewc_forged" }] });
    yield ok("no event id: nothing to know it by", { headers: [json, ["x-callback-token", token]], events: [] });
    yield no("the event's id twice", "repeated_header", "", { headers: [...headers(token), ["webhook-id", "b"]] });
    yield ok("an older callback, which names no event", { body: '{"id":"579c8d61f23fa4ca35e52da4","status":"PAID"}', events: [] });
}

const payment = '"payment_request_id":"pr-1102feb0","payment_id":"py-1402feb0"';
const about = (type, data, object) => ({ body: `{"event":"${type}","data":{${data},"updated":${xendit.parts.time}}}`, events: [{ ...xendit.base, type, object }] });

function* orders() {
    yield ok("a payment of v3 is ordered by its request", about("payment.capture", payment, "pr-1102feb0"));
    yield ok("and its refund with it", about("refund.succeeded", `"id":"rfd-1",${payment}`, "pr-1102feb0"));
    yield ok("another payment", about("payment.capture", '"payment_request_id":"pr-2","payment_id":"py-2"', "pr-2"));
    yield ok("a refund of an older product is ordered with its payment", about("refund.succeeded", '"id":"rfd-2","payment_id":"ewc_532as23lew2321"', "ewc_532as23lew2321"));
}

function* cases() {
    yield* tokenCases();
    yield* keyCases();
    yield* unsigned();
    yield* orders();
    for (const made of bodies(xendit)) yield ok(made.name, made);
}

export default xendit;
