"""How is something found again?

Public: corrected_messages, search_results, vector_search, correction_proof, get_lines, search, search_hits, recall_status,
revive, search_as_of, search_deep, search_messages, vector_diagnosis,
vector_rows_at_rest.
"""
