"""Who makes a change, under which op, and with which words?

Public: intent, actors, host_signs, op_lookup, pause, commit_messages, settings_in_force.
"""
