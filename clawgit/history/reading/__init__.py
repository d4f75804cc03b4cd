"""What does git say: log, blame, commit_batches, reachable commits?

Public: git_log, agent_prompts, blame, foreign_changes, line_steps, rearranged.
"""
