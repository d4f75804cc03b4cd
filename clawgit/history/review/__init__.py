"""Which edits of others are kept, held as proposals or put back?

Public: proposals, keep, arrivals, unreviewed, working_tree_edits.
"""
