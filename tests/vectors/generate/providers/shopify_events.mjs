// Shopify's Events deliveries (developer preview): headers Shopify-*, with the event's id among those that must be there.
import { shopify } from "../shopify_cases.mjs";

export default shopify("shopify-events", "Shopify-", {
    Topic: "Order", "Shop-Domain": "example.myshopify.com", "API-Version": "2026-10",
    "Webhook-Id": "c1d2e3f4-0516-4728-93a4-b5c6d7e8f901", "Event-Id": "98880550-7158-44d4-b7cd-2c97c8a091b5",
});
