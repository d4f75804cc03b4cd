"""Where does a statement of memory come from?

Public: trust_lookup, correction_files, evidence_cited, corrections_in_force, entries_at_tip, fold_store,
fold_update, present_words, principle_origins, why, wordings.
"""
