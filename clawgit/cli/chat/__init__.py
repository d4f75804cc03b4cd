"""Commands about messages and sessions."""
