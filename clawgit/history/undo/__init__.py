"""How is one change taken back, and what goes with it?

Public: revert, undo_preview, undo, undo_targets.
"""
