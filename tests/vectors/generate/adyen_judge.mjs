// Asks @adyen/api-library of every item, with every key of the source: its hmacValidator knows one of each.
import { hmacValidator as HmacValidator } from "@adyen/api-library";
import { bytesOf, judge } from "./rsa_judge.mjs";

const validator = new HmacValidator();

await judge((vector, { keys }) => {
    const { notificationItems } = JSON.parse(bytesOf(vector).toString("utf8"));
    const items = notificationItems.map((each) => each.NotificationRequestItem);
    if (items.length === 0) return undefined;
    return items.every((item) => keys.some(({ value }) => validator.validateHMAC(item, value)));
});
