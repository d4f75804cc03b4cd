"""Which lines are searched, and how does the index follow them?

Public: file_texts, index_tables, index_update, line_facts, searched_files, search_limits.
"""
