// Standard Webhooks and Svix: {id}.{timestamp}.{body}, signatures in a list of `label,base64` with spaces between.
import { hmac, instant, keys, now, object } from "./frame.mjs";
import { bodies, whyOfBody } from "./json_cases.mjs";
import { looseBase64 } from "./single_header.mjs";

export const id = "msg_2KWPBg";
const bytes = (first) => Buffer.from(Array.from({ length: 32 }, (_, place) => (first + 7 * place) % 256));
const secret = (first) => `whsec_${bytes(first).toString("base64")}`;
export const keyOf = (text) => Buffer.from(text.replace("whsec_", ""), "base64");

export const shared = {
    brief: true,
    // A type is the sender's choice: without one it is a message.
    untyped: "message", empty: { type: "message", object: "", time: "" },
    secrets: { k1: secret(1), k2: secret(90), wrong: secret(200) },
    names: { type: "type", object: "id", time: "timestamp" }, around: "data", undated: true,
    parts: { type: '"invoice.paid"', object: '"inv_0017"', time: '"2026-11-21T10:46:38.52Z"' },
    base: { id, type: "invoice.paid", object: "inv_0017", time: "2026-11-21T10:46:38.52Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["type", parts.type], ["timestamp", parts.time], ["data", object([["id", parts.object], ["n", "1"]])]], parts.more);
    },
    // By hand what the SDK cannot be made to sign: timestamps that are no numbers, bytes that are no text.
    byHand: (key, body, { msgId = id, at = String(now) } = {}) => hmac(keyOf(key), `${msgId}.${at}.`, body).toString("base64"),
};

export function request(p, signature, { msgId = id, at = String(now), begins = p.begins } = {}) {
    const fields = [["id", msgId], ["timestamp", at], ["signature", signature]].filter(([, value]) => value !== undefined);
    return [["Content-Type", "application/json"], ...fields.map(([name, value]) => [begins + name, value])];
}

export const good = (p, name, more = {}) => {
    const body = more.body ?? p.document();
    return { name, body, headers: request(p, `v1,${p.sign(p.secrets.k1, body)}`), events: [p.base], ...more };
};
export const bad = (p, name, check, more) => ({ ...good(p, name, more), check });

function* bodyCases(p) {
    for (const { name, body, events } of bodies(p)) yield good(p, name, { body, events, why: whyOfBody });
}

function* keyCases(p) {
    const { k1, k2 } = p.secrets;
    const body = p.document();
    const why = "a key is used inside its validity only (section 4 rule 5); an SDK knows no validity";
    const source = (...list) => ({ ...p.source, keys: keys(...list) });
    const both = source(["k1", k1], ["k2", k2]);
    const fresh = { headers: request(p, `v1,${p.sign(k2, body)}`) };
    yield good(p, "two keys, signed with the first", { source: both });
    yield good(p, "two keys, signed with the second", { source: both, key: "k2", ...fresh });
    yield good(p, "a key in its last second", { source: source(["k1", k1, { not_after: instant(now) }]) });
    yield bad(p, "a key a second after its time", "no_live_key", { source: source(["k1", k1, { not_after: instant(now - 1) }]), why });
    yield bad(p, "a key a second before its time", "no_live_key", { source: source(["k1", k1, { not_before: instant(now + 1) }]), why });
    const turned = source(["k1", k1, { not_after: instant(now - 1) }], ["k2", k2]);
    yield bad(p, "after a rotation, signed with the retired key", "signature_mismatch", { source: turned, why });
    yield good(p, "after a rotation, signed with the new key", { source: turned, key: "k2", ...fresh });
    yield good(p, "while the sender rotates: both signatures, the retired key's first",
        { source: turned, key: "k2", headers: request(p, `v1,${p.sign(k1, body)} v1,${p.sign(k2, body)}`) });
    yield good(p, "a secret without whsec_", { source: source(["k1", k1.slice(6)]) });
}

