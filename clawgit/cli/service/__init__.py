"""Commands about the resident service, and what it does for others."""
