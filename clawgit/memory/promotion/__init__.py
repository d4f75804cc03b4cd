"""Which parts of dated notes deserve a place in core memory, and how do they get there?

Public: note_parts, promotable_parts, promoted_text, trigger_scores.
"""
