"""How is something found again?

Public: search_results, vector_search, correction_proof, get_lines, search, recall_status, revive, search_deep,
search_messages, model_lines.
"""
