// Mercado Pago: lower hex over id, request id and time; the body is not signed at all.
import { InvalidWebhookSignatureError, WebhookSignatureValidator } from "mercadopago";
import { hmac, instant, keys, now, npm, object } from "../frame.mjs";
import { bodies } from "../json_cases.mjs";
import { hexCases } from "../single_header.mjs";

const secrets = { k1: "mp-application-secret-1", k2: "mp-application-secret-2", wrong: "mp-application-secret-3" };
const json = ["Content-Type", "application/json"];
const payment = "1234567890";
const order = "ORD01JQ4S4KY8HWQ6NA5PXB65B3D3";
const rid = "bb56a2f1-6aae";
const path = "/v1/webhooks/mercado-pago";

function manifest({ id = payment, request = rid, ts = now }) {
    const pairs = [["id", id], ["request-id", request], ["ts", ts]].filter(([, value]) => value !== null);
    return pairs.map(([name, value]) => `${name}:${value};`).join("");
}
const sign = (parts = {}, secret = secrets.k1) => hmac(secret, manifest(parts)).toString("hex");
const queried = (target) => new URL(target, "http://local").searchParams.get("data.id") ?? undefined;

const mercado = {
    recipe: "mercado-pago", made_with: [npm("mercadopago")], maker: "by hand", refusals: [InvalidWebhookSignatureError],
    target: `${path}?data.id=${payment}&type=payment`,
    header: "x-signature", prefix: `ts=${now},v1=`, text: "hex", commas: true, others: [["x-request-id", rid]], secrets,
    names: { time: "date_created" }, undated: true,
    parts: { id: "12345", action: '"payment.updated"', type: '"payment"', time: '"2026-11-21T10:46:38Z"' },
    base: { id: "12345", type: "payment.updated", object: payment, time: "2026-11-21T10:46:38Z" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["action", parts.action], ["data", `{"id":"${payment}"}`], ["date_created", parts.time],
            ["id", parts.id], ["type", parts.type]], parts.more);
    },
    sign: async (secret) => sign({}, secret),
    ask(request, key) {
        WebhookSignatureValidator.validate({ xSignature: request.header("x-signature"), xRequestId: request.header("x-request-id"),
            dataId: queried(request.target), secret: key.value });
        return true;
    },
    cases: () => cases(mercado),
};
mercado.source = { recipe: "mercado-pago", keys: keys(["k1", secrets.k1]), tolerance: "300s", with: { data_id_case: "as-is" } };

const headers = (signature, request = rid) => [json, ...(signature === undefined ? [] : [["x-signature", signature]]), ...(request === null ? [] : [["x-request-id", request]])];
const right = (parts = {}) => `ts=${parts.ts ?? now},v1=${sign(parts)}`;
const ok = (name, more) => ({ name, body: mercado.document(), headers: headers(right()), events: [mercado.base], ...more });
const no = (name, check, more) => ({ ...ok(name, more), check });

const spelled = "the case of data.id is a setting: documentation and earlier SDKs made it lower, the SDK takes it as received (section 3)";

function* cased() {
    const lower = order.toLowerCase();
    const source = (data_id_case) => ({ ...mercado.source, with: { data_id_case } });
    const sent = (id, signedId) => ({ target: `${path}?data.id=${id}&type=order`, headers: headers(right({ id: signedId })), events: [{ ...mercado.base, object: id }], why: spelled });
    for (const [name, id, signedId, good] of [
        ["sent in upper case, signed as it was sent", order, order, ["as-is", "either"]],
        ["sent in upper case, signed in lower case", order, lower, ["lower", "either"]],
        ["sent in lower case, signed in lower case", lower, lower, ["as-is", "lower", "either"]],
        ["sent in lower case, signed in upper case", lower, order, []],
        ["sent in both cases, signed in upper case", `${order.slice(0, 9)}${lower.slice(9)}`, order, []]]) {
        for (const setting of ["as-is", "lower", "either"]) {
            const given = { ...sent(id, signedId), source: source(setting) };
            yield good.includes(setting) ? ok(`data.id ${name}, setting ${setting}`, given) : no(`data.id ${name}, setting ${setting}`, "signature_mismatch", given);
        }
    }
    yield no("x-request-id in upper case, whatever the setting for data.id", "signature_mismatch", { source: source("either"), headers: headers(right(), rid.toUpperCase()) });
}

const strict = "the timestamp is plain digits inside the window (section 4 rule 4); the SDK looks at the age only when it is asked to, and takes seconds only";

