"""How is a message stored and found again?

Public: message, open_messages, message_store, incoming_message.
"""
