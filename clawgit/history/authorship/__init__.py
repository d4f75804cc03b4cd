"""Who makes a change, under which op, and with which words?

Public: approval_level, intent, actors, op_lookup, host_signs, process_ancestors, pause, commit_messages, settings_in_force,
vouching, vouched_word.
"""
