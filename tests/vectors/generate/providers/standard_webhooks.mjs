// Standard Webhooks 1.0.0: HMAC under v1, Ed25519 under v1a. The SDK knows v1 only, so v1a is signed by hand.
import { createPrivateKey, createPublicKey, sign as signWith } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { hmac, keys, now, npm } from "../frame.mjs";
import { bad, good, id, keyOf, request, shared, standardCases } from "../standard_cases.mjs";

const maker = npm("standardwebhooks");

const standard = {
    ...shared, recipe: "standard-webhooks", begins: "webhook-", made_with: [maker], maker, underV1a: "signature_encoding", refusals: [WebhookVerificationError],
    sign(secret, body) {
        if (typeof body !== "string") return shared.byHand(secret, body);
        return new Webhook(secret).sign(id, new Date(now * 1000), body).slice(3);
    },
    ask(request, key) {
        if (key.value.startsWith("whpk_")) return false;
        new Webhook(key.value).verify(request.text, request.plain(), { jsonParse: false });
        return true;
    },
    cases: () => cases(standard),
};

// An Ed25519 key from its seed: PKCS #8 is a fixed head and the seed.
function pairOf(first) {
    const seed = Buffer.from(Array.from({ length: 32 }, (_, place) => (first + 3 * place) % 256));
    const secret = createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]), format: "der", type: "pkcs8" });
    const raw = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(12);
    return { secret, raw, text: `whpk_${raw.toString("base64")}` };
}

const pair = pairOf(5);
const other = pairOf(77);
const asymmetric = (body, { by = pair, msgId = id, at = now } = {}) =>
    signWith(null, Buffer.concat([Buffer.from(`${msgId}.${at}.`), Buffer.from(body)]), by.secret).toString("base64");

// S of the signature plus the order of the group: the same point for a lenient verifier.
function malleable(base64) {
    const raw = Buffer.from(base64, "base64");
    const little = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const sum = (little(raw.subarray(32)) + order).toString(16).padStart(64, "0");
    return Buffer.concat([raw.subarray(0, 32), Buffer.from(sum, "hex").reverse()]).toString("base64");
}

standard.source = { recipe: "standard-webhooks", keys: keys(["k1", standard.secrets.k1], ["p1", pair.text]), tolerance: "300s", order_by: ["/data/id"] };

const source = (...list) => ({ ...standard.source, keys: keys(...list) });
const publicOnly = source(["p1", pair.text]);
const secretOnly = source(["k1", standard.secrets.k1]);
const hand = { maker: "by hand", unasked: true };
const v1a = (p, text, more) => ({ headers: request(p, text), key: "p1", ...hand, ...more });

function* ed25519(p) {
    const body = p.document();
    const right = asymmetric(body);
    yield good(p, "v1a with a public key", v1a(p, `v1a,${right}`, { source: publicOnly }));
    yield good(p, "v1a over text that is not ASCII", v1a(p, `v1a,${asymmetric('{"type":"é","data":{}}')}`, { body: '{"type":"é","data":{}}', events: [] }));
    yield good(p, "v1a among labels nobody knows", v1a(p, `v2,AAAA v1a,${right} v1b,BBBB`));
    yield good(p, "v1a, the second of two public keys", v1a(p, `v1a,${asymmetric(body, { by: other })}`,
        { source: source(["p1", pair.text], ["p2", other.text]), key: "p2" }));
    yield good(p, "a wrong v1a, then the right one", v1a(p, `v1a,${asymmetric(body, { by: other })} v1a,${right}`));
    yield good(p, "both kinds of keys, signed under v1a", v1a(p, `v1a,${right}`));
    yield good(p, "both kinds of keys, signed under v1", v1a(p, `v1,${p.sign(p.secrets.k1, body)}`, { key: "k1", maker }));
    yield good(p, "both kinds of keys, v1 wrong and v1a right", v1a(p, `v1,${p.sign(p.secrets.wrong, body)} v1a,${right}`));
    const empty = { body: "", events: [] };
    yield good(p, "v1a over no body at all", v1a(p, `v1a,${asymmetric("")}`, empty));
}

function* confused(p) {
    const body = p.document();
    const content = `${id}.${now}.${body}`;
    const byPublic = hmac(pair.raw, content).toString("base64");
    const byText = hmac(pair.text, content).toString("base64");
    yield bad(p, "HMAC with the public key as its secret, under v1a", "signature_encoding", v1a(p, `v1a,${byPublic}`, { source: publicOnly }));
    yield bad(p, "HMAC with the public key as its secret, under v1", "no_signature", v1a(p, `v1,${byPublic}`, { source: publicOnly }));
    yield bad(p, "HMAC with the public key's text as its secret, under v1", "no_signature", v1a(p, `v1,${byText}`, { source: publicOnly }));
    yield bad(p, "HMAC with the public key under v1, where both kinds of keys are", "signature_mismatch", v1a(p, `v1,${byPublic}`));
    yield bad(p, "HMAC with the secret under v1a, where both kinds of keys are", "signature_encoding",
        v1a(p, `v1a,${hmac(keyOf(p.secrets.k1), content).toString("base64")}`));
    yield bad(p, "an Ed25519 signature under v1, where both kinds of keys are", "signature_encoding", v1a(p, `v1,${asymmetric(body)}`));
    yield bad(p, "an Ed25519 signature under v1a, where the only key is a secret", "no_signature", v1a(p, `v1a,${asymmetric(body)}`, { source: secretOnly }));
}

function* brokenSignatures(p) {
    const body = p.document();
    const right = asymmetric(body);
    const bit = Buffer.from(right, "base64");
    bit[63] ^= 1;
    const mismatch = (name, text, more) => bad(p, name, "signature_mismatch", v1a(p, `v1a,${text}`, more));
    yield mismatch("v1a of another key", asymmetric(body, { by: other }));
    yield mismatch("v1a, one letter of the body changed", right, { body: body.replace("e", "f") });
    yield mismatch("v1a, one bit of the signature changed", bit.toString("base64"));
    yield mismatch("v1a, the order of the group added to S", malleable(right));
    yield mismatch("v1a of 64 zero bytes", Buffer.alloc(64).toString("base64"));
    yield mismatch("v1a of another id", asymmetric(body, { msgId: "msg_other" }));
    const broken = (name, text) => bad(p, name, "signature_encoding", v1a(p, `v1a,${text}`));
    yield broken("v1a without its padding", right.slice(0, 86));
    yield broken("v1a cut to 63 bytes", Buffer.from(right, "base64").subarray(0, 63).toString("base64"));
    yield broken("v1a of 65 bytes", Buffer.concat([Buffer.from(right, "base64"), Buffer.of(0)]).toString("base64"));
    yield broken("v1a in hex", Buffer.from(right, "base64").toString("hex"));
    yield bad(p, "v1a, 301 seconds old", "too_old", v1a(p, "", { headers: request(p, `v1a,${asymmetric(body, { at: now - 301 })}`, { at: String(now - 301) }) }));
    yield bad(p, "v1a, an id with a full stop", "header_grammar", v1a(p, "", { headers: request(p, `v1a,${asymmetric(body, { msgId: "a.b" })}`, { msgId: "a.b" }) }));
}

function* cases(p) {
    yield* ed25519(p);
    yield* confused(p);
    yield* brokenSignatures(p);
    yield* standardCases(p);
}

export default standard;
