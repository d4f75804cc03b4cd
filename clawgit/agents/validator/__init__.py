"""What does the Recall Validator correct, and how does it prove that?

Public: validation_round.
"""