function* times() {
    const at = (name, ts, check) => ({ ...ok(name, { headers: headers(right({ ts })), why: strict }), ...(check ? { check } : {}) });
    yield at("milliseconds", now * 1000 + 123);
    yield at("300 seconds old", now - 300);
    yield at("301 seconds old", now - 301, "too_old");
    yield at("300 seconds ahead", now + 300);
    yield at("301 seconds ahead", now + 301, "too_new");
    yield at("300 seconds old, in milliseconds", (now - 300) * 1000);
    yield at("301 seconds old, in milliseconds", (now - 301) * 1000, "too_old");
    yield at("300 seconds ahead, in milliseconds", (now + 300) * 1000);
    yield at("301 seconds ahead, in milliseconds", (now + 301) * 1000, "too_new");
    yield at("a zero in front of the seconds", `0${now}`);
    yield at("a space in front of the timestamp, signed", ` ${now}`, "signature_mismatch");
    yield at("14 digits", `0${now}000`, "timestamp_grammar");
    for (const [name, ts] of [["a plus sign", `+${now}`], ["a minus sign", `-${now}`], ["a decimal", `${now}.5`],
        ["a huge timestamp", "9".repeat(30)], ["a letter behind the timestamp", `${now}s`], ["an empty timestamp", ""]]) yield at(name, ts, "timestamp_grammar");
    yield { ...at("sent again after four days, to a source without a tolerance", now - 4 * 86400), source: { ...mercado.source, tolerance: undefined } };
    yield { ...at("an hour old, which the source allows", now - 3600), source: { ...mercado.source, tolerance: "3600s" } };
}

const apart = "one reading of the signed text: a value must not hold the text that ends it (sections 3 and 4)";
const once = "exactly one value for each header, pair and name that takes part (section 4 rule 3)";

function* absent() {
    const bare = `${path}?type=payment`;
    const nothing = { ...mercado.base, object: "" };
    yield ok("no x-request-id, and none signed", { headers: headers(right({ request: null }), null) });
    yield ok("no data.id, and none signed", { target: bare, headers: headers(right({ id: null })), events: [nothing] });
    yield ok("no query at all, and no data.id signed", { target: path, headers: headers(right({ id: null })), events: [nothing] });
    yield ok("neither data.id nor x-request-id", { target: bare, headers: headers(right({ id: null, request: null }), null), events: [nothing] });
    yield no("no x-request-id, but one signed", "signature_mismatch", { headers: headers(right(), null) });
    yield no("an x-request-id, but none signed", "signature_mismatch", { headers: headers(right({ request: null })) });
    yield no("no data.id, but one signed", "signature_mismatch", { target: bare });
    yield no("a data.id, but none signed", "signature_mismatch", { headers: headers(right({ id: null })) });
    yield no("another data.id than was signed", "signature_mismatch", { target: `${path}?data.id=1234567891&type=payment` });
    yield no("data.id twice, the same", "repeated_field", { target: `${path}?data.id=${payment}&data.id=${payment}`, why: once });
    yield no("data.id twice, the first one right", "repeated_field", { target: `${path}?data.id=${payment}&data.id=7`, why: once });
    yield ok("an empty data.id, and none signed", { target: `${path}?data.id=&type=payment`, headers: headers(right({ id: null })), events: [nothing] });
    yield no("an empty data.id, signed as one", "signature_mismatch", { target: `${path}?data.id=&type=payment`, headers: headers(right({ id: "" })) });
    yield ok("the name data.id written with percent signs", { target: `${path}?data%2Eid=${payment}&type=payment` });
    yield no("data.id twice, once with percent signs", "repeated_field", { target: `${path}?data.id=${payment}&data%2Eid=7`, why: once });
    yield no("x-request-id twice", "repeated_header", { headers: [...headers(right()), ["x-request-id", "other"]], why: once });
    yield no("the request id moved into data.id", "header_grammar", { target: `${path}?data.id=${payment};request-id:${rid}`, headers: headers(right(), null), why: apart });
    yield no("the old form of notifications, without a signature", "missing_header", { target: `${path}?topic=payment&id=${payment}`, headers: headers(undefined) });
    yield ok("data.id behind other names of the query", { target: `${path}?type=payment&id=7&data.idx=8&data.id=${payment}` });
    yield ok("data.id written with percent signs", { target: `${path}?data.id=%31234567890&type=payment` });
}

