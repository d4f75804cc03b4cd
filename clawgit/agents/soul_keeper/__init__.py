"""What of what the operator ordered for good becomes a principle of the agent's?

Public: keeping_round.
"""
