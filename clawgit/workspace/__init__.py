"""The folder: layout, settings and CONFIG.md, templates, trust, safe file access.

Public: clock_looks, safe_files, foreign_files, layout, find_workspace.
"""
