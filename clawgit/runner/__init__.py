"""When is a job due, what is done then?

Public: resident_runner, run_due_jobs, job_process, installation.
"""
