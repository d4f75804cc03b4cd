"""How is one change taken back, and what goes with it?

Public: undo, take_back, one_change, undo_targets, forgetting, cut_lines.
"""
