"""Where does a statement of memory come from?

Public: trust_lookup, correction_files, entries_at_tip, fold_store, fold_update, set_back, statement_changes, why.
"""
