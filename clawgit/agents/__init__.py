"""The workers: each reads a view and makes a plan; none of them writes."""
