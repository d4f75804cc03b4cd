"""Which lines are searched, and how does the index follow them?

Public: searched_files, search_limits.
"""
