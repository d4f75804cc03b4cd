"""Where are the records beside the history kept?

Public: records, sqlite_files, record_tables.
"""
