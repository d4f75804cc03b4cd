"""How are the derived files rendered?

Public: change_logs, render_views, soul_history.
"""
