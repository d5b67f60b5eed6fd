"""A bystander beside an attack: what it waits for its answers, and what the attack makes of the daemon's memory."""
