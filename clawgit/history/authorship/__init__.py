"""Who makes a change, under which op, and with which words?

Public: approval_level, intent, actors, host_signs, commit_messages, settings_in_force, rewritten.
"""
