"""How a model is asked: adapters, a check of every answer, a limit for the day. What it says is untrusted."""
