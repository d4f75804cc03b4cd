"""How is something found again?

Public: ranked_answers, vector_search, correction_proof, get_lines, search, search_hits, search_messages,
search_several, recall_status, revive, search_as_of, search_deep, vector_diagnosis.
"""
