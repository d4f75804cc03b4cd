"""Commands about history: the soul, undo, why."""
