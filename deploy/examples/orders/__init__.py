"""A shop with four payment channels, and two that are told of each paid order."""
