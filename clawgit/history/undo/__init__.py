"""How is one change taken back, and what goes with it?

Public: undo, revert, undo_preview, undo_targets.
"""