function* forgeries(p) {
    const body = p.document();
    const right = p.sign(p.secrets.k1, body);
    const digest = Buffer.from(right, "base64");
    digest[31] ^= 1;
    const mismatch = (name, more) => bad(p, name, "signature_mismatch", more);
    const given = (base64, more) => ({ headers: request(p, `v1,${base64}`), ...more });
    yield mismatch("one letter of the body changed", { body: body.replace("e", "f"), ...given(right) });
    yield mismatch("a line end added to the body", { body: `${body}\n`, ...given(right) });
    yield mismatch("the last bit of the signature changed", given(digest.toString("base64"), { maker: "by hand" }));
    yield mismatch("signed with another secret", given(p.sign(p.secrets.wrong, body)));
    yield mismatch("the secret's text used as the key", given(hmac(p.secrets.k1, `${id}.${now}.`, body).toString("base64"), { maker: "by hand" }));
    yield mismatch("the body alone signed", given(hmac(keyOf(p.secrets.k1), body).toString("base64"), { maker: "by hand" }));
    yield mismatch("another id than was signed", { headers: request(p, `v1,${right}`, { msgId: "msg_other" }) });
    yield mismatch("another timestamp than was signed", { headers: request(p, `v1,${right}`, { at: String(now - 1) }) });
    yield mismatch("the timestamp moved into the id", given(p.byHand(p.secrets.k1, body, { msgId: "msg", at: String(now) }), { maker: "by hand" }));
}

const strict = "the timestamp is plain digits, and its text is what was signed (section 4 rule 4)";

function* timeCases(p) {
    const body = p.document();
    const dated = (name, at, check) => {
        const headers = request(p, `v1,${p.byHand(p.secrets.k1, body, { at })}`, { at });
        return { ...good(p, name, { headers, maker: "by hand", why: strict }), ...(check ? { check } : {}) };
    };
    yield dated("300 seconds old", String(now - 300));
    yield dated("301 seconds old", String(now - 301), "too_old");
    yield dated("300 seconds ahead", String(now + 300));
    yield dated("301 seconds ahead", String(now + 301), "too_new");
    yield dated("the timestamp 0", "0", "too_old");
    yield dated("zeros in front of the timestamp", `0${now}`, "timestamp_grammar");
    for (const [name, at] of [["a plus sign", `+${now}`], ["a decimal", `${now}.0`], ["an exponent", "1.795258e9"], ["milliseconds", `${now}000`],
        ["a huge timestamp", "9".repeat(30)], ["a letter behind the timestamp", `${now}s`], ["a space inside the timestamp", "17952 58000"],
        ["a hexadecimal timestamp", `0x${now.toString(16)}`]]) yield dated(name, at, "timestamp_grammar");
    if (p.brief) return;
    const wide = { ...p.source, tolerance: "600s" };
    yield { ...dated("600 seconds old, which the source allows", String(now - 600)), source: wide, why: "the source sets its own window" };
    yield { ...dated("601 seconds old, where the source allows 600", String(now - 601), "too_old"), source: wide };
}

const spelling = "one signature has one spelling, of a fixed length and alphabet (section 4 rule 1)";

function* lists(p) {
    const body = p.document();
    const right = p.sign(p.secrets.k1, body);
    const wrong = p.sign(p.secrets.wrong, body);
    const list = (text, more) => ({ headers: request(p, text), ...more });
    yield good(p, "a wrong signature, then the right one", list(`v1,${wrong} v1,${right}`));
    yield good(p, "eight signatures, the last one right", list(`${`v1,${wrong} `.repeat(7)}v1,${right}`));
    yield bad(p, "nine signatures, the last one right", "too_many_signatures",
        list(`${`v1,${wrong} `.repeat(8)}v1,${right}`, { why: "at most eight signatures are compared: each costs every forged request a comparison" }));
    yield good(p, "a label nobody knows, then the right signature", list(`v2,AAAA v1,${right}`));
    yield good(p, "something without a comma, then the right signature", list(`v1 v1,${right}`));
    yield good(p, "a broken signature, then the right one", list(`v1,AAAA v1,${right}`));
    yield good(p, "two spaces between two signatures", list(`v1,${wrong}  v1,${right}`));
    yield bad(p, "the right signature under a label nobody knows", "no_signature", list(`v2,${right}`));
    yield bad(p, "the right signature under V1", "no_signature", list(`V1,${right}`));
    yield bad(p, "the right signature under v1a", p.underV1a, list(`v1a,${right}`));
    yield bad(p, "the signature without its label", "header_grammar", list(right));
    yield bad(p, "a label and an equals sign", "header_grammar", list(`v1=${right}`));
    yield bad(p, "signatures with a comma between them", "signature_encoding", list(`v1,${right},v1,${right}`, { why: spelling }));
    yield bad(p, "something behind the signature", "signature_encoding", list(`v1,${right},x`, { why: spelling }));
    yield bad(p, "the label v1 with nothing behind it", "signature_encoding", list("v1,"));
}

