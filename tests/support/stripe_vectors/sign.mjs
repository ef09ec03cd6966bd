// Signs each body of bodies.json with the npm package `stripe`, and asks it to verify what came out.
import { readFileSync } from "node:fs";
import Stripe from "stripe";

const stripe = new Stripe("sk_test_unused");
const { secret, rolled, timestamp, bodies } = JSON.parse(readFileSync(process.argv[2], "utf8"));

const header = (payload, options = {}) =>
    stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, ...options });

function accepts(payload, signature, age) {
    const verifier = stripe.webhooks.signature;
    try {
        return verifier.verifyHeader(payload, signature, secret, 300, undefined, (timestamp + age) * 1000);
    } catch {
        return false;
    }
}

function vector(name, payload, signature) {
    return { name, maker: `npm stripe ${Stripe.PACKAGE_VERSION}`, secret, rolled, timestamp, payload, header: signature,
             accepted_when_fresh: accepts(payload, signature, 0), accepted_at_300: accepts(payload, signature, 300),
             accepted_at_301: accepts(payload, signature, 301) };
}

const plain = Object.entries(bodies).map(([name, payload]) => vector(name, payload, header(payload)));
const body = bodies.snapshot;
const other = header(body, { secret: rolled });
const special = [
    vector("while a secret is rolled", body, `${other},${header(body).split(",")[1]}`),
    vector("made with another secret", body, other),
    vector("with a test-mode v0 in front", body, header(body).replace(",v1=", `,v0=${"0".repeat(64)},v1=`)),
    vector("scheme v0 only", body, header(body, { scheme: "v0" })),
    vector("body changed by one letter", body.replace("succeeded", "Succeeded"), header(body)),
];
console.log(JSON.stringify([...plain, ...special]));
