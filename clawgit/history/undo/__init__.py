"""How is one change taken back, and what goes with it?

Public: undo, revert, take_back, undo_targets.
"""
