"""Which edits of others are kept, held as proposals or put back?

Public: keep, overrides, unchecked_arrivals.
"""
