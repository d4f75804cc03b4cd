"""Who is the agent, and what may change in its soul, by whom? No I/O.

Public: soul_policy, principles, drift, carried_edit, principle_edits, order_words.
"""
