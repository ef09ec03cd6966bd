"""A second opinion on the vectors: written from the providers' rules, shares nothing with what made them."""
