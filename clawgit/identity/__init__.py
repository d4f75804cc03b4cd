"""Who is the agent, and what may change in its soul, by whom? No I/O.

Public: soul_policy, principles, principle_edits.
"""
