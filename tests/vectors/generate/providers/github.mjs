// GitHub: lower hex behind sha256=, over the body; what the event is stands in headers that nothing signs.
import { createHash, createHmac } from "node:crypto";
import { sign, verify } from "@octokit/webhooks-methods";
import { hmac, keys, npm, object } from "../frame.mjs";
import { accepted, json, refused, signed, singleHeaderCases, withSignature } from "../single_header.mjs";

const delivery = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
const about = (event, id = delivery) => [["X-GitHub-Event", event], ["X-GitHub-Delivery", id]];
const maker = npm("@octokit/webhooks-methods");

const github = {
    recipe: "github", made_with: [maker], maker,
    long: true, header: "X-Hub-Signature-256", prefix: "sha256=", text: "hex",
    secrets: { k1: "It's a Secret to Everybody", k2: "9d1f0c2e7b6a4583", wrong: "not the hook's secret" },
    others: about("issues"),
    names: { object: "node_id" }, around: "issue",
    parts: { action: '"opened"', object: '"I_kwDOABCD12345"' },
    base: { id: "", type: "issues.opened", object: "I_kwDOABCD12345", time: "" },
    // Nobody signs an id: a body under the event's name.
    idOf: (body, { headers }) => `${headers.find(([name]) => name === "X-GitHub-Event")?.[1]}.${createHash("sha256").update(body).digest("hex")}`,
    document(changes) {
        const parts = { ...this.parts, ...changes };
        const issue = object([["node_id", parts.object], ["number", "1347"], ["title", '"Found a bug"']]);
        return object([["action", parts.action], ["issue", issue], ["sender", '{"login":"octocat"}']], parts.more);
    },
    // The SDK signs and takes text only; bytes that are none, and no body at all, are signed by hand.
    sign: async (secret, body) => typeof body === "string" && body ? (await sign(secret, body)).slice(7) : hmac(secret, body).toString("hex"),
    ask: (request, key) => verify(key.value, request.text, request.header("X-Hub-Signature-256")),
    cases: () => cases(github),
};
github.source = { recipe: "github", keys: keys(["k1", github.secrets.k1]), order_by: ["/issue/node_id", "/pull_request/node_id"] };
github.empty = { type: "issues", object: "" };

async function* events(p) {
    const body = p.document();
    const right = await signed(p, body);
    const with_ = (...others) => ({ headers: [json, [p.header, right], ...others] });
    yield accepted(p, "the value that GitHub publishes", "Hello, World!", { events: [] });
    yield accepted(p, "a ping, which has no action", '{"zen":"Design for failure.","hook_id":1}',
        { headers: [json, [p.header, await signed(p, '{"zen":"Design for failure.","hook_id":1}')], ...about("ping")],
          events: [{ id: "", type: "ping", object: "", time: "" }] });
    const pull = '{"action":"closed","number":2,"pull_request":{"node_id":"PR_kwDO1","merged":true}}';
    yield accepted(p, "a pull request", pull, { headers: [json, [p.header, await signed(p, pull)], ...about("pull_request")],
        events: [{ id: delivery, type: "pull_request.closed", object: "PR_kwDO1", time: "" }] });
    yield accepted(p, "the event's name changed, which nothing signs", body,
        { ...with_(...about("pull_request")), events: [{ ...p.base, type: "pull_request.opened" }] });
    yield accepted(p, "the delivery's id changed, which nobody reads", body, with_(...about("issues", "another-id")));
    yield accepted(p, "a delivery id of 256 bytes, which nobody reads", body, with_(...about("issues", "d".repeat(256))));
    yield accepted(p, "no delivery id, which nobody reads", body, with_(["X-GitHub-Event", "issues"]));
    yield accepted(p, "no event name: authentic, but of no type", body, { ...with_(["X-GitHub-Delivery", delivery]), events: [] });
    const once = { why: "exactly one value for each header that takes part (section 4 rule 3)" };
    yield accepted(p, "the delivery's id twice, which nobody reads", body, with_(...about("issues"), ["X-GitHub-Delivery", "b"]));
    yield refused(p, "the event's name twice", "repeated_header", "", { ...with_(...about("issues"), ["X-GitHub-Event", "push"]), ...once });
    yield accepted(p, "the action stands twice", p.document({ action: '"opened","action":"closed"' }), { events: [] });
}

async function* legacy(p) {
    const body = p.document();
    const sha1 = "sha1=" + createHmac("sha1", p.secrets.k1).update(body).digest("hex");
    const old = ["X-Hub-Signature", sha1];
    yield refused(p, "the old SHA-1 header alone", "missing_header", undefined, { headers: [...withSignature(p, undefined), old] });
    yield accepted(p, "the old SHA-1 header beside the right one", body, { headers: [...withSignature(p, await signed(p, body)), old] });
    yield accepted(p, "a wrong SHA-1 header beside the right one", body,
        { headers: [...withSignature(p, await signed(p, body)), ["X-Hub-Signature", `sha1=${"0".repeat(40)}`]] });
    const form = `payload=${encodeURIComponent(body)}`;
    const sent = async (text, events, content = "application/x-www-form-urlencoded") =>
        ({ body: text, headers: [["Content-Type", content], [p.header, await signed(p, text)], ...p.others], events });
    const as = async (name, ...rest) => ({ ...(await accepted(p, name, form)), ...(await sent(...rest)) });
    yield as("a form, signed as it is encoded", form, [p.base]);
    yield as("a form that says it is JSON, which nothing signs", form, [p.base], "application/json");
    yield as("a form, spaces as plus and a field behind it", `${form.replaceAll("%20", "+")}&ref=a+b`, [p.base]);
    yield as("a form with the payload twice: authentic, but two readings", `${form}&payload=%7B%7D`, []);
    yield as("a form with a percent sign that escapes nothing: authentic, but unreadable", `${form}%`, []);
    yield refused(p, "a form, signed as it is decoded", "signature_mismatch", await signed(p, `payload=${body}`), { body: form });
}

async function* cases(p) {
    yield* events(p);
    yield* legacy(p);
    yield* singleHeaderCases(p);
}

export default github;
