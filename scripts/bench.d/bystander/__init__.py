"""A bystander beside an attack: how long it waits for its answers, and how the attack changes the daemon's memory."""
