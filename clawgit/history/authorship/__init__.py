"""Who makes a change, under which op, and with which words?

Public: approval_level, intent, actors, op_lookup, host_signs, pause, commit_messages, settings_in_force,
vouching.
"""
