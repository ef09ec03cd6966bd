// Svix: Standard Webhooks with headers svix-*; each of them may be called webhook-* instead.
import { Webhook, WebhookVerificationError } from "svix";
import { keys, now, npm } from "../frame.mjs";
import { bad, good, id, request, shared, standardCases } from "../standard_cases.mjs";

const maker = npm("svix");

const svix = {
    ...shared, recipe: "svix", begins: "svix-", made_with: [maker], maker, underV1a: "no_signature", refusals: [WebhookVerificationError],
    sign(secret, body) {
        if (typeof body !== "string") return shared.byHand(secret, body);
        return new Webhook(secret).sign(id, new Date(now * 1000), body).slice(3);
    },
    ask(request, key) {
        new Webhook(key.value).verify(request.text, request.plain());
        return true;
    },
    cases: () => cases(svix),
};
svix.source = { recipe: "svix", keys: keys(["k1", svix.secrets.k1]), tolerance: "300s", order_by: ["/data/id"] };

function* families(p) {
    const right = `v1,${p.sign(p.secrets.k1, p.document())}`;
    const wrong = `v1,${p.sign(p.secrets.wrong, p.document())}`;
    const own = request(p, right);
    const [, ...general] = request(p, right, { begins: "webhook-" });
    yield good(p, "all headers called webhook-*", { headers: [own[0], ...general] });
    yield good(p, "both families, the same", { headers: [...own, ...general] });
    yield good(p, "the id called webhook-id, the others svix-*", { headers: [own[0], general[0], own[2], own[3]] });
    yield good(p, "both families, webhook-signature wrong", { headers: [...own, ["webhook-signature", wrong]] });
    yield bad(p, "both families, svix-signature wrong", "signature_mismatch", { headers: [...request(p, wrong), ...general] });
    yield bad(p, "both families, another svix-id", "signature_mismatch", { headers: [...request(p, right, { msgId: "msg_other" }), ...general] });
    yield bad(p, "webhook-signature twice, no svix-signature", "repeated_header",
        { headers: [own[0], ...general, general[2]], why: "exactly one value for each header that takes part (section 4 rule 3)" });
    yield good(p, "an Ed25519 signature beside the right one", { headers: request(p, `v1a,${"A".repeat(86)}== ${right}`) });
}

function* cases(p) {
    yield* families(p);
    yield* standardCases(p);
}

export default svix;
