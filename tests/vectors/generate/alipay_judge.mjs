// Asks alipay-sdk with each key of the source: checkNotifySignV2, which the package advises for forms that are decoded already.
import { AlipaySdk } from "alipay-sdk";
import { formOf, judge } from "./rsa_judge.mjs";

const unused = { appId: "unused", privateKey: "unused" };

function sdkFor(value) {
    if (!value.includes("BEGIN CERTIFICATE")) return new AlipaySdk({ ...unused, alipayPublicKey: value });
    return new AlipaySdk({ ...unused, alipayPublicCertContent: value, appCertContent: value, alipayRootCertContent: value });
}

await judge((vector, { keys }) => keys.some(({ value }) => sdkFor(value).checkNotifySignV2(formOf(vector))));
