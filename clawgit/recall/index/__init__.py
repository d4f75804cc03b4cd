"""Which lines are searched, and how does the index follow them?

Public: index_tables, line_units, places, searched_files.
"""
