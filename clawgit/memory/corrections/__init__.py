"""What is in the log of corrections, and what does it do to the entries it corrects?

Public: correction_log, write_correction, corrected_entries.
"""
