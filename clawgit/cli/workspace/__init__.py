"""Commands about the workspace itself."""
