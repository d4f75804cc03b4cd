"""How does the workspace's git repository change, and what does it say about each change?

Public: apply_plan, reconcile, remember, adopt, missing_files, decisions, workspace_status,
operator_records, states, views.
"""
