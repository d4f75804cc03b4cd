"""What does a message say that is worth keeping, and where does it belong?

Public: first_person, keepable_sentences, routing, same_statement, select_facts.
"""
