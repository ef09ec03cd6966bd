// Paddle Billing: pairs between semicolons, ts and any number of h1; lower hex over {ts}:{body}.
import { Paddle } from "@paddle/paddle-node-sdk";
import { hmac, keys, now, npm, object } from "../frame.mjs";
import { accepted, json, refused, signed, singleHeaderCases } from "../single_header.mjs";

// Without a client made first, the SDK has no crypto and refuses everything.
const { webhooks } = new Paddle("unused");

const paddle = {
    recipe: "paddle", made_with: [npm("@paddle/paddle-node-sdk")], maker: "by hand",
    header: "Paddle-Signature", prefix: `ts=${now};h1=`, text: "hex", brief: true,
    secrets: { k1: "pdl_ntfset_01h7zcgmdc6t_X4o", k2: "pdl_ntfset_01h7zcgmdc6t_Y5p", wrong: "pdl_ntfset_none" },
    others: [],
    names: { id: "event_id", type: "event_type", object: "id", time: "occurred_at" }, around: "data",
    parts: { id: '"evt_01hv8x29kz0t"', type: '"transaction.completed"', object: '"txn_01hv8wptq898"', time: '"2026-11-21T10:46:38.621322Z"' },
    base: { id: "evt_01hv8x29kz0t", type: "transaction.completed", object: "txn_01hv8wptq898", time: "2026-11-21T10:46:38.621322Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["event_id", parts.id], ["event_type", parts.type], ["occurred_at", parts.time],
            ["data", object([["id", parts.object], ["status", '"completed"']])]], parts.more);
    },
    sign: async (secret, body, at = now) => hmac(secret, `${at}:`, body).toString("hex"),
    ask: (request, key) => webhooks.isSignatureValid(request.text, key.value, request.header("Paddle-Signature") ?? ""),
    cases: () => cases(paddle),
};
paddle.source = { recipe: "paddle", keys: keys(["k1", paddle.secrets.k1]), tolerance: "5s" };

const strict = "the timestamp is plain digits, and its text is what was signed (section 4 rule 4)";
const bounded = "both sides of the time window are bounded (section 4 rule 4); the SDK looks at the age only";

async function* times(p) {
    const body = p.document();
    const at = async (name, ts, check, more = {}) => {
        const value = `ts=${ts};h1=${await p.sign(p.secrets.k1, body, ts)}`;
        const base = { why: strict, ...more };
        return check ? refused(p, name, check, value, base) : { ...(await accepted(p, name, body, base)), headers: [json, [p.header, value]] };
    };
    yield at("5 seconds old", now - 5);
    yield at("6 seconds old", now - 6, "too_old");
    yield at("5 seconds ahead", now + 5);
    yield at("6 seconds ahead", now + 6, "too_new", { why: bounded });
    const wide = { source: { ...p.source, tolerance: "300s" }, why: "the source sets its own window; the SDK's is fixed at 5 s" };
    yield at("300 seconds old, which the source allows", now - 300, undefined, wide);
    yield at("301 seconds old, where the source allows 300", now - 301, "too_old", wide);
    yield at("300 seconds ahead, which the source allows", now + 300, undefined, wide);
    yield at("301 seconds ahead, where the source allows 300", now + 301, "too_new", { ...wide, why: bounded });
    yield at("a zero in front of the timestamp", `0${now}`, "timestamp_grammar");
    for (const [name, ts] of [["a plus sign", `+${now}`], ["a minus sign", `-${now}`], ["a space in front of the timestamp", ` ${now}`], ["a space behind the timestamp", `${now} `],
        ["a decimal", `${now}.0`], ["milliseconds", `${now}000`], ["a huge timestamp", "9".repeat(30)], ["a letter behind the timestamp", `${now}s`], ["an exponent", "1.795258e9"],
        ["an empty timestamp", ""]]) yield at(name, ts, "timestamp_grammar");
}

const together = "any h1 counts (sections 1 and 3); the SDK for Node keeps the last one";

async function* pairs(p) {
    const body = p.document();
    const right = await p.sign(p.secrets.k1, body);
    const wrong = await p.sign(p.secrets.wrong, body);
    const ok = async (name, value, more) => ({ ...(await accepted(p, name, body, more)), headers: [json, [p.header, value]] });
    const no = (name, check, value, why) => refused(p, name, check, value, { why });
    yield ok("the right h1, then a wrong one", `ts=${now};h1=${right};h1=${wrong}`, { why: together });
    yield ok("a wrong h1, then the right one", `ts=${now};h1=${wrong};h1=${right}`);
    yield ok("a broken h1, then the right one", `ts=${now};h1=abc;h1=${right}`);
    yield ok("eight h1, the first one right", `ts=${now};h1=${right}${`;h1=${wrong}`.repeat(7)}`, { why: together });
    yield no("nine h1, the last one right", "too_many_signatures", `ts=${now}${`;h1=${wrong}`.repeat(8)};h1=${right}`,
        "at most eight signatures are compared: each costs every forged request a comparison");
    yield ok("h1 in front of ts", `h1=${right};ts=${now}`);
    yield ok("pairs that nobody knows", `v=2;ts=${now};h2=${"0".repeat(64)};h1=${right};x=`);
    yield ok("a semicolon at the end", `ts=${now};h1=${right};`);
    yield ok("a word without an equals sign", `x;ts=${now};h1=${right}`);
    yield no("ts twice, the same", "repeated_timestamp", `ts=${now};ts=${now};h1=${right}`, "exactly one value for each pair that takes part (section 4 rule 3)");
    yield no("ts twice, the last one right", "repeated_timestamp", `ts=1;ts=${now};h1=${right}`, "exactly one value for each pair that takes part (section 4 rule 3)");
    yield no("no ts", "missing_timestamp", `h1=${right}`);
    yield no("no h1", "no_signature", `ts=${now}`);
    yield no("h2 only", "no_signature", `ts=${now};h2=${right}`);
    yield no("names in upper case", "missing_timestamp", `TS=${now};H1=${right}`);
    yield no("commas for semicolons", "timestamp_grammar", `ts=${now},h1=${right}`);
    yield no("a space behind the semicolon", "no_signature", `ts=${now}; h1=${right}`);
    yield no("no pairs at all", "header_grammar", right);
    yield no("something behind the signature", "signature_encoding", `ts=${now};h1=${right}=x`, "one signature has one spelling (section 4 rule 1)");
}

async function* texts(p) {
    const body = p.document();
    const joined = (text) => `ts=${now};h1=${hmac(p.secrets.k1, text).toString("hex")}`;
    yield refused(p, "a full stop for the colon in what is signed", "signature_mismatch", joined(`${now}.${body}`));
    yield refused(p, "the body alone signed", "signature_mismatch", joined(body));
    yield refused(p, "another ts than was signed", "signature_mismatch", (await signed(p, body)).replace(String(now), String(now - 1)));
}

async function* cases(p) {
    yield* times(p);
    yield* pairs(p);
    yield* texts(p);
    yield* singleHeaderCases(p);
}

export default paddle;
