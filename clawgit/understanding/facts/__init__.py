"""What does a message say that is worth keeping, and where does it belong?

Public: select_facts, routing, same_statement, keepable_sentences.
"""
