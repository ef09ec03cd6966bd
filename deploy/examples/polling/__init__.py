"""A team without a public endpoint: the tables are kept from Stripe's list of events."""
