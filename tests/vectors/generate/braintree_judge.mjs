// Asks braintree with each key pair of the source.
import braintree from "braintree";
import { formOf, judge } from "./rsa_judge.mjs";

const gatewayFor = ({ id, value }) =>
    new braintree.BraintreeGateway({ environment: braintree.Environment.Sandbox, merchantId: "unused", publicKey: id, privateKey: value });

async function takes(key, { bt_signature: signature, bt_payload: payload }) {
    try {
        await gatewayFor(key).webhookNotification.parse(signature, payload);
        return true;
    } catch (error) {
        if (error.type === "invalidSignatureError") return false;
        throw error;
    }
}

await judge(async (vector, { keys }) => {
    for (const key of keys) if (await takes(key, formOf(vector))) return true;
    return false;
});
