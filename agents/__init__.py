"""Programs that play: thin wrappers around the game's policies, trained models, and an arena to compare them."""
