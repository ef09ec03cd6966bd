// Shopify's classic deliveries: headers X-Shopify-*.
import { shopify } from "../shopify_cases.mjs";

export default shopify("shopify", "X-Shopify-", {
    Topic: "orders/updated", "Shop-Domain": "example.myshopify.com", "API-Version": "2026-10",
    "Webhook-Id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
});
