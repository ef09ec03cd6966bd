// Cases for providers whose one header holds one HMAC-SHA256 of the body (with text of the configuration in front, for some).
import { createHash, createHmac } from "node:crypto";
import { hmac, instant, keys, now } from "./frame.mjs";
import { bodies, whyOfBody } from "./json_cases.mjs";

export const json = ["Content-Type", "application/json"];

// The request's headers with `value` in the signature header; undefined leaves it out.
export function withSignature(p, value) {
    return [json, ...(value === undefined ? [] : [[p.header, value]]), ...p.others];
}

export const signed = async (p, body, secret = p.secrets.k1) => p.prefix + (await p.sign(secret, body));

export async function accepted(p, name, body, more = {}) {
    return { name, body, headers: withSignature(p, await signed(p, body)), events: [p.base], ...more };
}

export const refused = (p, name, check, value, more = {}) =>
    ({ name, body: p.document(), headers: withSignature(p, value), check, ...more });

async function* bodyCases(p) {
    for (const { name, body, events } of bodies(p)) yield accepted(p, name, body, { events, why: whyOfBody });
}

const retired = "a key is used inside its validity only (section 4 rule 5); an SDK knows no validity";

export async function* keyCases(p) {
    const { k1, k2 } = p.secrets;
    const body = p.document();
    const old = await signed(p, body, k1);
    const fresh = await signed(p, body, k2);
    const source = (...list) => ({ ...p.source, keys: keys(...list) });
    const base = { body, events: [p.base], why: retired };
    const both = source(["k1", k1], ["k2", k2]);
    const one = (validity) => source(["k1", k1, validity]);
    yield { ...base, name: "two keys, signed with the first", headers: withSignature(p, old), source: both };
    yield { ...base, name: "two keys, signed with the second", headers: withSignature(p, fresh), source: both, key: "k2" };
    yield { ...base, name: "a key in its first second", headers: withSignature(p, old), source: one({ not_before: instant(now) }) };
    yield { ...base, name: "a key a second before its time", headers: withSignature(p, old), source: one({ not_before: instant(now + 1) }), check: "no_live_key" };
    yield { ...base, name: "a key in its last second", headers: withSignature(p, old), source: one({ not_after: instant(now) }) };
    yield { ...base, name: "a key a second after its time", headers: withSignature(p, old), source: one({ not_after: instant(now - 1) }), check: "no_live_key" };
    const turned = source(["k1", k1, { not_after: instant(now - 1) }], ["k2", k2, { not_before: instant(now - 3600) }]);
    yield { ...base, name: "after a rotation, signed with the new key", headers: withSignature(p, fresh), source: turned, key: "k2" };
    yield { ...base, name: "after a rotation, signed with the retired key", headers: withSignature(p, old), source: turned, check: "signature_mismatch" };
}

async function* forgeries(p) {
    const body = p.document();
    const right = await signed(p, body);
    const digest = Buffer.from(await p.sign(p.secrets.k1, body), p.text === "base64" ? "base64" : "hex");
    digest[31] ^= 1;
    const written = (bytes) => p.prefix + bytes.toString(p.text === "base64" ? "base64" : "hex");
    const mismatch = (name, value, more) => refused(p, name, "signature_mismatch", value, more);
    yield mismatch("one letter of the body changed", right, { body: body.replace("e", "f") });
    yield mismatch("a line end added to the body", right, { body: `${body}\n` });
    yield mismatch("a space taken for another", right, { body: body.replace(":", ": ") });
    yield mismatch("the last bit of the signature changed", written(digest), { maker: "by hand" });
    yield mismatch("signed with another secret", await signed(p, body, p.secrets.wrong));
    yield mismatch("the signature of another body", await signed(p, '{"id":"evt_0"}'));
    if (!p.keyIsHex) yield mismatch("signed with the secret and a line end", await signed(p, body, `${p.secrets.k1}\n`));
    yield mismatch("a digest without a key", written(createHash("sha256").update(body).digest()), { maker: "by hand" });
    yield mismatch("32 zero bytes", written(Buffer.alloc(32)), { maker: "by hand" });
    const key = p.keyIsHex ? Buffer.from(p.secrets.k1, "hex") : p.secrets.k1;
    for (const [name, algorithm] of [["HMAC-SHA1", "sha1"], ["HMAC-SHA512", "sha512"]]) {
        const other = createHmac(algorithm, key).update(body).digest();
        yield refused(p, `${name} in place of HMAC-SHA256`, "signature_encoding", written(other), { maker: "by hand" });
    }
}

const spelling = "one signature has one spelling, of a fixed length and alphabet (section 4 rule 1)";

