"""Which lines are searched, and how does the index follow them?

Public: index_tables, searched_files, search_limits.
"""
