"""How is a message stored and found again?

Public: message, message_log, message_store, incoming_message.
"""