export async function* hexCases(p) {
    const hex = await p.sign(p.secrets.k1, p.document());
    const upper = hex.toUpperCase();
    const broken = (name, value) => refused(p, name, "signature_encoding", p.prefix + value, { why: spelling });
    if (p.text === "hex") {
        yield broken("upper-case hex", upper);
    } else {
        const anyCase = "the provider's text form is not fixed to lower case (sections 1 and 5): any case is taken";
        yield { ...(await accepted(p, "upper-case hex", p.document(), { why: anyCase })), headers: withSignature(p, p.prefix + upper) };
        const mixed = hex.slice(0, 32) + upper.slice(32);
        yield { ...(await accepted(p, "hex of both cases", p.document(), { why: anyCase })), headers: withSignature(p, p.prefix + mixed) };
    }
    yield broken("hex one digit short", hex.slice(0, 63));
    yield broken("hex two digits short", hex.slice(0, 62));
    yield broken("hex one digit too long", `${hex}0`);
    yield broken("hex two digits too long", `${hex}00`);
    yield broken("a letter that is no hex digit", `${hex.slice(0, 63)}g`);
    yield broken("0x in front", `0x${hex}`);
    yield broken("a space inside", `${hex.slice(0, 32)} ${hex.slice(32)}`);
    yield broken("quotes around", `"${hex}"`);
    yield broken("base64 in place of hex", Buffer.from(hex, "hex").toString("base64"));
    if (!p.commas) yield broken("two signatures joined by a comma", `${hex},${hex}`);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The same 32 bytes for a lenient decoder: the last letter carries two bits that nobody needs.
function loose(base64) {
    const last = alphabet.indexOf(base64[42]);
    return `${base64.slice(0, 42)}${alphabet[last | 1]}=`;
}

// A body whose signature has a letter that the URL alphabet spells otherwise.
export async function withSpecialLetter(sign, document) {
    for (let number = 1; ; ++number) {
        const body = document({ more: `"note":${number}` });
        const base64 = await sign(body);
        if (/[+/]/.test(base64)) return { body, base64 };
    }
}

export function* looseBase64(base64) {
    yield ["base64 without its padding", base64.slice(0, 43)];
    yield ["base64 in the alphabet of URLs", base64.replaceAll("+", "-").replaceAll("/", "_")];
    yield ["base64 whose unused bits are set", loose(base64)];
    yield ["base64 cut by four letters", base64.slice(4)];
    yield ["base64 with four letters more", `AAAA${base64}`];
    yield ["base64 with one more padding", `${base64}=`];
    yield ["base64 with a space inside", `${base64.slice(0, 20)} ${base64.slice(20)}`];
    yield ["hex in place of base64", Buffer.from(base64, "base64").toString("hex")];
    yield ["base64 with a letter outside the alphabet", `${base64.slice(0, 20)}*${base64.slice(21)}`];
}

async function* base64Cases(p) {
    const { body, base64 } = await withSpecialLetter((made) => p.sign(p.secrets.k1, made), (parts) => p.document(parts));
    for (const [name, value] of looseBase64(base64)) {
        yield refused(p, name, "signature_encoding", p.prefix + value, { body, why: spelling });
    }
    yield refused(p, "two signatures joined by a comma", "signature_encoding", `${p.prefix}${base64},${base64}`, { body, why: spelling });
}

const once = "exactly one value for each header that takes part (section 4 rule 3)";

async function* headerCases(p) {
    const body = p.document();
    const right = await signed(p, body);
    const wrong = await signed(p, body, p.secrets.wrong);
    const twice = (first, second) => [json, [p.header, first], [p.header, second], ...p.others];
    yield refused(p, "no signature header", "missing_header", undefined);
    yield refused(p, "an empty signature header", p.prefix && !p.prefixMayLack ? "header_grammar" : "no_signature", "");
    yield refused(p, "the signature header twice, the same", "repeated_header", "", { headers: twice(right, right), why: once });
    yield refused(p, "the signature header twice, the first one right", "repeated_header", "", { headers: twice(right, wrong), why: once });
    yield refused(p, "the signature header twice, the second one right", "repeated_header", "", { headers: twice(wrong, right), why: once });
    if (p.long) yield refused(p, "a signature header of 9000 bytes", "header_too_long", p.prefix + "0".repeat(9000 - p.prefix.length));
    const lower = withSignature(p, right).map(([name, value]) => [name.toLowerCase(), value]);
    yield accepted(p, "header names in lower case", body, { headers: lower });
    const upper = withSignature(p, right).map(([name, value]) => [name.toUpperCase(), value]);
    yield accepted(p, "header names in upper case", body, { headers: upper });
    yield accepted(p, "no content type", body, { headers: withSignature(p, right).slice(1) });
}

async function* prefixCases(p) {
    if (p.prefix !== "sha256=") return;
    const hex = await p.sign(p.secrets.k1, p.document());
    const check = p.prefixMayLack ? "signature_encoding" : "header_grammar";
    const broken = (name, value) => refused(p, name, check, value, { why: `the value begins with ${p.prefix} (section 1)` });
    if (p.prefixMayLack) yield { ...(await accepted(p, "the digest without its prefix", p.document())), headers: withSignature(p, hex) };
    else yield broken("the digest without its prefix", hex);
    yield broken("the prefix in upper case", `SHA256=${hex}`);
    yield broken("the prefix of another algorithm", `sha1=${hex}`);
    yield refused(p, "the prefix alone", "no_signature", p.prefix);
    yield refused(p, "the prefix twice", "signature_encoding", p.prefix + p.prefix + hex);
    yield refused(p, "a space behind the prefix", "signature_encoding", `${p.prefix} ${hex}`);
}

export async function* singleHeaderCases(p) {
    yield* bodyCases(p);
    yield* p.rotates === false ? [] : keyCases(p);
    yield* forgeries(p);
    yield* p.text === "base64" ? base64Cases(p) : hexCases(p);
    yield* prefixCases(p);
    yield* headerCases(p);
}

export const hexOf = (secret, body) => hmac(secret, body).toString("hex");
export const base64Of = (secret, body) => hmac(secret, body).toString("base64");
