"""The daemon beside servers in C."""
