"""Callers that give up and call again, while everything that executes commands dies, freezes or goes away (docs/commands.md)."""
