"""How are the records backed up and restored?

Public: backup_records.
"""
