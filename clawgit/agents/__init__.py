"""What does each worker propose? It reads a view and makes a plan; none of them writes.

Public: authorised_edits, candidate_entries, correction_plans, decay_engine, external_handler, lessons_extractor,
message_door, operator_plans, organizer, promotion, promotion_review, run_agent, session_naming, smart_search,
vetoed_words.
"""
