"""Which lines are searched, and how does the index follow them?

Public: index_tables, index_update, line_units, places, searched_files.
"""
