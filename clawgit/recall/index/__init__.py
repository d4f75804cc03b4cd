"""Which lines are searched, and how does the index follow them?

Public: file_texts, index_tables, line_facts, searched_files, search_limits.
"""
