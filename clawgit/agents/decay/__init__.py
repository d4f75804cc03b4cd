"""What becomes of entries whose time is over?

Public: decay_round.
"""
