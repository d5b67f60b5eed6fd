"""A bystander beside an attack: how long it waits for answers, and how much memory the daemon uses."""
