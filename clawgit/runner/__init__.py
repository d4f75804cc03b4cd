"""When is a job due, what is done then, and what is said of it in the morning?

Public: resident_runner, run_due_jobs, job_process, digest, installation, not_kept, typed_lines.
"""
