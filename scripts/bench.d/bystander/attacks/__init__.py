"""The attacks, a file for each kind."""
