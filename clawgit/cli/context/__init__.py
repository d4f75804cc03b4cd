"""Commands about what goes into a prompt, and what went into one."""
