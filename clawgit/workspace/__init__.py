"""The folder: layout, settings and CONFIG.md, templates, trust, safe file access.

Public: clock_looks, safe_files, foreign_files, folder_events, layout, find_workspace.
"""
