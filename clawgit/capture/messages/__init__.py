"""How is a message stored and found again?

Public: message, open_messages, message_store, message_search, incoming_message, forgotten_messages.
"""
