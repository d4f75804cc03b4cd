"""The folder: layout, settings and CONFIG.md, templates, trust, safe file access.

Public: clock_looks, rewritten_record, safe_files, foreign_files, folder_events, layout, templates, find_workspace.
"""
