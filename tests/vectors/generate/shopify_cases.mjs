// Both kinds of Shopify's deliveries: the same signature, another family of headers.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { keys, npm, object } from "./frame.mjs";
import { accepted, base64Of, json, refused, signed, singleHeaderCases, withSignature } from "./single_header.mjs";

const require = createRequire(`${process.cwd()}/`);
require("@shopify/shopify-api/adapters/node");
const { shopifyApi } = require("@shopify/shopify-api");

async function ask(request, key) {
    const shop = shopifyApi({ apiKey: "key", apiSecretKey: key.value, hostName: "shop.example.com", apiVersion: "2026-10",
        isEmbeddedApp: false, logger: { level: 0 } });
    const { valid } = await shop.webhooks.validate({ rawBody: request.text, rawRequest: { method: request.method, url: request.target, headers: request.plain() },
        rawResponse: {} });
    return valid;
}

const order = {
    parts: { object: "820982911946154508", time: '"2026-11-21T05:46:38-05:00"' },
    names: { object: "id", time: "updated_at" },
    document(changes) {
        const parts = { ...this.parts, ...changes };
        return object([["id", parts.object], ["admin_graphql_api_id", String.raw`"gid:\/\/shopify\/Order\/820982911946154508"`],
            ["total_price", '"403.00"'], ["updated_at", parts.time]], parts.more);
    },
};

export function shopify(recipe, begins, facts) {
    const provider = {
        recipe, made_with: [npm("@shopify/shopify-api")], maker: "by hand", ...order, begins, undated: true,
        header: `${begins}Hmac-SHA256`, prefix: "", text: "base64", brief: true,
        secrets: { k1: "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", k2: "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", wrong: "shpss_00000000000000000000000000000000" },
        base: { id: "", type: facts.Topic, object: "820982911946154508", time: "2026-11-21T10:46:38Z" },
        // Nobody signs an id, and topics share bodies: a body under a topic.
        idOf: (body, { headers }) => `${headers.find(([name]) => name.toLowerCase() === `${begins}Topic`.toLowerCase())?.[1]}.${createHash("sha256").update(body).digest("hex")}`,
        empty: { object: "", time: "" },
        headersOf: (changes = {}) => Object.entries({ ...facts, ...changes }).filter(([, value]) => value !== undefined)
            .map(([name, value]) => [begins + name, value]),
        sign: async (secret, body) => base64Of(secret, body), ask, required: Object.keys(facts),
    };
    provider.others = provider.headersOf();
    provider.source = { recipe, keys: keys(["k1", provider.secrets.k1]) };
    provider.cases = () => cases(provider);
    return provider;
}

const once = "exactly one value for each header that takes part (section 4 rule 3)";

async function* headers(p) {
    const body = p.document();
    const right = await signed(p, body);
    const said = (changes) => ({ headers: [json, [p.header, right], ...p.headersOf(changes)] });
    for (const name of p.required) {
        yield refused(p, `no ${name}`, "missing_header", "", said({ [name]: undefined }));
        yield refused(p, `an empty ${name}`, "missing_header", "", said({ [name]: "" }));
        if (!name.endsWith("Id") && name !== "Topic") continue;
        yield refused(p, `${name} twice`, "repeated_header", "", { headers: [...said().headers, [p.begins + name, "other"]], why: once });
    }
    const undated = p.document({ time: undefined });
    yield accepted(p, "no time in the body, and one in a header, which nothing signs", undated,
        { headers: [json, [p.header, await signed(p, undated)], ...p.headersOf(), [`${p.begins}Triggered-At`, "2026-11-21T10:46:38.5Z"]], events: [{ ...p.base, time: "" }] });
    yield accepted(p, "the topic changed, which nothing signs", body,
        { ...said({ Topic: "orders/delete" }), events: [{ ...p.base, type: "orders/delete" }] });
    yield accepted(p, "the delivery's id changed, which nobody reads", body, said({ "Webhook-Id": "another" }));
    yield accepted(p, "the shop changed, which nothing signs", body, said({ "Shop-Domain": "other.myshopify.com" }));
}

async function* objects(p) {
    for (const [name, id] of [["the largest id of 64 bits", "9223372036854775807"], ["an id of one digit", "7"]]) {
        yield accepted(p, name, p.document({ object: id }), { events: [{ ...p.base, object: id }] });
    }
    yield accepted(p, "an id that is text", p.document({ object: '"gid1"' }), { events: [{ ...p.base, object: "gid1" }] });
    const ofOrder = p.document({ object: "801038806", more: '"order_id":820982911946154508' });
    const object = p.recipe === "shopify" ? p.base.object : "801038806";
    yield accepted(p, "what belongs to an order", ofOrder, { events: [{ ...p.base, object }] });
}

async function* families(p) {
    const body = p.document();
    const right = await signed(p, body);
    const why = "one description for each family (section 4): the source says which one is read, the SDK goes by the headers";
    const begins = p.begins === "X-Shopify-" ? "Shopify-" : "X-Shopify-";
    const other = [[`${begins}Hmac-SHA256`, right], ...p.headersOf().map(([name, value]) => [begins + name.slice(p.begins.length), value])];
    yield refused(p, "the headers of the other family only", "missing_header", "",
        { headers: [json, ...other], why });
    yield accepted(p, "the headers of both families", body, { headers: [...withSignature(p, right), ...other], why });
}

async function* cases(p) {
    yield* headers(p);
    yield* objects(p);
    yield* families(p);
    yield* singleHeaderCases(p);
}
