"""What failed, what then worked, and what is learned from it?

Public: lessons_round.
"""