function* pairs() {
    const hex = sign();
    const given = (value, more) => ({ headers: headers(value), ...more });
    const exact = "names are exact: one spelling (section 4 rule 1)";
    yield ok("v1 in front of ts", given(`v1=${hex},ts=${now}`));
    yield ok("pairs that nobody knows", given(`v=3,ts=${now},v2=abc,v1=${hex},x`));
    yield no("ts twice", "repeated_timestamp", given(`ts=1,ts=${now},v1=${hex}`, { why: once }));
    yield no("v1 twice, the last one right", "too_many_signatures", given(`ts=${now},v1=${"0".repeat(64)},v1=${hex}`, { why: once }));
    yield no("v1 twice, the same", "too_many_signatures", given(`ts=${now},v1=${hex},v1=${hex}`, { why: once }));
    yield no("no ts", "missing_timestamp", given(`v1=${hex}`));
    yield no("no v1", "no_signature", given(`ts=${now}`));
    yield no("v2 only", "no_signature", given(`ts=${now},v2=${hex}`));
    yield no("names in upper case", "missing_timestamp", given(`TS=${now},V1=${hex}`, { why: exact }));
    yield ok("a space behind the comma", given(`ts=${now}, v1=${hex}`));
    yield ok("spaces around the marks", given(`ts = ${now} , v1 = ${hex}`));
    yield no("no pairs at all", "header_grammar", given(hex));
    yield no("an empty x-signature", "header_grammar", given(""));
    yield no("no x-signature", "missing_header", given(undefined));
    yield no("x-signature twice, the same", "repeated_header", { headers: [...headers(right()), ["x-signature", right()]], why: once });
    yield no("another ts than was signed", "signature_mismatch", given(`ts=${now - 1},v1=${hex}`));
    yield no("signed with another secret", "signature_mismatch", given(`ts=${now},v1=${sign({}, secrets.wrong)}`));
    yield no("the last digit of the signature changed", "signature_mismatch", given(`ts=${now},v1=${hex.slice(0, 63)}${hex[63] === "0" ? "1" : "0"}`));
    yield no("the body signed", "signature_mismatch", given(`ts=${now},v1=${hmac(secrets.k1, mercado.document()).toString("hex")}`));
}

function* keyCases() {
    const source = (...list) => ({ source: { ...mercado.source, keys: keys(...list) }, why: "a key is used inside its validity only (section 4 rule 5); an SDK knows no validity" });
    const fresh = { headers: headers(`ts=${now},v1=${sign({}, secrets.k2)}`) };
    yield ok("two keys, signed with the second", { ...source(["k1", secrets.k1], ["k2", secrets.k2]), ...fresh, key: "k2" });
    yield no("a key a second after its time", "no_live_key", source(["k1", secrets.k1, { not_after: instant(now - 1) }]));
    yield no("a key a second before its time", "no_live_key", source(["k1", secrets.k1, { not_before: instant(now + 1) }]));
    yield no("after a rotation, signed with the retired key", "signature_mismatch", source(["k1", secrets.k1, { not_after: instant(now - 1) }], ["k2", secrets.k2]));
}

function* unsigned() {
    const body = (changes) => mercado.document(changes);
    yield ok("another body, which nothing signs", { body: body({ id: "777", action: '"payment.created"' }), events: [{ ...mercado.base, id: "777", type: "payment.created" }] });
    yield ok("data.id of the body changed, which nothing signs", { body: body().replace(`"${payment}"`, '"666"') });
    yield ok("an id that is text", { body: body({ id: '"abc-1"' }), events: [{ ...mercado.base, id: "abc-1" }] });
    yield ok("an id of 64 bits", { body: body({ id: "9223372036854775807" }), events: [{ ...mercado.base, id: "9223372036854775807" }] });
    yield ok("no id: the object and the action instead", { body: body({ id: undefined }), events: [{ ...mercado.base, id: `${payment}.payment.updated` }] });
    yield ok("no action: the type alone", { body: body({ action: undefined }), events: [{ ...mercado.base, type: "payment" }] });
    yield ok("neither action nor type", { body: body({ action: undefined, type: undefined }), events: [] });
    yield ok("the id stands twice", { body: body({ id: '1,"id":2' }), events: [] });
    yield ok("the action stands twice", { body: body({ action: '"a.b","action":"c.d"' }), events: [] });
}

async function* cases(p) {
    yield* cased();
    yield* times();
    yield* absent();
    yield* pairs();
    yield* keyCases();
    yield* unsigned();
    yield* hexCases(p);
    for (const made of bodies({ ...p, document: p.document, brief: true })) yield ok(made.name, made);
}

export default mercado;
