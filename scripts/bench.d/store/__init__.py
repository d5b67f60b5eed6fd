"""Kept sessions and their store: their cost, and the data that is left when the daemon is killed."""
