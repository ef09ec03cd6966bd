// Asks wechatpay-node-v3 with the keys of the source in place of those it would fetch.
import { createPublicKey } from "node:crypto";
import WxPay from "wechatpay-node-v3";
import { bytesOf, headersOf, judge } from "./rsa_judge.mjs";

const merchant = new WxPay({ appid: "unused", mchid: "unused", serial_no: "unused", publicKey: Buffer.from("unused"), privateKey: Buffer.from("unused") });
merchant.fetchCertificates = async () => { throw new Error("nothing is fetched here"); };
const publicKeyOf = (value) => createPublicKey(value).export({ type: "spki", format: "pem" });

await judge((vector, { keys, with: settings }) => {
    const headers = headersOf(vector);
    WxPay.certificates = Object.fromEntries(keys.map(({ id, value }) => [id, publicKeyOf(value)]));
    return merchant.verifySign({ timestamp: headers["wechatpay-timestamp"], nonce: headers["wechatpay-nonce"], body: bytesOf(vector).toString("utf8"),
                                 serial: headers["wechatpay-serial"], signature: headers["wechatpay-signature"], apiSecret: settings.api_v3_key.text });
});
