"""How is a message stored and found again?

Public: message, open_messages, rules_in_force, message_store, incoming_message.
"""
