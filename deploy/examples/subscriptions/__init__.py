"""Stripe's subscriptions as tables, credits for paid invoices, and mails for payments that failed."""
