"""Who the agent is: what may change in the soul, and by whom. No I/O."""
