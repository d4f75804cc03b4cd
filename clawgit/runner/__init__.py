"""When is a job due, what is done then, and what is said of it in the morning?

Public: resident_runner, resident_note, run_due_jobs, job_process, runner_status, digest, digest_delivery, installation.
"""
