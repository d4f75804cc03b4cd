"""Where does a statement of memory come from?

Public: trust_lookup, correction_files, entries_at_tip, fold_store, set_back, statement_changes, why.
"""
