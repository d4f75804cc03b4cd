"""How does the workspace's git repository change, and what does it say about each change?

Public: apply_plan, reconcile, remember, adopt, missing_files, apply_quarantined, decide_proposal, claim_commits,
set_setting, unreviewed_additions, workspace_status.
"""
