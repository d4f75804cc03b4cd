"""Pairs of statements that contradict each other, and pairs that only look alike; and what a night costs."""
