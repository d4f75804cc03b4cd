"""Commands that run the agents."""
