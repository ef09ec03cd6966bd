// What all providers share: the clock, packages and their versions, and how a case becomes a vector.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

export const now = 1795258000; // 2026-11-21T10:46:40Z

export const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
export const npm = (name) => `npm ${name} ${version(name)}`;

export function hmac(key, ...parts) {
    const mac = createHmac("sha256", key);
    for (const part of parts) mac.update(part);
    return mac.digest();
}

// JSON text from members whose values are JSON text already; undefined ones are left out, `more` is put behind as it is.
export function object(members, more) {
    const written = members.filter(([, value]) => value !== undefined).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
    return `{${[...written, ...(more ? [more] : [])].join(",")}}`;
}

export const keys = (...list) => list.map(([id, value, validity]) => ({ id, value, ...validity }));
export const instant = (seconds) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

// What a server hands to a provider's code: names without case, repeated fields joined as HTTP joins them.
class Received {
    constructor(request) {
        Object.assign(this, request);
        this.bytes = Buffer.from(request.body);
        this.text = this.bytes.toString("utf8");
    }
    all(name) {
        return this.headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
    }
    header(name) {
        const values = this.all(name);
        return values.length ? values.join(", ") : undefined;
    }
    plain() {
        return Object.fromEntries(this.headers.map(([name]) => [name.toLowerCase(), this.header(name)]));
    }
}

const RealDate = Date;

async function atTime(seconds, action) {
    globalThis.Date = class extends RealDate {
        constructor(...given) {
            super(...(given.length ? given : [seconds * 1000]));
        }
        static now() {
            return seconds * 1000;
        }
    };
    try {
        return await action();
    } finally {
        globalThis.Date = RealDate;
    }
}

async function verdictOf(provider, request, key) {
    try {
        return (await provider.ask(request, key)) ? "accepts" : "refuses";
    } catch (error) {
        return provider.refusals?.some((kind) => error instanceof kind) ? "refuses" : "throws";
    }
}

// One secret after the other, as somebody would who holds several.
async function askProvider(provider, request, source) {
    if (!provider.ask) return "no sdk";
    const said = [];
    for (const key of source.keys) said.push(await atTime(request.now, () => verdictOf(provider, request, key)));
    return ["accepts", "throws", "refuses"].find((word) => said.includes(word));
}

function writtenBody(body) {
    const bytes = Buffer.from(body);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? { body: text } : { body_base64: bytes.toString("base64") };
}

function judged(provider, given, sdk) {
    const accepted = given.check === undefined;
    const differs = sdk !== "no sdk" && (sdk === "accepts") !== accepted;
    if (differs && !given.why) throw new Error(`${provider.recipe}: "${given.name}": the SDK ${sdk}, and no reason is given`);
    const verdict = accepted ? { accepted } : { accepted, check: given.check };
    return { ...verdict, sdk, ...(differs ? { why: given.why } : {}) };
}

export async function vectorOf(provider, given) {
    const request = new Received({ now, method: "POST", target: provider.target ?? `/v1/webhooks/${provider.recipe}`, ...given });
    const sdk = given.unasked ? "no sdk" : await askProvider(provider, request, given.source ?? provider.source);
    const events = provider.idOf ? given.events?.map((event) => ({ ...event, id: provider.idOf(given.body, given) })) : given.events;
    return {
        name: given.name, maker: given.maker ?? provider.maker, ...(given.source ? { source: given.source } : {}),
        now: request.now, method: request.method, target: request.target, headers: given.headers, ...writtenBody(given.body),
        ...judged(provider, given, sdk), ...(given.check === undefined ? { key: given.key ?? provider.key ?? "k1", events } : {}),
    };
}

export async function document(provider) {
    const vectors = [];
    for await (const given of provider.cases()) vectors.push(await vectorOf(provider, given));
    const names = vectors.map((vector) => vector.name);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice) throw new Error(`${provider.recipe}: two vectors are named "${twice}"`);
    if (provider.ask && !vectors.some((vector) => vector.sdk === "accepts")) throw new Error(`${provider.recipe}: the SDK refuses everything`);
    return { recipe: provider.recipe, made_with: provider.made_with, source: provider.source, vectors };
}
