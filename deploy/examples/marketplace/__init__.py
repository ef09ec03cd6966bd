"""A marketplace: each seller's accounts and money apart, two endpoints of one account, and deliveries with several events."""
