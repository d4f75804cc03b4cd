"""How are the derived files rendered?

Public: render_views, view_entries, change_logs.
"""
