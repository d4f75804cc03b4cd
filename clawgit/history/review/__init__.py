"""Which edits of others are kept, held as proposals or put back?

Public: proposals, keep, unchecked_arrivals, overrides, working_tree_edits.
"""
