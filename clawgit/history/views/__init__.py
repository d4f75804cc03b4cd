"""How are the derived files rendered?

Public: changelog, render_views, view_entries.
"""
