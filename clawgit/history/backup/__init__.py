"""How are the records backed up and restored?

Public: records_status, backup_records.
"""
