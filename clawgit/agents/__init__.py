"""What does each worker propose? It reads a view and makes a plan; none of them writes.

Public: compactor, contradictions, external_handler, first_rearrangement, lessons_extractor, link_messages, linking, memory_miner, promotion, recall_validator, run_agent, takings_back.
"""
