"""Pages of team events: how teams play, their list at the desk, one team, and joining it."""
