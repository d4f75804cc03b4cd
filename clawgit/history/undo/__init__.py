"""How is one change taken back, and what goes with it?

Public: undo, take_back, undo_targets, forgetting.
"""
