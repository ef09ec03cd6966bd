"""The demonstration: real servers, both programs, two thousand webhooks good and bad, and the books compared."""
