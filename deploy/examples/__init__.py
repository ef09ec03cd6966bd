"""Whole systems to start from: `./run demo --example NAME` plays one, `--write DIR` makes one's own of it."""
