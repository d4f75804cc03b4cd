"""How does memory stay small, and lose nothing on the way?

Public: compaction_round, quarterly_plans, vector_hygiene.
"""