function withSpecialLetter(p) {
    for (let number = 1; ; ++number) {
        const body = p.document({ more: `"note":${number}` });
        const base64 = p.sign(p.secrets.k1, body);
        if (/[+/]/.test(base64)) return { body, base64 };
    }
}

function* encodings(p) {
    const { body, base64 } = withSpecialLetter(p);
    for (const [name, value] of looseBase64(base64)) {
        yield bad(p, name, "signature_encoding", { body, headers: request(p, `v1,${value}`), why: spelling });
    }
}

function* ids(p) {
    const body = p.document();
    const named = (name, msgId) => good(p, name, { headers: request(p, `v1,${p.byHand(p.secrets.k1, body, { msgId })}`, { msgId }), maker: "by hand", events: [{ ...p.base, id: msgId }] });
    const why = "the joined text has no lengths: an id with a full stop has two readings (section 3)";
    for (const [name, msgId] of [["an id with a full stop", "msg.1"], ["an id with a timestamp of its own", `msg.${now}`]])
        yield { ...named(name, msgId), check: "header_grammar", why };
    yield { ...named("an empty id", ""), check: "missing_header" };
    yield named("an id with all marks but the full stop", "msg_2-b:c/d,e;f=g");
    yield named("an id of 255 bytes", "i".repeat(255));
    yield { ...named("an id of 256 bytes: authentic, but too long to keep", "i".repeat(256)), events: [] };
}

function* bodiesOfSenders(p) {
    const body = p.document({ time: "1795257998" });
    yield good(p, "a time as a number", { body, headers: request(p, `v1,${p.sign(p.secrets.k1, body)}`), events: [{ ...p.base, time: "2026-11-21T10:46:38Z" }] });
}

function* headers(p) {
    const right = `v1,${p.sign(p.secrets.k1, p.document())}`;
    const full = request(p, right);
    const once = "exactly one value for each header that takes part (section 4 rule 3)";
    for (const name of ["id", "timestamp", "signature"]) {
        const is = ([other]) => other === p.begins + name;
        yield bad(p, `no ${name} header`, "missing_header", { headers: full.filter((field) => !is(field)) });
        yield bad(p, `the ${name} header twice, the second one another`, "repeated_header", { headers: [...full, [p.begins + name, name === "timestamp" ? "1" : "x"]], why: once });
    }
    yield bad(p, "an empty signature header", "header_grammar", { headers: request(p, "") });
    yield bad(p, "an empty timestamp header", "missing_header", { headers: request(p, right, { at: "" }) });
    yield good(p, "header names in upper case", { headers: full.map(([name, value]) => [name.toUpperCase(), value]) });
    yield good(p, "other headers beside, which nothing signs", { headers: [...full, ["webhook-retry", "3"], ["User-Agent", "x"]] });
}

export function* standardCases(p) {
    yield* bodyCases(p);
    yield* bodiesOfSenders(p);
    yield* keyCases(p);
    yield* forgeries(p);
    yield* timeCases(p);
    yield* lists(p);
    yield* encodings(p);
    yield* ids(p);
    yield* headers(p);
}
