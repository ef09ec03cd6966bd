// Asks wechatpay-axios-plugin, whose parts a receiver puts together: the text, then RSA with the key of the serial.
import { createPublicKey } from "node:crypto";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import { bytesOf, headersOf, judge } from "./rsa_judge.mjs";

await judge((vector, { keys }) => {
    const headers = headersOf(vector);
    const { value } = keys.find(({ id }) => id === headers["wechatpay-serial"]);
    const text = Formatter.response(headers["wechatpay-timestamp"], headers["wechatpay-nonce"], bytesOf(vector).toString("utf8"));
    return Rsa.verify(text, headers["wechatpay-signature"], createPublicKey(value));
});
