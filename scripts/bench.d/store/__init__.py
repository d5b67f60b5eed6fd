"""Kept sessions and their store: what they cost, and what is left of them when the daemon is killed."""
