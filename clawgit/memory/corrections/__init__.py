"""What is in the log of corrections, and what does it do to the entries it corrects?

Public: correction_log, verdicts, corrected_entries, withdrawal, write_correction, reverted_entries,
correction_blocks.
"""
