"""Where are the records beside the history kept?

Public: records, sqlite_files, model_calls, job_slots, digests, receipt_store.
"""
