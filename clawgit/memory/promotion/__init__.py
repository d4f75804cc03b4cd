"""Which parts of dated notes deserve a place in core memory, and how do they get there?

Public: promotable_parts, trigger_scores.
"""
